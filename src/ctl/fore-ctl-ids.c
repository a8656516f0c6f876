/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a person meant who wrote an id that nothing has. */

#include "config.h"

#include "ctl/fore-ctl.h"

#include "model/fore-id.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_RUNS 200
#define MAX_DISTANCE 3

static GStrv
list_run_ids (ForeCtl *self)
{
  g_autoptr (GPtrArray) runs = fore_store_list_runs (self->store, NULL, NULL, MAX_RUNS, 0, NULL);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; runs != NULL && i < runs->len; i++)
    g_strv_builder_add (builder, ((const ForeRun *) runs->pdata[i])->id);

  return g_strv_builder_end (builder);
}

/* The run that the longest beginning of @text up to a dash or a slash names. */
static char *
find_run_in (ForeCtl *self, const char *text)
{
  g_autofree char *rest = g_strdup (text);
  char *end;

  while ((end = strrchr (rest, '/')) != NULL || (end = strrchr (rest, '-')) != NULL)
    {
      char *id;

      *end = '\0';
      id = *rest != '\0' ? fore_store_find_run (self->store, rest, NULL) : NULL;
      if (id != NULL)
        return id;
    }

  return NULL;
}

static gboolean
is_request (ForeCtl *self, const char *text)
{
  g_autofree char *id = strchr (text, '-') != NULL
                            ? fore_store_find_request (self->store, text, NULL)
                            : NULL;

  return id != NULL;
}

/**
 * fore_ctl_explain_run:
 * @self: a call with an open store
 * @text: what was written where the id of a run is wanted, and is none
 *
 * Hints at what ids look like, at what @text is instead, and at the nearest run.
 */
void
fore_ctl_explain_run (ForeCtl *self, const char *text)
{
  g_auto (GStrv) ids = NULL;
  g_autofree char *run = NULL;
  const char *nearest;

  g_return_if_fail (self != NULL && self->store != NULL && text != NULL);

  run = find_run_in (self, text);
  ids = list_run_ids (self);
  nearest = fore_id_find_nearest (text, (const char *const *) ids, MAX_DISTANCE);
  if (run != NULL && is_request (self, text))
    fore_ctl_set_hint (self,
                       _ ("“%s” is a request of the run %s: “foredeckctl requests %s” shows it."),
                       text, run, run);
  else if (run != NULL)
    fore_ctl_set_hint (self,
                       _ ("The run is %s: “foredeckctl show %s” shows it, “foredeckctl tasks %s” "
                          "its tasks, and a task is named after its run, as in “transcript %s "
                          "KEY”."),
                       run, run, run, run);
  else if (nearest != NULL)
    fore_ctl_set_hint (self, _ ("Did you mean “%s”? “foredeckctl list” shows the runs."), nearest);
  else
    fore_ctl_set_hint (self,
                       _ ("The id of a run is eight letters and digits such as “%s”, or how "
                          "it begins. “foredeckctl list” shows the runs."),
                       ids[0] != NULL ? ids[0] : "k3x7aq2m");
}

/**
 * fore_ctl_explain_request:
 * @self: a call with an open store
 * @text: what was written where the id of a request is wanted, and is none
 *
 * Hints at what ids look like, and at those that there are.
 */
void
fore_ctl_explain_request (ForeCtl *self, const char *text)
{
  g_autoptr (GPtrArray) open = NULL;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) ids = NULL;
  const char *nearest;

  g_return_if_fail (self != NULL && self->store != NULL && text != NULL);

  open = fore_store_list_requests (self->store, TRUE, NULL);
  for (guint i = 0; open != NULL && i < open->len; i++)
    g_strv_builder_add (builder, ((const ForeRequest *) open->pdata[i])->id);
  ids = g_strv_builder_end (builder);
  nearest = fore_id_find_nearest (text, (const char *const *) ids, MAX_DISTANCE);
  if (nearest != NULL)
    fore_ctl_set_hint (self,
                       _ ("Did you mean “%s”? “foredeckctl requests” shows what waits for an "
                          "answer."),
                       nearest);
  else
    fore_ctl_set_hint (self,
                       _ ("The id of a request is its run's, a dash and a number, such as "
                          "“%s”. “foredeckctl requests” shows what waits for an answer."),
                       ids[0] != NULL ? ids[0] : "k3x7aq2m-1");
}
