/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-conflict-load.h"

#include "engine/fore-conflict-sides.h"
#include "git/fore-changed-lines.h"
#include "text/fore-text.h"

#include <string.h>

/* A text view lays out all that it holds. */
#define MAX_LINES 1500
#define LINES_ABOVE 20

typedef struct
{
  ForeStore *store;
  ForeRequest *request;
} ConflictQuery;

static void
conflict_query_free (gpointer data)
{
  ConflictQuery *query = data;

  g_object_unref (query->store);
  fore_request_free (query->request);
  g_free (query);
}

static void
conflict_file_free (gpointer data)
{
  ForeConflictFile *file = data;

  g_free (file->path);
  for (guint i = 0; i < FORE_N_MERGE_SIDES; i++)
    {
      g_free (file->sides[i].text);
      g_clear_pointer (&file->sides[i].changed, g_array_unref);
    }
  g_free (file);
}

static const char *
skip_lines (const char *text, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const char *end = strchr (text, '\n');

      if (end == NULL)
        return text + strlen (text);
      text = end + 1;
    }

  return text;
}

static guint
count_lines (const char *text)
{
  guint n = 0;

  for (const char *at = text; *at != '\0'; at++)
    n += *at == '\n' || at[1] == '\0';

  return n;
}

/* Keeps what stands around the first change. */
static void
cut_text (ForeConflictText *side)
{
  guint n = count_lines (side->text);
  guint first = side->changed->len > 0 ? g_array_index (side->changed, ForeChangedLines, 0).first
                                       : 0;
  g_autofree char *whole = NULL;
  const char *start;

  if (n <= MAX_LINES)
    return;

  whole = g_steal_pointer (&side->text);
  side->above = first > LINES_ABOVE ? MIN (first - LINES_ABOVE, n - MAX_LINES) : 0;
  side->below = n - MAX_LINES - side->above;
  start = skip_lines (whole, side->above);
  side->text = g_strndup (start, (gsize) (skip_lines (start, MAX_LINES) - start));
  for (guint i = 0; i < side->changed->len; i++)
    {
      ForeChangedLines *lines = &g_array_index (side->changed, ForeChangedLines, i);

      lines->first -= MIN (lines->first, side->above);
    }
}

/* What both began with is marked where the second side took something away. */
static GArray *
find_changed (const ForeMergeConflict *conflict, ForeMergeSide side)
{
  ForeMergeSide from = side == FORE_MERGE_SIDE_BASE ? FORE_MERGE_SIDE_THEIRS : FORE_MERGE_SIDE_BASE;

  return fore_changed_lines_find (conflict->contents[from], conflict->contents[side]);
}

static void
fill_side (ForeConflictText *self, const ForeMergeConflict *conflict, ForeMergeSide side)
{
  g_autofree char *text = fore_conflict_sides_dup_text (conflict, side);

  self->missing = fore_merge_conflict_get_id (conflict, side) == NULL;
  if (text == NULL)
    return;

  self->text = fore_text_make_visible (text);
  self->changed = find_changed (conflict, side);
  cut_text (self);
}

static ForeConflictFile *
make_file (const ForeMergeConflict *conflict)
{
  ForeConflictFile *file = g_new0 (ForeConflictFile, 1);

  file->path = g_strdup (conflict->path);
  for (guint i = 0; i < FORE_N_MERGE_SIDES; i++)
    fill_side (&file->sides[i], conflict, (ForeMergeSide) i);

  return file;
}

static gpointer
load_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  ConflictQuery *query = data;
  g_autoptr (ForeConflictSides) sides = NULL;
  ForeConflictDoc *doc;

  sides = fore_conflict_sides_load (query->store, query->request, error);
  if (sides == NULL)
    return NULL;

  doc = g_atomic_rc_box_new0 (ForeConflictDoc);
  doc->files = g_ptr_array_new_with_free_func (conflict_file_free);
  doc->theirs = g_strdup (sides->theirs);
  doc->folder = g_strdup (sides->folder);
  for (guint i = 0; i < sides->result->conflicts->len; i++)
    g_ptr_array_add (doc->files, make_file (g_ptr_array_index (sides->result->conflicts, i)));

  return doc;
}

/**
 * fore_conflict_query:
 * @owner: (type GObject): whom @done is for
 * @store: the store
 * @request: a request about a conflict
 * @cancellable: (nullable): gives the answer up
 * @done: called with a #ForeConflictDoc or the error
 */
void
fore_conflict_query (gpointer owner,
                     ForeStore *store,
                     const ForeRequest *request,
                     GCancellable *cancellable,
                     ForeJobDone done)
{
  ConflictQuery *query;

  g_return_if_fail (FORE_IS_STORE (store));
  g_return_if_fail (request != NULL);

  query = g_new0 (ConflictQuery, 1);
  query->store = g_object_ref (store);
  query->request = fore_request_copy (request);
  fore_job_run (owner, "load-conflict", cancellable, load_thread, query, conflict_query_free,
                (GDestroyNotify) fore_conflict_doc_unref, done);
}

/**
 * fore_conflict_doc_ref:
 * @self: a document
 *
 * Returns: (transfer full): @self
 */
ForeConflictDoc *
fore_conflict_doc_ref (ForeConflictDoc *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

static void
conflict_doc_clear (gpointer data)
{
  ForeConflictDoc *self = data;

  g_ptr_array_unref (self->files);
  g_free (self->theirs);
  g_free (self->folder);
}

/**
 * fore_conflict_doc_unref:
 * @self: (transfer full): a document
 *
 * Gives up one reference.
 */
void
fore_conflict_doc_unref (ForeConflictDoc *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, conflict_doc_clear);
}
