/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ctl/fore-ctl.h"

G_BEGIN_DECLS

typedef const char *(*ForeCtlKeyFunc) (gconstpointer row);

/**
 * ForeCtlPage:
 * @first: index of the first row
 * @n_rows: how many rows
 * @cursor: (nullable): key of the last row if there are more, owned by that row
 *
 * The part of a listing that `--limit` and `--cursor` ask for. The cursor is the key of the last
 * row that was shown, so that rows which come in meanwhile do not shift it.
 */
typedef struct
{
  guint first;
  guint n_rows;
  const char *cursor;
} ForeCtlPage;

gboolean fore_ctl_page_init (ForeCtlPage *page,
                             ForeCtl *ctl,
                             GPtrArray *rows,
                             ForeCtlKeyFunc get_key,
                             guint default_limit,
                             GError **error);
void fore_ctl_page_cut (const ForeCtlPage *page, GPtrArray *rows);
void fore_ctl_page_print_more (ForeCtl *ctl, const ForeCtlPage *page);

char *fore_ctl_dup_project_at (const char *folder);
char *fore_ctl_dup_project (ForeCtl *ctl, const char *fallback);

G_END_DECLS
