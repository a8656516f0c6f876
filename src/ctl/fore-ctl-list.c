/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-page.h"
#include "ctl/fore-ctl-request.h"
#include "ctl/fore-ctl-verbs.h"
#include "engine/fore-forget.h"
#include "model/fore-id.h"
#include "text/fore-text.h"

#include <glib/gi18n.h>
#include <string.h>

#define DEFAULT_RUNS 50
#define DEFAULT_ROWS 10000

static char *
dup_age (gint64 us)
{
  g_autofree char *duration = NULL;

  if (us <= 0)
    return g_strdup ("");

  duration = fore_text_format_duration (MAX (g_get_real_time () - us, 0) / 1000);
  return g_strdup_printf (_ ("%s ago"), duration);
}

/* How it ended, and what became of the result. */
static char *
dup_word (ForeCtl *ctl, const ForeRun *run)
{
  const char *word = fore_ctl_get_run_word (ctl, run);

  if (fore_run_is_discarded (run))
    return g_strdup_printf (_ ("%s, discarded"), word);
  if (run->merged_commit != NULL)
    return g_strdup_printf (_ ("%s, merged"), word);

  return g_strdup (word);
}

static void
print_runs (ForeCtl *ctl, GPtrArray *runs)
{
  const char *headings[] = { N_ ("RUN"),     N_ ("STATUS"), N_ ("TASKS"), N_ ("COST"),
                             N_ ("CREATED"), N_ ("GOAL"),   NULL };
  g_autoptr (ForeCtlTable) table = fore_ctl_table_new (headings);

  for (guint i = 0; i < runs->len; i++)
    {
      const ForeRun *run = runs->pdata[i];
      g_autofree char *tasks = g_strdup_printf ("%u/%u", run->counts[FORE_TASK_COMPLETED],
                                                run->n_tasks);
      g_autofree char *cost = run->usage.cost >= 0 ? fore_text_format_cost (run->usage.cost) : NULL;
      g_autofree char *age = dup_age (run->created);
      g_autofree char *word = dup_word (ctl, run);

      fore_ctl_table_add_row (table);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, run->id);
      fore_ctl_table_add (table, fore_ctl_style_for_run (run->status), word);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, tasks);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, cost);
      fore_ctl_table_add (table, FORE_CTL_DIM, age);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, run->title);
    }

  fore_ctl_table_print (ctl, table);
}

static void
print_runs_json (ForeCtl *ctl, GPtrArray *runs, GPtrArray *requests, const char *cursor)
{
  JsonObject *object = json_object_new ();
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < runs->len; i++)
    {
      const ForeRun *run = runs->pdata[i];
      ForeOwnerState owner = fore_ctl_look_at_owner (ctl, run->id);

      JsonObject *row = fore_ctl_json_run (run, owner, requests);

      json_object_set_int_member (row, "bytes", (gint64) fore_forget_measure (ctl->store, run->id));
      json_array_add_object_element (array, row);
    }

  json_object_set_array_member (object, "runs", array);
  fore_ctl_json_set_text (object, "cursor", cursor);
  fore_ctl_print_object (ctl, object);
}

static const char *
get_run_key (gconstpointer row)
{
  return ((const ForeRun *) row)->id;
}

static gboolean
check_status (const char *status, GError **error)
{
  const char *words[FORE_N_RUN_STATUSES + 1] = { NULL };
  const char *nearest;
  ForeRunStatus parsed;

  if (status == NULL || fore_run_status_from_string (status, &parsed))
    return TRUE;

  for (guint i = 0; i < FORE_N_RUN_STATUSES; i++)
    words[i] = fore_run_status_to_string (i);

  nearest = fore_id_find_nearest (status, words, 3);
  if (nearest != NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE, _ ("No run is ever “%s”; did you mean “%s”?"),
                 status, nearest);
  else
    {
      g_autofree char *all = g_strjoinv (", ", (char **) words);

      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE, _ ("No run is ever “%s”; say one of %s."),
                   status, all);
    }

  return FALSE;
}

gboolean
fore_ctl_do_list (ForeCtl *ctl, GError **error)
{
  ForeStore *store;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GPtrArray) requests = NULL;
  g_autofree char *project = NULL;
  ForeCtlPage page;

  if (!check_status (fore_ctl_get (ctl, "status"), error))
    return FALSE;
  if ((store = fore_ctl_get_store (ctl, error)) == NULL)
    return FALSE;

  project = fore_ctl_dup_project (ctl, NULL);
  runs = fore_store_list_runs (store, project, fore_ctl_get (ctl, "status"), 0, 0, error);
  if (runs == NULL || !fore_ctl_page_init (&page, ctl, runs, get_run_key, DEFAULT_RUNS, error))
    return FALSE;

  fore_ctl_page_cut (&page, runs);
  if (!ctl->json)
    {
      print_runs (ctl, runs);
      fore_ctl_page_print_more (ctl, &page);
      return TRUE;
    }

  requests = fore_store_list_requests (store, TRUE, error);
  if (requests == NULL)
    return FALSE;

  print_runs_json (ctl, runs, requests, page.cursor);
  return TRUE;
}

static void
print_tasks (ForeCtl *ctl, GPtrArray *tasks)
{
  const char *headings[] = { N_ ("TASK"),   N_ ("STATUS"), N_ ("ROLE"),  N_ ("AGENT"),
                             N_ ("CHECKS"), N_ ("FILES"),  N_ ("TITLE"), NULL };
  g_autoptr (ForeCtlTable) table = fore_ctl_table_new (headings);

  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = tasks->pdata[i];
      g_autofree char *files = task->files != NULL && task->files->len > 0
                                   ? g_strdup_printf ("%u", task->files->len)
                                   : NULL;
      const char *why = task->message != NULL     ? task->message
                        : task->waits_for != NULL ? task->waits_for
                                                  : fore_task_get_note (task);
      g_autofree char *title = why != NULL ? g_strdup_printf ("%s (%s)", task->title, why)
                                           : g_strdup (task->title);

      fore_ctl_table_add_row (table);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, task->key);
      fore_ctl_table_add (table, fore_ctl_style_for_task (task->status),
                          fore_task_status_to_string (task->status));
      fore_ctl_table_add (table, FORE_CTL_PLAIN, task->role);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, task->cli != NULL ? task->cli : task->agent);
      fore_ctl_table_add (
          table, FORE_CTL_PLAIN,
          task->verified != FORE_VERIFIED_NONE ? fore_verified_to_string (task->verified) : NULL);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, files);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, title);
    }

  fore_ctl_table_print (ctl, table);
}

static const char *
get_task_key (gconstpointer row)
{
  return ((const ForeTask *) row)->key;
}

gboolean
fore_ctl_do_tasks (ForeCtl *ctl, GError **error)
{
  g_autoptr (ForeRunDelta) delta = fore_ctl_read_run (ctl, fore_ctl_get_word (ctl, 0), 0, error);
  ForeCtlPage page;
  JsonObject *object;
  JsonArray *array;

  if (delta == NULL
      || !fore_ctl_page_init (&page, ctl, delta->tasks, get_task_key, DEFAULT_ROWS, error))
    return FALSE;

  fore_ctl_page_cut (&page, delta->tasks);
  if (!ctl->json)
    {
      print_tasks (ctl, delta->tasks);
      fore_ctl_page_print_more (ctl, &page);
      return TRUE;
    }

  object = json_object_new ();
  array = json_array_new ();
  for (guint i = 0; i < delta->tasks->len; i++)
    json_array_add_object_element (
        array, fore_ctl_json_task (delta->run->id, delta->tasks->pdata[i], delta->attempts));
  json_object_set_string_member (object, "run", delta->run->id);
  json_object_set_array_member (object, "tasks", array);
  fore_ctl_json_set_text (object, "cursor", page.cursor);
  fore_ctl_print_object (ctl, object);

  return TRUE;
}

static void
print_requests (ForeCtl *ctl, GPtrArray *requests)
{
  const char *headings[] = { N_ ("REQUEST"), N_ ("KIND"),  N_ ("STATE"), N_ ("TASK"),
                             N_ ("AGE"),     N_ ("TITLE"), NULL };
  g_autoptr (ForeCtlTable) table = fore_ctl_table_new (headings);

  for (guint i = 0; i < requests->len; i++)
    {
      const ForeRequest *request = requests->pdata[i];
      g_autofree char *age = dup_age (request->created);

      fore_ctl_table_add_row (table);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, request->id);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, fore_request_kind_to_string (request->kind));
      fore_ctl_table_add (table, request->state == FORE_REQUEST_OPEN ? FORE_CTL_WAIT : FORE_CTL_DIM,
                          fore_request_state_to_string (request->state));
      fore_ctl_table_add (table, FORE_CTL_PLAIN, request->task);
      fore_ctl_table_add (table, FORE_CTL_DIM, age);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, request->title);
    }

  fore_ctl_table_print (ctl, table);
}

static const char *
get_request_key (gconstpointer row)
{
  return ((const ForeRequest *) row)->id;
}

static void
keep_open (GPtrArray *requests)
{
  for (guint i = requests->len; i > 0; i--)
    {
      if (((const ForeRequest *) requests->pdata[i - 1])->state != FORE_REQUEST_OPEN)
        g_ptr_array_remove_index (requests, i - 1);
    }
}

/* Those of a run come from its own file, which is never behind. */
static GPtrArray *
load_requests (ForeCtl *ctl, GError **error)
{
  const char *prefix = fore_ctl_get_word (ctl, 0);
  gboolean all = fore_ctl_has (ctl, "all");
  ForeStore *store = fore_ctl_get_store (ctl, error);
  g_autoptr (ForeRunDelta) delta = NULL;
  GPtrArray *requests;

  if (store == NULL)
    return NULL;
  if (prefix == NULL)
    return fore_store_list_requests (store, !all, error);

  delta = fore_ctl_read_run (ctl, prefix, 0, error);
  if (delta == NULL)
    return NULL;

  requests = g_ptr_array_ref (delta->requests);
  if (!all)
    keep_open (requests);

  return requests;
}

gboolean
fore_ctl_do_requests (ForeCtl *ctl, GError **error)
{
  g_autoptr (GPtrArray) requests = load_requests (ctl, error);
  ForeCtlPage page;
  JsonObject *object;
  JsonArray *array;

  if (requests == NULL
      || !fore_ctl_page_init (&page, ctl, requests, get_request_key, DEFAULT_ROWS, error))
    return FALSE;

  fore_ctl_page_cut (&page, requests);
  if (!ctl->json && requests->len == 0)
    {
      fore_ctl_print (ctl, "%s\n", _ ("Nothing waits for you."));
      return TRUE;
    }
  if (!ctl->json)
    {
      print_requests (ctl, requests);
      fore_ctl_request_print_open (ctl, requests, ctl->words->len > 0 ? 0 : FORE_CTL_REQUEST_LINES);
      fore_ctl_page_print_more (ctl, &page);
      return TRUE;
    }

  object = json_object_new ();
  array = json_array_new ();
  for (guint i = 0; i < requests->len; i++)
    json_array_add_object_element (array, fore_ctl_json_request (requests->pdata[i]));
  json_object_set_array_member (object, "requests", array);
  fore_ctl_json_set_text (object, "cursor", page.cursor);
  fore_ctl_print_object (ctl, object);

  return TRUE;
}

void
fore_ctl_print_messages (ForeCtl *ctl, GPtrArray *messages)
{
  for (guint i = 0; i < messages->len; i++)
    {
      const ForeMessage *message = messages->pdata[i];
      g_autofree char *clean = fore_ctl_dup_clean (message->text);
      g_autofree char *age = dup_age (message->time);
      g_autofree char *head = g_strdup_printf ("%" G_GINT64_FORMAT ": %s → %s", message->id,
                                               message->from, message->to);

      fore_ctl_print_styled (ctl, FORE_CTL_BOLD, head);
      fore_ctl_print (ctl, "  %s, %s, %s\n%s\n", message->kind,
                      fore_message_state_to_string (message->state), age, clean);
    }
}

gboolean
fore_ctl_do_messages (ForeCtl *ctl, GError **error)
{
  g_autoptr (ForeRunDelta) delta = fore_ctl_read_run (ctl, fore_ctl_get_word (ctl, 0), 0, error);
  gint64 limit = fore_ctl_get_number (ctl, "limit", DEFAULT_ROWS);
  gint64 after = fore_ctl_get_number (ctl, "cursor", 0);
  g_autofree char *cursor = NULL;
  g_autoptr (GPtrArray) page = g_ptr_array_new ();
  JsonObject *object;
  JsonArray *array;

  if (delta == NULL)
    return FALSE;

  for (guint i = 0; i < delta->messages->len; i++)
    {
      const ForeMessage *message = delta->messages->pdata[i];

      if (message->id <= after)
        continue;
      if (limit > 0 && page->len == limit)
        {
          cursor = g_strdup_printf ("%" G_GINT64_FORMAT,
                                    ((const ForeMessage *) page->pdata[page->len - 1])->id);
          break;
        }
      g_ptr_array_add (page, (gpointer) message);
    }

  if (!ctl->json)
    {
      fore_ctl_print_messages (ctl, page);
      return TRUE;
    }

  object = json_object_new ();
  array = json_array_new ();
  for (guint i = 0; i < page->len; i++)
    json_array_add_object_element (array, fore_ctl_json_message (page->pdata[i]));
  json_object_set_string_member (object, "run", delta->run->id);
  json_object_set_array_member (object, "messages", array);
  fore_ctl_json_set_text (object, "cursor", cursor);
  fore_ctl_print_object (ctl, object);

  return TRUE;
}
