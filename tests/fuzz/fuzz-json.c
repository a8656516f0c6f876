/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "text/fore-json-slice.h"
#include "text/fore-json.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* What the parser takes, the slices take too, and it is written as text that is taken again. */
int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *copy = g_memdup2 (data, size);
  ForeJsonLimits limits = { FORE_JSON_MAX_DEPTH, G_MAXSIZE };
  g_autoptr (JsonNode) node = fore_json_parse (copy, size, &limits, NULL);
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) again = NULL;
  ForeJsonSlice slice;

  if (fore_json_slice_read (&slice, copy, size, FORE_JSON_MAX_DEPTH) != (node != NULL))
    fuzz_fail ("parser and slices do not agree");
  if (node == NULL)
    return 0;

  text = fore_json_to_string (node, FALSE);
  again = fore_json_parse (text, -1, &limits, NULL);
  if (again == NULL)
    fuzz_fail ("what was written cannot be read: %s", text);

  return 0;
}
