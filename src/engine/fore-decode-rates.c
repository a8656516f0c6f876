/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-decode-rates.h"

/* More than there are adapters. */
#define MAX_CLIS 32

typedef struct
{
  const char *cli; /* interned */
  guint64 bytes;
  gint64 cpu_us;
} Rate;

static GMutex mutex;
static Rate rates[MAX_CLIS]; /* by mutex */

/**
 * fore_decode_rates_add:
 * @cli: name of an agent CLI
 * @bytes: how much of its output was decoded
 * @cpu_us: CPU time that it took
 */
void
fore_decode_rates_add (const char *cli, gsize bytes, gint64 cpu_us)
{
  const char *name = g_intern_string (cli);
  guint i = 0;

  g_mutex_lock (&mutex);
  while (i < MAX_CLIS && rates[i].cli != NULL && rates[i].cli != name)
    i++;
  if (i < MAX_CLIS)
    {
      rates[i].cli = name;
      rates[i].bytes += bytes;
      rates[i].cpu_us += cpu_us;
    }
  g_mutex_unlock (&mutex);
}

/**
 * fore_decode_rates_to_json:
 *
 * Returns: (transfer full): an object: the name of each CLI → an object with `bytes` and `cpu_us`
 */
JsonNode *
fore_decode_rates_to_json (void)
{
  JsonObject *object = json_object_new ();
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);

  g_mutex_lock (&mutex);
  for (guint i = 0; i < MAX_CLIS && rates[i].cli != NULL; i++)
    {
      JsonObject *rate = json_object_new ();

      json_object_set_int_member (rate, "bytes", (gint64) rates[i].bytes);
      json_object_set_int_member (rate, "cpu_us", rates[i].cpu_us);
      json_object_set_object_member (object, rates[i].cli, rate);
    }
  g_mutex_unlock (&mutex);

  json_node_take_object (node, object);
  return node;
}
