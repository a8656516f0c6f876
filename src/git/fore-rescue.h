/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Work that was put aside when its tree or branch was removed. */
typedef struct
{
  char *name;    /* below refs/foredeck/rescue/: `<run>/<task>/<n>` for a tree's */
  char *commit;  /* what it keeps */
  char *subject; /* first line of the commit's message */
  gint64 time;   /* when the commit was made, microseconds since the epoch */
  guint n_files; /* that differ from what branches and tags reach */
  guint64 bytes; /* of the contents that only this keeps, not compressed */
} ForeRescue;

void fore_rescue_free (ForeRescue *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeRescue, fore_rescue_free)

G_END_DECLS
