/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-diagnostic.h"

#include <glib/gi18n-lib.h>

#include "model/fore-error.h"

/* A file that is wrong in every line says so often enough. */
#define MAX_DIAGNOSTICS 2000

G_DEFINE_BOXED_TYPE (ForeDiagnostic, fore_diagnostic, fore_diagnostic_copy, fore_diagnostic_free)

/**
 * fore_diagnostic_new:
 * @severity: how bad it is
 * @path: (nullable): the file
 * @line: line from 1, or 0
 * @column: column from 1, or 0
 * @key: (nullable): the key that it is about
 * @message: one sentence for a person
 *
 * Makes a diagnostic.
 *
 * Returns: (transfer full): the diagnostic
 */
ForeDiagnostic *
fore_diagnostic_new (ForeDiagnosticSeverity severity,
                     const char *path,
                     guint line,
                     guint column,
                     const char *key,
                     const char *message)
{
  ForeDiagnostic *self;

  g_return_val_if_fail (message != NULL, NULL);

  self = g_new0 (ForeDiagnostic, 1);
  self->severity = severity;
  self->path = g_strdup (path);
  self->line = line;
  self->column = column;
  self->key = g_strdup (key);
  self->message = g_strdup (message);

  return self;
}

/**
 * fore_diagnostic_copy:
 * @self: a diagnostic
 *
 * Copies a diagnostic.
 *
 * Returns: (transfer full): the copy
 */
ForeDiagnostic *
fore_diagnostic_copy (const ForeDiagnostic *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return fore_diagnostic_new (self->severity, self->path, self->line, self->column, self->key,
                              self->message);
}

/**
 * fore_diagnostic_free:
 * @self: (transfer full): a diagnostic
 *
 * Frees a diagnostic.
 */
void
fore_diagnostic_free (ForeDiagnostic *self)
{
  g_return_if_fail (self != NULL);

  g_free (self->path);
  g_free (self->key);
  g_free (self->message);
  g_free (self);
}

/**
 * fore_diagnostic_severity_to_string:
 * @severity: a severity
 *
 * Gets the word that stands for @severity in JSON.
 *
 * Returns: (transfer none): a static string
 */
const char *
fore_diagnostic_severity_to_string (ForeDiagnosticSeverity severity)
{
  static const char *const names[] = { "note", "warning", "error" };

  g_return_val_if_fail ((guint) severity < G_N_ELEMENTS (names), "error");

  return names[severity];
}

/**
 * fore_diagnostic_dup_text:
 * @self: a diagnostic
 *
 * Writes a diagnostic the way compilers do: `FILE:LINE:COLUMN: severity: message`, as far as known.
 *
 * Returns: (transfer full): one line of text
 */
char *
fore_diagnostic_dup_text (const ForeDiagnostic *self)
{
  GString *text;

  g_return_val_if_fail (self != NULL, NULL);

  text = g_string_new (self->path);
  if (self->line > 0)
    g_string_append_printf (text, ":%u", self->line);
  if (self->column > 0)
    g_string_append_printf (text, ":%u", self->column);
  if (text->len > 0)
    g_string_append (text, ": ");
  g_string_append_printf (text, "%s: %s", fore_diagnostic_severity_to_string (self->severity),
                          self->message);

  return g_string_free (text, FALSE);
}

/**
 * fore_diagnostics_new:
 *
 * Makes an empty list of diagnostics.
 *
 * Returns: (transfer full) (element-type ForeDiagnostic): the list, which owns what is in it
 */
GPtrArray *
fore_diagnostics_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) fore_diagnostic_free);
}

/**
 * fore_diagnostics_add:
 * @diagnostics: (nullable) (element-type ForeDiagnostic): a list, or %NULL to say nothing
 * @severity: how bad it is
 * @path: (nullable): the file
 * @line: line from 1, or 0
 * @column: column from 1, or 0
 * @key: (nullable): the key that it is about
 * @format: one sentence for a person, as for printf()
 * @...: its arguments
 *
 * Adds a diagnostic to a list. A list that is absurdly long takes no more.
 */
void
fore_diagnostics_add (GPtrArray *diagnostics,
                      ForeDiagnosticSeverity severity,
                      const char *path,
                      guint line,
                      guint column,
                      const char *key,
                      const char *format,
                      ...)
{
  g_autofree char *message = NULL;
  va_list args;

  g_return_if_fail (format != NULL);

  if (diagnostics == NULL || diagnostics->len > MAX_DIAGNOSTICS)
    return;

  if (diagnostics->len == MAX_DIAGNOSTICS)
    {
      severity = FORE_DIAGNOSTIC_ERROR;
      message = g_strdup (_ ("There is more to say; correct these first."));
    }
  else
    {
      va_start (args, format);
      message = g_strdup_vprintf (format, args);
      va_end (args);
    }

  g_ptr_array_add (diagnostics, fore_diagnostic_new (severity, path, line, column, key, message));
}

/**
 * fore_diagnostics_add_all:
 * @diagnostics: (nullable) (element-type ForeDiagnostic): a list, or %NULL to say nothing
 * @more: (element-type ForeDiagnostic): another list
 *
 * Adds copies of all diagnostics of @more to a list.
 */
void
fore_diagnostics_add_all (GPtrArray *diagnostics, GPtrArray *more)
{
  g_return_if_fail (more != NULL);

  for (guint i = 0; i < more->len; i++)
    {
      const ForeDiagnostic *diagnostic = more->pdata[i];

      fore_diagnostics_add (diagnostics, diagnostic->severity, diagnostic->path, diagnostic->line,
                            diagnostic->column, diagnostic->key, "%s", diagnostic->message);
    }
}

/**
 * fore_diagnostics_count:
 * @diagnostics: (element-type ForeDiagnostic): a list
 * @at_least: least severity that counts
 *
 * Counts diagnostics.
 *
 * Returns: how many are at least that severe
 */
guint
fore_diagnostics_count (GPtrArray *diagnostics, ForeDiagnosticSeverity at_least)
{
  guint n = 0;

  g_return_val_if_fail (diagnostics != NULL, 0);

  for (guint i = 0; i < diagnostics->len; i++)
    {
      const ForeDiagnostic *diagnostic = diagnostics->pdata[i];

      n += diagnostic->severity >= at_least;
    }

  return n;
}

/**
 * fore_diagnostics_find:
 * @diagnostics: (element-type ForeDiagnostic): a list
 * @at_least: least severity that counts
 *
 * Finds the first diagnostic that is at least that severe.
 *
 * Returns: (transfer none) (nullable): the diagnostic
 */
const ForeDiagnostic *
fore_diagnostics_find (GPtrArray *diagnostics, ForeDiagnosticSeverity at_least)
{
  g_return_val_if_fail (diagnostics != NULL, NULL);

  for (guint i = 0; i < diagnostics->len; i++)
    {
      const ForeDiagnostic *diagnostic = diagnostics->pdata[i];

      if (diagnostic->severity >= at_least)
        return diagnostic;
    }

  return NULL;
}

/**
 * fore_diagnostics_check:
 * @diagnostics: (element-type ForeDiagnostic): a list
 * @error: return location; %FORE_ERROR_INVALID with all errors of the list, a line each
 *
 * Turns the errors of a list, where it has any, into an error.
 *
 * Returns: whether the list is free of errors
 */
gboolean
fore_diagnostics_check (GPtrArray *diagnostics, GError **error)
{
  g_autoptr (GString) all = g_string_new (NULL);

  g_return_val_if_fail (diagnostics != NULL, FALSE);

  for (guint i = 0; i < diagnostics->len; i++)
    {
      const ForeDiagnostic *diagnostic = diagnostics->pdata[i];
      g_autofree char *text = NULL;

      if (diagnostic->severity < FORE_DIAGNOSTIC_ERROR)
        continue;

      text = fore_diagnostic_dup_text (diagnostic);
      g_string_append_printf (all, "%s%s", all->len > 0 ? "\n" : "", text);
    }

  if (all->len == 0)
    return TRUE;

  g_set_error_literal (error, FORE_ERROR, FORE_ERROR_INVALID, all->str);
  return FALSE;
}
