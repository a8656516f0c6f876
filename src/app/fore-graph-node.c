/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-graph-node.h"

#include "app/fore-outside.h"

#include <glib/gi18n-lib.h>

struct _ForeGraphNode
{
  GObject parent_instance;

  char *id;
  char *title;
  char *subtitle;
  char *detail;
  char *icon_name;
  char *badge;
  char *tooltip;
  ForeViewStatus status;
  gboolean dashed;
  double progress;
};

G_DEFINE_FINAL_TYPE (ForeGraphNode, fore_graph_node, G_TYPE_OBJECT)

enum
{
  PROP_0,
  PROP_ID,
  PROP_TITLE,
  PROP_SUBTITLE,
  PROP_DETAIL,
  PROP_ICON_NAME,
  PROP_BADGE,
  PROP_TOOLTIP,
  PROP_STATUS,
  PROP_DASHED,
  PROP_PROGRESS,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

static void
set_string (ForeGraphNode *self, char **field, const char *value, guint property)
{
  g_autofree char *visible = fore_outside_dup (value);

  if (g_strcmp0 (*field, visible) == 0)
    return;

  g_free (*field);
  *field = g_steal_pointer (&visible);
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

static void
fore_graph_node_finalize (GObject *object)
{
  ForeGraphNode *self = FORE_GRAPH_NODE (object);

  g_free (self->id);
  g_free (self->title);
  g_free (self->subtitle);
  g_free (self->detail);
  g_free (self->icon_name);
  g_free (self->badge);
  g_free (self->tooltip);

  G_OBJECT_CLASS (fore_graph_node_parent_class)->finalize (object);
}

static void
fore_graph_node_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  ForeGraphNode *self = FORE_GRAPH_NODE (object);

  switch (prop_id)
    {
    case PROP_ID:
      g_value_set_string (value, self->id);
      break;
    case PROP_TITLE:
      g_value_set_string (value, self->title);
      break;
    case PROP_SUBTITLE:
      g_value_set_string (value, self->subtitle);
      break;
    case PROP_DETAIL:
      g_value_set_string (value, self->detail);
      break;
    case PROP_ICON_NAME:
      g_value_set_string (value, self->icon_name);
      break;
    case PROP_BADGE:
      g_value_set_string (value, self->badge);
      break;
    case PROP_TOOLTIP:
      g_value_set_string (value, self->tooltip);
      break;
    case PROP_STATUS:
      g_value_set_enum (value, self->status);
      break;
    case PROP_DASHED:
      g_value_set_boolean (value, self->dashed);
      break;
    case PROP_PROGRESS:
      g_value_set_double (value, self->progress);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
fore_graph_node_set_property (GObject *object,
                              guint prop_id,
                              const GValue *value,
                              GParamSpec *pspec)
{
  ForeGraphNode *self = FORE_GRAPH_NODE (object);

  switch (prop_id)
    {
    case PROP_ID:
      self->id = g_value_dup_string (value);
      break;
    case PROP_TITLE:
      fore_graph_node_set_title (self, g_value_get_string (value));
      break;
    case PROP_SUBTITLE:
      fore_graph_node_set_subtitle (self, g_value_get_string (value));
      break;
    case PROP_DETAIL:
      fore_graph_node_set_detail (self, g_value_get_string (value));
      break;
    case PROP_ICON_NAME:
      fore_graph_node_set_icon_name (self, g_value_get_string (value));
      break;
    case PROP_BADGE:
      fore_graph_node_set_badge (self, g_value_get_string (value));
      break;
    case PROP_TOOLTIP:
      fore_graph_node_set_tooltip (self, g_value_get_string (value));
      break;
    case PROP_STATUS:
      fore_graph_node_set_status (self, g_value_get_enum (value));
      break;
    case PROP_DASHED:
      fore_graph_node_set_dashed (self, g_value_get_boolean (value));
      break;
    case PROP_PROGRESS:
      fore_graph_node_set_progress (self, g_value_get_double (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
fore_graph_node_class_init (ForeGraphNodeClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->finalize = fore_graph_node_finalize;
  object_class->get_property = fore_graph_node_get_property;
  object_class->set_property = fore_graph_node_set_property;

  properties[PROP_ID] = g_param_spec_string (
      "id", NULL, NULL, NULL, G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
  properties[PROP_SUBTITLE] = g_param_spec_string ("subtitle", NULL, NULL, NULL, flags);
  properties[PROP_DETAIL] = g_param_spec_string ("detail", NULL, NULL, NULL, flags);
  properties[PROP_ICON_NAME] = g_param_spec_string ("icon-name", NULL, NULL, NULL, flags);
  properties[PROP_BADGE] = g_param_spec_string ("badge", NULL, NULL, NULL, flags);
  properties[PROP_TOOLTIP] = g_param_spec_string ("tooltip", NULL, NULL, NULL, flags);
  properties[PROP_STATUS] = g_param_spec_enum ("status", NULL, NULL, FORE_TYPE_VIEW_STATUS,
                                               FORE_VIEW_PENDING, flags);
  properties[PROP_DASHED] = g_param_spec_boolean ("dashed", NULL, NULL, FALSE, flags);
  properties[PROP_PROGRESS] = g_param_spec_double ("progress", NULL, NULL, -1, 1, -1, flags);

  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
fore_graph_node_init (ForeGraphNode *self)
{
  self->progress = -1;
}

/**
 * fore_graph_node_new:
 * @id: what edges and selection call it; unique in its model
 * @title: the name of the task, shown
 *
 * Returns: (transfer full): a new node, to do
 */
ForeGraphNode *
fore_graph_node_new (const char *id, const char *title)
{
  g_return_val_if_fail (id != NULL, NULL);

  return g_object_new (FORE_TYPE_GRAPH_NODE, "id", id, "title", title, NULL);
}

const char *
fore_graph_node_get_id (ForeGraphNode *self)
{
  g_return_val_if_fail (FORE_IS_GRAPH_NODE (self), NULL);

  return self->id;
}

const char *
fore_graph_node_get_title (ForeGraphNode *self)
{
  g_return_val_if_fail (FORE_IS_GRAPH_NODE (self), NULL);

  return self->title;
}

/**
 * fore_graph_node_set_title:
 * @self: a node
 * @title: (nullable): the name of the task
 */
void
fore_graph_node_set_title (ForeGraphNode *self, const char *title)
{
  g_return_if_fail (FORE_IS_GRAPH_NODE (self));

  set_string (self, &self->title, title, PROP_TITLE);
}

const char *
fore_graph_node_get_subtitle (ForeGraphNode *self)
{
  g_return_val_if_fail (FORE_IS_GRAPH_NODE (self), NULL);

  return self->subtitle;
}

/**
 * fore_graph_node_set_subtitle:
 * @self: a node
 * @subtitle: (nullable): who does it, for the second line
 */
void
fore_graph_node_set_subtitle (ForeGraphNode *self, const char *subtitle)
{
  g_return_if_fail (FORE_IS_GRAPH_NODE (self));

  set_string (self, &self->subtitle, subtitle, PROP_SUBTITLE);
}

const char *
fore_graph_node_get_detail (ForeGraphNode *self)
{
  g_return_val_if_fail (FORE_IS_GRAPH_NODE (self), NULL);

  return self->detail;
}

/**
 * fore_graph_node_set_detail:
 * @self: a node
 * @detail: (nullable): a few words behind the subtitle: time, attempt, reason
 */
void
fore_graph_node_set_detail (ForeGraphNode *self, const char *detail)
{
  g_return_if_fail (FORE_IS_GRAPH_NODE (self));

  set_string (self, &self->detail, detail, PROP_DETAIL);
}

const char *
fore_graph_node_get_icon_name (ForeGraphNode *self)
{
  g_return_val_if_fail (FORE_IS_GRAPH_NODE (self), NULL);

  return self->icon_name;
}

/**
 * fore_graph_node_set_icon_name:
 * @self: a node
 * @icon_name: (nullable): an icon that stands instead of the one of the status
 */
void
fore_graph_node_set_icon_name (ForeGraphNode *self, const char *icon_name)
{
  g_return_if_fail (FORE_IS_GRAPH_NODE (self));

  set_string (self, &self->icon_name, icon_name, PROP_ICON_NAME);
}

const char *
fore_graph_node_get_badge (ForeGraphNode *self)
{
  g_return_val_if_fail (FORE_IS_GRAPH_NODE (self), NULL);

  return self->badge;
}

/**
 * fore_graph_node_set_badge:
 * @self: a node
 * @badge: (nullable): a short word in the corner
 */
void
fore_graph_node_set_badge (ForeGraphNode *self, const char *badge)
{
  g_return_if_fail (FORE_IS_GRAPH_NODE (self));

  set_string (self, &self->badge, badge, PROP_BADGE);
}

const char *
fore_graph_node_get_tooltip (ForeGraphNode *self)
{
  g_return_val_if_fail (FORE_IS_GRAPH_NODE (self), NULL);

  return self->tooltip;
}

/**
 * fore_graph_node_set_tooltip:
 * @self: a node
 * @tooltip: (nullable): more about it, as why it is not running
 */
void
fore_graph_node_set_tooltip (ForeGraphNode *self, const char *tooltip)
{
  g_return_if_fail (FORE_IS_GRAPH_NODE (self));

  set_string (self, &self->tooltip, tooltip, PROP_TOOLTIP);
}

ForeViewStatus
fore_graph_node_get_status (ForeGraphNode *self)
{
  g_return_val_if_fail (FORE_IS_GRAPH_NODE (self), FORE_VIEW_PENDING);

  return self->status;
}

void
fore_graph_node_set_status (ForeGraphNode *self, ForeViewStatus status)
{
  g_return_if_fail (FORE_IS_GRAPH_NODE (self));
  g_return_if_fail (status < FORE_N_VIEW_STATUSES);

  if (self->status == status)
    return;

  self->status = status;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATUS]);
}

gboolean
fore_graph_node_get_dashed (ForeGraphNode *self)
{
  g_return_val_if_fail (FORE_IS_GRAPH_NODE (self), FALSE);

  return self->dashed;
}

/**
 * fore_graph_node_set_dashed:
 * @self: a node
 * @dashed: whether the node is still to come, so its outline is dashed
 */
void
fore_graph_node_set_dashed (ForeGraphNode *self, gboolean dashed)
{
  g_return_if_fail (FORE_IS_GRAPH_NODE (self));

  dashed = !!dashed;
  if (self->dashed == dashed)
    return;

  self->dashed = dashed;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DASHED]);
}

double
fore_graph_node_get_progress (ForeGraphNode *self)
{
  g_return_val_if_fail (FORE_IS_GRAPH_NODE (self), -1);

  return self->progress;
}

/**
 * fore_graph_node_set_progress:
 * @self: a node
 * @progress: 0 to 1, or -1 when nobody knows
 */
void
fore_graph_node_set_progress (ForeGraphNode *self, double progress)
{
  g_return_if_fail (FORE_IS_GRAPH_NODE (self));

  progress = progress < 0 ? -1 : MIN (progress, 1);
  if (self->progress == progress)
    return;

  self->progress = progress;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PROGRESS]);
}

static gboolean
is_set (const char *text)
{
  return text != NULL && *text != '\0';
}

/**
 * fore_graph_node_dup_line:
 * @self: a node
 *
 * Returns: (transfer full): the second line of the card; the word of the status when nothing else
 *   is known
 */
char *
fore_graph_node_dup_line (ForeGraphNode *self)
{
  g_return_val_if_fail (FORE_IS_GRAPH_NODE (self), NULL);

  if (is_set (self->subtitle) && is_set (self->detail))
    return g_strconcat (self->subtitle, " · ", self->detail, NULL);
  if (is_set (self->subtitle))
    return g_strdup (self->subtitle);

  return g_strdup (is_set (self->detail) ? self->detail : fore_view_status_get_word (self->status));
}

/**
 * fore_graph_node_dup_accessible_name:
 * @self: a node
 *
 * Returns: (transfer full): what a screen reader says: title, who, detail and status
 */
char *
fore_graph_node_dup_accessible_name (ForeGraphNode *self)
{
  GString *name;

  g_return_val_if_fail (FORE_IS_GRAPH_NODE (self), NULL);

  name = g_string_new (is_set (self->title) ? self->title : self->id);
  if (is_set (self->subtitle))
    g_string_append_printf (name, ", %s", self->subtitle);
  if (is_set (self->detail))
    g_string_append_printf (name, ", %s", self->detail);
  g_string_append_printf (name, ", %s", fore_view_status_get_word (self->status));
  if (self->dashed)
    g_string_append_printf (name, ", %s", _ ("still to come"));

  return g_string_free (name, FALSE);
}
