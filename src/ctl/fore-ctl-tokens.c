/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-verbs.h"
#include "text/fore-tokens.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#define WINDOW (256 * 1024)

static GByteArray *
read_stdin (GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree guint8 *window = g_malloc (WINDOW);
  gsize length;

  while ((length = fread (window, 1, WINDOW, stdin)) > 0)
    g_byte_array_append (bytes, window, length);
  if (ferror (stdin))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_FAILED, _ ("%s cannot be read: %s."),
                   _ ("Standard input"), g_strerror (errno));
      return NULL;
    }

  return g_steal_pointer (&bytes);
}

static gboolean
count_stdin (const char *model, ForeTokens *tokens, GError **error)
{
  g_autoptr (GByteArray) bytes = read_stdin (error);

  if (bytes == NULL)
    return FALSE;

  *tokens = fore_tokens_count ((const char *) bytes->data, bytes->len, model);
  return TRUE;
}

static gboolean
count_file (const char *path, const char *model, ForeTokens *tokens, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) problem = NULL;
  gsize length;

  if (strcmp (path, "-") == 0)
    return count_stdin (model, tokens, error);

  if (!g_file_get_contents (path, &text, &length, &problem))
    {
      g_set_error_literal (error, FORE_ERROR,
                           g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOENT)
                               ? FORE_ERROR_NOT_FOUND
                               : FORE_ERROR_FAILED,
                           problem->message);
      return FALSE;
    }

  *tokens = fore_tokens_count (text, length, model);
  return TRUE;
}

static JsonObject *
make_object (const char *path, const char *model, const ForeTokens *tokens)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "file", path);
  json_object_set_int_member (object, "tokens", tokens->tokens);
  json_object_set_string_member (object, "kind", fore_tokens_kind_to_string (tokens->kind));
  if (model != NULL)
    json_object_set_string_member (object, "model", model);
  else
    json_object_set_null_member (object, "model");

  return object;
}

static const char *
describe_kind (ForeTokensKind kind)
{
  switch (kind)
    {
    case FORE_TOKENS_EXACT:
      return _ ("exact");
    case FORE_TOKENS_LEARNED:
      return _ ("learned from reports");
    case FORE_TOKENS_GUESSED:
    default:
      return _ ("guessed");
    }
}

static void
add_row (ForeCtlTable *table, const char *path, const ForeTokens *tokens)
{
  g_autofree char *number = g_strdup_printf ("%" G_GUINT64_FORMAT, tokens->tokens);

  fore_ctl_table_add_row (table);
  fore_ctl_table_add (table, FORE_CTL_PLAIN, path);
  fore_ctl_table_add (table, FORE_CTL_PLAIN, number);
  fore_ctl_table_add (table, FORE_CTL_DIM, describe_kind (tokens->kind));
}

/* One file is an object, several are a list of them. */
static void
print_list (ForeCtl *ctl, JsonArray *list)
{
  g_autoptr (JsonNode) node = NULL;

  if (json_array_get_length (list) == 1)
    {
      fore_ctl_print_object (ctl, json_object_ref (json_array_get_object_element (list, 0)));
      return;
    }

  node = json_node_alloc ();
  json_node_init_array (node, list);
  fore_ctl_print_json (ctl, node);
}

gboolean
fore_ctl_do_tokens (ForeCtl *ctl, GError **error)
{
  const char *const headings[] = { _ ("File"), _ ("Tokens"), _ ("How"), NULL };
  const char *model = fore_ctl_get (ctl, "model");
  g_autoptr (ForeCtlTable) table = fore_ctl_table_new (headings);
  g_autoptr (JsonArray) list = json_array_new ();

  for (guint i = 0; i < MAX (ctl->words->len, 1); i++)
    {
      const char *path = ctl->words->len > 0 ? fore_ctl_get_word (ctl, i) : "-";
      ForeTokens tokens;

      if (!count_file (path, model, &tokens, error))
        return FALSE;
      json_array_add_object_element (list, make_object (path, model, &tokens));
      add_row (table, path, &tokens);
    }

  if (ctl->json)
    print_list (ctl, list);
  else
    fore_ctl_table_print (ctl, table);

  return TRUE;
}
