/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-plan-verdict.h"

#include "app/fore-run-choices.h"

#include <glib/gi18n-lib.h>
#include <gtk/gtk.h>

typedef struct
{
  ForeStore *store;
  char *project;
  guint jobs;
} LimitQuery;

static gboolean
is_approved (const ForeRequest *request)
{
  const ForeRequestOption *option = NULL;

  if (request->state != FORE_REQUEST_OPEN && request->answer != NULL)
    option = fore_request_find_option (request, request->answer);

  return option != NULL && g_strcmp0 (option->kind, "approve") == 0;
}

/**
 * fore_plan_find_version:
 * @plans: (element-type ForePlan): versions of a plan
 * @version: number of one
 *
 * Returns: (transfer none) (nullable): that version
 */
const ForePlan *
fore_plan_find_version (GPtrArray *plans, guint version)
{
  g_return_val_if_fail (plans != NULL, NULL);

  for (guint i = 0; i < plans->len; i++)
    {
      const ForePlan *plan = g_ptr_array_index (plans, i);

      if (plan->version == version)
        return plan;
    }

  return NULL;
}

/**
 * fore_plan_name_versions:
 * @plans: (element-type ForePlan): versions of a plan
 * @shown: number of the one that is shown
 * @selected: (out): its place in the list
 *
 * Returns: (transfer full): a name for each
 */
GListModel *
fore_plan_name_versions (GPtrArray *plans, guint shown, guint *selected)
{
  GtkStringList *names;

  g_return_val_if_fail (plans != NULL && selected != NULL, NULL);

  names = gtk_string_list_new (NULL);
  *selected = 0;
  for (guint i = 0; i < plans->len; i++)
    {
      const ForePlan *plan = g_ptr_array_index (plans, i);
      g_autofree char *name = g_strdup_printf (_ ("Version %u"), plan->version);

      gtk_string_list_append (names, name);
      if (plan->version == shown)
        *selected = i;
    }

  return G_LIST_MODEL (names);
}

/**
 * fore_plan_find_shown_version:
 * @request: a request about a plan
 * @run: (nullable): its run
 *
 * Returns: the version that was approved, as the person may have edited it; else the one asked
 * about
 */
guint
fore_plan_find_shown_version (const ForeRequest *request, const ForeRun *run)
{
  g_return_val_if_fail (request != NULL, 0);

  if (is_approved (request) && run != NULL && run->approved_version > 0)
    return run->approved_version;

  return request->plan_version;
}

static const char *
describe_answer (const ForeRequest *request)
{
  if (request->state == FORE_REQUEST_WITHDRAWN)
    return _ ("This plan was withdrawn");
  if (request->state == FORE_REQUEST_EXPIRED)
    return _ ("Nobody answered this plan in time");
  if (is_approved (request))
    return _ ("This plan was approved");
  if (g_strcmp0 (request->answer, "changes") == 0)
    return _ ("Changes to this plan were asked for");
  if (g_strcmp0 (request->answer, "reject") == 0)
    return _ ("This plan was rejected");

  return _ ("This plan has been answered");
}

static const char *
describe_answerer (const char *by)
{
  if (g_strcmp0 (by, "window") == 0)
    return _ ("in the window");
  if (g_strcmp0 (by, "foredeckctl") == 0)
    return _ ("with foredeckctl");
  if (g_strcmp0 (by, "timeout") == 0)
    return _ ("when its time was over");

  return by;
}

/**
 * fore_plan_renew_request:
 * @request: (inout): a request about a plan
 * @requests: (element-type ForeRequest): those of its run, as its store has them now
 *
 * Takes up what became of it, of which the list of those that wait knows nothing.
 */
void
fore_plan_renew_request (ForeRequest **request, GPtrArray *requests)
{
  g_return_if_fail (request != NULL && *request != NULL);
  g_return_if_fail (requests != NULL);

  for (guint i = 0; i < requests->len; i++)
    {
      const ForeRequest *other = g_ptr_array_index (requests, i);

      if (g_strcmp0 (other->id, (*request)->id) != 0)
        continue;
      fore_request_free (*request);
      *request = fore_request_copy (other);
      return;
    }
}

/**
 * fore_plan_dup_verdict:
 * @request: a request about a plan that does not wait any more
 * @shown_version: version of the plan that is shown
 *
 * Returns: (transfer full): how, where and when it was answered, and as which version
 */
char *
fore_plan_dup_verdict (const ForeRequest *request, guint shown_version)
{
  g_autoptr (GString) text = NULL;
  const char *answerer;

  g_return_val_if_fail (request != NULL, NULL);

  text = g_string_new (describe_answer (request));
  answerer = describe_answerer (request->answered_by);
  if (answerer != NULL)
    g_string_append_printf (text, " %s", answerer);
  if (request->answered > 0)
    {
      g_autoptr (GDateTime) then = g_date_time_new_from_unix_local (request->answered
                                                                    / G_USEC_PER_SEC);
      g_autofree char *when = then != NULL ? g_date_time_format (then, "%x %H:%M:%S") : NULL;

      g_string_append_printf (text, " · %s", when != NULL ? when : "–");
    }
  if (is_approved (request) && shown_version != request->plan_version)
    {
      g_string_append (text, " · ");
      g_string_append_printf (text, _ ("edited: version %u is shown"), shown_version);
    }
  if (request->answer_text != NULL && *request->answer_text != 0)
    g_string_append_printf (text, "\n“%s”", request->answer_text);

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
limit_query_free (gpointer data)
{
  LimitQuery *query = data;

  g_object_unref (query->store);
  g_free (query->project);
  g_free (query);
}

static gpointer
limit_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  LimitQuery *query = data;
  ForeRunChoices *choices = fore_run_choices_load (query->store, query->project, error);
  gint64 run_agents;
  gint64 machine_agents;

  if (choices == NULL)
    return NULL;

  run_agents = query->jobs > 0 ? query->jobs
                               : fore_settings_get_int (choices->settings, "limits.run_agents");
  machine_agents = fore_settings_get_int (choices->settings, "limits.machine_agents");
  fore_run_choices_free (choices);

  return g_memdup2 (&(guint){ (guint) CLAMP (run_agents, 1, MAX (machine_agents, 1)) },
                    sizeof (guint));
}

/**
 * fore_plan_read_agent_limit:
 * @owner: (type GObject): whom @done is for
 * @store: the store
 * @run: a run
 * @cancellable: (nullable): ends it without a report
 * @done: called with a #guint, or the error
 *
 * Finds out in a worker thread how many agents of @run may work at once.
 */
void
fore_plan_read_agent_limit (gpointer owner,
                            ForeStore *store,
                            const ForeRun *run,
                            GCancellable *cancellable,
                            ForeJobDone done)
{
  LimitQuery *query;

  g_return_if_fail (FORE_IS_STORE (store));
  g_return_if_fail (run != NULL);

  query = g_new0 (LimitQuery, 1);
  query->store = g_object_ref (store);
  query->project = g_strdup (run->project);
  query->jobs = run->options.jobs;
  fore_job_run (owner, "read-limit", cancellable, limit_thread, query, limit_query_free, g_free,
                done);
}
