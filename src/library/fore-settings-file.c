/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-settings-file.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "library/fore-library-text.h"
#include "library/fore-setting-value.h"
#include "library/fore-settings.h"
#include "model/fore-error.h"
#include "text/fore-json.h"

/**
 * fore_settings_file_read:
 * @path: a file of settings
 * @root: (out) (nullable): place for its object, %NULL if there is no such file or it is empty
 * @error: return location for an error
 *
 * Reads a file of settings. Blocks on the disk.
 *
 * Returns: %FALSE if it cannot be read, is too large or malformed
 */
gboolean
fore_settings_file_read (const char *path, JsonNode **root, GError **error)
{
  const ForeJsonLimits limits = { 32, FORE_SETTINGS_MAX_FILE };
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autofree char *bytes = NULL;
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) node = NULL;
  gsize length;

  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (root != NULL, FALSE);

  *root = NULL;
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return TRUE;

  bytes = fore_library_text_read (path, FORE_SETTINGS_MAX_FILE, TRUE, &length, found);
  if (bytes != NULL)
    text = fore_library_text_normalise (bytes, length, path, found);
  if (text == NULL)
    {
      const ForeDiagnostic *fault = found->pdata[0];

      g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID, "%s", fault->message);
      return FALSE;
    }

  if (text[strspn (text, " \t\n")] == '\0')
    return TRUE;

  node = fore_json_parse (text, -1, &limits, error);
  if (node == NULL)
    return FALSE;
  if (!JSON_NODE_HOLDS_OBJECT (node))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID,
                   _ ("Settings are an object: put them between { and }."));
      return FALSE;
    }

  *root = g_steal_pointer (&node);
  return TRUE;
}

static void format_node (GString *text, JsonNode *node, guint indent);

static void
new_line (GString *text, guint indent)
{
  g_string_append_printf (text, "\n%*s", (int) indent * 2, "");
}

static void
format_string (GString *text, const char *string)
{
  g_autoptr (JsonNode) node = json_node_init_string (json_node_alloc (), string);
  g_autofree char *quoted = json_to_string (node, FALSE);

  g_string_append (text, quoted);
}

/* The shortest form that reads back as the same number: json-glib would turn 0.8 into
 * 0.80000000000000004 in a file that somebody else wrote.
 */
static void
format_double (GString *text, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (buffer, sizeof buffer, "%.15g", value);
  if (g_ascii_strtod (buffer, NULL) != value)
    g_ascii_formatd (buffer, sizeof buffer, "%.17g", value);

  g_string_append (text, buffer);
  if (buffer[strspn (buffer, "-0123456789")] == '\0')
    g_string_append (text, ".0");
}

static void
format_object (GString *text, JsonObject *object, guint indent)
{
  g_autoptr (GList) members = json_object_get_members (object);

  if (members == NULL)
    {
      g_string_append (text, "{}");
      return;
    }

  g_string_append_c (text, '{');
  for (GList *link = members; link != NULL; link = link->next)
    {
      new_line (text, indent + 1);
      format_string (text, link->data);
      g_string_append (text, ": ");
      format_node (text, json_object_get_member (object, link->data), indent + 1);
      if (link->next != NULL)
        g_string_append_c (text, ',');
    }
  new_line (text, indent);
  g_string_append_c (text, '}');
}

/* Lists of plain values stand on one line. */
static void
format_array (GString *text, JsonArray *array, guint indent)
{
  guint length = json_array_get_length (array);
  gboolean flat = TRUE;

  for (guint i = 0; i < length; i++)
    flat = flat && JSON_NODE_HOLDS_VALUE (json_array_get_element (array, i));

  g_string_append_c (text, '[');
  for (guint i = 0; i < length; i++)
    {
      if (!flat)
        new_line (text, indent + 1);
      else if (i > 0)
        g_string_append_c (text, ' ');
      format_node (text, json_array_get_element (array, i), indent + 1);
      if (i + 1 < length)
        g_string_append_c (text, ',');
    }
  if (!flat)
    new_line (text, indent);
  g_string_append_c (text, ']');
}

static void
format_node (GString *text, JsonNode *node, guint indent)
{
  if (JSON_NODE_HOLDS_OBJECT (node))
    format_object (text, json_node_get_object (node), indent);
  else if (JSON_NODE_HOLDS_ARRAY (node))
    format_array (text, json_node_get_array (node), indent);
  else if (JSON_NODE_HOLDS_NULL (node))
    g_string_append (text, "null");
  else if (json_node_get_value_type (node) == G_TYPE_STRING)
    format_string (text, json_node_get_string (node));
  else if (json_node_get_value_type (node) == G_TYPE_DOUBLE)
    format_double (text, json_node_get_double (node));
  else if (json_node_get_value_type (node) == G_TYPE_BOOLEAN)
    g_string_append (text, json_node_get_boolean (node) ? "true" : "false");
  else
    g_string_append_printf (text, "%" G_GINT64_FORMAT, json_node_get_int (node));
}

/**
 * fore_settings_file_format:
 * @root: settings
 *
 * Writes settings as text, members in their order.
 *
 * Returns: (transfer full): the text
 */
char *
fore_settings_file_format (JsonNode *root)
{
  GString *text;

  g_return_val_if_fail (root != NULL, NULL);

  text = g_string_new (NULL);
  format_node (text, root, 0);
  g_string_append_c (text, '\n');

  return g_string_free (text, FALSE);
}

/* Sets the member that @name leads to, or removes it if @value is NULL, and with it the objects
 * that become empty. A member that spells a dotted name out is used as it is.
 */
static void
put_value (JsonObject *object, const char *name, JsonNode *value)
{
  gsize length = strcspn (name, ".");
  g_autofree char *part = g_strndup (name, length);
  JsonNode *child = json_object_get_member (object, part);

  if (name[length] == '\0' || json_object_has_member (object, name))
    {
      if (value != NULL)
        json_object_set_member (object, name, json_node_ref (value));
      else if (json_object_has_member (object, name))
        json_object_remove_member (object, name);
      return;
    }

  if (child == NULL || !JSON_NODE_HOLDS_OBJECT (child))
    {
      if (value == NULL)
        return;
      json_object_set_object_member (object, part, json_object_new ());
      child = json_object_get_member (object, part);
    }

  put_value (json_node_get_object (child), name + length + 1, value);
  if (value == NULL && json_object_get_size (json_node_get_object (child)) == 0)
    json_object_remove_member (object, part);
}

static JsonNode *
check_new_value (const ForeSettingKey *key, const char *name, const char *text, GError **error)
{
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (ForeSettingValue) value = NULL;
  g_autofree char *problem = NULL;

  node = fore_setting_text_to_node (key, text, &problem);
  if (node != NULL)
    value = fore_setting_value_new (key, node, &problem);
  if (value != NULL)
    return g_steal_pointer (&node);

  g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID, _ ("`%s` cannot be `%s`: %s."), name, text,
               problem);
  return NULL;
}

static const ForeSettingKey *
find_key (const char *name, ForeSettingsLayer layer, GError **error)
{
  const ForeSettingKey *key = fore_setting_keys_find (name);
  const char *nearest;

  if (key == NULL)
    {
      nearest = fore_setting_keys_suggest (name);
      if (nearest != NULL)
        g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                     _ ("There is no setting `%s`. Did you mean `%s`?"), name, nearest);
      else
        g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                     _ ("There is no setting `%s`. `foredeckctl config list` shows all."), name);
      return NULL;
    }

  if (layer == FORE_SETTINGS_PROJECT && !(key->flags & FORE_SETTING_IN_PROJECT))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                   _ ("`%s` may stand in your own settings only, not in those of a project."),
                   name);
      return NULL;
    }

  return key;
}

/* Replaces a file by one rename, after its folder was made. A link is followed, so that settings
 * kept elsewhere stay there.
 */
static gboolean
replace_file (const char *path, const char *text, GError **error)
{
  g_autofree char *target = g_canonicalize_filename (path, NULL);
  g_autofree char *link = g_file_read_link (target, NULL);
  g_autofree char *folder = g_path_get_dirname (target);
  g_autoptr (GError) problem = NULL;

  if (link != NULL)
    {
      g_free (target);
      target = g_canonicalize_filename (link, folder);
    }

  if (g_mkdir_with_parents (folder, 0700) == 0
      && g_file_set_contents_full (target, text, -1,
                                   G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE,
                                   0600, &problem))
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
               _ ("The settings in %s cannot be written: %s. Check permissions and space."), path,
               problem != NULL ? problem->message : g_strerror (errno));
  return FALSE;
}

/**
 * fore_settings_store:
 * @path: the file, see fore_settings_dup_user_path() and fore_settings_dup_project_path()
 * @layer: the layer that the file is
 * @name: full dotted name
 * @text: (nullable): new value, or %NULL to unset it
 * @changed: (out) (optional): whether the file was written
 * @error: return location for an error
 *
 * Sets or unsets a value in a file: checked first, written only if something changes, in one piece,
 * order and unknown keys kept. A file that cannot be read is not touched. Blocks on the disk.
 *
 * Returns: %FALSE on %FORE_ERROR_USAGE (no such key), %FORE_ERROR_REFUSED (not in this layer),
 *   %FORE_ERROR_INVALID (bad value or file), %FORE_ERROR_ENVIRONMENT (cannot be written)
 */
gboolean
fore_settings_store (const char *path,
                     ForeSettingsLayer layer,
                     const char *name,
                     const char *text,
                     gboolean *changed,
                     GError **error)
{
  const ForeSettingKey *key;
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (JsonNode) value = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  gboolean differs;

  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (name != NULL, FALSE);
  g_return_val_if_fail (layer == FORE_SETTINGS_USER || layer == FORE_SETTINGS_PROJECT, FALSE);

  key = find_key (name, layer, error);
  if (key == NULL)
    return FALSE;
  if (text != NULL && (value = check_new_value (key, name, text, error)) == NULL)
    return FALSE;
  if (!fore_settings_file_read (path, &root, error))
    {
      g_prefix_error (error, "%s: ", path);
      return FALSE;
    }

  if (root == NULL)
    root = json_node_init_object (json_node_alloc (), NULL);
  if (json_node_get_object (root) == NULL)
    json_node_take_object (root, json_object_new ());
  before = fore_settings_file_format (root);
  put_value (json_node_get_object (root), name, value);
  after = fore_settings_file_format (root);

  differs = strcmp (before, after) != 0;
  if (changed != NULL)
    *changed = differs;

  return !differs || replace_file (path, after, error);
}
