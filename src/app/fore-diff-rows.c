/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-diff-rows.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Context longer than this is folded; some lines stay at both ends. */
#define LONG_CONTEXT 20
#define KEPT_CONTEXT 4
/* Lines shown before the first change of a hunk that has more. */
#define LEADING_CONTEXT 3

struct _ForeDiffRows
{
  GObject parent_instance;

  ForeDiffDoc *doc;
  char *path;
  gboolean side_by_side;
  GArray *rows;
  GPtrArray *items; /* (nullable) those of @rows that somebody asked for */
  GHashTable *comments;
  GHashTable *opened;
  GHashTable *whole; /* by path: documents of that file alone, with all its lines */
  guint n_columns;
  guint n_digits;
};

static GType
fore_diff_rows_get_item_type (GListModel *model)
{
  return FORE_TYPE_DIFF_ROW;
}

static guint
fore_diff_rows_get_n_items (GListModel *model)
{
  return FORE_DIFF_ROWS (model)->rows->len;
}

static ForeDiffDoc *
get_doc (ForeDiffRows *self, const ForeDiffRowData *data)
{
  ForeDiffDoc *whole = g_hash_table_lookup (self->whole, data->file->path);

  return whole != NULL ? whole : self->doc;
}

static gpointer
fore_diff_rows_get_item (GListModel *model, guint position)
{
  ForeDiffRows *self = FORE_DIFF_ROWS (model);
  const ForeDiffRowData *data;

  if (position >= self->rows->len)
    return NULL;

  data = &g_array_index (self->rows, ForeDiffRowData, position);
  if (self->items->pdata[position] == NULL)
    self->items->pdata[position] = fore_diff_row_new (get_doc (self, data), data);

  return g_object_ref (self->items->pdata[position]);
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = fore_diff_rows_get_item_type;
  iface->get_n_items = fore_diff_rows_get_n_items;
  iface->get_item = fore_diff_rows_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (ForeDiffRows,
                               fore_diff_rows,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static char *
make_comment_key (const char *path, guint new_number)
{
  return g_strdup_printf ("%u:%s", new_number, path);
}

static guint
count_columns (const char *text)
{
  guint n = 0;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (c == '\t')
        n += 8 - n % 8;
      else
        n += g_unichar_iswide (c) ? 2 : 1;
    }

  return n;
}

static void
add_comment (ForeDiffRows *self, const ForeDiffDocFile *file, const ForeDiffDocLine *line)
{
  g_autofree char *key = NULL;
  ForeDiffRowData row = { .kind = FORE_DIFF_ROW_COMMENT, .file = file, .left = line };

  if (line == NULL || line->new_number == 0 || g_hash_table_size (self->comments) == 0)
    return;

  key = make_comment_key (file->path, line->new_number);
  row.comment = g_hash_table_lookup (self->comments, key);
  if (row.comment != NULL)
    g_array_append_val (self->rows, row);
}

static void
add_line (ForeDiffRows *self,
          const ForeDiffDocFile *file,
          const ForeDiffDocLine *left,
          const ForeDiffDocLine *right)
{
  ForeDiffRowData row = { .kind = FORE_DIFF_ROW_LINE, .file = file, .left = left, .right = right };
  const ForeDiffDocLine *any = left != NULL ? left : right;
  guint number = MAX (any->old_number, any->new_number);
  guint n_digits = 1;

  for (guint n = number; n >= 10; n /= 10)
    n_digits++;
  self->n_digits = MAX (self->n_digits, n_digits);
  self->n_columns = MAX (self->n_columns, count_columns (any->text));
  g_array_append_val (self->rows, row);
  add_comment (self, file, right != NULL ? right : left);
}

static void
add_fold (ForeDiffRows *self, ForeDiffRowData fold)
{
  fold.kind = FORE_DIFF_ROW_FOLD;
  if (fold.count > 0 || fold.heading != NULL)
    g_array_append_val (self->rows, fold);
}

static const ForeDiffDocLine *
get_line (const ForeDiffDocHunk *hunk, guint index)
{
  return &g_array_index (hunk->lines, ForeDiffDocLine, index);
}

/* How many lines of the same kind follow from @first. */
static guint
count_run (const ForeDiffDocHunk *hunk, guint first, ForeDiffLineKind kind)
{
  guint n = 0;

  while (first + n < hunk->lines->len && get_line (hunk, first + n)->kind == kind)
    n++;

  return n;
}

static void
add_context (ForeDiffRows *self, const ForeDiffDocFile *file, const ForeDiffDocHunk *hunk, guint i)
{
  const ForeDiffDocLine *line = get_line (hunk, i);

  add_line (self, file, line, self->side_by_side ? line : NULL);
}

static void
add_context_run (ForeDiffRows *self,
                 const ForeDiffDocFile *file,
                 const ForeDiffDocHunk *hunk,
                 guint first,
                 guint n)
{
  const ForeDiffDocLine *begin = get_line (hunk, first);
  guint kept = n > LONG_CONTEXT && !g_hash_table_contains (self->opened, begin) ? KEPT_CONTEXT : n;

  for (guint i = 0; i < kept; i++)
    add_context (self, file, hunk, first + i);
  if (kept == n)
    return;

  add_fold (self, (ForeDiffRowData){ .file = file,
                                     .count = n - 2 * KEPT_CONTEXT,
                                     .hunk = hunk,
                                     .first = first,
                                     .opens = TRUE });
  for (guint i = n - KEPT_CONTEXT; i < n; i++)
    add_context (self, file, hunk, first + i);
}

/* What was removed stands beside what was added in its place. */
static guint
add_change_beside (ForeDiffRows *self,
                   const ForeDiffDocFile *file,
                   const ForeDiffDocHunk *hunk,
                   guint first)
{
  guint n_old = count_run (hunk, first, FORE_DIFF_LINE_REMOVED);
  guint n_new = count_run (hunk, first + n_old, FORE_DIFF_LINE_ADDED);

  for (guint i = 0; i < MAX (n_old, n_new); i++)
    add_line (self, file, i < n_old ? get_line (hunk, first + i) : NULL,
              i < n_new ? get_line (hunk, first + n_old + i) : NULL);

  return n_old + n_new;
}

/* A hunk comes with more lines before its change than are shown, so that a fold never stands for
 * less than it takes itself.
 */
static guint
count_skipped (const ForeDiffDocHunk *hunk)
{
  guint n = count_run (hunk, 0, FORE_DIFF_LINE_CONTEXT);

  return n > LEADING_CONTEXT && n < hunk->lines->len ? n - LEADING_CONTEXT : 0;
}

static void
add_hunk (ForeDiffRows *self, const ForeDiffDocFile *file, const ForeDiffDocHunk *hunk, guint i)
{
  while (i < hunk->lines->len)
    {
      const ForeDiffDocLine *line = get_line (hunk, i);

      if (line->kind == FORE_DIFF_LINE_CONTEXT)
        {
          guint n = count_run (hunk, i, FORE_DIFF_LINE_CONTEXT);

          add_context_run (self, file, hunk, i, n);
          i += n;
        }
      else if (self->side_by_side && line->kind != FORE_DIFF_LINE_NOTE)
        i += add_change_beside (self, file, hunk, i);
      else
        {
          add_line (self, file, line, NULL);
          i++;
        }
    }
}

static guint
get_end (const ForeDiffDocHunk *hunk)
{
  guint end = hunk->new_start;

  for (guint i = 0; i < hunk->lines->len; i++)
    end += get_line (hunk, i)->new_number > 0;

  return end;
}

static void
add_file (ForeDiffRows *self, const ForeDiffDocFile *file, gboolean headed)
{
  ForeDiffRowData row = { .kind = FORE_DIFF_ROW_FILE, .file = file };
  guint end = 1;

  if (headed)
    g_array_append_val (self->rows, row);
  row.kind = FORE_DIFF_ROW_EMPTY;
  if (file->binary || file->too_large || file->hunks->len == 0)
    g_array_append_val (self->rows, row);

  for (guint i = 0; i < file->hunks->len; i++)
    {
      const ForeDiffDocHunk *hunk = g_ptr_array_index (file->hunks, i);
      guint hidden = hunk->new_start > end ? hunk->new_start - end : 0;
      guint skipped = hidden > 0 ? count_skipped (hunk) : 0;

      add_fold (self,
                (ForeDiffRowData){ .file = file,
                                   .count = hidden + skipped,
                                   .heading = hunk->heading,
                                   .first = hunk->new_start + skipped - (hidden + skipped > 0) });
      add_hunk (self, file, hunk, skipped);
      end = get_end (hunk);
    }
}

static void
make_rows (ForeDiffRows *self)
{
  guint n_files = self->doc != NULL ? fore_diff_doc_get_n_files (self->doc) : 0;

  g_array_set_size (self->rows, 0);
  self->n_columns = 1;
  self->n_digits = 3;
  for (guint i = 0; i < n_files; i++)
    {
      const ForeDiffDocFile *file = fore_diff_doc_get_file (self->doc, i);
      ForeDiffDoc *whole = g_hash_table_lookup (self->whole, file->path);

      if (whole != NULL)
        file = fore_diff_doc_get_file (whole, 0);
      if (self->path == NULL || g_str_equal (self->path, file->path))
        add_file (self, file, self->path == NULL);
    }
}

static gboolean
rows_equal (GArray *a, guint index_a, GArray *b, guint index_b)
{
  const ForeDiffRowData *left = &g_array_index (a, ForeDiffRowData, index_a);
  const ForeDiffRowData *right = &g_array_index (b, ForeDiffRowData, index_b);

  return left->kind == right->kind && left->file == right->file && left->left == right->left
         && left->right == right->right && left->count == right->count
         && left->heading == right->heading && left->comment == right->comment
         && left->hunk == right->hunk && left->first == right->first;
}

static void
clear_item (gpointer item)
{
  g_clear_object (&item);
}

/* Moves the items of what is the same at both ends to where they are now. Widgets are dear: those
 * of the next @n_kept show another row from now on.
 */
static void
remake_items (ForeDiffRows *self, guint same_start, guint same_end, guint n_kept)
{
  g_autoptr (GPtrArray) before = g_steal_pointer (&self->items);

  self->items = g_ptr_array_new_with_free_func (clear_item);
  g_ptr_array_set_size (self->items, (int) self->rows->len);
  for (guint i = 0; i < same_start + n_kept; i++)
    self->items->pdata[i] = g_steal_pointer (&before->pdata[i]);
  for (guint i = 1; i <= same_end; i++)
    self->items->pdata[self->rows->len - i] = g_steal_pointer (&before->pdata[before->len - i]);
  for (guint i = same_start; i < same_start + n_kept; i++)
    {
      const ForeDiffRowData *data = &g_array_index (self->rows, ForeDiffRowData, i);

      if (self->items->pdata[i] != NULL)
        fore_diff_row_change (self->items->pdata[i], get_doc (self, data), data);
    }
}

/* Makes the rows again; what is the same at both ends is not announced as changed. With @reuse rows
 * become others where they are.
 */
static void
remake_rows (ForeDiffRows *self, gboolean reuse)
{
  g_autoptr (GArray) before = g_steal_pointer (&self->rows);
  guint same_start = 0, same_end = 0, n_kept = 0;

  self->rows = g_array_new (FALSE, TRUE, sizeof (ForeDiffRowData));
  make_rows (self);
  while (same_start < before->len && same_start < self->rows->len
         && rows_equal (before, same_start, self->rows, same_start))
    same_start++;
  while (same_end < before->len - same_start && same_end < self->rows->len - same_start
         && rows_equal (before, before->len - same_end - 1, self->rows,
                        self->rows->len - same_end - 1))
    same_end++;

  if (reuse)
    n_kept = MIN (before->len, self->rows->len) - same_start - same_end;
  remake_items (self, same_start, same_end, n_kept);
  same_start += n_kept;
  g_list_model_items_changed (G_LIST_MODEL (self), same_start, before->len - same_start - same_end,
                              self->rows->len - same_start - same_end);
}

static GHashTable *
new_whole (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                (GDestroyNotify) fore_diff_doc_unref);
}

static void
fore_diff_rows_finalize (GObject *object)
{
  ForeDiffRows *self = FORE_DIFF_ROWS (object);

  g_clear_pointer (&self->doc, fore_diff_doc_unref);
  g_free (self->path);
  g_array_unref (self->rows);
  g_ptr_array_unref (self->items);
  g_hash_table_unref (self->comments);
  g_hash_table_unref (self->opened);
  g_hash_table_unref (self->whole);

  G_OBJECT_CLASS (fore_diff_rows_parent_class)->finalize (object);
}

static void
fore_diff_rows_class_init (ForeDiffRowsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fore_diff_rows_finalize;
}

static void
fore_diff_rows_init (ForeDiffRows *self)
{
  self->rows = g_array_new (FALSE, TRUE, sizeof (ForeDiffRowData));
  self->items = g_ptr_array_new_with_free_func (clear_item);
  self->comments = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->opened = g_hash_table_new (NULL, NULL);
  self->whole = new_whole ();
  self->n_digits = 3;
}

ForeDiffRows *
fore_diff_rows_new (void)
{
  return g_object_new (FORE_TYPE_DIFF_ROWS, NULL);
}

/**
 * fore_diff_rows_set_doc:
 * @self: rows
 * @doc: (nullable): changes
 * @path: (nullable): the one file to show; all without
 */
void
fore_diff_rows_set_doc (ForeDiffRows *self, ForeDiffDoc *doc, const char *path)
{
  g_autoptr (ForeDiffDoc) before = NULL;
  g_autofree char *old_path = NULL;
  g_autoptr (GHashTable) whole = NULL;

  g_return_if_fail (FORE_IS_DIFF_ROWS (self));

  /* The rows from before point into them until they are compared. */
  whole = g_hash_table_ref (self->whole);
  if (self->doc != doc)
    {
      g_hash_table_remove_all (self->opened);
      g_hash_table_unref (self->whole);
      self->whole = new_whole ();
    }
  before = g_steal_pointer (&self->doc);
  old_path = g_steal_pointer (&self->path);
  self->doc = doc != NULL ? fore_diff_doc_ref (doc) : NULL;
  self->path = g_strdup (path);
  remake_rows (self, before == doc && path != NULL && old_path != NULL);
}

void
fore_diff_rows_set_side_by_side (ForeDiffRows *self, gboolean side_by_side)
{
  g_return_if_fail (FORE_IS_DIFF_ROWS (self));

  self->side_by_side = side_by_side;
  remake_rows (self, FALSE);
}

/**
 * fore_diff_rows_set_comment:
 * @self: rows
 * @path: a file
 * @new_number: a line of it as it is now
 * @text: (nullable): what is said about that line; nothing takes the comment away
 */
void
fore_diff_rows_set_comment (ForeDiffRows *self,
                            const char *path,
                            guint new_number,
                            const char *text)
{
  g_autofree char *key = NULL;
  g_autofree char *old_key = NULL;
  g_autofree char *old_text = NULL;

  g_return_if_fail (FORE_IS_DIFF_ROWS (self));
  g_return_if_fail (path != NULL);

  key = make_comment_key (path, new_number);
  g_hash_table_steal_extended (self->comments, key, (gpointer *) &old_key, (gpointer *) &old_text);
  if (text != NULL)
    g_hash_table_insert (self->comments, g_steal_pointer (&key), g_strdup (text));
  remake_rows (self, FALSE);
}

/**
 * fore_diff_rows_open_fold:
 * @self: rows
 * @position: of a fold
 *
 * Shows the lines behind a fold, if the changes have them.
 */
void
fore_diff_rows_open_fold (ForeDiffRows *self, guint position)
{
  const ForeDiffRowData *row;

  g_return_if_fail (FORE_IS_DIFF_ROWS (self));
  g_return_if_fail (position < self->rows->len);

  row = &g_array_index (self->rows, ForeDiffRowData, position);
  if (row->kind != FORE_DIFF_ROW_FOLD || !row->opens)
    return;

  g_hash_table_add (self->opened, (gpointer) get_line (row->hunk, row->first));
  remake_rows (self, FALSE);
}

/* The first line of the context that @line is in, by which it is known whether it was opened. */
static const ForeDiffDocLine *
find_context (const ForeDiffDocFile *file, guint line)
{
  for (guint i = 0; i < file->hunks->len; i++)
    {
      const ForeDiffDocHunk *hunk = g_ptr_array_index (file->hunks, i);
      const ForeDiffDocLine *begin = NULL;

      for (guint j = 0; j < hunk->lines->len; j++)
        {
          if (get_line (hunk, j)->kind != FORE_DIFF_LINE_CONTEXT)
            begin = NULL;
          else if (begin == NULL)
            begin = get_line (hunk, j);
          if (begin != NULL && get_line (hunk, j)->new_number == line)
            return begin;
        }
    }

  return NULL;
}

/**
 * fore_diff_rows_set_whole:
 * @self: rows
 * @whole: changes of one file of those that are shown, with all lines around them
 * @line: a line of the new file whose surroundings are shown; 0 for none
 *
 * Shows @whole in the place of what the changes have of that file.
 */
void
fore_diff_rows_set_whole (ForeDiffRows *self, ForeDiffDoc *whole, guint line)
{
  const ForeDiffDocFile *file;
  const ForeDiffDocLine *context;
  g_autoptr (ForeDiffDoc) before = NULL;
  g_autofree char *path = NULL;

  g_return_if_fail (FORE_IS_DIFF_ROWS (self));
  g_return_if_fail (whole != NULL && fore_diff_doc_get_n_files (whole) == 1);

  file = fore_diff_doc_get_file (whole, 0);
  context = find_context (file, line);
  if (context != NULL)
    g_hash_table_add (self->opened, (gpointer) context);
  g_hash_table_steal_extended (self->whole, file->path, (gpointer *) &path, (gpointer *) &before);
  g_hash_table_insert (self->whole, g_strdup (file->path), fore_diff_doc_ref (whole));
  remake_rows (self, FALSE);
}

/**
 * fore_diff_rows_find_line:
 * @self: rows
 * @new_number: a line of the new file
 *
 * Returns: the position of the first row that shows it, or %G_MAXUINT
 */
guint
fore_diff_rows_find_line (ForeDiffRows *self, guint new_number)
{
  g_return_val_if_fail (FORE_IS_DIFF_ROWS (self), G_MAXUINT);

  for (guint i = 0; i < self->rows->len; i++)
    {
      const ForeDiffRowData *row = &g_array_index (self->rows, ForeDiffRowData, i);
      const ForeDiffDocLine *line = row->right != NULL ? row->right : row->left;

      if (row->kind == FORE_DIFF_ROW_LINE && line->new_number == new_number)
        return i;
    }

  return G_MAXUINT;
}

guint
fore_diff_rows_get_n_columns (ForeDiffRows *self)
{
  g_return_val_if_fail (FORE_IS_DIFF_ROWS (self), 0);

  return self->n_columns;
}

guint
fore_diff_rows_get_n_digits (ForeDiffRows *self)
{
  g_return_val_if_fail (FORE_IS_DIFF_ROWS (self), 0);

  return self->n_digits;
}
