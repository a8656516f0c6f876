/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-settings-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "library/fore-settings-file.h"
#include "text/fore-json.h"

typedef struct
{
  ForeSettings *settings;
  const char *path;
  ForeSettingsLayer layer;
  GPtrArray *diagnostics;
} Loader;

static void read_object (Loader *loader, JsonObject *object, const char *prefix);

static void
warn (Loader *loader, ForeDiagnosticSeverity severity, const char *name, const char *message)
{
  fore_diagnostics_add (loader->diagnostics, severity, loader->path, 0, 0, name, "%s", message);
}

static void
report_unknown (Loader *loader, const char *name)
{
  const char *nearest = fore_setting_keys_suggest (name);
  g_autofree char *message = NULL;

  if (nearest != NULL)
    message = g_strdup_printf (_ ("There is no setting `%s`. Did you mean `%s`?"), name, nearest);
  else
    message = g_strdup_printf (_ ("There is no setting `%s`. It is kept, and does nothing."), name);
  warn (loader, FORE_DIAGNOSTIC_WARNING, name, message);
}

/* Whether a project's value may stand: it must not be looser than what the person has. */
static gboolean
may_tighten (Loader *loader, const char *name, const ForeSettingValue *value)
{
  ForeSettingSlot *slot = g_hash_table_lookup (loader->settings->slots, name);
  g_autoptr (ForeSettingValue) fallback = NULL;
  const ForeSettingValue *old = slot != NULL ? slot->value : NULL;

  if (slot == NULL)
    old = fallback = fore_settings_dup_default (value->key, name);

  return old == NULL || fore_setting_value_is_at_most (value, old);
}

static void
use_value (Loader *loader, const char *name, ForeSettingValue *value)
{
  g_autoptr (ForeSettingValue) owned = value;
  ForeSettingFlags flags = value->key->flags;
  g_autofree char *message = NULL;

  if (loader->layer == FORE_SETTINGS_PROJECT && !(flags & FORE_SETTING_IN_PROJECT))
    message = g_strdup_printf (_ ("`%s` was left out: it may stand in your own settings only, not "
                                  "in those of a project."),
                               name);
  else if (loader->layer == FORE_SETTINGS_PROJECT && (flags & FORE_SETTING_TIGHTEN)
           && !may_tighten (loader, name, value))
    message = g_strdup_printf (_ ("`%s` was left out: a project may make it stricter than your own "
                                  "settings, never looser."),
                               name);

  if (message != NULL)
    warn (loader, FORE_DIAGNOSTIC_WARNING, name, message);
  else
    fore_settings_put (loader->settings, name, g_steal_pointer (&owned), loader->layer);
}

static void
read_value (Loader *loader, const ForeSettingKey *key, const char *name, JsonNode *node)
{
  g_autofree char *problem = NULL;
  g_autofree char *message = NULL;
  ForeSettingValue *value;

  /* null says "as if it did not stand here". */
  if (JSON_NODE_HOLDS_NULL (node))
    return;

  value = fore_setting_value_new (key, node, &problem);
  if (value != NULL)
    {
      use_value (loader, name, value);
      return;
    }

  message = g_strdup_printf (_ ("The value of `%s` was left out: %s."), name, problem);
  warn (loader, FORE_DIAGNOSTIC_ERROR, name, message);
}

static void
read_member (Loader *loader, const char *name, JsonNode *node)
{
  const ForeSettingKey *key = fore_setting_keys_find (name);
  g_autofree char *message = NULL;
  g_autofree char *prefix = NULL;

  if (key != NULL)
    read_value (loader, key, name, node);
  else if (!fore_setting_keys_has_group (name))
    report_unknown (loader, name);
  else if (JSON_NODE_HOLDS_OBJECT (node))
    {
      prefix = g_strconcat (name, ".", NULL);
      read_object (loader, json_node_get_object (node), prefix);
    }
  else
    {
      message = g_strdup_printf (_ ("`%s` was left out: it must be an object with settings."),
                                 name);
      warn (loader, FORE_DIAGNOSTIC_ERROR, name, message);
    }
}

static void
read_object (Loader *loader, JsonObject *object, const char *prefix)
{
  g_autoptr (GList) members = json_object_get_members (object);

  for (GList *link = members; link != NULL; link = link->next)
    {
      g_autofree char *name = g_strconcat (prefix, link->data, NULL);

      /* A schema reference helps editors and is no setting. */
      if (strcmp (name, "$schema") != 0)
        read_member (loader, name, json_object_get_member (object, link->data));
    }
}

/**
 * fore_settings_load_file:
 * @self: settings that are being loaded
 * @path: a file; it need not exist
 * @layer: its layer
 * @diagnostics: (nullable) (element-type ForeDiagnostic): where to say what is wrong
 *
 * Puts the values of a file over those of the layers below. Blocks on the disk.
 */
void
fore_settings_load_file (ForeSettings *self,
                         const char *path,
                         ForeSettingsLayer layer,
                         GPtrArray *diagnostics)
{
  Loader loader = { self, path, layer, diagnostics };
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GError) error = NULL;

  g_return_if_fail (self != NULL);
  g_return_if_fail (path != NULL);

  if (!fore_settings_file_read (path, &root, &error))
    warn (&loader, FORE_DIAGNOSTIC_ERROR, NULL, error->message);
  else if (root != NULL)
    read_object (&loader, json_node_get_object (root), "");
}

/* What pi-crew calls the settings that it shares with us. */
static const struct
{
  const char *group;
  const char *theirs;
  const char *ours;
  int factor;
  int offset;
} shared_keys[] = {
  { "limits", "maxConcurrentWorkers", "limits.run_agents", 1, 0 },
  { "limits", "maxTaskDepth", "limits.depth", 1, 0 },
  { "limits", "maxChildrenPerTask", "limits.helpers", 1, 0 },
  { "limits", "maxRunMinutes", "limits.run_time", 60000, 0 },
  { "limits", "maxRetriesPerTask", "retry.attempts", 1, 1 },
  { "runtime", "maxTurns", "limits.turns", 1, 0 },
  { "runtime", "taskTimeoutMs", "limits.task_time", 1, 0 },
};

static void
read_shared_key (Loader *loader, JsonObject *root, guint i)
{
  JsonObject *group = fore_json_get_object (root, shared_keys[i].group);
  JsonNode *node = group != NULL ? json_object_get_member (group, shared_keys[i].theirs) : NULL;
  g_autoptr (JsonNode) ours = NULL;
  gint64 number;

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node)
      || json_node_get_value_type (node) != G_TYPE_INT64)
    return;

  /* Zero means "no limit" there. */
  number = json_node_get_int (node);
  if (number <= 0 || number > G_MAXINT)
    return;

  ours = json_node_init_int (json_node_alloc (),
                             number * shared_keys[i].factor + shared_keys[i].offset);
  read_value (loader, fore_setting_keys_find (shared_keys[i].ours), shared_keys[i].ours, ours);
}

/**
 * fore_settings_load_crew_file:
 * @self: settings that are being loaded
 * @path: a settings file of pi-crew in a project; it need not exist
 * @diagnostics: (nullable) (element-type ForeDiagnostic): where to say what is wrong
 *
 * Takes over the settings that pi-crew shares with us, as a project's. The file is never written.
 * Blocks on the disk.
 */
void
fore_settings_load_crew_file (ForeSettings *self, const char *path, GPtrArray *diagnostics)
{
  Loader loader = { self, path, FORE_SETTINGS_PROJECT, diagnostics };
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GError) error = NULL;
  JsonObject *object, *runtime;

  g_return_if_fail (self != NULL);
  g_return_if_fail (path != NULL);

  if (!fore_settings_file_read (path, &root, &error))
    {
      warn (&loader, FORE_DIAGNOSTIC_WARNING, NULL, error->message);
      return;
    }
  if (root == NULL)
    return;

  object = json_node_get_object (root);
  for (guint i = 0; i < G_N_ELEMENTS (shared_keys); i++)
    read_shared_key (&loader, object, i);

  runtime = fore_json_get_object (object, "runtime");
  if (fore_json_get_bool (runtime, "requirePlanApproval", FALSE))
    {
      g_autoptr (JsonNode) ask = json_node_init_string (json_node_alloc (), "ask");

      read_value (&loader, fore_setting_keys_find ("approval.plan"), "approval.plan", ask);
    }
}

/**
 * fore_settings_load_one:
 * @path: a file of settings
 * @layer: whose it would be
 * @diagnostics: (element-type ForeDiagnostic): where to say what is wrong
 *
 * Reads one file as if it stood where settings stand, without those of the layers below. Blocks on
 * the disk.
 *
 * Returns: (transfer full): its settings over the defaults
 */
ForeSettings *
fore_settings_load_one (const char *path, ForeSettingsLayer layer, GPtrArray *diagnostics)
{
  ForeSettings *self;

  g_return_val_if_fail (path != NULL && diagnostics != NULL, NULL);

  self = fore_settings_load (NULL, NULL, FALSE, NULL);
  fore_settings_load_file (self, path, layer, diagnostics);

  return self;
}
