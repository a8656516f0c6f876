/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "text/fore-line-reader.h"

#include <string.h>

/* The memory of a longer line is given back when the line is over. */
#define KEEP_CAPACITY (256 * 1024)

struct _ForeLineReader
{
  gsize fold;
  GByteArray *pending;
  gint64 offset;
  gint64 line_offset;
  gboolean overflowed;
};

/**
 * fore_line_reader_new:
 * @fold: most bytes of a line that are kept
 *
 * Returns: (transfer full): a reader at the start of a stream
 */
ForeLineReader *
fore_line_reader_new (gsize fold)
{
  ForeLineReader *reader;

  g_return_val_if_fail (fold > 0 && fold < G_MAXUINT, NULL);

  reader = g_new0 (ForeLineReader, 1);
  reader->fold = fold;
  reader->pending = g_byte_array_new ();

  return reader;
}

/**
 * fore_line_reader_free:
 * @reader: (transfer full) (nullable): a reader
 *
 * Frees @reader and the unfinished line in it.
 */
void
fore_line_reader_free (ForeLineReader *reader)
{
  if (reader == NULL)
    return;

  g_byte_array_unref (reader->pending);
  g_free (reader);
}

static void
keep (ForeLineReader *reader, const char *data, gsize length)
{
  gsize room = reader->fold - reader->pending->len;

  if (length > room)
    {
      reader->overflowed = TRUE;
      length = room;
    }

  g_byte_array_append (reader->pending, (const guint8 *) data, length);
}

static void
emit (ForeLineReader *reader,
      const char *line,
      gsize length,
      gboolean truncated,
      ForeLineFunc func,
      gpointer user_data)
{
  if (!truncated && length > 0 && line[length - 1] == '\r')
    length--;

  func (line, length, reader->line_offset, truncated, user_data);
}

static void
emit_pending (ForeLineReader *reader, ForeLineFunc func, gpointer user_data)
{
  emit (reader, (const char *) reader->pending->data, reader->pending->len, reader->overflowed,
        func, user_data);
  if (reader->pending->len > KEEP_CAPACITY)
    {
      g_byte_array_unref (reader->pending);
      reader->pending = g_byte_array_new ();
    }
  g_byte_array_set_size (reader->pending, 0);
  reader->overflowed = FALSE;
}

/* A line that lies whole in what was fed is handed over from there, without a copy. */
static void
take_line (
    ForeLineReader *reader, const char *data, gsize length, ForeLineFunc func, gpointer user_data)
{
  if (reader->pending->len == 0 && !reader->overflowed)
    {
      emit (reader, data, MIN (length, reader->fold), length > reader->fold, func, user_data);
      return;
    }

  keep (reader, data, length);
  emit_pending (reader, func, user_data);
}

/**
 * fore_line_reader_feed:
 * @reader: a reader
 * @data: what came next in the stream
 * @length: bytes of @data
 * @func: (scope call): called for each line that ended; its @line is valid only during the call and
 *   is not terminated
 * @user_data: passed to @func
 *
 * Takes up a piece of the stream, however it was cut.
 */
void
fore_line_reader_feed (
    ForeLineReader *reader, const char *data, gsize length, ForeLineFunc func, gpointer user_data)
{
  const char *end = data + length;

  g_return_if_fail (reader != NULL);
  g_return_if_fail (data != NULL || length == 0);
  g_return_if_fail (func != NULL);

  while (data < end)
    {
      const char *newline = memchr (data, '\n', end - data);

      if (newline == NULL)
        {
          keep (reader, data, end - data);
          reader->offset += end - data;
          return;
        }

      take_line (reader, data, newline - data, func, user_data);
      reader->offset += newline + 1 - data;
      reader->line_offset = reader->offset;
      data = newline + 1;
    }
}

/**
 * fore_line_reader_finish:
 * @reader: a reader
 * @func: (scope call): called for the last line if no line feed ended it
 * @user_data: passed to @func
 *
 * Says that the stream is over.
 */
void
fore_line_reader_finish (ForeLineReader *reader, ForeLineFunc func, gpointer user_data)
{
  g_return_if_fail (reader != NULL);
  g_return_if_fail (func != NULL);

  if (reader->pending->len > 0)
    emit_pending (reader, func, user_data);
  reader->line_offset = reader->offset;
}
