/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ForeRedactor:
 *
 * Replaces secret values (of at least 8 bytes, also where they stand JSON-escaped) by a mark before
 * a text is stored or shown. Immutable once used; may be shared between threads.
 */
typedef struct _ForeRedactor ForeRedactor;

ForeRedactor *fore_redactor_new (void);
ForeRedactor *fore_redactor_ref (ForeRedactor *redactor);
void fore_redactor_free (ForeRedactor *redactor);
void fore_redactor_add (ForeRedactor *redactor, const char *name, const char *value);
char *fore_redactor_apply (const ForeRedactor *redactor, const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeRedactor, fore_redactor_free)

G_END_DECLS
