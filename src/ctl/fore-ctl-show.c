/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-events.h"
#include "ctl/fore-ctl-follow.h"
#include "ctl/fore-ctl-goal.h"
#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-notes.h"
#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-request.h"
#include "ctl/fore-ctl-verbs.h"
#include "engine/fore-forget.h"
#include "engine/fore-leader-news.h"
#include "text/fore-json.h"
#include "text/fore-text.h"

#include <glib/gi18n.h>

#define DEFAULT_EVENTS 10000

#define MAX_FAILURES 5

static void
print_field (ForeCtl *ctl, const char *name, const char *value)
{
  g_autofree char *clean = NULL;

  if (value == NULL || *value == '\0')
    return;

  clean = fore_ctl_dup_clean (value);
  fore_ctl_print (ctl, "%-12s", name);
  fore_ctl_print (ctl, " %s\n", clean);
}

static void
print_status (ForeCtl *ctl, const ForeRun *run)
{
  fore_ctl_print (ctl, "%-12s ", _ ("Status"));
  fore_ctl_print_styled (ctl, fore_ctl_style_for_run (run->status),
                         fore_ctl_get_run_word (ctl, run));
  if (run->phase_text != NULL)
    {
      g_autofree char *clean = fore_ctl_dup_clean (run->phase_text);

      fore_ctl_print (ctl, " (%s)", clean);
    }
  fore_ctl_write ("\n", 1);
}

static void
print_counts (ForeCtl *ctl, const ForeRun *run)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "%u", run->n_tasks);
  for (guint i = 0; i < FORE_N_TASK_STATUSES; i++)
    {
      if (run->counts[i] > 0)
        g_string_append_printf (text, ", %u %s", run->counts[i], fore_task_status_to_string (i));
    }

  print_field (ctl, _ ("Tasks"), text->str);
}

/* Why, of the first few. */
static void
print_failures (ForeCtl *ctl, GPtrArray *tasks)
{
  guint left = MAX_FAILURES;

  for (guint i = 0; i < tasks->len && left > 0; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);
      g_autofree char *text = NULL;

      if (task->status != FORE_TASK_FAILED || task->message == NULL)
        continue;

      text = g_strdup_printf ("%s: %s", task->key, task->message);
      print_field (ctl, _ ("Failed"), text);
      left--;
    }
}

static void
print_usage (ForeCtl *ctl, const ForeRun *run)
{
  gint64 tokens = fore_usage_get_tokens (&run->usage);
  g_autofree char *cost = run->usage.cost >= 0 ? fore_text_format_cost (run->usage.cost) : NULL;
  g_autofree char *used = tokens >= 0 ? fore_text_format_tokens (tokens) : NULL;

  print_field (ctl, _ ("Tokens"), used);
  print_field (ctl, _ ("Cost"), cost);
}

static void
print_result (ForeCtl *ctl, const ForeRun *run)
{
  g_autofree char *base = NULL;
  g_autofree char *result = NULL;

  if (run->base_commit != NULL)
    base = g_strdup_printf ("%s (%.12s)", run->base_branch != NULL ? run->base_branch : "HEAD",
                            run->base_commit);
  if (run->result_branch != NULL)
    result = g_strdup_printf (
        g_dngettext (NULL, "%s, %d file, +%d −%d", "%s, %d files, +%d −%d", MAX (run->files, 0)),
        run->result_branch, MAX (run->files, 0), MAX (run->insertions, 0), MAX (run->deletions, 0));
  if (result != NULL && fore_run_is_discarded (run))
    {
      g_autofree char *kept = g_steal_pointer (&result);

      result = g_strdup_printf (_ ("%s (discarded)"), kept);
    }

  print_field (ctl, _ ("Base"), base);
  print_field (ctl, _ ("Result"), result);
  if (run->verified != FORE_VERIFIED_NONE)
    print_field (ctl, _ ("Checks"), fore_verified_to_string (run->verified));
  print_field (ctl, _ ("Merged into"), run->merged_into);
}

static void
print_run (ForeCtl *ctl, const ForeRunDelta *delta)
{
  const ForeRun *run = delta->run;
  g_autofree char *created = fore_text_format_time (run->created);

  print_field (ctl, _ ("Run"), run->id);
  print_field (ctl, _ ("Goal"), run->goal);
  print_field (ctl, _ ("Project"), run->project);
  print_status (ctl, run);
  print_field (ctl, _ ("Team"), run->team);
  print_field (ctl, _ ("Workflow"), run->workflow);
  print_field (ctl, _ ("Created"), created);
  print_counts (ctl, run);
  print_failures (ctl, delta->tasks);
  print_usage (ctl, run);
  print_result (ctl, run);
}

/* The last time that a runner of the run died; its data as they are. */
static JsonObject *
dup_death (ForeCtl *ctl, const char *run_id)
{
  g_autoptr (GPtrArray) events = NULL;
  g_autoptr (JsonNode) node = NULL;
  const ForeEvent *event;
  JsonObject *death;

  events = fore_run_read_events_of (ctl->store, run_id, FORE_EVENT_RECOVERY_DIED, NULL);
  if (events == NULL || events->len == 0)
    return NULL;

  event = g_ptr_array_index (events, events->len - 1);
  node = event->data != NULL ? fore_json_parse (event->data, -1, NULL, NULL) : NULL;
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return NULL;

  death = json_object_ref (json_node_get_object (node));
  fore_ctl_json_set_time (death, "time", event->time);

  return death;
}

static void
add_death (ForeCtl *ctl, const char *run_id, JsonObject *object)
{
  JsonObject *death = dup_death (ctl, run_id);

  if (death != NULL)
    json_object_set_object_member (object, "died", death);
}

static void
print_death (ForeCtl *ctl, const char *run_id)
{
  g_autoptr (JsonObject) death = dup_death (ctl, run_id);
  const char *report;
  g_autofree char *text = NULL;

  if (death == NULL)
    return;

  report = fore_json_get_string (death, "report", NULL);
  text = g_strdup_printf ("%s %s%s%s", fore_json_get_string (death, "time", ""),
                          fore_json_get_string (death, "cause", ""), report != NULL ? ", " : "",
                          report != NULL ? report : "");
  print_field (ctl, _ ("Runner died"), text);
}

/* What changed in the main checkout while tasks ran. */
static ForeLeaderNews *
read_leader_news (ForeCtl *ctl, const char *run_id)
{
  g_autoptr (GPtrArray) events = fore_run_read_events_of (ctl->store, run_id,
                                                          FORE_EVENT_LEADER_CHANGED, NULL);
  ForeLeaderNews *news = fore_leader_news_new ();

  for (guint i = 0; events != NULL && i < events->len; i++)
    fore_leader_news_add (news, events->pdata[i]);

  return news;
}

static JsonArray *
make_words (GPtrArray *words)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < words->len; i++)
    json_array_add_string_element (array, words->pdata[i]);

  return array;
}

static void
add_leader_news (ForeCtl *ctl, const char *run_id, JsonObject *object)
{
  g_autoptr (ForeLeaderNews) news = read_leader_news (ctl, run_id);
  JsonObject *changed;

  if (news->paths->len == 0)
    return;

  changed = json_object_new ();
  fore_ctl_json_set_time (changed, "time", news->time);
  json_object_set_array_member (changed, "paths", make_words (news->paths));
  json_object_set_array_member (changed, "tasks", make_words (news->tasks));
  json_object_set_object_member (object, "checkout_changed", changed);
}

static void
print_leader_news (ForeCtl *ctl, const char *run_id)
{
  g_autoptr (ForeLeaderNews) news = read_leader_news (ctl, run_id);
  g_autofree char *text = fore_leader_news_dup_text (news);

  print_field (ctl, _ ("Notice"), text);
}

static void
print_notes (ForeCtl *ctl, GPtrArray *tasks)
{
  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);
      const char *note = fore_task_get_note (task);
      g_autofree char *text = g_strdup_printf ("%s: %s", task->key, note != NULL ? note : "");

      if (note != NULL)
        print_field (ctl, _ ("Note"), text);
    }
}

static void
print_foreseen (ForeCtl *ctl, GPtrArray *foreseen)
{
  for (guint i = 0; i < foreseen->len; i++)
    {
      g_autofree char *text = fore_foreseen_dup_text (g_ptr_array_index (foreseen, i));

      print_field (ctl, _ ("Conflict"), text);
    }
}

gboolean
fore_ctl_do_show (ForeCtl *ctl, GError **error)
{
  g_autoptr (ForeRunDelta) delta = fore_ctl_read_run (ctl, fore_ctl_get_word (ctl, 0), 0, error);
  g_autoptr (GPtrArray) foreseen = NULL;
  g_autoptr (ForeGoal) goal = NULL;

  if (delta == NULL)
    return FALSE;

  foreseen = fore_ctl_read_foreseen (ctl, delta);
  goal = fore_ctl_goal_read (ctl, delta);
  if (ctl->json)
    {
      ForeOwnerState owner = fore_ctl_look_at_owner (ctl, delta->run->id);
      JsonObject *object = fore_ctl_json_run (delta->run, owner, delta->requests);

      json_object_set_int_member (object, "bytes",
                                  (gint64) fore_forget_measure (ctl->store, delta->run->id));
      add_death (ctl, delta->run->id, object);
      add_leader_news (ctl, delta->run->id, object);
      fore_ctl_notes_add_json (object, delta->tasks, NULL);
      if (foreseen->len > 0)
        json_object_set_array_member (object, "conflicts", fore_ctl_json_foreseen (foreseen));
      if (goal != NULL)
        json_object_set_object_member (object, "goal_loop", fore_ctl_goal_to_json (goal));
      fore_ctl_print_object (ctl, object);
    }
  else
    {
      g_autofree char *size = fore_text_format_size (
          fore_forget_measure (ctl->store, delta->run->id));

      print_run (ctl, delta);
      print_field (ctl, _ ("Size"), size);
      print_death (ctl, delta->run->id);
      print_leader_news (ctl, delta->run->id);
      print_notes (ctl, delta->tasks);
      print_foreseen (ctl, foreseen);
      if (goal != NULL)
        fore_ctl_goal_print (ctl, goal);
      fore_ctl_request_print_open (ctl, delta->requests, FORE_CTL_REQUEST_LINES);
    }

  return TRUE;
}

static void
print_events (ForeCtl *ctl, const ForeRunDelta *delta, const char *run_id, gint64 limit)
{
  JsonObject *object;
  JsonArray *array;
  guint n_shown = limit > 0 ? MIN (limit, delta->events->len) : delta->events->len;

  if (!ctl->json)
    {
      for (guint i = 0; i < n_shown; i++)
        fore_ctl_event_print (ctl, run_id, delta->events->pdata[i]);
      return;
    }

  object = json_object_new ();
  array = json_array_new ();
  for (guint i = 0; i < n_shown; i++)
    json_array_add_object_element (array, fore_ctl_json_event (run_id, delta->events->pdata[i]));
  json_object_set_string_member (object, "run", run_id);
  json_object_set_array_member (object, "events", array);
  if (n_shown < delta->events->len)
    {
      g_autofree char *cursor = g_strdup_printf (
          "%" G_GINT64_FORMAT, ((const ForeEvent *) delta->events->pdata[n_shown - 1])->seq);

      json_object_set_string_member (object, "cursor", cursor);
    }
  fore_ctl_print_object (ctl, object);
}

gboolean
fore_ctl_do_events (ForeCtl *ctl, GError **error)
{
  g_autofree char *run_id = fore_ctl_find_run (ctl, fore_ctl_get_word (ctl, 0), error);
  gint64 since = fore_ctl_get_number (ctl, "since", fore_ctl_get_number (ctl, "cursor", 0));
  gint64 limit = fore_ctl_get_number (ctl, "limit", DEFAULT_EVENTS);
  g_autoptr (ForeRunDelta) delta = NULL;

  if (run_id == NULL)
    return FALSE;

  if (fore_ctl_has (ctl, "follow"))
    {
      ForeCtlRunEnd end;

      return fore_ctl_follow_run (ctl, run_id,
                                  FORE_CTL_FOLLOW_EVENTS | FORE_CTL_FOLLOW_KEEP_WAITING, &since, -1,
                                  &end, error);
    }

  /* One more than asked for tells whether there are more. */
  delta = fore_run_read (ctl->store, run_id, 0, since, limit > 0 ? limit + 1 : G_MAXUINT, error);
  if (delta == NULL)
    return FALSE;

  print_events (ctl, delta, run_id, limit);
  return TRUE;
}

static void
print_item (ForeCtl *ctl, const ForePlanItem *item, guint n)
{
  g_autofree char *title = fore_ctl_dup_clean (item->title);
  g_autofree char *text = fore_ctl_dup_clean (item->text);
  g_autofree char *depends = item->depends_on != NULL ? g_strjoinv (", ", item->depends_on)
                                                      : g_strdup ("");
  g_autofree char *paths = item->paths != NULL ? g_strjoinv (", ", item->paths) : g_strdup ("");

  fore_ctl_print (ctl, "\n%2u  ", n);
  fore_ctl_print_styled (ctl, FORE_CTL_BOLD, title);
  fore_ctl_print (ctl, "  [%s, %s%s]\n", item->id, item->role != NULL ? item->role : "",
                  item->plans ? _ (", plans what follows") : "");
  if (*depends != '\0')
    fore_ctl_print (ctl, _ ("    after %s\n"), depends);
  if (*paths != '\0')
    fore_ctl_print (ctl, _ ("    writes %s\n"), paths);
  for (guint i = 0; item->checks != NULL && i < item->checks->len; i++)
    {
      g_autofree char *label = fore_check_dup_label (item->checks->pdata[i]);

      fore_ctl_print (ctl, _ ("    checked by %s\n"), label);
    }
  if (*text != '\0')
    fore_ctl_print (ctl, "    %s\n", text);
}

static void
print_plan (ForeCtl *ctl, const ForePlan *plan, const ForeRun *run)
{
  g_autofree char *title = fore_ctl_dup_clean (plan->title);
  g_autofree char *summary = fore_ctl_dup_clean (plan->summary);

  fore_ctl_print_styled (ctl, FORE_CTL_BOLD, title);
  fore_ctl_print (ctl, _ ("  version %u of %u%s\n"), plan->version,
                  MAX (run->plan_version, plan->version),
                  run->approved_version == plan->version ? _ (", approved") : "");
  if (*summary != '\0')
    fore_ctl_print (ctl, "\n%s\n", summary);
  for (guint i = 0; i < plan->items->len; i++)
    print_item (ctl, plan->items->pdata[i], i + 1);
}

static void
print_ids (ForeCtl *ctl, ForeCtlStyle style, const char *sign, GPtrArray *ids)
{
  for (guint i = 0; i < ids->len; i++)
    {
      g_autofree char *line = g_strdup_printf ("%s %s\n", sign, (const char *) ids->pdata[i]);

      fore_ctl_print_styled (ctl, style, line);
    }
}

static void
print_plan_delta (ForeCtl *ctl, const ForePlan *older, const ForePlan *newer)
{
  g_autoptr (ForePlanDelta) delta = fore_plan_compare (older, newer);

  print_ids (ctl, FORE_CTL_GOOD, "+", delta->added);
  print_ids (ctl, FORE_CTL_BAD, "-", delta->removed);
  print_ids (ctl, FORE_CTL_WAIT, "~", delta->changed);
  if (delta->added->len + delta->removed->len + delta->changed->len == 0)
    fore_ctl_print (ctl, _ ("Versions %u and %u have the same items.\n"), older->version,
                    newer->version);
}

static ForePlan *
read_version (ForeCtl *ctl, const ForeRun *run, guint version, GError **error)
{
  if (run->plan_version == 0)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND, _ ("Run %s has no plan."), run->id);
      return NULL;
    }
  if (version == 0 || version > run->plan_version)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                   _ ("The plan of run %s has no version %u; the newest is %u."), run->id, version,
                   run->plan_version);
      return NULL;
    }

  return fore_run_read_plan (ctl->store, run->id, version, error);
}

gboolean
fore_ctl_do_plan (ForeCtl *ctl, GError **error)
{
  g_autoptr (ForeRunDelta) delta = fore_ctl_read_run (ctl, fore_ctl_get_word (ctl, 0), 0, error);
  g_autoptr (ForePlan) plan = NULL;
  g_autoptr (ForePlan) older = NULL;

  if (delta == NULL)
    return FALSE;

  plan = read_version (ctl, delta->run,
                       fore_ctl_get_number (ctl, "version", delta->run->plan_version), error);
  if (plan == NULL)
    return FALSE;

  if (fore_ctl_has (ctl, "diff"))
    {
      older = read_version (ctl, delta->run, fore_ctl_get_number (ctl, "diff", 0), error);
      if (older == NULL)
        return FALSE;
      if (ctl->json)
        fore_ctl_print_object (ctl, fore_ctl_json_plan_delta (older, plan));
      else
        print_plan_delta (ctl, older, plan);
      return TRUE;
    }

  if (ctl->json)
    fore_ctl_print_object (ctl, fore_ctl_json_plan (plan, delta->run));
  else
    print_plan (ctl, plan, delta->run);

  return TRUE;
}
