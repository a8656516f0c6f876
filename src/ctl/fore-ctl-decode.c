/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-adapter.h"
#include "ctl/fore-ctl-entries.h"
#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-verbs.h"
#include "engine/fore-entry-list.h"
#include "model/fore-id.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#define WINDOW (256 * 1024)

static const ForeAdapter *
find_adapter (const char *name, GError **error)
{
  const ForeAdapter *adapter = fore_adapter_lookup (name);
  const ForeAdapter *const *all = fore_adapter_list ();
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *list = NULL;
  const char *nearest;

  if (adapter != NULL)
    return adapter;

  for (guint i = 0; all[i] != NULL; i++)
    g_ptr_array_add (names, (gpointer) all[i]->name);
  g_ptr_array_add (names, NULL);

  nearest = fore_id_find_nearest (name, (const char *const *) names->pdata, 3);
  list = g_strjoinv (", ", (char **) names->pdata);
  if (nearest != NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                 _ ("There is no agent CLI “%s”; did you mean “%s”?"), name, nearest);
  else
    g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                 _ ("There is no agent CLI “%s”; known are %s."), name, list);

  return NULL;
}

static void
on_entry (const ForeEntry *entry, gpointer user_data)
{
  fore_entry_list_add (user_data, entry);
}

static gboolean
feed_file (FILE *file, const char *path, ForeDecoder *decoder, ForeEntryList *list, GError **error)
{
  g_autofree char *window = g_malloc (WINDOW);
  gsize length;

  while ((length = fread (window, 1, WINDOW, file)) > 0)
    fore_decoder_feed (decoder, window, length, on_entry, list);
  if (ferror (file))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_FAILED, _ ("%s cannot be read: %s."), path,
                   g_strerror (errno));
      return FALSE;
    }

  fore_decoder_finish (decoder, on_entry, list);
  return TRUE;
}

static gboolean
decode_file (const char *path, ForeDecoder *decoder, ForeEntryList *list, GError **error)
{
  FILE *file;
  gboolean done;

  if (strcmp (path, "-") == 0)
    return feed_file (stdin, _ ("Standard input"), decoder, list, error);

  if (g_file_test (path, G_FILE_TEST_IS_DIR) || (file = fopen (path, "rb")) == NULL)
    {
      int saved_errno = g_file_test (path, G_FILE_TEST_IS_DIR) ? EISDIR : errno;

      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND, _ ("%s cannot be opened: %s."), path,
                   g_strerror (saved_errno));
      return FALSE;
    }

  done = feed_file (file, path, decoder, list, error);
  fclose (file);

  return done;
}

static void
print_decoded (ForeCtl *ctl, GPtrArray *entries, const ForeSummary *summary)
{
  JsonObject *object;

  if (!ctl->json)
    {
      JsonObject *outcome = fore_ctl_json_summary (summary);

      fore_ctl_print_entries (ctl, entries);
      fore_ctl_print (ctl, _ ("Outcome: %s\n"), json_object_get_string_member (outcome, "outcome"));
      json_object_unref (outcome);
      return;
    }

  object = json_object_new ();
  json_object_set_array_member (object, "entries", fore_ctl_json_entries (entries));
  json_object_set_object_member (object, "summary", fore_ctl_json_summary (summary));
  fore_ctl_print_object (ctl, object);
}

gboolean
fore_ctl_do_decode (ForeCtl *ctl, GError **error)
{
  const ForeAdapter *adapter = find_adapter (fore_ctl_get_word (ctl, 0), error);
  g_autoptr (ForeDecoder) decoder = NULL;
  g_autoptr (ForeEntryList) list = NULL;
  g_autoptr (GPtrArray) entries = NULL;

  if (adapter == NULL)
    return FALSE;

  decoder = fore_adapter_new_decoder (adapter, fore_ctl_has (ctl, "live"));
  list = fore_entry_list_new ();
  if (!decode_file (fore_ctl_get_word (ctl, 1), decoder, list, error))
    return FALSE;

  entries = fore_entry_list_steal (list);
  print_decoded (ctl, entries, fore_decoder_get_summary (decoder));
  return TRUE;
}
