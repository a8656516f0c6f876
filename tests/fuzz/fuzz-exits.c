/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Any bytes as a run's `exits`: nothing is read outside of it, every byte is either a record's or
 * damaged, and reading it in two steps finds what reading it at once finds.
 */

#include "config.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "platform/fore-exits-reader.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static guint64 n_records;

static void
add_digest (const ForeGuardRecord *record, gpointer user_data)
{
  GString *digest = user_data;
  g_autofree char *task = fore_guard_record_dup_task (record);

  n_records++;
  g_string_append_printf (digest, "%s/%u/%x\n", task, record->attempt, record->crc);
}

static void
write_all (int fd, const uint8_t *data, size_t size)
{
  while (size > 0)
    {
      ssize_t done = write (fd, data, size);

      if (done < 0)
        abort ();
      data += done;
      size -= (size_t) done;
    }
}

static char *
read_in_steps (const uint8_t *data, size_t size, size_t first)
{
  int fd = memfd_create ("exits", 0);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  g_autoptr (ForeExitsReader) reader = fore_exits_reader_new (path);
  GString *digest = g_string_new (NULL);

  n_records = 0;
  write_all (fd, data, first);
  if (!fore_exits_reader_read (reader, add_digest, digest, NULL))
    abort ();
  write_all (fd, data + first, size - first);
  if (!fore_exits_reader_read (reader, add_digest, digest, NULL))
    abort ();

  if (fore_exits_reader_get_offset (reader) > size
      || n_records * sizeof (ForeGuardRecord) + fore_exits_reader_get_damaged (reader)
             != fore_exits_reader_get_offset (reader))
    abort ();

  close (fd);
  return g_string_free (digest, FALSE);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *whole = NULL;
  g_autofree char *parts = NULL;

  if (size == 0)
    return 0;

  whole = read_in_steps (data, size, size);
  parts = read_in_steps (data, size, data[0] % size);
  if (strcmp (whole, parts) != 0)
    abort ();

  return 0;
}
