/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-random-id.h"

#include <gio/gio.h>
#include <string.h>

#include "platform/fore-random-private.h"

#define RUN_ID_LENGTH 8

static const char base32[] = "abcdefghijklmnopqrstuvwxyz234567";

/**
 * fore_platform_random_run_id:
 *
 * Any thread.
 *
 * Returns: (transfer full): 8 characters of lowercase base32, the first a letter
 */
char *
fore_platform_random_run_id (void)
{
  guint8 bytes[RUN_ID_LENGTH];
  char *id = g_malloc (RUN_ID_LENGTH + 1);

  do
    {
      fore_random_fill (bytes, sizeof bytes);
      for (guint i = 0; i < RUN_ID_LENGTH; i++)
        id[i] = base32[bytes[i] & 31];
    }
  while (!g_ascii_isalpha (id[0]));

  id[RUN_ID_LENGTH] = '\0';
  return id;
}

/**
 * fore_platform_random_token:
 * @n_bytes: how many random bytes, at least 16
 *
 * Any thread.
 *
 * Returns: (transfer full): as many bytes that nobody can guess, as hexadecimal digits
 */
char *
fore_platform_random_token (gsize n_bytes)
{
  g_autofree guint8 *bytes = NULL;
  GString *token;

  g_return_val_if_fail (n_bytes >= 16, NULL);

  bytes = g_malloc (n_bytes);
  fore_random_fill (bytes, n_bytes);
  token = g_string_sized_new (2 * n_bytes);
  for (gsize i = 0; i < n_bytes; i++)
    g_string_append_printf (token, "%02x", bytes[i]);

  return g_string_free (token, FALSE);
}
