/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-entry.h"
#include "ctl/fore-ctl.h"

G_BEGIN_DECLS

/**
 * ForeCtlEntryPrinter:
 *
 * Prints entries of a transcript as they come: text that is added to an entry goes on where it
 * stopped.
 */
typedef struct _ForeCtlEntryPrinter ForeCtlEntryPrinter;

ForeCtlEntryPrinter *fore_ctl_entry_printer_new (ForeCtl *ctl);
void fore_ctl_entry_printer_free (ForeCtlEntryPrinter *printer);
void fore_ctl_entry_printer_print (ForeCtlEntryPrinter *printer, const ForeEntry *entry);
void fore_ctl_entry_printer_finish (ForeCtlEntryPrinter *printer);

void fore_ctl_print_entries (ForeCtl *ctl, GPtrArray *entries);
JsonArray *fore_ctl_json_entries (GPtrArray *entries);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeCtlEntryPrinter, fore_ctl_entry_printer_free)

G_END_DECLS
