/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-review-private.h"

#include "model/fore-error.h"
#include "platform/fore-clock.h"
#include "platform/fore-compat-glib.h"
#include "platform/fore-dirs.h"
#include "text/fore-json.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define FORMAT 1
#define LOCK_MS 5000
#define MAX_COMMENTS 1000
#define MAX_TEXT (64 * 1024)
#define ANSWER_CHARS 600

/**
 * fore_review_comment_new:
 * @path: a file of the result
 * @first: the first line that is meant, from 1
 * @last: the last one
 * @text: what is to be said
 *
 * Returns: (transfer full): a comment that is not kept yet
 */
ForeReviewComment *
fore_review_comment_new (const char *path, guint first, guint last, const char *text)
{
  ForeReviewComment *comment = g_new0 (ForeReviewComment, 1);

  comment->id = g_strdup_printf ("c%08x", g_random_int ());
  comment->path = g_strdup (path);
  comment->first = first;
  comment->last = MAX (first, last);
  comment->text = g_strdup (text);
  comment->time = fore_clock_now_us ();

  return comment;
}

/**
 * fore_review_comment_copy:
 * @comment: a comment
 *
 * Returns: (transfer full): the same
 */
ForeReviewComment *
fore_review_comment_copy (const ForeReviewComment *comment)
{
  ForeReviewComment *copy;

  g_return_val_if_fail (comment != NULL, NULL);

  copy = g_new0 (ForeReviewComment, 1);
  *copy = *comment;
  copy->id = g_strdup (comment->id);
  copy->path = g_strdup (comment->path);
  copy->quote = g_strdup (comment->quote);
  copy->text = g_strdup (comment->text);
  copy->task = g_strdup (comment->task);

  return copy;
}

/**
 * fore_review_comment_free:
 * @comment: (nullable): a comment
 */
void
fore_review_comment_free (ForeReviewComment *comment)
{
  if (comment == NULL)
    return;

  g_free (comment->id);
  g_free (comment->path);
  g_free (comment->quote);
  g_free (comment->text);
  g_free (comment->task);
  g_free (comment);
}

/**
 * fore_review_comment_dup_place:
 * @comment: a comment
 *
 * Returns: (transfer full): where it is, as "src/a.c:12" or "src/a.c:12-15"
 */
char *
fore_review_comment_dup_place (const ForeReviewComment *comment)
{
  g_return_val_if_fail (comment != NULL, NULL);

  if (comment->last > comment->first)
    return g_strdup_printf ("%s:%u-%u", comment->path, comment->first, comment->last);

  return g_strdup_printf ("%s:%u", comment->path, comment->first);
}

/* "3. text", "3) text", "3: text", also within a list or in bold. */
static const char *
skip_number (const char *line, guint number)
{
  char *end;
  guint64 found;

  while (*line == ' ' || *line == '-' || *line == '*' || *line == '#')
    line++;
  if (!g_ascii_isdigit (*line))
    return NULL;

  found = g_ascii_strtoull (line, &end, 10);
  if (found != number || strchr (".):", *end) == NULL || *end == '\0')
    return NULL;

  end++;
  while (*end == ' ' || *end == '*')
    end++;

  return end;
}

/**
 * fore_review_comment_dup_answer:
 * @comment: a comment
 * @task: the follow-up that it was sent with
 *
 * Returns: (transfer full) (nullable): what @task says that it did about @comment: the line with
 * its number, else the beginning of its result; %NULL as long as there is none
 */
char *
fore_review_comment_dup_answer (const ForeReviewComment *comment, const ForeTask *task)
{
  g_auto (GStrv) lines = NULL;

  g_return_val_if_fail (comment != NULL, NULL);
  g_return_val_if_fail (task != NULL, NULL);

  if (task->result == NULL || *task->result == '\0')
    return NULL;

  lines = g_strsplit (task->result, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *answer = skip_number (lines[i], comment->number);

      if (answer != NULL && *answer != '\0')
        return fore_text_shorten (answer, ANSWER_CHARS);
    }

  return fore_text_shorten (task->result, ANSWER_CHARS);
}

static ForeReview *
review_new (const char *run_id)
{
  ForeReview *review = g_atomic_rc_box_new0 (ForeReview);

  review->run_id = g_strdup (run_id);
  review->comments = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_review_comment_free);
  review->viewed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  return review;
}

static void
review_clear (gpointer data)
{
  ForeReview *review = data;

  g_free (review->run_id);
  g_ptr_array_unref (review->comments);
  g_hash_table_unref (review->viewed);
}

/**
 * fore_review_ref:
 * @review: what was noted, which is not changed any more
 *
 * Returns: (transfer full): @review
 */
ForeReview *
fore_review_ref (ForeReview *review)
{
  g_return_val_if_fail (review != NULL, NULL);

  return g_atomic_rc_box_acquire (review);
}

/**
 * fore_review_unref:
 * @review: (nullable): what was noted
 */
void
fore_review_unref (ForeReview *review)
{
  if (review != NULL)
    g_atomic_rc_box_release_full (review, review_clear);
}

static char *
dup_path (ForeStore *store, const char *run_id, const char *name)
{
  g_autofree char *folder = fore_dirs_dup_run_dir (fore_store_get_home (store), run_id);

  return g_build_filename (folder, name, NULL);
}

ForeLock *
fore_review_lock (ForeStore *store, const char *run_id, GError **error)
{
  g_autofree char *path = dup_path (store, run_id, "review.lock");

  return fore_lock_wait (path, TRUE, LOCK_MS, NULL, NULL, error);
}

static int
compare_comments (gconstpointer a, gconstpointer b)
{
  const ForeReviewComment *left = *(ForeReviewComment *const *) a;
  const ForeReviewComment *right = *(ForeReviewComment *const *) b;
  int order = strcmp (left->path, right->path);

  if (order == 0)
    order = (left->first > right->first) - (left->first < right->first);
  if (order == 0)
    order = (left->time > right->time) - (left->time < right->time);

  return order;
}

static void
read_comment (ForeReview *review, JsonObject *object)
{
  const char *path = fore_json_get_string (object, "path", NULL);
  const char *text = fore_json_get_string (object, "text", NULL);
  gint64 first = fore_json_get_int (object, "first", 0);
  gint64 last = fore_json_get_int (object, "last", first);
  ForeReviewComment *comment;

  if (path == NULL || text == NULL || first < 1 || last < first || last > G_MAXINT)
    return;

  comment = fore_review_comment_new (path, (guint) first, (guint) last, text);
  g_free (comment->id);
  comment->id = g_strdup (fore_json_get_string (object, "id", ""));
  comment->quote = g_strdup (fore_json_get_string (object, "quote", NULL));
  comment->task = g_strdup (fore_json_get_string (object, "task", NULL));
  comment->number = (guint) CLAMP (fore_json_get_int (object, "number", 0), 0, MAX_COMMENTS);
  comment->time = fore_json_get_int (object, "time", 0);
  g_ptr_array_add (review->comments, comment);
}

static void
read_viewed (ForeReview *review, JsonObject *object)
{
  JsonObjectIter iter;
  const char *path;
  JsonNode *node;

  json_object_iter_init (&iter, object);
  while (json_object_iter_next (&iter, &path, &node))
    {
      if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
        g_hash_table_insert (review->viewed, g_strdup (path),
                             g_strdup (json_node_get_string (node)));
    }
}

static ForeReview *
read_review (JsonObject *object, const char *run_id)
{
  ForeReview *review = review_new (run_id);
  JsonObject *viewed = fore_json_get_object (object, "viewed");
  JsonArray *comments = fore_json_get_array (object, "comments");
  guint n = comments != NULL ? json_array_get_length (comments) : 0;

  review->revision = fore_json_get_int (object, "revision", 0);
  if (viewed != NULL)
    read_viewed (review, viewed);
  for (guint i = 0; i < MIN (n, MAX_COMMENTS); i++)
    {
      JsonNode *node = json_array_get_element (comments, i);

      if (JSON_NODE_HOLDS_OBJECT (node))
        read_comment (review, json_node_get_object (node));
    }
  g_ptr_array_sort (review->comments, compare_comments);

  return review;
}

/**
 * fore_review_load:
 * @store: the store
 * @run_id: whole id of a run
 * @error: return location for an error
 *
 * Reads what was noted about the result of a run; blocking.
 *
 * Returns: (transfer full) (nullable): what is kept, which may be nothing
 */
ForeReview *
fore_review_load (ForeStore *store, const char *run_id, GError **error)
{
  g_autofree char *path = NULL;
  g_autoptr (JsonNode) node = NULL;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (run_id != NULL, NULL);

  path = dup_path (store, run_id, "review.json");
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return review_new (run_id);

  node = fore_json_load_file (path, NULL, error);
  if (node == NULL)
    return NULL;
  if (JSON_NODE_HOLDS_OBJECT (node)
      && fore_json_get_int (json_node_get_object (node), "format", 0) == FORMAT)
    return read_review (json_node_get_object (node), run_id);

  g_set_error (error, FORE_ERROR, FORE_ERROR_NEWER,
               _ ("“%s” was written by a newer version of Foredeck; update Foredeck."), path);
  return NULL;
}

static JsonObject *
make_comment (const ForeReviewComment *comment)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "id", comment->id);
  json_object_set_string_member (object, "path", comment->path);
  json_object_set_int_member (object, "first", comment->first);
  json_object_set_int_member (object, "last", comment->last);
  json_object_set_string_member (object, "text", comment->text);
  if (comment->quote != NULL)
    json_object_set_string_member (object, "quote", comment->quote);
  if (comment->task != NULL)
    {
      json_object_set_string_member (object, "task", comment->task);
      json_object_set_int_member (object, "number", comment->number);
    }
  json_object_set_int_member (object, "time", comment->time);

  return object;
}

gboolean
fore_review_save (ForeStore *store, const char *run_id, ForeReview *review, GError **error)
{
  g_autofree char *path = dup_path (store, run_id, "review.json");
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  g_autofree char *text = NULL;
  JsonObject *object = json_object_new ();
  JsonObject *viewed = json_object_new ();
  JsonArray *comments = json_array_new ();
  GHashTableIter iter;
  gpointer file, stamp;

  g_ptr_array_sort (review->comments, compare_comments);
  g_hash_table_iter_init (&iter, review->viewed);
  while (g_hash_table_iter_next (&iter, &file, &stamp))
    json_object_set_string_member (viewed, file, stamp);
  for (guint i = 0; i < review->comments->len; i++)
    json_array_add_object_element (comments, make_comment (review->comments->pdata[i]));
  json_object_set_int_member (object, "format", FORMAT);
  json_object_set_int_member (object, "revision", ++review->revision);
  json_object_set_object_member (object, "viewed", viewed);
  json_object_set_array_member (object, "comments", comments);
  json_node_take_object (node, object);
  text = fore_json_to_string (node, TRUE);

  return g_file_set_contents_full (
      path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0600, error);
}

/**
 * fore_review_find:
 * @review: what was noted
 * @id: id of a comment, or a beginning of it that no other has
 *
 * Returns: (transfer none) (nullable): the comment
 */
const ForeReviewComment *
fore_review_find (const ForeReview *review, const char *id)
{
  const ForeReviewComment *found = NULL;

  g_return_val_if_fail (review != NULL, NULL);
  g_return_val_if_fail (id != NULL, NULL);

  for (guint i = 0; i < review->comments->len; i++)
    {
      const ForeReviewComment *comment = review->comments->pdata[i];

      if (!g_str_has_prefix (comment->id, id))
        continue;
      if (found != NULL)
        return NULL;
      found = comment;
    }

  return found;
}

/**
 * fore_review_count_unsent:
 * @review: what was noted
 *
 * Returns: how many comments were not sent yet
 */
guint
fore_review_count_unsent (const ForeReview *review)
{
  guint n = 0;

  g_return_val_if_fail (review != NULL, 0);

  for (guint i = 0; i < review->comments->len; i++)
    n += ((const ForeReviewComment *) review->comments->pdata[i])->task == NULL;

  return n;
}

static gboolean
check_comment (const ForeReview *review, const ForeReviewComment *comment, GError **error)
{
  const ForeReviewComment *old = fore_review_find (review, comment->id);

  if (old != NULL && old->task != NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_STALE,
                   _ ("The comment was sent with “%s” already; write another one."), old->task);
      return FALSE;
    }
  if (old == NULL && review->comments->len >= MAX_COMMENTS)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_LIMIT,
                   _ ("There are %d comments; send them before you write more."), MAX_COMMENTS);
      return FALSE;
    }
  if (*comment->text != '\0' && strlen (comment->text) <= MAX_TEXT
      && g_utf8_validate (comment->text, -1, NULL))
    return TRUE;

  g_set_error_literal (error, FORE_ERROR, FORE_ERROR_USAGE,
                       _ ("Write a comment of at most 64 KiB."));
  return FALSE;
}

/**
 * fore_review_put:
 * @store: the store
 * @run_id: whole id of a run
 * @comment: a comment
 * @error: return location for an error
 *
 * Keeps @comment, instead of the one with its id if there is one.
 *
 * Returns: (transfer full) (nullable): all that is kept then; %FORE_ERROR_STALE for a comment that
 *   was sent
 */
ForeReview *
fore_review_put (ForeStore *store,
                 const char *run_id,
                 const ForeReviewComment *comment,
                 GError **error)
{
  g_autoptr (ForeLock) lock = NULL;
  g_autoptr (ForeReview) review = NULL;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (run_id != NULL && comment != NULL, NULL);

  if ((lock = fore_review_lock (store, run_id, error)) == NULL
      || (review = fore_review_load (store, run_id, error)) == NULL
      || !check_comment (review, comment, error))
    return NULL;

  g_ptr_array_remove (review->comments, (gpointer) fore_review_find (review, comment->id));
  g_ptr_array_add (review->comments, fore_review_comment_copy (comment));

  return fore_review_save (store, run_id, review, error) ? g_steal_pointer (&review) : NULL;
}

/**
 * fore_review_remove:
 * @store: the store
 * @run_id: whole id of a run
 * @id: id of a comment, or a beginning of it
 * @error: return location for an error
 *
 * Removes a comment, whether it was sent or not.
 *
 * Returns: (transfer full) (nullable): all that is kept then; %FORE_ERROR_NOT_FOUND if there is no
 *   such comment
 */
ForeReview *
fore_review_remove (ForeStore *store, const char *run_id, const char *id, GError **error)
{
  g_autoptr (ForeLock) lock = NULL;
  g_autoptr (ForeReview) review = NULL;
  const ForeReviewComment *comment;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (run_id != NULL && id != NULL, NULL);

  if ((lock = fore_review_lock (store, run_id, error)) == NULL
      || (review = fore_review_load (store, run_id, error)) == NULL)
    return NULL;

  comment = fore_review_find (review, id);
  if (comment == NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND, _ ("There is no comment “%s”."), id);
      return NULL;
    }

  g_ptr_array_remove (review->comments, (gpointer) comment);

  return fore_review_save (store, run_id, review, error) ? g_steal_pointer (&review) : NULL;
}

/**
 * fore_review_set_viewed:
 * @store: the store
 * @run_id: whole id of a run
 * @path: a file of the result
 * @stamp: (nullable): what it was when it was looked at; %NULL if it was not
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable): all that is kept then
 */
ForeReview *
fore_review_set_viewed (
    ForeStore *store, const char *run_id, const char *path, const char *stamp, GError **error)
{
  g_autoptr (ForeLock) lock = NULL;
  g_autoptr (ForeReview) review = NULL;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (run_id != NULL && path != NULL, NULL);

  if ((lock = fore_review_lock (store, run_id, error)) == NULL
      || (review = fore_review_load (store, run_id, error)) == NULL)
    return NULL;

  if (stamp != NULL)
    g_hash_table_insert (review->viewed, g_strdup (path), g_strdup (stamp));
  else
    g_hash_table_remove (review->viewed, path);

  return fore_review_save (store, run_id, review, error) ? g_steal_pointer (&review) : NULL;
}
