/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-run-item.h"

#include "app/fore-format.h"
#include "app/fore-outside.h"

#include <glib/gi18n-lib.h>

struct _ForeRunItem
{
  GObject parent_instance;

  ForeRun *run;
  ForeRequest *request;
  ForeRunHealth health;
  char *subtitle;
  ForeViewStatus status;
  ForeRunGroup group;
};

G_DEFINE_FINAL_TYPE (ForeRunItem, fore_run_item, G_TYPE_OBJECT)

enum
{
  PROP_0,
  PROP_TITLE,
  PROP_SUBTITLE,
  PROP_STATUS,
  PROP_GROUP,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

/**
 * fore_run_has_result:
 * @run: a run
 *
 * Returns: whether @run ended, however it did, and left work that can be merged or discarded
 */
gboolean
fore_run_has_result (const ForeRun *run)
{
  g_return_val_if_fail (run != NULL, FALSE);

  return !fore_run_is_active (run) && run->result_commit != NULL && run->merged_commit == NULL
         && !fore_run_is_discarded (run) && run->files != 0;
}

/**
 * fore_run_awaits_review:
 * @run: a run
 *
 * Returns: whether @run did what it should and left work that nobody merged yet
 */
gboolean
fore_run_awaits_review (const ForeRun *run)
{
  g_return_val_if_fail (run != NULL, FALSE);

  return run->status == FORE_RUN_COMPLETED && fore_run_has_result (run);
}

/**
 * fore_run_takes_retry:
 * @run: (nullable): a run
 *
 * Returns: whether its tasks can be tried again: what was cancelled is not taken up any more
 */
gboolean
fore_run_takes_retry (const ForeRun *run)
{
  return run != NULL && run->status != FORE_RUN_CANCELLED;
}

/**
 * fore_run_explain_no_changes:
 * @run: (nullable): a run without a result
 * @title: (out): the same in a few words
 *
 * Returns: (transfer none): why there are no changes to read
 */
const char *
fore_run_explain_no_changes (const ForeRun *run, const char **title)
{
  g_return_val_if_fail (title != NULL, NULL);

  if (run != NULL && !fore_run_is_active (run))
    {
      *title = _ ("No Changes");
      return _ ("The run ended without a result that could be merged.");
    }

  *title = _ ("No Changes Yet");
  return _ ("When tasks finish, what they changed is merged here file by file, for your review.");
}

/**
 * fore_run_get_view_status:
 * @run: a run
 * @health: what its runner is up to
 * @asks: whether it has an open request
 *
 * Returns: what @run looks like
 */
ForeViewStatus
fore_run_get_view_status (const ForeRun *run, ForeRunHealth health, gboolean asks)
{
  g_return_val_if_fail (run != NULL, FORE_VIEW_PENDING);

  if (health != FORE_RUN_WELL || asks)
    return FORE_VIEW_ATTENTION;

  return fore_view_status_from_run (run->status);
}

static ForeRunGroup
find_group (ForeRunItem *self)
{
  gboolean finished = fore_run_status_get_class (self->run->status) == FORE_CLASS_FINISHED;

  if (self->request != NULL || self->health != FORE_RUN_WELL)
    return FORE_RUN_GROUP_NEEDS_YOU;
  if (fore_run_awaits_review (self->run))
    return FORE_RUN_GROUP_REVIEW;

  return finished ? FORE_RUN_GROUP_RECENT : FORE_RUN_GROUP_ACTIVE;
}

static const char *
request_words (ForeRequestKind kind)
{
  switch (kind)
    {
    case FORE_REQUEST_PLAN:
      return _ ("plan waits");
    case FORE_REQUEST_GATE:
      return _ ("asks to write");
    case FORE_REQUEST_NO_PLAN:
      return _ ("no usable plan");
    case FORE_REQUEST_QUESTION:
      return _ ("question");
    case FORE_REQUEST_CONFLICT:
      return _ ("conflict");
    case FORE_REQUEST_BUDGET:
      return _ ("budget reached");
    case FORE_REQUEST_FAILURE:
      return _ ("a task failed");
    default:
      return _ ("asks for permission");
    }
}

static char *
describe_progress (const ForeRun *run)
{
  guint done = run->counts[FORE_TASK_COMPLETED];

  if (run->n_tasks == 0)
    return g_strdup (run->status == FORE_RUN_PLANNING ? _ ("planning") : _ ("starting"));

  return g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%u of %u task", "%u of %u tasks", run->n_tasks), done,
      run->n_tasks);
}

static char *
describe_end (const ForeRun *run)
{
  if (run->status == FORE_RUN_FAILED)
    return g_strdup (run->merged_commit != NULL    ? _ ("failed, merged")
                     : fore_run_is_discarded (run) ? _ ("failed, discarded")
                                                   : _ ("failed"));
  if (run->status == FORE_RUN_CANCELLED)
    return g_strdup (_ ("cancelled"));
  if (run->merged_commit != NULL)
    return g_strdup (_ ("merged"));
  if (fore_run_is_discarded (run))
    return g_strdup (_ ("discarded"));
  if (fore_run_awaits_review (run))
    return g_strdup (_ ("ready to review"));
  if (run->files == 0)
    return g_strdup (_ ("changed nothing"));

  return g_strdup (_ ("done"));
}

static char *
describe (ForeRunItem *self)
{
  const ForeRun *run = self->run;
  gint64 now = g_get_real_time ();
  g_autofree char *project = fore_format_project (run->project);
  g_autofree char *middle = NULL;
  g_autofree char *age = NULL;

  if (self->health == FORE_RUN_STUCK)
    {
      middle = g_strdup (_ ("not responding"));
      age = fore_format_age (run->started > 0 ? run->started : run->created, now);
    }
  else if (self->request != NULL)
    {
      middle = g_strdup (request_words (self->request->kind));
      age = fore_format_age (self->request->created, now);
    }
  else if (fore_run_status_get_class (run->status) == FORE_CLASS_FINISHED)
    {
      middle = describe_end (run);
      age = fore_format_age (run->finished > 0 ? run->finished : run->created, now);
    }
  else
    {
      middle = self->health == FORE_RUN_INTERRUPTED ? g_strdup (_ ("interrupted"))
                                                    : describe_progress (run);
      if (run->status == FORE_RUN_PAUSED)
        {
          g_free (middle);
          middle = g_strdup (_ ("paused"));
        }
      age = fore_format_age (run->started > 0 ? run->started : run->created, now);
    }

  return g_strdup_printf ("%s · %s · %s", project, middle, age);
}

/**
 * fore_run_item_refresh:
 * @self: a run item
 *
 * Computes anew what depends on the time of day, and notifies about what changed.
 */
void
fore_run_item_refresh (ForeRunItem *self)
{
  g_autofree char *plain = NULL;
  g_autofree char *subtitle = NULL;
  ForeViewStatus status;
  ForeRunGroup group;

  g_return_if_fail (FORE_IS_RUN_ITEM (self));

  plain = describe (self);
  subtitle = fore_outside_dup (plain);
  status = fore_run_get_view_status (self->run, self->health, self->request != NULL);
  group = find_group (self);

  g_object_freeze_notify (G_OBJECT (self));
  if (g_strcmp0 (subtitle, self->subtitle) != 0)
    {
      g_free (self->subtitle);
      self->subtitle = g_steal_pointer (&subtitle);
      g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SUBTITLE]);
    }
  if (status != self->status)
    {
      self->status = status;
      g_object_notify_by_pspec (G_OBJECT (self), props[PROP_STATUS]);
    }
  if (group != self->group)
    {
      self->group = group;
      g_object_notify_by_pspec (G_OBJECT (self), props[PROP_GROUP]);
    }
  g_object_thaw_notify (G_OBJECT (self));
}

static void
fore_run_item_finalize (GObject *object)
{
  ForeRunItem *self = FORE_RUN_ITEM (object);

  g_clear_pointer (&self->run, fore_run_free);
  g_clear_pointer (&self->request, fore_request_free);
  g_free (self->subtitle);

  G_OBJECT_CLASS (fore_run_item_parent_class)->finalize (object);
}

static void
fore_run_item_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  ForeRunItem *self = FORE_RUN_ITEM (object);

  switch (id)
    {
    case PROP_TITLE:
      g_value_take_string (value, fore_outside_dup (self->run->title));
      break;
    case PROP_SUBTITLE:
      g_value_set_string (value, self->subtitle);
      break;
    case PROP_STATUS:
      g_value_set_enum (value, self->status);
      break;
    case PROP_GROUP:
      g_value_set_uint (value, self->group);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fore_run_item_class_init (ForeRunItemClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->finalize = fore_run_item_finalize;
  object_class->get_property = fore_run_item_get_property;

  props[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
  props[PROP_SUBTITLE] = g_param_spec_string ("subtitle", NULL, NULL, NULL, flags);
  props[PROP_STATUS] = g_param_spec_enum ("status", NULL, NULL, FORE_TYPE_VIEW_STATUS,
                                          FORE_VIEW_PENDING, flags);
  props[PROP_GROUP] = g_param_spec_uint ("group", NULL, NULL, 0, FORE_RUN_GROUP_RECENT, 0, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
fore_run_item_init (ForeRunItem *self)
{
}

/**
 * fore_run_item_new:
 * @run: a run, copied
 *
 * Returns: (transfer full): an item for a list of runs
 */
ForeRunItem *
fore_run_item_new (const ForeRun *run)
{
  ForeRunItem *self;

  g_return_val_if_fail (run != NULL, NULL);

  self = g_object_new (FORE_TYPE_RUN_ITEM, NULL);
  self->run = fore_run_copy (run);
  fore_run_item_refresh (self);

  return self;
}

/**
 * fore_run_item_update:
 * @self: a run item
 * @run: the same run as it is now, copied
 */
void
fore_run_item_update (ForeRunItem *self, const ForeRun *run)
{
  gboolean renamed;

  g_return_if_fail (FORE_IS_RUN_ITEM (self));
  g_return_if_fail (run != NULL);

  renamed = g_strcmp0 (run->title, self->run->title) != 0;
  fore_run_free (self->run);
  self->run = fore_run_copy (run);
  if (renamed)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_TITLE]);
  fore_run_item_refresh (self);
}

/**
 * fore_run_item_set_request:
 * @self: a run item
 * @request: (nullable): an open request of the run, copied
 */
void
fore_run_item_set_request (ForeRunItem *self, const ForeRequest *request)
{
  g_return_if_fail (FORE_IS_RUN_ITEM (self));

  g_clear_pointer (&self->request, fore_request_free);
  self->request = request != NULL ? fore_request_copy (request) : NULL;
  fore_run_item_refresh (self);
}

/**
 * fore_run_item_set_health:
 * @self: a run item
 * @health: what its runner is up to
 */
void
fore_run_item_set_health (ForeRunItem *self, ForeRunHealth health)
{
  g_return_if_fail (FORE_IS_RUN_ITEM (self));

  if (self->health == health)
    return;

  self->health = health;
  fore_run_item_refresh (self);
}

/**
 * fore_run_item_get_run:
 * @self: a run item
 *
 * Returns: (transfer none): the run as it was last seen
 */
const ForeRun *
fore_run_item_get_run (ForeRunItem *self)
{
  g_return_val_if_fail (FORE_IS_RUN_ITEM (self), NULL);

  return self->run;
}

/**
 * fore_run_item_get_id:
 * @self: a run item
 *
 * Returns: (transfer none): id of the run
 */
const char *
fore_run_item_get_id (ForeRunItem *self)
{
  g_return_val_if_fail (FORE_IS_RUN_ITEM (self), NULL);

  return self->run->id;
}

/**
 * fore_run_item_get_subtitle:
 * @self: a run item
 *
 * Returns: (transfer none): project, state and age in one line
 */
const char *
fore_run_item_get_subtitle (ForeRunItem *self)
{
  g_return_val_if_fail (FORE_IS_RUN_ITEM (self), NULL);

  return self->subtitle;
}

/**
 * fore_run_item_get_status:
 * @self: a run item
 *
 * Returns: what the run looks like
 */
ForeViewStatus
fore_run_item_get_status (ForeRunItem *self)
{
  g_return_val_if_fail (FORE_IS_RUN_ITEM (self), FORE_VIEW_PENDING);

  return self->status;
}

/**
 * fore_run_item_get_group:
 * @self: a run item
 *
 * Returns: the group of the sidebar that it stands in
 */
ForeRunGroup
fore_run_item_get_group (ForeRunItem *self)
{
  g_return_val_if_fail (FORE_IS_RUN_ITEM (self), FORE_RUN_GROUP_RECENT);

  return self->group;
}

/**
 * fore_run_item_get_health:
 * @self: a run item
 *
 * Returns: what its runner is up to
 */
ForeRunHealth
fore_run_item_get_health (ForeRunItem *self)
{
  g_return_val_if_fail (FORE_IS_RUN_ITEM (self), FORE_RUN_WELL);

  return self->health;
}

/**
 * fore_run_item_is_stopped:
 * @self: a run item
 *
 * Returns: whether it needs a person although it asks nothing: its runner is gone or does nothing
 */
gboolean
fore_run_item_is_stopped (ForeRunItem *self)
{
  g_return_val_if_fail (FORE_IS_RUN_ITEM (self), FALSE);

  return self->request == NULL && self->health != FORE_RUN_WELL;
}

/**
 * fore_run_item_compare:
 * @a: a run item
 * @b: a run item
 *
 * Returns: the order of the sidebar: by group, then the newest first
 */
int
fore_run_item_compare (ForeRunItem *a, ForeRunItem *b)
{
  if (a->group != b->group)
    return (int) a->group - (int) b->group;
  if (a->run->created != b->run->created)
    return a->run->created < b->run->created ? 1 : -1;

  return g_strcmp0 (a->run->id, b->run->id);
}

/**
 * fore_run_dup_subtitle:
 * @run: a run
 *
 * Returns: (transfer full): where it works and who works on it
 */
char *
fore_run_dup_subtitle (const ForeRun *run)
{
  g_autofree char *project = NULL;

  g_return_val_if_fail (run != NULL, NULL);

  project = fore_format_project (run->project);
  if (run->team != NULL)
    return g_strdup_printf (_ ("%s · %s team"), project, run->team);

  return g_strdup_printf ("%s · %s", project, run->workflow != NULL ? run->workflow : "");
}
