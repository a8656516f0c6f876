/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/demo/fore-demo-player.h"

#include "text/fore-json.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK 65536

static void
write_repeated (char c, gint64 count)
{
  char block[BLOCK];

  memset (block, c, sizeof block);
  while (count > 0)
    {
      gsize length = MIN (count, (gint64) sizeof block);

      demo_write (block, length);
      count -= length;
    }
}

void
demo_write_long_line (gint64 bytes)
{
  demo_write ("{\"type\":\"text\",\"id\":\"long\",\"text\":\"",
              strlen ("{\"type\":\"text\",\"id\":\"long\",\"text\":\""));
  write_repeated ('x', bytes);
  demo_write ("\"}\n", 3);
}

void
demo_write_brackets (gint64 count)
{
  write_repeated ('[', count);
  write_repeated (']', count);
  demo_write ("\n", 1);
}

void
demo_write_endless (void)
{
  static const char line[] = "{\"type\":\"text\",\"id\":\"endless\",\"delta\":\"and on \"}\n";

  while (TRUE)
    demo_write (line, strlen (line));
}

/* Whoever reads what the agent prints is not to wait for the child. */
static int
find_status (const char *kind)
{
  if (strcmp (kind, "rate-limit") == 0)
    return 429;
  if (strcmp (kind, "overloaded") == 0)
    return 529;
  if (strcmp (kind, "auth") == 0)
    return 401;

  return 0;
}

void
demo_fail (DemoPlayer *player, JsonObject *arguments)
{
  const char *kind = fore_json_get_string (arguments, "kind", "error");
  const char *message = fore_json_get_string (arguments, "message", kind);
  gint64 reset;

  if (strcmp (kind, "crash") == 0)
    abort ();

  if (strcmp (kind, "exit") == 0)
    _exit ((int) CLAMP (fore_json_get_int (arguments, "code", 1), 0, 255));

  if (strcmp (kind, "no-output") == 0)
    _exit (0);

  if (strcmp (kind, "garbage") == 0)
    {
      static const char garbage[]
          = "\x00\xff\xfe{\"type\":\n]]not JSON at all\r\n{\"type\":\"text\"";

      demo_write (garbage, sizeof garbage - 1);
      _exit (0);
    }

  reset = fore_json_get_int (arguments, "reset", 0);
  if (reset > 0 && player->output->limit != NULL)
    player->output->limit (player->output,
                           g_get_real_time () / G_USEC_PER_SEC + MIN (reset, 86400) + 1);
  player->output->error (player->output, find_status (kind), message);
}
