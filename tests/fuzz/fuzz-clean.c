/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include "text/fore-prune.h"
#include "text/fore-sanitise.h"
#include "text/fore-secrets.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
check (char *text)
{
  if (text == NULL || !g_utf8_validate (text, -1, NULL))
    fuzz_fail ("a result is not UTF-8");
  g_free (text);
}

/* What is clean stays as it is. */
static void
check_twice (const char *text, ForeSanitiseLevel level)
{
  g_autofree char *once = fore_sanitise (text, level, NULL, NULL);
  g_autofree char *twice = fore_sanitise (once, level, NULL, NULL);

  if (strlen (twice) > strlen (once))
    fuzz_fail ("cleaning a clean text made it longer");
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *valid = g_utf8_make_valid ((const char *) data, (gssize) size);

  check (fore_secrets_mask (valid, FALSE));
  check (fore_secrets_mask (valid, TRUE));
  check (fore_prune_text (valid, 60, "a file"));
  check (fore_prune_text (valid, 400, NULL));
  check_twice (valid, FORE_SANITISE_OWN);
  check_twice (valid, FORE_SANITISE_FOREIGN);
  check (fore_sanitise (valid, FORE_SANITISE_FOREIGN, NULL, NULL));

  return 0;
}
