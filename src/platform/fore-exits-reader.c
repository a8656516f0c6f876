/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-exits-reader.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "model/fore-error.h"
#include "platform/fore-files.h"

#define RECORD_SIZE sizeof (ForeGuardRecord)
#define RECORDS_AT_ONCE 64

struct _ForeExitsReader
{
  char *path;
  int fd;
  guint64 offset;
  guint64 damaged;
};

static const char *const reason_names[FORE_GUARD_N_REASONS] = {
  [FORE_GUARD_REASON_NONE] = "none",
  [FORE_GUARD_REASON_EXITED] = "exited",
  [FORE_GUARD_REASON_SIGNALLED] = "signalled",
  [FORE_GUARD_REASON_OUTPUT_LIMIT] = "output-limit",
  [FORE_GUARD_REASON_WALL_LIMIT] = "wall-limit",
  [FORE_GUARD_REASON_TOLD_END] = "told-end",
  [FORE_GUARD_REASON_TOLD_KILL] = "told-kill",
  [FORE_GUARD_REASON_ORPHANED] = "orphaned",
  [FORE_GUARD_REASON_EXEC_FAILED] = "exec-failed",
  [FORE_GUARD_REASON_LOST] = "lost",
  [FORE_GUARD_REASON_CANCELLED] = "cancelled",
};

/* Where the next record can begin in @bytes, behind one that is damaged. */
static gsize
find_magic (const guint8 *bytes, gsize length)
{
  const guint32 magic = FORE_GUARD_MAGIC;

  for (gsize i = 1; i + sizeof magic <= length; i++)
    {
      if (memcmp (bytes + i, &magic, sizeof magic) == 0)
        return i;
    }

  return length - (sizeof magic - 1);
}

/* Returns how many of @bytes are done with. */
static gsize
take_records (ForeExitsReader *reader,
              const guint8 *bytes,
              gsize length,
              ForeExitsFunc func,
              gpointer user_data)
{
  gsize done = 0;

  while (length - done >= RECORD_SIZE)
    {
      ForeGuardRecord record;
      gsize skip;

      memcpy (&record, bytes + done, RECORD_SIZE);
      if (fore_guard_record_is_valid (&record))
        {
          done += RECORD_SIZE;
          func (&record, user_data);
          continue;
        }

      skip = find_magic (bytes + done, length - done);
      reader->damaged += skip;
      done += skip;
    }

  return done;
}

/**
 * fore_exits_reader_new:
 * @path: the file `exits` of a run, which need not be there yet
 *
 * Returns: (transfer full): a reader that stands at the start of it
 */
ForeExitsReader *
fore_exits_reader_new (const char *path)
{
  ForeExitsReader *reader;

  g_return_val_if_fail (path != NULL, NULL);

  reader = g_new0 (ForeExitsReader, 1);
  reader->path = g_strdup (path);
  reader->fd = -1;
  return reader;
}

void
fore_exits_reader_free (ForeExitsReader *reader)
{
  g_return_if_fail (reader != NULL);

  if (reader->fd >= 0)
    close (reader->fd);
  g_free (reader->path);
  g_free (reader);
}

static gboolean
ensure_open (ForeExitsReader *reader, GError **error)
{
  if (reader->fd < 0)
    reader->fd = g_open (reader->path, O_RDONLY | O_CLOEXEC, 0);
  if (reader->fd >= 0 || errno == ENOENT)
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
               _ ("%s cannot be read (%s); check the permissions of the folder"), reader->path,
               g_strerror (errno));
  return FALSE;
}

/**
 * fore_exits_reader_read:
 * @reader: a reader
 * @func: (scope call): called for each record, oldest first
 * @user_data: data for @func
 * @error: return location for an error
 *
 * Reads what was added since the last call. A file that is not there has no records.
 *
 * Returns: %FALSE if the file cannot be read
 */
gboolean
fore_exits_reader_read (ForeExitsReader *reader,
                        ForeExitsFunc func,
                        gpointer user_data,
                        GError **error)
{
  guint8 bytes[RECORDS_AT_ONCE * RECORD_SIZE];

  g_return_val_if_fail (reader != NULL, FALSE);
  g_return_val_if_fail (func != NULL, FALSE);

  if (!ensure_open (reader, error))
    return FALSE;

  while (reader->fd >= 0)
    {
      gssize length = fore_file_read_at (reader->fd, bytes, sizeof bytes, reader->offset);
      gsize done;

      if (length < 0 && errno == EINTR)
        continue;
      if (length < 0)
        {
          g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                       _ ("%s cannot be read (%s); check the disk"), reader->path,
                       g_strerror (errno));
          return FALSE;
        }

      done = take_records (reader, bytes, (gsize) length, func, user_data);
      reader->offset += done;
      if (done == 0)
        break;
    }

  return TRUE;
}

/**
 * fore_exits_reader_skip_to_end:
 * @reader: a reader
 *
 * Leaves out what is in the file now, but not a record that is being written.
 */
void
fore_exits_reader_skip_to_end (ForeExitsReader *reader)
{
  GStatBuf info;

  g_return_if_fail (reader != NULL);

  if (g_stat (reader->path, &info) == 0)
    reader->offset = (guint64) info.st_size / RECORD_SIZE * RECORD_SIZE;
}

/**
 * fore_exits_reader_get_offset:
 * @reader: a reader
 *
 * Returns: how many bytes of the file are done with
 */
guint64
fore_exits_reader_get_offset (ForeExitsReader *reader)
{
  g_return_val_if_fail (reader != NULL, 0);

  return reader->offset;
}

/**
 * fore_exits_reader_get_damaged:
 * @reader: a reader
 *
 * Returns: how many bytes belonged to no valid record
 */
guint64
fore_exits_reader_get_damaged (ForeExitsReader *reader)
{
  g_return_val_if_fail (reader != NULL, 0);

  return reader->damaged;
}

typedef struct
{
  const char *task;
  guint attempt;
  guint kind;
  ForeGuardRecord *record;
  gboolean found;
} Search;

static void
match_record (const ForeGuardRecord *record, gpointer user_data)
{
  Search *search = user_data;
  g_autofree char *task = fore_guard_record_dup_task (record);

  if (record->kind != search->kind || record->attempt != search->attempt
      || strcmp (task, search->task) != 0)
    return;

  *search->record = *record;
  search->found = TRUE;
}

/**
 * fore_exits_find:
 * @path: the file `exits` of a run
 * @task: key of a task
 * @attempt: number of the attempt
 * @kind: FORE_GUARD_START or FORE_GUARD_EXIT
 * @record: (out): where to put it
 *
 * Reads the whole file: for looking at one attempt, not for many.
 *
 * Returns: whether there is such a record
 */
gboolean
fore_exits_find (
    const char *path, const char *task, guint attempt, guint kind, ForeGuardRecord *record)
{
  g_autoptr (ForeExitsReader) reader = NULL;
  Search search = { task, attempt, kind, record, FALSE };

  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (task != NULL, FALSE);
  g_return_val_if_fail (record != NULL, FALSE);

  reader = fore_exits_reader_new (path);
  return fore_exits_reader_read (reader, match_record, &search, NULL) && search.found;
}

/**
 * fore_guard_record_dup_task:
 * @record: a record
 *
 * Returns: (transfer full): the key of its task
 */
char *
fore_guard_record_dup_task (const ForeGuardRecord *record)
{
  g_return_val_if_fail (record != NULL, NULL);

  return g_strndup (record->task, sizeof record->task);
}

/**
 * fore_guard_reason_to_string:
 * @reason: a reason
 *
 * Returns: (transfer none): its word in events and JSON
 */
const char *
fore_guard_reason_to_string (ForeGuardReason reason)
{
  g_return_val_if_fail ((guint) reason < FORE_GUARD_N_REASONS, NULL);

  return reason_names[reason];
}
