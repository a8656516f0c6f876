/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

#define FORE_TYPE_DIAGNOSTIC (fore_diagnostic_get_type ())

/**
 * ForeDiagnosticSeverity:
 * @FORE_DIAGNOSTIC_NOTE: worth knowing; nothing was changed or left out
 * @FORE_DIAGNOSTIC_WARNING: something was ignored or looks like a mistake
 * @FORE_DIAGNOSTIC_ERROR: the object cannot be used as it stands
 */
typedef enum
{
  FORE_DIAGNOSTIC_NOTE,
  FORE_DIAGNOSTIC_WARNING,
  FORE_DIAGNOSTIC_ERROR,
} ForeDiagnosticSeverity;

/**
 * ForeDiagnostic:
 * @severity: how bad it is
 * @path: (nullable): the file, or %NULL for a thing that has none
 * @line: line in the file from 1, or 0 for the whole file
 * @column: column in characters from 1, or 0 for the whole line
 * @key: (nullable): the setting, front matter key or step that it is about
 * @message: one sentence for a person
 *
 * What a person should know about a file of the library or of the settings.
 */
typedef struct
{
  ForeDiagnosticSeverity severity;
  char *path;
  guint line;
  guint column;
  char *key;
  char *message;
} ForeDiagnostic;

GType fore_diagnostic_get_type (void) G_GNUC_CONST;

ForeDiagnostic *fore_diagnostic_new (ForeDiagnosticSeverity severity,
                                     const char *path,
                                     guint line,
                                     guint column,
                                     const char *key,
                                     const char *message);
ForeDiagnostic *fore_diagnostic_copy (const ForeDiagnostic *self);
void fore_diagnostic_free (ForeDiagnostic *self);
char *fore_diagnostic_dup_text (const ForeDiagnostic *self);
const char *fore_diagnostic_severity_to_string (ForeDiagnosticSeverity severity);

GPtrArray *fore_diagnostics_new (void);
void fore_diagnostics_add (GPtrArray *diagnostics,
                           ForeDiagnosticSeverity severity,
                           const char *path,
                           guint line,
                           guint column,
                           const char *key,
                           const char *format,
                           ...) G_GNUC_PRINTF (7, 8);
void fore_diagnostics_add_all (GPtrArray *diagnostics, GPtrArray *more);
guint fore_diagnostics_count (GPtrArray *diagnostics, ForeDiagnosticSeverity at_least);
gboolean fore_diagnostics_check (GPtrArray *diagnostics, GError **error);
const ForeDiagnostic *fore_diagnostics_find (GPtrArray *diagnostics,
                                             ForeDiagnosticSeverity at_least);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeDiagnostic, fore_diagnostic_free)

G_END_DECLS
