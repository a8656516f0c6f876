/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-calls-private.h"

#include "model/fore-error.h"
#include "platform/fore-dirs.h"
#include "platform/fore-files.h"
#include "platform/fore-random-id.h"
#include "text/fore-json.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TOKEN_FILE "token"
#define TOKEN_LENGTH 32
#define ID_LENGTH 32
#define MAX_CALLS 256
#define MAX_OPTIONS 16
#define MAX_FILE (2 * FORE_CALL_MAX_TEXT)
#define MAX_DEPTH 8

static const char *const kind_words[] = { "ask",  "submit", "delegate", "withdraw", "plan",
                                          "mail", "inbox",  "join",     "script" };

G_STATIC_ASSERT (G_N_ELEMENTS (kind_words) == FORE_N_CALL_KINDS);

/**
 * fore_call_free:
 * @call: (nullable): a call
 */
void
fore_call_free (ForeCall *call)
{
  if (call == NULL)
    return;

  g_free (call->id);
  g_free (call->text);
  g_strfreev (call->options);
  g_free (call);
}

/**
 * fore_call_copy:
 * @call: a call
 *
 * Returns: (transfer full): a copy
 */
ForeCall *
fore_call_copy (const ForeCall *call)
{
  ForeCall *copy;

  g_return_val_if_fail (call != NULL, NULL);

  copy = g_new0 (ForeCall, 1);
  copy->id = g_strdup (call->id);
  copy->kind = call->kind;
  copy->text = g_strdup (call->text);
  copy->options = g_strdupv (call->options);
  copy->time = call->time;
  copy->answered = call->answered;

  return copy;
}

/* An agent may put anything into its folder: links, pipes and files without an end are left alone.
 */
static char *
read_small (const char *path, gsize *length, gint64 *time)
{
  g_autofree char *text = NULL;
  gssize done = -1;
  struct stat info;
  int fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0);

  if (fd < 0)
    return NULL;

  if (fstat (fd, &info) == 0 && S_ISREG (info.st_mode) && info.st_size <= MAX_FILE)
    {
      if (time != NULL)
        *time = (gint64) info.st_mtime * G_USEC_PER_SEC;
      text = g_malloc (MAX_FILE + 1);
      done = fore_file_read_at (fd, text, MAX_FILE, 0);
    }
  g_close (fd, NULL);
  if (done < 0)
    return NULL;

  text[done] = '\0';
  *length = (gsize) done;
  return g_steal_pointer (&text);
}

JsonNode *
fore_calls_read_object (const char *folder, const char *name, gint64 *time)
{
  g_autofree char *file = g_strconcat (name, FORE_CALLS_SUFFIX, NULL);
  g_autofree char *path = g_build_filename (folder, file, NULL);
  const ForeJsonLimits limits = { MAX_DEPTH, MAX_FILE };
  gsize length = 0;
  g_autofree char *text = read_small (path, &length, time);
  g_autoptr (JsonNode) node = NULL;

  if (text != NULL)
    node = fore_json_parse (text, (gssize) length, &limits, NULL);

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? g_steal_pointer (&node) : NULL;
}

static gboolean
write_object (const char *folder, const char *name, JsonObject *object, GError **error)
{
  g_autofree char *file = g_strconcat (name, FORE_CALLS_SUFFIX, NULL);
  g_autofree char *path = g_build_filename (folder, file, NULL);
  g_autoptr (JsonNode) node = json_node_alloc ();
  g_autofree char *text = NULL;
  g_autoptr (GError) local_error = NULL;

  json_node_init_object (node, object);
  text = fore_json_to_string (node, FALSE);
  if (g_file_set_contents_full (path, text, -1,
                                G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0600,
                                &local_error))
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
               _ ("“%s” cannot be written (%s); check the disk"), path, local_error->message);
  return FALSE;
}

/**
 * fore_calls_dup_token:
 * @secret: what only the runners of a run know
 * @task: key of a task
 * @n: number of an attempt
 *
 * The same for every runner of the run, and nobody's guess: HMAC-SHA256 (RFC 2104), cut to 128
 * bits.
 *
 * Returns: (transfer full): what the calls of that attempt have to name
 */
char *
fore_calls_dup_token (const char *secret, const char *task, guint n)
{
  g_autofree char *attempt = NULL;
  g_autofree char *digest = NULL;

  g_return_val_if_fail (secret != NULL && task != NULL, NULL);

  attempt = g_strdup_printf ("%s.%u", task, n);
  digest = g_compute_hmac_for_string (G_CHECKSUM_SHA256, (const guchar *) secret, strlen (secret),
                                      attempt, -1);

  return g_strndup (digest, TOKEN_LENGTH);
}

/**
 * fore_calls_make:
 * @folder: where calls of an attempt will lie
 * @token: what its calls have to name
 * @error: return location for an error
 *
 * For an agent that cannot make the folder itself, or is not told the token by its environment.
 *
 * Returns: whether the folder is there
 */
gboolean
fore_calls_make (const char *folder, const char *token, GError **error)
{
  g_autofree char *answers = NULL;
  g_autofree char *file = NULL;

  g_return_val_if_fail (folder != NULL && token != NULL, FALSE);

  answers = g_build_filename (folder, FORE_CALLS_ANSWERS, NULL);
  file = g_build_filename (answers, TOKEN_FILE, NULL);

  return fore_dirs_ensure_dir (folder, error) && fore_dirs_ensure_dir (answers, error)
         && g_file_set_contents_full (file, token, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}

static gboolean
is_id (const char *name, gsize length)
{
  if (length != ID_LENGTH)
    return FALSE;

  for (gsize i = 0; i < length; i++)
    {
      if (!g_ascii_isxdigit (name[i]))
        return FALSE;
    }

  return TRUE;
}

static gboolean
read_kind (const char *word, ForeCallKind *kind)
{
  for (guint i = 0; i < FORE_N_CALL_KINDS; i++)
    {
      if (g_strcmp0 (kind_words[i], word) == 0)
        {
          *kind = (ForeCallKind) i;
          return TRUE;
        }
    }

  return FALSE;
}

static ForeCall *
read_call (const char *folder, const char *answers, const char *id, const char *token)
{
  gint64 time = 0;
  g_autoptr (JsonNode) node = fore_calls_read_object (folder, id, &time);
  g_autofree char *answer = g_strconcat (id, FORE_CALLS_SUFFIX, NULL);
  g_autofree char *answer_path = g_build_filename (answers, answer, NULL);
  JsonObject *object = node != NULL ? json_node_get_object (node) : NULL;
  const char *text = object != NULL ? fore_json_get_string (object, "text", NULL) : NULL;
  ForeCallKind kind;
  ForeCall *call;

  if (text == NULL || text[0] == '\0' || strlen (text) > FORE_CALL_MAX_TEXT
      || g_strcmp0 (fore_json_get_string (object, "token", NULL), token) != 0
      || !read_kind (fore_json_get_string (object, "kind", NULL), &kind))
    return NULL;

  call = g_new0 (ForeCall, 1);
  call->id = g_strdup (id);
  call->kind = kind;
  call->text = g_strdup (text);
  call->options = fore_json_dup_strv (object, "options");
  call->time = time;
  call->answered = g_file_test (answer_path, G_FILE_TEST_EXISTS);
  if (call->options != NULL && g_strv_length (call->options) > MAX_OPTIONS)
    g_clear_pointer (&call->options, g_strfreev);

  return call;
}

static gint
compare_calls (gconstpointer a, gconstpointer b)
{
  const ForeCall *first = *(ForeCall *const *) a;
  const ForeCall *second = *(ForeCall *const *) b;

  if (first->time != second->time)
    return first->time < second->time ? -1 : 1;

  return strcmp (first->id, second->id);
}

static char *
read_token (const char *folder)
{
  g_autofree char *file = g_build_filename (folder, FORE_CALLS_ANSWERS, TOKEN_FILE, NULL);
  gsize length = 0;

  return read_small (file, &length, NULL);
}

/**
 * fore_calls_read:
 * @folder: an attempt's folder, which need not be there
 * @token: (nullable): what its calls have to name; %NULL if its runner was one that kept it there
 *
 * Reads what the agent wants; what is not a call, or names another token, is passed over, and so is
 * what comes after the first 256.
 *
 * Returns: (transfer full) (element-type ForeCall): its calls, the oldest first
 */
GPtrArray *
fore_calls_read (const char *folder, const char *token)
{
  g_autoptr (GPtrArray) calls = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_call_free);
  g_autofree char *answers = NULL;
  g_autofree char *kept = NULL;
  GDir *dir;
  const char *name;

  g_return_val_if_fail (folder != NULL, NULL);

  answers = g_build_filename (folder, FORE_CALLS_ANSWERS, NULL);
  if (token == NULL)
    token = kept = read_token (folder);
  dir = token != NULL ? g_dir_open (folder, 0, NULL) : NULL;

  while (dir != NULL && calls->len < MAX_CALLS && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *id = NULL;
      ForeCall *call;

      if (!g_str_has_suffix (name, FORE_CALLS_SUFFIX)
          || !is_id (name, strlen (name) - strlen (FORE_CALLS_SUFFIX)))
        continue;

      id = g_strndup (name, ID_LENGTH);
      call = read_call (folder, answers, id, token);
      if (call != NULL)
        g_ptr_array_add (calls, call);
    }

  if (dir != NULL)
    g_dir_close (dir);
  g_ptr_array_sort (calls, compare_calls);

  return g_steal_pointer (&calls);
}

static gboolean
write_answer (
    const char *folder, const char *id, const char *member, const char *text, GError **error)
{
  g_autofree char *answers = g_build_filename (folder, FORE_CALLS_ANSWERS, NULL);
  JsonObject *object = json_object_new ();
  gboolean written;

  json_object_set_string_member (object, member, text);
  written = write_object (answers, id, object, error);
  json_object_unref (object);

  return written;
}

/**
 * fore_calls_answer:
 * @folder: an attempt's folder
 * @id: a call
 * @text: its answer
 * @error: return location for an error
 *
 * Returns: whether the answer is on the disk
 */
gboolean
fore_calls_answer (const char *folder, const char *id, const char *text, GError **error)
{
  g_return_val_if_fail (folder != NULL && id != NULL && text != NULL, FALSE);

  return write_answer (folder, id, "text", text, error);
}

/**
 * fore_calls_refuse:
 * @folder: an attempt's folder
 * @id: a call
 * @text: one sentence: why it is refused
 * @error: return location for an error
 *
 * Returns: whether the refusal is on the disk
 */
gboolean
fore_calls_refuse (const char *folder, const char *id, const char *text, GError **error)
{
  g_return_val_if_fail (folder != NULL && id != NULL && text != NULL, FALSE);

  return write_answer (folder, id, "error", text, error);
}

/* The agent's side */

/**
 * fore_calls_enter:
 * @folder: the folder of an attempt that this process works for
 *
 * Does what the environment of an agent does; before any thread is started. Where no token lies in
 * @folder, that of the environment holds.
 */
void
fore_calls_enter (const char *folder)
{
  g_autofree char *token = NULL;

  g_return_if_fail (folder != NULL);

  g_setenv (FORE_MARKER_CALLS, folder, TRUE);
  token = read_token (folder);
  if (token != NULL)
    g_setenv (FORE_MARKER_TOKEN, token, TRUE);
}

const char *
fore_calls_get_folder (GError **error)
{
  const char *folder = g_getenv (FORE_MARKER_CALLS);

  if (folder == NULL || g_getenv (FORE_MARKER_TOKEN) == NULL)
    g_set_error_literal (error, FORE_ERROR, FORE_ERROR_USAGE,
                         _ ("Only an agent can do this, from inside its task."));

  return g_getenv (FORE_MARKER_TOKEN) != NULL ? folder : NULL;
}

/* Most who may call never do: nobody makes their folder for them. That of the run has to be there.
 */
static void
make_own_folder (const char *folder)
{
  g_autofree char *answers = g_build_filename (folder, FORE_CALLS_ANSWERS, NULL);

  g_mkdir (folder, 0700);
  g_mkdir (answers, 0700);
}

static gboolean
check_text (const char *text, GError **error)
{
  if (text[0] != '\0' && strlen (text) <= FORE_CALL_MAX_TEXT && g_utf8_validate (text, -1, NULL))
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE, _ ("Say it in 1 to %d bytes of text in UTF-8."),
               FORE_CALL_MAX_TEXT);
  return FALSE;
}

/**
 * fore_calls_send_as:
 * @id: the call's name, 32 hexadecimal digits
 * @kind: what is wanted
 * @text: see fore_calls_send()
 * @options: (nullable): see fore_calls_send()
 * @error: return location for an error
 *
 * For whoever has to call by the same name again.
 *
 * Returns: whether it was sent
 */
gboolean
fore_calls_send_as (
    const char *id, ForeCallKind kind, const char *text, const char *const *options, GError **error)
{
  const char *folder;
  JsonObject *object;
  JsonArray *array;
  gboolean written;

  g_return_val_if_fail (id != NULL && is_id (id, strlen (id)), FALSE);
  g_return_val_if_fail (kind < FORE_N_CALL_KINDS && text != NULL, FALSE);

  folder = fore_calls_get_folder (error);
  if (folder == NULL || !check_text (text, error))
    return FALSE;

  object = json_object_new ();
  json_object_set_string_member (object, "token", g_getenv (FORE_MARKER_TOKEN));
  json_object_set_string_member (object, "kind", kind_words[kind]);
  json_object_set_string_member (object, "text", text);
  array = json_array_new ();
  for (guint i = 0; options != NULL && options[i] != NULL; i++)
    json_array_add_string_element (array, options[i]);
  json_object_set_array_member (object, "options", array);
  make_own_folder (folder);
  written = write_object (folder, id, object, error);
  json_object_unref (object);

  return written;
}

/**
 * fore_calls_send:
 * @kind: what is wanted
 * @text: the question, the result, the plan, what a helper shall do, or the call that is taken back
 * @options: (nullable): answers to choose from; the role of a helper
 * @error: return location for an error
 *
 * Calls the run that this process works for; its environment says which that is.
 *
 * Returns: (transfer full): the call's name, or %NULL with %FORE_ERROR_USAGE where this is no task
 */
char *
fore_calls_send (ForeCallKind kind, const char *text, const char *const *options, GError **error)
{
  g_autofree char *id = NULL;

  g_return_val_if_fail (kind < FORE_N_CALL_KINDS && text != NULL, NULL);

  id = fore_platform_random_token (ID_LENGTH / 2);

  return fore_calls_send_as (id, kind, text, options, error) ? g_steal_pointer (&id) : NULL;
}

/**
 * fore_calls_dup_answers_folder:
 *
 * Returns: (transfer full) (nullable): where the answers to this process come, if it works for a
 *   task
 */
char *
fore_calls_dup_answers_folder (void)
{
  const char *folder = fore_calls_get_folder (NULL);

  if (folder == NULL)
    return NULL;

  make_own_folder (folder);
  return g_build_filename (folder, FORE_CALLS_ANSWERS, NULL);
}

/**
 * fore_calls_take_answer:
 * @id: a call that was sent
 * @refused: (out): whether it was refused
 *
 * Looks for the answer without waiting. A call that has one is taken away, so that a thousand of
 * them are never looked through at once.
 *
 * Returns: (transfer full) (nullable): the answer, or why there is none
 */
char *
fore_calls_take_answer (const char *id, gboolean *refused)
{
  g_autofree char *answers = fore_calls_dup_answers_folder ();
  g_autofree char *file = NULL;
  g_autofree char *path = NULL;
  g_autoptr (JsonNode) node = NULL;
  const char *problem;

  g_return_val_if_fail (id != NULL && refused != NULL, NULL);

  node = answers != NULL ? fore_calls_read_object (answers, id, NULL) : NULL;
  if (node == NULL)
    return NULL;

  file = g_strconcat (id, FORE_CALLS_SUFFIX, NULL);
  path = g_build_filename (g_getenv (FORE_MARKER_CALLS), file, NULL);
  g_unlink (path);
  problem = fore_json_get_string (json_node_get_object (node), "error", NULL);
  *refused = problem != NULL;

  return g_strdup (
      problem != NULL ? problem : fore_json_get_string (json_node_get_object (node), "text", ""));
}
