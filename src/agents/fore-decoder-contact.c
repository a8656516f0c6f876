/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lines by which whatever is at work turns to the one who supervises it, whatever its CLI: one JSON
 * object with a type of its own, as pi-crew's workers print it.
 */

#include "config.h"

#include "agents/fore-decoder-private.h"

#include <string.h>

#define WORD "supervisor_contact"
#define OTHER_WORD "crew_supervisor_contact"
/* Where in a line its type is looked for; lines are many. */
#define TYPE_WITHIN 256
#define MAX_CONTACT (64 * 1024)

enum
{
  CONTACT_TYPE,
  CONTACT_REASON,
  CONTACT_MESSAGE,
  CONTACT_DATA,
  N_CONTACT
};

static const char *const names[N_CONTACT] = { "type", "reason", "message", "data" };

static void
emit_contact (ForeDecoder *decoder, const ForeJsonSlice *values, char *message)
{
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_NOTICE);
  g_autofree char *id = g_strdup_printf (FORE_CONTACT_PREFIX "%" G_GINT64_FORMAT, decoder->offset);
  g_autofree char *reason = fore_json_slice_dup_string (&values[CONTACT_REASON]);
  g_autofree char *data = fore_json_slice_exists (&values[CONTACT_DATA])
                              ? fore_json_slice_dup_json (&values[CONTACT_DATA])
                              : NULL;

  entry.id = id;
  entry.name = (char *) FORE_CONTACT_NAME;
  entry.title = reason != NULL ? reason : (char *) "custom";
  entry.text = message;
  entry.input = data;
  fore_decoder_emit (decoder, &entry);
}

/* Whether the line was one of these; nobody else reads it then. */
gboolean
fore_decoder_take_contact (ForeDecoder *decoder, const char *line, gsize length)
{
  ForeJsonSlice values[N_CONTACT];
  g_autofree char *message = NULL;

  if (length == 0 || line[0] != '{' || length > MAX_CONTACT
      || g_strstr_len (line, (gssize) MIN (length, TYPE_WITHIN), WORD) == NULL
      || !fore_decoder_read_line (decoder, line, length, names, N_CONTACT, values)
      || (!fore_json_slice_equals (&values[CONTACT_TYPE], WORD)
          && !fore_json_slice_equals (&values[CONTACT_TYPE], OTHER_WORD)))
    return FALSE;

  message = fore_json_slice_dup_string (&values[CONTACT_MESSAGE]);
  if (message == NULL || message[0] == '\0')
    return FALSE;

  emit_contact (decoder, values, message);
  return TRUE;
}
