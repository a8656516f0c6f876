/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "text/fore-line-reader.h"
#include "text/fore-redact.h"
#include "text/fore-text.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
check (char *text)
{
  if (!g_utf8_validate (text, -1, NULL))
    fuzz_fail ("a result is not UTF-8");
  g_free (text);
}

static void
on_line (const char *line, gsize length, gint64 offset, gboolean truncated, gpointer user_data)
{
  gsize *bytes = user_data;

  if (length > 16)
    fuzz_fail ("a line is longer than the fold");
  *bytes += length;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *valid = fore_text_make_valid ((const char *) data, size);
  g_autoptr (ForeRedactor) redactor = fore_redactor_new ();
  g_autoptr (ForeLineReader) reader = fore_line_reader_new (16);
  gsize bytes = 0;
  gint64 value;

  check (fore_text_make_visible (valid));
  check (fore_text_strip_ansi (valid));
  check (fore_text_shorten (valid, 5));
  check (fore_text_first_line (valid, 7));
  fore_redactor_add (redactor, "KEY", valid);
  check (fore_redactor_apply (redactor, valid));
  fore_text_parse_duration (valid, &value);
  fore_text_parse_size (valid, &value);
  fore_line_reader_feed (reader, (const char *) data, size, on_line, &bytes);
  fore_line_reader_finish (reader, on_line, &bytes);
  if (bytes > size)
    fuzz_fail ("more came out than went in");

  return 0;
}
