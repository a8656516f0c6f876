/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a work folder looked like at one moment, cheap enough to be taken before and after each
 * task: where HEAD stood, the index, and each file that differs from them.
 */
typedef struct
{
  char *head_ref;    /* full name of the branch, or HEAD */
  char *head;        /* (nullable) commit, NULL before the first one */
  char *index_hash;  /* of what is staged */
  GHashTable *dirty; /* path → what made it dirty and its size and times */
} ForeFingerprint;

gboolean fore_fingerprint_equal (const ForeFingerprint *a, const ForeFingerprint *b);
void fore_fingerprint_free (ForeFingerprint *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeFingerprint, fore_fingerprint_free)

G_END_DECLS
