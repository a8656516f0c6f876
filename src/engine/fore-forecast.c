/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-forecast.h"

#include <glib/gi18n-lib.h>

#include "engine/fore-estimates.h"
#include "model/fore-graph.h"
#include "text/fore-text.h"

/* The workflow of a run that one agent carries out alone. */
#define ALONE "direct-agent"

static void
take_measure (ForeForecast *forecast, const ForeMeasure *measure)
{
  forecast->ms = measure->ms;
  forecast->tokens = measure->tokens;
  forecast->cost = measure->cost;
  forecast->off_ms = measure->off_ms;
  forecast->off_tokens = measure->off_tokens;
  forecast->n_runs = (guint) MIN (measure->n, G_MAXUINT);
}

static gint64
weigh (const char *key, gpointer user_data)
{
  GHashTable *measures = user_data;
  const ForeMeasure *measure = g_hash_table_lookup (measures, key);

  return measure != NULL ? measure->ms : 0;
}

static gint64
weigh_alike (const char *key, gpointer user_data)
{
  return 1;
}

/* Of the longest chain of tasks; -1 if they are no graph. */
static gint64
find_longest (const ForeRunPreview *preview, ForeGraphWeigh weigher, gpointer data)
{
  g_autoptr (ForeGraph) graph = fore_graph_new ();
  g_autoptr (GPtrArray) keys = g_ptr_array_new ();
  g_autoptr (GPtrArray) before = g_ptr_array_new ();
  gint64 longest = 0;

  for (guint i = 0; i < preview->tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (preview->tasks, i);

      g_ptr_array_add (keys, task->key);
      g_ptr_array_add (before, task->depends_on);
    }
  if (!fore_graph_add_all (graph, (const char *const *) keys->pdata, (GStrv const *) before->pdata,
                           keys->len, NULL))
    return -1;

  fore_graph_measure (graph, weigher, data);
  for (guint i = 0; i < keys->len; i++)
    longest = MAX (longest, fore_graph_get_chain (graph, g_ptr_array_index (keys, i)));

  return longest;
}

/* Neither does a run end before its longest chain, nor are there more at work than may be. */
static gint64
find_end (const ForeRunPreview *preview, GHashTable *measures, gint64 sum_ms)
{
  guint jobs = MAX (preview->run->options.jobs, 1);

  return MAX (find_longest (preview, weigh, measures), sum_ms / jobs);
}

static void
add_known (gint64 value, gint64 *sum)
{
  if (value == FORE_MEASURE_UNKNOWN)
    return;

  *sum = MAX (*sum, 0) + value;
}

/* Deviations of parts weigh as much as the parts do. */
static void
add_off (gint64 value, gint64 off, gint64 *sum, gint64 *weight)
{
  if (value == FORE_MEASURE_UNKNOWN || off == FORE_MEASURE_UNKNOWN)
    return;

  *sum += off * MAX (value, 1);
  *weight += MAX (value, 1);
}

/* Of the parts, where the whole was never measured. */
static void
add_up (ForeForecast *forecast, const ForeRunPreview *preview, ForeEstimates *estimates)
{
  g_autoptr (GHashTable) measures = g_hash_table_new (g_str_hash, g_str_equal);
  gint64 sum_ms = 0, off_ms = 0, weight_ms = 0, off_tokens = 0, weight_tokens = 0;

  for (guint i = 0; i < preview->tasks->len; i++)
    {
      ForeTask *task = g_ptr_array_index (preview->tasks, i);
      const ForeMeasure *measure = fore_estimates_find (estimates, task);

      if (measure == NULL)
        continue;

      g_hash_table_insert (measures, task->key, (gpointer) measure);
      forecast->n_known++;
      sum_ms += measure->ms;
      add_known (measure->tokens, &forecast->tokens);
      add_known (measure->cost, &forecast->cost);
      add_off (measure->ms, measure->off_ms, &off_ms, &weight_ms);
      add_off (measure->tokens, measure->off_tokens, &off_tokens, &weight_tokens);
    }

  forecast->ms = find_end (preview, measures, sum_ms);
  if (weight_ms > 0)
    forecast->off_ms = off_ms / weight_ms;
  if (weight_tokens > 0)
    forecast->off_tokens = off_tokens / weight_tokens;
}

static char *
dup_measure (const ForeMeasure *measure)
{
  g_autofree char *time = fore_text_format_duration (measure->ms);
  g_autofree char *count = measure->tokens > 0 ? fore_text_format_tokens (measure->tokens) : NULL;
  g_autofree char *price = measure->cost > 0 ? fore_text_format_cost (measure->cost) : NULL;
  GString *text = g_string_new (time);

  if (count != NULL)
    g_string_append_printf (text, _ (", %s tokens"), count);
  if (price != NULL)
    g_string_append_printf (text, ", %s", price);

  return g_string_free (text, FALSE);
}

/* Steps that only follow one another are what one agent does by itself; what both took says more
 * than the shape does.
 */
static char *
dup_advice (const ForeRunPreview *preview, const ForeWorkflow *workflow, ForeEstimates *estimates)
{
  const ForeMeasure *whole = fore_estimates_find_run (estimates, workflow->name);
  const ForeMeasure *alone = fore_estimates_find_run (estimates, ALONE);
  g_autofree char *took = NULL;
  g_autofree char *took_alone = NULL;

  if (preview->adaptive || preview->tasks->len < 2
      || find_longest (preview, weigh_alike, NULL) < (gint64) preview->tasks->len)
    return NULL;
  if (whole == NULL || alone == NULL)
    return g_strdup (_ ("Its steps follow one another: for a small goal, one agent alone is "
                        "quicker and costs less."));

  took = dup_measure (whole);
  took_alone = dup_measure (alone);

  return g_strdup_printf (
      _ ("Its steps follow one another. Such a run took %s here; one agent alone "
         "took %s."),
      took, took_alone);
}

/**
 * fore_forecast_take:
 * @preview: what a run would be made of
 * @store: the store
 * @workflow: its workflow
 *
 * Says in @preview what the run will take, from what earlier runs in its project took: whole runs
 * of the workflow, else its steps and roles; and whether another shape would do. Blocks on the
 * disk.
 */
void
fore_forecast_take (ForeRunPreview *preview, ForeStore *store, const ForeWorkflow *workflow)
{
  g_autoptr (ForeEstimates) estimates = NULL;
  const ForeMeasure *whole;
  ForeForecast forecast = { -1, -1, -1, -1, -1, 0, 0, 0 };

  g_return_if_fail (preview != NULL && workflow != NULL);
  g_return_if_fail (FORE_IS_STORE (store));

  estimates = fore_estimates_load (store, preview->run->project, workflow->name);
  whole = fore_estimates_find_run (estimates, workflow->name);
  forecast.n_tasks = preview->tasks->len;
  add_up (&forecast, preview, estimates);
  if (whole != NULL && preview->plan == NULL)
    take_measure (&forecast, whole);
  if (whole != NULL || forecast.n_known > 0)
    preview->forecast = g_memdup2 (&forecast, sizeof forecast);
  preview->advice = dup_advice (preview, workflow, estimates);
}

/**
 * fore_forecast_dup_text:
 * @forecast: a forecast
 *
 * Returns: (transfer full): what it says, in a sentence
 */
char *
fore_forecast_dup_text (const ForeForecast *forecast)
{
  ForeMeasure measure = { 0 };
  g_autofree char *took = NULL;
  GString *text;

  g_return_val_if_fail (forecast != NULL, NULL);

  measure.ms = forecast->ms;
  measure.tokens = forecast->tokens;
  measure.cost = forecast->cost;
  took = dup_measure (&measure);
  text = g_string_new (NULL);
  if (forecast->n_runs > 0)
    g_string_printf (text,
                     g_dngettext (GETTEXT_PACKAGE, "About %s, as %u earlier run took",
                                  "About %s, as %u earlier runs took", forecast->n_runs),
                     took, forecast->n_runs);
  else
    g_string_printf (text, _ ("About %s, as %u of its %u tasks took before"), took,
                     forecast->n_known, forecast->n_tasks);
  if (forecast->off_ms >= 0)
    g_string_append_printf (text, _ ("; estimates were off by %d %%"),
                            (int) ((forecast->off_ms + 5) / 10));
  g_string_append_c (text, '.');

  return g_string_free (text, FALSE);
}
