/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ctl/fore-ctl.h"

G_BEGIN_DECLS

typedef enum
{
  FORE_CTL_PLAIN,
  FORE_CTL_BOLD,
  FORE_CTL_DIM,
  FORE_CTL_GOOD,
  FORE_CTL_BUSY,
  FORE_CTL_WAIT,
  FORE_CTL_BAD,
} ForeCtlStyle;

/* Text: what agents wrote is stripped of control characters first. */
void fore_ctl_print (ForeCtl *ctl, const char *format, ...) G_GNUC_PRINTF (2, 3);
void fore_ctl_print_styled (ForeCtl *ctl, ForeCtlStyle style, const char *text);
void fore_ctl_write (const char *data, gssize length);
void fore_ctl_flush (void);
char *fore_ctl_dup_clean (const char *text);

/* JSON */
void fore_ctl_print_json (ForeCtl *ctl, JsonNode *node);
void fore_ctl_print_json_line (JsonNode *node);
void fore_ctl_print_object (ForeCtl *ctl, JsonObject *object);

/* Errors */
int fore_ctl_print_error (ForeCtl *ctl, gboolean json, const GError *error);

ForeCtlStyle fore_ctl_style_for_run (ForeRunStatus status);
ForeCtlStyle fore_ctl_style_for_task (ForeTaskStatus status);

/**
 * ForeCtlTable:
 *
 * Rows of cells that are printed with aligned columns.
 */
typedef struct _ForeCtlTable ForeCtlTable;

ForeCtlTable *fore_ctl_table_new (const char *const *headings);
void fore_ctl_table_free (ForeCtlTable *table);
void fore_ctl_table_add_row (ForeCtlTable *table);
void fore_ctl_table_add (ForeCtlTable *table, ForeCtlStyle style, const char *text);
void fore_ctl_table_print (ForeCtl *ctl, ForeCtlTable *table);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeCtlTable, fore_ctl_table_free)

G_END_DECLS
