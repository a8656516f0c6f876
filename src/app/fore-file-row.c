/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-file-row.h"

#include "app/fore-outside.h"

#include <glib/gi18n-lib.h>

struct _ForeFileRow
{
  GObject parent_instance;

  char *path;
  char *name;
  gboolean folder;
  gboolean viewed;
  gboolean left_out;
  guint n_added;
  guint n_removed;
  guint n_comments;
};

G_DEFINE_FINAL_TYPE (ForeFileRow, fore_file_row, G_TYPE_OBJECT)

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static void
fore_file_row_finalize (GObject *object)
{
  ForeFileRow *self = FORE_FILE_ROW (object);

  g_free (self->path);
  g_free (self->name);

  G_OBJECT_CLASS (fore_file_row_parent_class)->finalize (object);
}

static void
fore_file_row_class_init (ForeFileRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fore_file_row_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
fore_file_row_init (ForeFileRow *self)
{
}

/**
 * fore_file_row_new_folder:
 * @folder: the path of a folder, "." for the top one
 *
 * Returns: (transfer full): a heading
 */
ForeFileRow *
fore_file_row_new_folder (const char *folder)
{
  ForeFileRow *self;

  g_return_val_if_fail (folder != NULL, NULL);

  self = g_object_new (FORE_TYPE_FILE_ROW, NULL);
  self->folder = TRUE;
  self->path = g_strdup (folder);
  self->name = fore_outside_dup (g_str_equal (folder, ".") ? _ ("Top folder") : folder);

  return self;
}

/**
 * fore_file_row_new_file:
 * @path: the path of a file
 * @n_added: how many lines were added
 * @n_removed: how many lines were removed
 *
 * Returns: (transfer full): a row for it
 */
ForeFileRow *
fore_file_row_new_file (const char *path, guint n_added, guint n_removed)
{
  ForeFileRow *self;
  g_autofree char *name = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  self = g_object_new (FORE_TYPE_FILE_ROW, NULL);
  self->path = g_strdup (path);
  name = g_path_get_basename (path);
  self->name = fore_outside_dup (name);
  self->n_added = n_added;
  self->n_removed = n_removed;

  return self;
}

gboolean
fore_file_row_is_folder (ForeFileRow *self)
{
  g_return_val_if_fail (FORE_IS_FILE_ROW (self), FALSE);

  return self->folder;
}

const char *
fore_file_row_get_path (ForeFileRow *self)
{
  g_return_val_if_fail (FORE_IS_FILE_ROW (self), NULL);

  return self->path;
}

const char *
fore_file_row_get_name (ForeFileRow *self)
{
  g_return_val_if_fail (FORE_IS_FILE_ROW (self), NULL);

  return self->name;
}

guint
fore_file_row_get_n_added (ForeFileRow *self)
{
  g_return_val_if_fail (FORE_IS_FILE_ROW (self), 0);

  return self->n_added;
}

guint
fore_file_row_get_n_removed (ForeFileRow *self)
{
  g_return_val_if_fail (FORE_IS_FILE_ROW (self), 0);

  return self->n_removed;
}

gboolean
fore_file_row_get_viewed (ForeFileRow *self)
{
  g_return_val_if_fail (FORE_IS_FILE_ROW (self), FALSE);

  return self->viewed;
}

void
fore_file_row_set_viewed (ForeFileRow *self, gboolean viewed)
{
  g_return_if_fail (FORE_IS_FILE_ROW (self));

  viewed = !!viewed;
  if (self->viewed == viewed)
    return;

  self->viewed = viewed;
  g_signal_emit (self, signals[CHANGED], 0);
}

gboolean
fore_file_row_get_left_out (ForeFileRow *self)
{
  g_return_val_if_fail (FORE_IS_FILE_ROW (self), FALSE);

  return self->left_out;
}

/**
 * fore_file_row_set_left_out:
 * @self: the row of a file
 * @left_out: whether a merge leaves the file out
 */
void
fore_file_row_set_left_out (ForeFileRow *self, gboolean left_out)
{
  g_return_if_fail (FORE_IS_FILE_ROW (self));

  left_out = !!left_out;
  if (self->left_out == left_out)
    return;

  self->left_out = left_out;
  g_signal_emit (self, signals[CHANGED], 0);
}

guint
fore_file_row_get_n_comments (ForeFileRow *self)
{
  g_return_val_if_fail (FORE_IS_FILE_ROW (self), 0);

  return self->n_comments;
}

void
fore_file_row_set_n_comments (ForeFileRow *self, guint n_comments)
{
  g_return_if_fail (FORE_IS_FILE_ROW (self));

  if (self->n_comments == n_comments)
    return;

  self->n_comments = n_comments;
  g_signal_emit (self, signals[CHANGED], 0);
}

/**
 * fore_file_row_dup_accessible_name:
 * @self: a row
 *
 * Returns: (transfer full): what a screen reader says
 */
char *
fore_file_row_dup_accessible_name (ForeFileRow *self)
{
  g_autofree char *marks = NULL;

  g_return_val_if_fail (FORE_IS_FILE_ROW (self), NULL);

  if (self->folder)
    return g_strdup (self->name);

  marks = g_strconcat (self->viewed ? _ (", viewed") : "",
                       self->left_out ? _ (", left out of the merge") : "", NULL);

  /* Translators: a path, then how many lines were added and removed, then its marks or nothing. */
  return g_strdup_printf (_ ("%s, %u added, %u removed%s"), self->path, self->n_added,
                          self->n_removed, marks);
}
