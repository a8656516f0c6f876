/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-request-item.h"

#include "app/fore-format.h"
#include "app/fore-outside.h"

#include <glib/gi18n-lib.h>

struct _ForeRequestItem
{
  GObject parent_instance;

  ForeRequest *request;
  char *run_title;
  char *project;
  char *subtitle;
};

G_DEFINE_FINAL_TYPE (ForeRequestItem, fore_request_item, G_TYPE_OBJECT)

enum
{
  PROP_0,
  PROP_TITLE,
  PROP_SUBTITLE,
  PROP_ICON_NAME,
  PROP_OPEN,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

static char *
describe_answer (const ForeRequest *request)
{
  const ForeRequestOption *option = NULL;

  if (request->state == FORE_REQUEST_WITHDRAWN)
    return g_strdup (_ ("withdrawn"));
  if (request->state == FORE_REQUEST_EXPIRED)
    return g_strdup (_ ("expired"));
  if (request->answer != NULL)
    option = fore_request_find_option (request, request->answer);

  return g_strdup (option != NULL ? option->name : _ ("answered"));
}

/* What was said no to, was withdrawn or ran out was not done: it is not ticked off. */
static const char *
find_icon (const ForeRequest *request)
{
  const ForeRequestOption *option = NULL;

  if (request->state == FORE_REQUEST_OPEN)
    return fore_format_request_icon (request->kind);
  if (request->state == FORE_REQUEST_WITHDRAWN)
    return "fore-cancelled-symbolic";
  if (request->state == FORE_REQUEST_EXPIRED)
    return "fore-waiting-symbolic";
  if (request->answer != NULL)
    option = fore_request_find_option (request, request->answer);

  return option != NULL && g_str_has_prefix (option->kind, "reject") ? "fore-failed-symbolic"
                                                                     : "fore-done-symbolic";
}

static char *
describe_expiry (const ForeRequest *request, gint64 now)
{
  g_autofree char *left = NULL;

  if (request->expires == 0)
    return NULL;
  if (request->expires <= now)
    return g_strdup (_ ("expired"));

  left = fore_format_span (request->expires - now);
  return g_strdup_printf (_ ("expires in %s"), left);
}

static char *
describe (ForeRequestItem *self)
{
  const ForeRequest *request = self->request;
  gint64 now = g_get_real_time ();
  g_autofree char *project = fore_format_project (self->project);
  g_autofree char *last = NULL;
  g_autofree char *age = NULL;
  const char *asker;

  if (request->state != FORE_REQUEST_OPEN)
    {
      last = describe_answer (request);
      age = fore_format_age (request->answered > 0 ? request->answered : request->created, now);
      return g_strdup_printf ("%s · %s · %s", project, last, age);
    }

  asker = request->kind != FORE_REQUEST_PLAN && self->run_title != NULL ? self->run_title
          : request->task != NULL                                       ? request->task
                                                                        : "Foredeck";
  age = fore_format_age (request->created, now);
  last = describe_expiry (request, now);
  if (last != NULL)
    return g_strdup_printf ("%s · %s · %s · %s", project, asker, age, last);

  return g_strdup_printf ("%s · %s · %s", project, asker, age);
}

/**
 * fore_request_item_refresh:
 * @self: a request item
 *
 * Computes anew what depends on the time of day.
 */
void
fore_request_item_refresh (ForeRequestItem *self)
{
  g_autofree char *plain = NULL;
  g_autofree char *subtitle = NULL;

  g_return_if_fail (FORE_IS_REQUEST_ITEM (self));

  plain = describe (self);
  subtitle = fore_outside_dup (plain);
  if (g_strcmp0 (subtitle, self->subtitle) == 0)
    return;

  g_free (self->subtitle);
  self->subtitle = g_steal_pointer (&subtitle);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SUBTITLE]);
}

static void
fore_request_item_finalize (GObject *object)
{
  ForeRequestItem *self = FORE_REQUEST_ITEM (object);

  g_clear_pointer (&self->request, fore_request_free);
  g_free (self->run_title);
  g_free (self->project);
  g_free (self->subtitle);

  G_OBJECT_CLASS (fore_request_item_parent_class)->finalize (object);
}

static void
fore_request_item_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  ForeRequestItem *self = FORE_REQUEST_ITEM (object);

  switch (id)
    {
    case PROP_TITLE:
      if (self->request->kind == FORE_REQUEST_PLAN && self->run_title != NULL)
        {
          g_autofree char *title = g_strdup_printf (_ ("Plan: %s"), self->run_title);

          g_value_take_string (value, fore_outside_dup (title));
        }
      else
        g_value_take_string (value, fore_outside_dup (self->request->title));
      break;
    case PROP_SUBTITLE:
      g_value_set_string (value, self->subtitle);
      break;
    case PROP_ICON_NAME:
      g_value_set_static_string (value, find_icon (self->request));
      break;
    case PROP_OPEN:
      g_value_set_boolean (value, fore_request_item_is_open (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fore_request_item_class_init (ForeRequestItemClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->finalize = fore_request_item_finalize;
  object_class->get_property = fore_request_item_get_property;

  props[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
  props[PROP_SUBTITLE] = g_param_spec_string ("subtitle", NULL, NULL, NULL, flags);
  props[PROP_ICON_NAME] = g_param_spec_string ("icon-name", NULL, NULL, NULL, flags);
  props[PROP_OPEN] = g_param_spec_boolean ("open", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
fore_request_item_init (ForeRequestItem *self)
{
}

/**
 * fore_request_item_new:
 * @request: a request, copied
 * @run_title: (nullable): title of its run
 * @project: (nullable): folder of its project
 *
 * Returns: (transfer full): an item for a list of requests
 */
ForeRequestItem *
fore_request_item_new (const ForeRequest *request, const char *run_title, const char *project)
{
  ForeRequestItem *self;

  g_return_val_if_fail (request != NULL, NULL);

  self = g_object_new (FORE_TYPE_REQUEST_ITEM, NULL);
  self->request = fore_request_copy (request);
  self->run_title = g_strdup (run_title);
  self->project = g_strdup (project);
  fore_request_item_refresh (self);

  return self;
}

/**
 * fore_request_item_update:
 * @self: a request item
 * @request: the same request as it is now, copied
 */
void
fore_request_item_update (ForeRequestItem *self, const ForeRequest *request)
{
  gboolean was_open;

  g_return_if_fail (FORE_IS_REQUEST_ITEM (self));
  g_return_if_fail (request != NULL);

  was_open = fore_request_item_is_open (self);
  fore_request_free (self->request);
  self->request = fore_request_copy (request);
  if (was_open != fore_request_item_is_open (self))
    {
      g_object_notify_by_pspec (G_OBJECT (self), props[PROP_OPEN]);
      g_object_notify_by_pspec (G_OBJECT (self), props[PROP_ICON_NAME]);
    }
  fore_request_item_refresh (self);
}

/**
 * fore_request_item_get_request:
 * @self: a request item
 *
 * Returns: (transfer none): the request as it was last seen
 */
const ForeRequest *
fore_request_item_get_request (ForeRequestItem *self)
{
  g_return_val_if_fail (FORE_IS_REQUEST_ITEM (self), NULL);

  return self->request;
}

/**
 * fore_request_item_get_id:
 * @self: a request item
 *
 * Returns: (transfer none): id of the request
 */
const char *
fore_request_item_get_id (ForeRequestItem *self)
{
  g_return_val_if_fail (FORE_IS_REQUEST_ITEM (self), NULL);

  return self->request->id;
}

/**
 * fore_request_item_get_subtitle:
 * @self: a request item
 *
 * Returns: (transfer none): project, who asks and age in one line
 */
const char *
fore_request_item_get_subtitle (ForeRequestItem *self)
{
  g_return_val_if_fail (FORE_IS_REQUEST_ITEM (self), NULL);

  return self->subtitle;
}

/**
 * fore_request_item_is_open:
 * @self: a request item
 *
 * Returns: whether it still waits for an answer
 */
gboolean
fore_request_item_is_open (ForeRequestItem *self)
{
  g_return_val_if_fail (FORE_IS_REQUEST_ITEM (self), FALSE);

  return self->request->state == FORE_REQUEST_OPEN;
}
