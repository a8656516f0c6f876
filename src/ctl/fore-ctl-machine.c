/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-follow.h"
#include "ctl/fore-ctl-help.h"
#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-page.h"
#include "ctl/fore-ctl-verbs.h"
#include "engine/fore-doctor.h"
#include "platform/fore-dirs.h"
#include "platform/fore-log.h"
#include "text/fore-json.h"
#include "text/fore-text.h"

#include <gio/gio.h>
#include <glib/gi18n.h>

#define DEFAULT_LINES 200
#define LOG_POLL_MS 300

static ForeCtlStyle
get_level_style (ForeFindingLevel level)
{
  return level == FORE_FINDING_GOOD   ? FORE_CTL_GOOD
         : level == FORE_FINDING_NOTE ? FORE_CTL_WAIT
                                      : FORE_CTL_BAD;
}

static const char *
get_level_mark (ForeFindingLevel level)
{
  return level == FORE_FINDING_GOOD ? "✓" : level == FORE_FINDING_NOTE ? "•" : "✗";
}

static void
print_finding (ForeCtl *ctl, const ForeFinding *finding)
{
  g_autofree char *value = fore_ctl_dup_clean (finding->value);
  g_autofree char *hint = fore_ctl_dup_clean (finding->hint);

  fore_ctl_write ("  ", 2);
  fore_ctl_print_styled (ctl, get_level_style (finding->level), get_level_mark (finding->level));
  fore_ctl_print (ctl, " %-18s %s\n", finding->name, value);
  if (*hint != '\0')
    fore_ctl_print (ctl, "    %-18s%s\n", "", hint);
}

static void
print_findings (ForeCtl *ctl, GPtrArray *findings)
{
  const char *section = NULL;

  for (guint i = 0; i < findings->len; i++)
    {
      const ForeFinding *finding = findings->pdata[i];

      if (g_strcmp0 (finding->section, section) != 0)
        {
          section = finding->section;
          fore_ctl_print_styled (ctl, FORE_CTL_BOLD, section);
          fore_ctl_write ("\n", 1);
        }
      print_finding (ctl, finding);
    }
}

static void
say_what_is_left (ForeCtl *ctl)
{
  g_autofree char *backup = fore_dirs_dup_backup_dir (fore_store_get_home (ctl->store));

  fore_ctl_print (ctl,
                  _ ("Everything else is sound, and the index was made anew. The branches of a "
                     "damaged run are in its repository as before; copies that an upgrade made "
                     "are in %s.\n"),
                  backup);
}

static void
say_replaced (const char *home, GPtrArray *problems)
{
  g_autofree char *backup = fore_dirs_dup_backup_dir (home);

  g_ptr_array_add (problems, g_strdup_printf (_ ("The damaged index was moved to “%s”. The new one "
                                                 "knows every run that can be read, but no project "
                                                 "that you trusted: trust them again."),
                                              backup));
}

/* A file whose pages are damaged stays so whatever is written to it. */
static gboolean
replace_index (ForeCtl *ctl, GPtrArray *problems, GError **error)
{
  g_autofree char *home = g_strdup (fore_store_get_home (ctl->store));

  g_clear_object (&ctl->store);
  if (!fore_store_repair (home, error))
    {
      g_prefix_error (error, _ ("Close Foredeck and let its runs end, so that its damaged index "
                                "can be replaced: "));
      return FALSE;
    }

  say_replaced (home, problems);
  return fore_ctl_get_store (ctl, error) != NULL;
}

static gboolean
make_index_anew (ForeCtl *ctl, gboolean is_whole, GPtrArray *problems, GError **error)
{
  g_autoptr (GError) local_error = NULL;

  if (is_whole && fore_store_rebuild_index (ctl->store, &local_error))
    return TRUE;

  if (g_error_matches (local_error, FORE_ERROR, FORE_ERROR_BUSY)
      || g_error_matches (local_error, FORE_ERROR, FORE_ERROR_NO_SPACE))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }

  return replace_index (ctl, problems, error);
}

static gboolean
check_store (ForeCtl *ctl, gboolean replaced, GError **error)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  gboolean is_whole = FALSE;
  JsonObject *object;

  if (replaced)
    say_replaced (fore_store_get_home (ctl->store), problems);
  if (!fore_store_check (ctl->store, problems, &is_whole, error)
      || !make_index_anew (ctl, is_whole, problems, error))
    return FALSE;

  ctl->exit_code = problems->len > 0 ? 1 : 0;
  if (ctl->json)
    {
      object = json_object_new ();
      json_object_set_boolean_member (object, "sound", problems->len == 0);
      json_object_set_array_member (object, "problems", fore_ctl_json_texts (problems));
      fore_ctl_print_object (ctl, object);
      return TRUE;
    }

  for (guint i = 0; i < problems->len; i++)
    fore_ctl_print (ctl, "%s\n", (const char *) problems->pdata[i]);
  if (problems->len == 0)
    fore_ctl_print (ctl, "%s\n", _ ("The store is sound; its index was made anew."));
  else
    say_what_is_left (ctl);

  return TRUE;
}

static gboolean
test_agent (ForeCtl *ctl, const char *cli, GError **error)
{
  g_autoptr (JsonNode) result = fore_doctor_test_agent (ctl->store, cli, NULL, error);
  JsonObject *object;

  if (result == NULL)
    return FALSE;

  object = json_node_get_object (result);
  ctl->exit_code = fore_json_get_bool (object, "works", FALSE) ? 0 : 1;
  if (ctl->json)
    fore_ctl_print_json (ctl, result);
  else if (ctl->exit_code == 0)
    {
      g_autofree char *answer = fore_ctl_dup_clean (fore_json_get_string (object, "answer", ""));

      fore_ctl_print (ctl, _ ("%s answers: %s\n"), cli, answer);
    }
  else
    fore_ctl_print (ctl, _ ("%s does not work: %s\n"), cli,
                    fore_json_get_string (object, "problem", ""));

  return TRUE;
}

/* The index of a store that cannot be opened can still be made anew. */
static ForeStore *
open_store (ForeCtl *ctl, gboolean *replaced, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  ForeStore *store = fore_ctl_get_store (ctl, &local_error);

  if (store != NULL || !fore_ctl_has (ctl, "check-store")
      || g_error_matches (local_error, FORE_ERROR, FORE_ERROR_NEWER)
      || !fore_store_repair (NULL, NULL))
    {
      if (local_error != NULL)
        g_propagate_error (error, g_steal_pointer (&local_error));
      return store;
    }

  *replaced = TRUE;
  return fore_ctl_get_store (ctl, error);
}

gboolean
fore_ctl_do_doctor (ForeCtl *ctl, GError **error)
{
  gboolean replaced = FALSE;
  ForeStore *store = open_store (ctl, &replaced, error);
  g_autoptr (GPtrArray) findings = NULL;
  g_autofree char *project = NULL;
  const char *bundle = fore_ctl_get (ctl, "bundle");

  if (store == NULL)
    return FALSE;
  if (fore_ctl_has (ctl, "check-store"))
    return check_store (ctl, replaced, error);
  if (fore_ctl_has (ctl, "test-agent"))
    return test_agent (ctl, fore_ctl_get (ctl, "test-agent"), error);

  project = fore_ctl_dup_project (ctl, ".");
  findings = fore_doctor_examine (store, project, NULL);
  if (bundle != NULL && !fore_doctor_write_bundle (store, findings, bundle, error))
    return FALSE;

  if (ctl->json)
    {
      g_autoptr (JsonNode) node = fore_doctor_to_json (findings);

      fore_ctl_json_set_text (json_node_get_object (node), "bundle", bundle);
      fore_ctl_print_json (ctl, node);
      return TRUE;
    }

  print_findings (ctl, findings);
  if (bundle != NULL)
    fore_ctl_print (ctl, _ ("Written to %s; look through it before you send it to anyone.\n"),
                    bundle);

  return TRUE;
}

static JsonNode *
parse_line (const char *line)
{
  ForeJsonLimits limits = FORE_JSON_DEFAULT_LIMITS;

  return fore_json_parse (line, -1, &limits, NULL);
}

static void
print_log_line (ForeCtl *ctl, const char *line)
{
  g_autoptr (JsonNode) node = parse_line (line);
  JsonObject *object = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node)
                                                                     : NULL;
  g_autofree char *text = NULL;

  if (ctl->json)
    {
      if (node != NULL)
        fore_ctl_print_json_line (node);
      return;
    }

  text = fore_ctl_dup_clean (object != NULL ? fore_json_get_string (object, "text", "") : line);
  if (object != NULL)
    fore_ctl_print (ctl, "%s %-7s %s %s ", fore_json_get_string (object, "time", ""),
                    fore_json_get_string (object, "level", ""),
                    fore_json_get_string (object, "program", ""),
                    fore_json_get_string (object, "run", "-"));
  fore_ctl_print (ctl, "%s\n", text);
}

typedef struct
{
  ForeCtl *ctl;
  GMainLoop *loop;
  char *run_id;
  GHashTable *seen; /* lines that were there the last time */
} LogFollow;

static gboolean
on_log_interrupt (gpointer user_data)
{
  LogFollow *follow = user_data;

  g_main_loop_quit (follow->loop);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_log_poll (gpointer user_data)
{
  LogFollow *follow = user_data;
  const char *home = fore_store_get_home (follow->ctl->store);
  g_auto (GStrv) lines = fore_log_read_tail (home, follow->run_id, DEFAULT_LINES, NULL);
  GHashTable *now = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    {
      if (!g_hash_table_contains (follow->seen, lines[i]))
        print_log_line (follow->ctl, lines[i]);
      g_hash_table_add (now, g_strdup (lines[i]));
    }

  g_hash_table_unref (follow->seen);
  follow->seen = now;
  fore_ctl_flush ();

  return G_SOURCE_CONTINUE;
}

static gboolean
follow_logs (ForeCtl *ctl, const char *run_id, GError **error)
{
  LogFollow follow = { .ctl = ctl };
  guint interrupts[2], poll;

  follow.loop = g_main_loop_new (NULL, FALSE);
  follow.run_id = g_strdup (run_id);
  follow.seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  fore_ctl_watch_interrupt (on_log_interrupt, &follow, interrupts);
  on_log_poll (&follow);
  poll = g_timeout_add (LOG_POLL_MS, on_log_poll, &follow);
  g_main_loop_run (follow.loop);

  g_source_remove (poll);
  fore_ctl_unwatch_interrupt (interrupts);
  g_hash_table_unref (follow.seen);
  g_free (follow.run_id);
  g_main_loop_unref (follow.loop);
  g_set_error (error, FORE_ERROR, FORE_ERROR_CANCELLED, _ ("Stopped following."));

  return FALSE;
}

static void
print_lines (ForeCtl *ctl, const char *const *lines)
{
  JsonObject *object;
  JsonArray *array;

  if (!ctl->json)
    {
      for (guint i = 0; lines[i] != NULL; i++)
        print_log_line (ctl, lines[i]);
      return;
    }

  object = json_object_new ();
  array = json_array_new ();
  for (guint i = 0; lines[i] != NULL; i++)
    {
      JsonNode *node = parse_line (lines[i]);

      if (node != NULL)
        json_array_add_element (array, node);
    }
  json_object_set_array_member (object, "lines", array);
  fore_ctl_print_object (ctl, object);
}

gboolean
fore_ctl_do_logs (ForeCtl *ctl, GError **error)
{
  const char *prefix = fore_ctl_get_word (ctl, 0);
  g_autofree char *run_id = NULL;
  g_auto (GStrv) lines = NULL;

  if (fore_ctl_get_store (ctl, error) == NULL)
    return FALSE;
  if (prefix != NULL && (run_id = fore_ctl_find_run (ctl, prefix, error)) == NULL)
    return FALSE;
  if (fore_ctl_has (ctl, "follow"))
    return follow_logs (ctl, run_id, error);

  lines = fore_log_read_tail (fore_store_get_home (ctl->store), run_id,
                              fore_ctl_get_number (ctl, "limit", DEFAULT_LINES), error);
  if (lines == NULL)
    return FALSE;

  print_lines (ctl, (const char *const *) lines);
  return TRUE;
}

gboolean
fore_ctl_do_version (ForeCtl *ctl, GError **error)
{
  g_autofree char *glib = g_strdup_printf ("%u.%u.%u", glib_major_version, glib_minor_version,
                                           glib_micro_version);
  JsonObject *object;

  if (!ctl->json)
    {
      fore_ctl_print (ctl, "%s %s\n", FORE_CTL_NAME, FORE_VERSION);
      return TRUE;
    }

  object = json_object_new ();
  json_object_set_string_member (object, "program", FORE_CTL_NAME);
  json_object_set_string_member (object, "version", FORE_VERSION);
  json_object_set_string_member (object, "app", FORE_APP_ID);
  json_object_set_string_member (object, "glib", glib);
  fore_ctl_print_object (ctl, object);

  return TRUE;
}

gboolean
fore_ctl_do_help (ForeCtl *ctl, GError **error)
{
  const char *word = fore_ctl_get_word (ctl, 0);
  const ForeCtlVerb *verb = NULL;
  const char *nearest;

  if (word != NULL && (verb = fore_ctl_verbs_find (word)) == NULL)
    {
      nearest = fore_ctl_verbs_suggest (word);
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                   _ ("There is no verb “%s”; did you mean “%s”?"), word,
                   nearest != NULL ? nearest : "help");
      return FALSE;
    }

  fore_ctl_print_help (ctl, verb);
  return TRUE;
}
