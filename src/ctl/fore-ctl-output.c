/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-output.h"

#include "text/fore-json.h"
#include "text/fore-text.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct
{
  ForeCtlStyle style;
  char *text;
} Cell;

struct _ForeCtlTable
{
  guint n_columns;
  GPtrArray *rows;
};

static const char *const style_codes[] = {
  [FORE_CTL_PLAIN] = "",        [FORE_CTL_BOLD] = "\033[1m",  [FORE_CTL_DIM] = "\033[2m",
  [FORE_CTL_GOOD] = "\033[32m", [FORE_CTL_BUSY] = "\033[34m", [FORE_CTL_WAIT] = "\033[33m",
  [FORE_CTL_BAD] = "\033[31m",
};

/* Whoever reads us may leave early, as `head` does: no error then. A full disk is one. */
static void
check_stdout (void)
{
  int saved_errno = errno;

  if (!ferror (stdout))
    return;
  if (saved_errno == EPIPE)
    _Exit (0);

  fprintf (stderr, _ ("The answer cannot be written: %s.\n"), g_strerror (saved_errno));
  _Exit (1);
}

/**
 * fore_ctl_write:
 * @data: bytes
 * @length: how many, or -1 for a string
 *
 * Writes to standard output; ends the program when nobody reads it any more.
 */
void
fore_ctl_write (const char *data, gssize length)
{
  g_return_if_fail (data != NULL);

  fwrite (data, 1, length < 0 ? strlen (data) : (gsize) length, stdout);
  check_stdout ();
}

/**
 * fore_ctl_flush:
 *
 * Hands over what was written so far.
 */
void
fore_ctl_flush (void)
{
  fflush (stdout);
  check_stdout ();
}

/**
 * fore_ctl_print:
 * @ctl: a call
 * @format: text, as for printf()
 *
 * Prints to standard output.
 */
void
fore_ctl_print (ForeCtl *ctl, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);

  fore_ctl_write (text, -1);
}

/**
 * fore_ctl_print_styled:
 * @ctl: a call
 * @style: how it should look where there are colours
 * @text: what to print
 */
void
fore_ctl_print_styled (ForeCtl *ctl, ForeCtlStyle style, const char *text)
{
  gboolean styled = ctl->colour && style != FORE_CTL_PLAIN;

  if (styled)
    fore_ctl_write (style_codes[style], -1);
  fore_ctl_write (text, -1);
  if (styled)
    fore_ctl_write ("\033[0m", -1);
}

static gboolean
is_harmless (gunichar c)
{
  if (c == '\n' || c == '\t')
    return TRUE;

  switch (g_unichar_type (c))
    {
    case G_UNICODE_CONTROL:
    case G_UNICODE_FORMAT:
    case G_UNICODE_SURROGATE:
      return FALSE;
    default:
      return TRUE;
    }
}

/**
 * fore_ctl_dup_clean:
 * @text: (nullable): text from outside
 *
 * Makes @text safe to show on a terminal: no escape sequences, and no characters that move the
 * cursor, hide or turn round what stands beside them.
 *
 * Returns: (transfer full): the text without them
 */
char *
fore_ctl_dup_clean (const char *text)
{
  g_autofree char *valid = NULL;
  g_autofree char *stripped = NULL;
  GString *clean;

  if (text == NULL)
    return g_strdup ("");

  valid = fore_text_make_valid (text, -1);
  stripped = fore_text_strip_ansi (valid);
  clean = g_string_sized_new (strlen (stripped));
  for (const char *p = stripped; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (is_harmless (c))
        g_string_append_unichar (clean, c);
      else if (c != '\r')
        g_string_append_printf (clean, "\\u{%x}", c);
    }

  return g_string_free (clean, FALSE);
}

/**
 * fore_ctl_print_json:
 * @ctl: a call
 * @node: a document
 *
 * Prints a document: indented for a person at a terminal, on one line for everybody else.
 */
void
fore_ctl_print_json (ForeCtl *ctl, JsonNode *node)
{
  g_autofree char *text = fore_json_to_string (node, ctl->terminal);

  fore_ctl_write (text, -1);
  fore_ctl_write ("\n", 1);
}

/**
 * fore_ctl_print_json_line:
 * @node: a document
 *
 * Prints a document on one line, at once.
 */
void
fore_ctl_print_json_line (JsonNode *node)
{
  g_autofree char *text = fore_json_to_string (node, FALSE);

  fore_ctl_write (text, -1);
  fore_ctl_write ("\n", 1);
  fore_ctl_flush ();
}

/**
 * fore_ctl_print_object:
 * @ctl: a call
 * @object: (transfer full): an object
 *
 * Prints @object as a document.
 */
void
fore_ctl_print_object (ForeCtl *ctl, JsonObject *object)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);

  json_node_take_object (node, object);
  fore_ctl_print_json (ctl, node);
}

static const char *
get_code (const GError *error)
{
  return fore_error_code_to_string (error->domain == FORE_ERROR ? error->code : FORE_ERROR_FAILED);
}

static void
print_error_json (ForeCtl *ctl, const GError *error)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  JsonObject *outer = json_object_new ();
  JsonObject *inner = json_object_new ();
  g_autofree char *valid = fore_text_make_valid (error->message, -1);
  g_autofree char *text = NULL;

  json_object_set_string_member (inner, "code", get_code (error));
  json_object_set_string_member (inner, "message", valid);
  if (ctl->hint != NULL)
    json_object_set_string_member (inner, "hint", ctl->hint);
  json_object_set_object_member (outer, "error", inner);
  json_node_take_object (node, outer);

  text = fore_json_to_string (node, FALSE);
  fprintf (stderr, "%s\n", text);
}

/**
 * fore_ctl_print_error:
 * @ctl: a call
 * @json: whether to print JSON
 * @error: what went wrong
 *
 * Prints @error to standard error.
 *
 * Returns: the exit code for it
 */
int
fore_ctl_print_error (ForeCtl *ctl, gboolean json, const GError *error)
{
  g_autofree char *clean = NULL;

  g_return_val_if_fail (error != NULL, 1);

  fflush (stdout);
  if (json)
    {
      print_error_json (ctl, error);
      return fore_error_get_exit_code (error);
    }

  clean = fore_ctl_dup_clean (error->message);
  fprintf (stderr, "%s: %s\n", FORE_CTL_NAME, clean);
  if (ctl->hint != NULL && strstr (clean, ctl->hint) == NULL)
    fprintf (stderr, "%s\n", ctl->hint);

  return fore_error_get_exit_code (error);
}

/**
 * fore_ctl_style_for_run:
 * @status: a run's status
 *
 * Returns: how it looks
 */
ForeCtlStyle
fore_ctl_style_for_run (ForeRunStatus status)
{
  switch (status)
    {
    case FORE_RUN_COMPLETED:
      return FORE_CTL_GOOD;
    case FORE_RUN_FAILED:
      return FORE_CTL_BAD;
    case FORE_RUN_CANCELLED:
      return FORE_CTL_DIM;
    case FORE_RUN_BLOCKED:
    case FORE_RUN_PAUSED:
      return FORE_CTL_WAIT;
    default:
      return FORE_CTL_BUSY;
    }
}

/**
 * fore_ctl_style_for_task:
 * @status: a task's status
 *
 * Returns: how it looks
 */
ForeCtlStyle
fore_ctl_style_for_task (ForeTaskStatus status)
{
  switch (status)
    {
    case FORE_TASK_COMPLETED:
      return FORE_CTL_GOOD;
    case FORE_TASK_FAILED:
      return FORE_CTL_BAD;
    case FORE_TASK_RUNNING:
      return FORE_CTL_BUSY;
    case FORE_TASK_WAITING:
    case FORE_TASK_NEEDS_ATTENTION:
      return FORE_CTL_WAIT;
    default:
      return FORE_CTL_DIM;
    }
}

static void
cell_free (gpointer data)
{
  Cell *cell = data;

  g_free (cell->text);
  g_free (cell);
}

/**
 * fore_ctl_table_new:
 * @headings: (array zero-terminated=1): what stands above the columns
 *
 * Returns: (transfer full): a table with one row, the headings
 */
ForeCtlTable *
fore_ctl_table_new (const char *const *headings)
{
  ForeCtlTable *self = g_new0 (ForeCtlTable, 1);

  self->n_columns = g_strv_length ((char **) headings);
  self->rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  fore_ctl_table_add_row (self);
  for (guint i = 0; i < self->n_columns; i++)
    fore_ctl_table_add (self, FORE_CTL_BOLD, _ (headings[i]));

  return self;
}

/**
 * fore_ctl_table_free:
 * @table: (nullable): a table
 */
void
fore_ctl_table_free (ForeCtlTable *table)
{
  if (table == NULL)
    return;

  g_ptr_array_unref (table->rows);
  g_free (table);
}

/**
 * fore_ctl_table_add_row:
 * @table: a table
 *
 * Begins a new row.
 */
void
fore_ctl_table_add_row (ForeCtlTable *table)
{
  g_ptr_array_add (table->rows, g_ptr_array_new_with_free_func (cell_free));
}

/**
 * fore_ctl_table_add:
 * @table: a table
 * @style: how it should look
 * @text: (nullable): what stands in the next cell of the newest row
 */
void
fore_ctl_table_add (ForeCtlTable *table, ForeCtlStyle style, const char *text)
{
  GPtrArray *row = table->rows->pdata[table->rows->len - 1];
  Cell *cell = g_new0 (Cell, 1);

  cell->style = style;
  cell->text = fore_ctl_dup_clean (text);
  g_strdelimit (cell->text, "\n\t", ' ');
  g_ptr_array_add (row, cell);
}

static guint
get_width (const char *text)
{
  guint width = 0;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (!g_unichar_iszerowidth (c))
        width += g_unichar_iswide (c) ? 2 : 1;
    }

  return width;
}

static guint
get_column_width (ForeCtlTable *table, guint column)
{
  guint width = 0;

  for (guint i = 0; i < table->rows->len; i++)
    {
      GPtrArray *row = table->rows->pdata[i];

      if (column < row->len)
        width = MAX (width, get_width (((Cell *) row->pdata[column])->text));
    }

  return width;
}

static void
print_row (ForeCtl *ctl, GPtrArray *row, const guint *widths)
{
  for (guint i = 0; i < row->len; i++)
    {
      const Cell *cell = row->pdata[i];

      fore_ctl_print_styled (ctl, cell->style, cell->text);
      if (i + 1 < row->len)
        fore_ctl_print (ctl, "%*s", (int) (widths[i] - get_width (cell->text) + 2), "");
    }

  fore_ctl_write ("\n", 1);
}

/**
 * fore_ctl_table_print:
 * @ctl: a call
 * @table: a table
 *
 * Prints the rows under their headings.
 */
void
fore_ctl_table_print (ForeCtl *ctl, ForeCtlTable *table)
{
  g_autofree guint *widths = g_new0 (guint, table->n_columns);

  for (guint i = 0; i < table->n_columns; i++)
    widths[i] = get_column_width (table, i);
  for (guint i = 0; i < table->rows->len; i++)
    print_row (ctl, table->rows->pdata[i], widths);
}
