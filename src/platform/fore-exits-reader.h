/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

#include "platform/fore-guard-protocol.h"

G_BEGIN_DECLS

/**
 * ForeExitsReader:
 *
 * Reads the records of a run's `exits`, each once, in the order of the file. A torn tail is waited
 * for, damaged bytes are skipped and counted. For one thread at a time.
 */
typedef struct _ForeExitsReader ForeExitsReader;

typedef void (*ForeExitsFunc) (const ForeGuardRecord *record, gpointer user_data);

ForeExitsReader *fore_exits_reader_new (const char *path);
void fore_exits_reader_free (ForeExitsReader *reader);
gboolean fore_exits_reader_read (ForeExitsReader *reader,
                                 ForeExitsFunc func,
                                 gpointer user_data,
                                 GError **error);
void fore_exits_reader_skip_to_end (ForeExitsReader *reader);
guint64 fore_exits_reader_get_offset (ForeExitsReader *reader);
guint64 fore_exits_reader_get_damaged (ForeExitsReader *reader);
gboolean fore_exits_find (
    const char *path, const char *task, guint attempt, guint kind, ForeGuardRecord *record);

char *fore_guard_record_dup_task (const ForeGuardRecord *record);
const char *fore_guard_reason_to_string (ForeGuardReason reason);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeExitsReader, fore_exits_reader_free)

G_END_DECLS
