/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-diff-row.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define ELLIPSIS "⋯ "

struct _ForeDiffRow
{
  GObject parent_instance;

  ForeDiffDoc *doc;
  ForeDiffRowData data;
  char *comment;
};

G_DEFINE_FINAL_TYPE (ForeDiffRow, fore_diff_row, G_TYPE_OBJECT)

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static void
fore_diff_row_finalize (GObject *object)
{
  ForeDiffRow *self = FORE_DIFF_ROW (object);

  g_clear_pointer (&self->doc, fore_diff_doc_unref);
  g_free (self->comment);

  G_OBJECT_CLASS (fore_diff_row_parent_class)->finalize (object);
}

static void
fore_diff_row_class_init (ForeDiffRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fore_diff_row_finalize;
  signals[CHANGED] = g_signal_new ("changed", FORE_TYPE_DIFF_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
}

static void
fore_diff_row_init (ForeDiffRow *self)
{
}

const ForeDiffRowData *
fore_diff_row_get_data (ForeDiffRow *self)
{
  g_return_val_if_fail (FORE_IS_DIFF_ROW (self), NULL);

  return &self->data;
}

/**
 * fore_diff_row_get_number:
 * @self: a row
 *
 * Returns: the number of its line in the new file, or 0
 */
guint
fore_diff_row_get_number (ForeDiffRow *self)
{
  g_return_val_if_fail (FORE_IS_DIFF_ROW (self), 0);

  if (self->data.right != NULL && self->data.right->new_number > 0)
    return self->data.right->new_number;

  return self->data.left != NULL ? self->data.left->new_number : 0;
}

static char *
name_line (const ForeDiffDocLine *line)
{
  switch (line->kind)
    {
    case FORE_DIFF_LINE_ADDED:
      return g_strdup_printf (_ ("Added line %u: %s"), line->new_number, line->text);
    case FORE_DIFF_LINE_REMOVED:
      return g_strdup_printf (_ ("Removed line %u: %s"), line->old_number, line->text);
    case FORE_DIFF_LINE_CONTEXT:
      return g_strdup_printf (_ ("Line %u: %s"), line->new_number, line->text);
    case FORE_DIFF_LINE_NOTE:
    default:
      return g_strdup (line->text);
    }
}

/**
 * fore_diff_row_dup_words:
 * @self: a row that shows no line
 *
 * Returns: (transfer full) (nullable): what stands in it
 */
char *
fore_diff_row_dup_words (ForeDiffRow *self)
{
  const ForeDiffRowData *data;
  g_autofree char *count = NULL;

  g_return_val_if_fail (FORE_IS_DIFF_ROW (self), NULL);

  data = &self->data;
  if (data->kind == FORE_DIFF_ROW_FOLD)
    {
      if (data->count > 0)
        count = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Show %u unchanged line",
                                              "Show %u unchanged lines", data->count),
                                 data->count);
      return g_strdup_printf (ELLIPSIS "%s%s%s", count != NULL ? count : "",
                              data->heading != NULL && count != NULL ? "   " : "",
                              data->heading != NULL ? data->heading : "");
    }
  if (data->kind != FORE_DIFF_ROW_EMPTY)
    return NULL;
  if (data->file->too_large)
    return g_strdup (_ ("This file is large: load it anyway"));

  return g_strdup (data->file->binary ? _ ("A binary file: nothing to show as text")
                                      : _ ("No lines changed"));
}

char *
fore_diff_row_dup_accessible_name (ForeDiffRow *self)
{
  g_autofree char *left = NULL;
  g_autofree char *right = NULL;
  g_autofree char *words = NULL;

  g_return_val_if_fail (FORE_IS_DIFF_ROW (self), NULL);

  switch (self->data.kind)
    {
    case FORE_DIFF_ROW_FILE:
      return g_strdup (self->data.file->path);
    case FORE_DIFF_ROW_FOLD:
      words = fore_diff_row_dup_words (self);
      return g_strdup (words + strlen (ELLIPSIS));
    case FORE_DIFF_ROW_COMMENT:
      return g_strdup_printf (_ ("Comment: %s"), self->comment);
    case FORE_DIFF_ROW_EMPTY:
      return fore_diff_row_dup_words (self);
    case FORE_DIFF_ROW_LINE:
    default:
      break;
    }

  left = self->data.left != NULL ? name_line (self->data.left) : NULL;
  right = self->data.right != NULL && self->data.right != self->data.left
              ? name_line (self->data.right)
              : NULL;
  if (left != NULL && right != NULL)
    return g_strdup_printf ("%s. %s", left, right);

  return left != NULL ? g_steal_pointer (&left) : g_steal_pointer (&right);
}

static gboolean
is_changed_line (const ForeDiffDocLine *line)
{
  return line != NULL && line->kind != FORE_DIFF_LINE_CONTEXT;
}

/**
 * fore_diff_row_is_changed:
 * @self: a row
 *
 * Returns: whether it shows a line that was added or removed
 */
gboolean
fore_diff_row_is_changed (ForeDiffRow *self)
{
  g_return_val_if_fail (FORE_IS_DIFF_ROW (self), FALSE);

  return self->data.kind == FORE_DIFF_ROW_LINE
         && (is_changed_line (self->data.left) || is_changed_line (self->data.right));
}

static void
take_data (ForeDiffRow *self, ForeDiffDoc *doc, const ForeDiffRowData *data)
{
  fore_diff_doc_ref (doc);
  g_clear_pointer (&self->doc, fore_diff_doc_unref);
  self->doc = doc;
  self->data = *data;
  g_free (self->comment);
  self->comment = g_strdup (data->comment);
  self->data.comment = self->comment;
}

/**
 * fore_diff_row_new:
 * @doc: what @data points into
 * @data: what the row shows; its comment is copied
 *
 * Returns: (transfer full): a row
 */
ForeDiffRow *
fore_diff_row_new (ForeDiffDoc *doc, const ForeDiffRowData *data)
{
  ForeDiffRow *self;

  g_return_val_if_fail (data != NULL, NULL);

  self = g_object_new (FORE_TYPE_DIFF_ROW, NULL);
  take_data (self, doc, data);

  return self;
}

/**
 * fore_diff_row_change:
 * @self: a row
 * @doc: what @data points into
 * @data: what the row shows from now on; its comment is copied
 *
 * Makes another row of @self: whatever shows it stays, and is told.
 */
void
fore_diff_row_change (ForeDiffRow *self, ForeDiffDoc *doc, const ForeDiffRowData *data)
{
  g_return_if_fail (FORE_IS_DIFF_ROW (self));
  g_return_if_fail (doc != NULL && data != NULL);

  take_data (self, doc, data);
  g_signal_emit (self, signals[CHANGED], 0);
}
