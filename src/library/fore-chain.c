/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-chain.h"

#include "model/fore-error.h"
#include "model/fore-nearest.h"
#include "platform/fore-compat-glib.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_DEPTH 16
#define MAX_TEXT (256 * 1024)

/* What is said for all links that say nothing themselves. */
typedef struct
{
  const char *text;
  const char *p;
  guint n_nodes;
  ForeChainNode *all;
} Parser;

static GPtrArray *parse_links (Parser *parser, guint depth, GError **error);

static void
node_free (gpointer data)
{
  ForeChainNode *node = data;

  g_free (node->prefix);
  g_free (node->text);
  g_clear_pointer (&node->branches, g_ptr_array_unref);
  g_free (node->cli);
  g_free (node->model);
  g_free (node->thinking);
  g_strfreev (node->skills);
  g_free (node);
}

static guint
get_column (const Parser *parser, const char *p)
{
  return (guint) g_utf8_strlen (parser->text, p - parser->text) + 1;
}

static gboolean
fail (const Parser *parser, const char *p, GError **error, const char *message)
{
  g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE, _ ("The chain is wrong at column %u: %s"),
               get_column (parser, p), message);

  return FALSE;
}

static void
skip_space (Parser *parser)
{
  while (g_ascii_isspace (*parser->p))
    parser->p++;
}

static gboolean
is_arrow (const char *p)
{
  return p[0] == '-' && p[1] == '>';
}

/* A name or a value: hyphens, slashes, colons and dots belong to it, an arrow does not. */
static gboolean
ends_word (const char *p)
{
  return *p == '\0' || g_ascii_isspace (*p) || strchr ("(),\"", *p) != NULL || is_arrow (p);
}

static char *
take_quoted (Parser *parser, GError **error)
{
  const char *start = parser->p++;
  g_autoptr (GString) text = g_string_new (NULL);

  for (; *parser->p != '\0'; parser->p++)
    {
      if (*parser->p == '"')
        {
          parser->p++;
          return g_string_free (g_steal_pointer (&text), FALSE);
        }
      if (*parser->p == '\\' && (parser->p[1] == '"' || parser->p[1] == '\\'))
        parser->p++;
      g_string_append_c (text, *parser->p);
    }

  fail (parser, start, error, _ ("a quotation mark is not closed."));

  return NULL;
}

static char *
take_word (Parser *parser, GError **error)
{
  const char *start = parser->p;

  if (*start == '"')
    return take_quoted (parser, error);

  while (!ends_word (parser->p))
    parser->p++;
  if (parser->p > start)
    return g_strndup (start, parser->p - start);

  fail (parser, start, error, _ ("a name or a text in quotation marks is missing."));

  return NULL;
}

/* Options */

static char *
take_value (Parser *parser, const char *equals, GError **error)
{
  if (equals == NULL)
    skip_space (parser);
  else if (*equals != '\0')
    return g_strdup (equals);

  return take_word (parser, error);
}

static gboolean
set_option (Parser *parser,
            ForeChainNode *node,
            const char *name,
            const char *value,
            const char *at,
            GError **error)
{
  if (strcmp (name, "cli") == 0)
    fore_set_str (&node->cli, value);
  else if (strcmp (name, "model") == 0)
    fore_set_str (&node->model, value);
  else if (strcmp (name, "thinking") == 0)
    fore_set_str (&node->thinking, value);
  else if (strcmp (name, "skill") == 0)
    {
      g_strfreev (node->skills);
      node->skills = g_strsplit (value, ",", -1);
    }
  else if (!fore_text_parse_duration (value, &node->time_limit) || node->time_limit <= 0)
    return fail (parser, at, error, _ ("--timeout takes a time such as “90 s” or 5min."));

  return TRUE;
}

static gboolean
refuse_option (Parser *parser, const char *at, const char *name, GError **error)
{
  static const char *const names[] = { "cli",
                                       "model",
                                       "skill",
                                       "thinking",
                                       "timeout",
                                       "continue-on-error",
                                       "global-cli",
                                       "global-model",
                                       "global-skill",
                                       "global-thinking",
                                       "global-timeout",
                                       "global-continue-on-error",
                                       NULL };
  const char *nearest = fore_nearest_word (name, names);
  g_autofree char *message = NULL;

  message = nearest != NULL
                ? g_strdup_printf (_ ("there is no option --%s; did you mean --%s?"), name, nearest)
                : g_strdup_printf (_ ("there is no option --%s."), name);

  return fail (parser, at, error, message);
}

static gboolean
take_option (Parser *parser, ForeChainNode *node, GError **error)
{
  static const char *const valued[] = { "cli", "model", "skill", "thinking", "timeout", NULL };
  const char *at = parser->p;
  g_autofree char *word = NULL;
  g_autofree char *value = NULL;
  char *equals;
  const char *name;

  parser->p += 2;
  word = take_word (parser, error);
  if (word == NULL)
    return FALSE;

  equals = strchr (word, '=');
  if (equals != NULL)
    *equals++ = '\0';
  name = word;
  if (g_str_has_prefix (name, "global-"))
    {
      name += strlen ("global-");
      node = parser->all;
    }

  if (strcmp (name, "continue-on-error") == 0)
    {
      if (equals != NULL && strcmp (equals, "true") != 0 && strcmp (equals, "false") != 0)
        return fail (parser, at, error, _ ("--continue-on-error is true or false."));
      node->goes_on = equals == NULL || strcmp (equals, "true") == 0;
      return TRUE;
    }
  if (!g_strv_contains (valued, name))
    return refuse_option (parser, at, word, error);

  value = take_value (parser, equals, error);

  return value != NULL && set_option (parser, node, name, value, at, error);
}

static gboolean
take_options (Parser *parser, ForeChainNode *node, GError **error)
{
  while (TRUE)
    {
      skip_space (parser);
      if (parser->p[0] != '-' || parser->p[1] != '-')
        return TRUE;
      if (!take_option (parser, node, error))
        return FALSE;
    }
}

/* Links */

static gboolean
set_times (Parser *parser, ForeChainNode *node, const char *digits, const char *at, GError **error)
{
  guint64 times;

  if (!g_ascii_string_to_unsigned (digits, 10, 1, FORE_CHAIN_MAX_TIMES, &times, NULL))
    return fail (parser, at, error, _ ("a link is repeated 1 to 50 times, as in review:3."));

  node->times = (guint) times;

  return TRUE;
}

static gboolean
is_number (const char *text)
{
  return *text != '\0' && strspn (text, "0123456789") == strlen (text);
}

/* `prefix:name:times`, of which only the name has to be there. */
static gboolean
split_name (Parser *parser, ForeChainNode *node, char *word, const char *at, GError **error)
{
  static const char *const prefixes[] = { "agent", "workflow", "team", NULL };
  char *colon = strrchr (word, ':');

  if (colon != NULL && is_number (colon + 1))
    {
      if (!set_times (parser, node, colon + 1, at + (colon + 1 - word), error))
        return FALSE;
      *colon = '\0';
    }

  colon = strchr (word, ':');
  if (*word == '@')
    {
      node->prefix = g_strdup ("team");
      node->text = g_strdup (word + 1);
    }
  else if (colon != NULL)
    {
      *colon = '\0';
      if (!g_strv_contains (prefixes, word))
        return fail (parser, at, error,
                     _ ("what stands before a colon is agent, workflow or team; a number after it "
                        "says how often."));
      node->prefix = g_strdup (word);
      node->text = g_strdup (colon + 1);
    }
  else
    node->text = g_strdup (word);

  return *node->text != '\0' || fail (parser, at, error, _ ("a name is missing."));
}

static gboolean
take_times (Parser *parser, ForeChainNode *node, GError **error)
{
  g_autofree char *digits = NULL;
  const char *at = parser->p;

  if (*at != ':')
    return TRUE;

  parser->p++;
  digits = take_word (parser, error);

  return digits != NULL && set_times (parser, node, digits, at, error);
}

static gboolean
take_branches (Parser *parser, ForeChainNode *node, guint depth, GError **error)
{
  const char *at = parser->p;

  node->kind = FORE_CHAIN_PARALLEL;
  node->branches = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  if (depth >= MAX_DEPTH)
    return fail (parser, at, error, _ ("parallel() is nested too deep."));

  do
    {
      GPtrArray *branch;

      parser->p++;
      branch = parse_links (parser, depth + 1, error);
      if (branch == NULL)
        return FALSE;
      g_ptr_array_add (node->branches, branch);
    }
  while (*parser->p == ',');

  if (*parser->p != ')')
    return fail (parser, parser->p, error, _ ("a “)” or “,” is missing."));
  parser->p++;

  return TRUE;
}

static gboolean
take_link (Parser *parser, ForeChainNode *node, guint depth, GError **error)
{
  const char *at = parser->p;
  gboolean quoted = *at == '"';
  g_autofree char *word = take_word (parser, error);

  if (word == NULL)
    return FALSE;

  skip_space (parser);
  if (!quoted && strcmp (word, "parallel") == 0 && *parser->p == '(')
    {
      if (!take_branches (parser, node, depth, error))
        return FALSE;
    }
  else if (!quoted)
    return split_name (parser, node, word, at, error);
  else
    {
      node->kind = FORE_CHAIN_TEXT;
      node->text = g_strdup (g_strstrip (word));
      if (*node->text == '\0')
        return fail (parser, at, error, _ ("there is nothing between the quotation marks."));
    }

  return take_times (parser, node, error);
}

static ForeChainNode *
parse_link (Parser *parser, guint depth, GError **error)
{
  ForeChainNode *node = g_new0 (ForeChainNode, 1);

  skip_space (parser);
  node->times = 1;
  node->column = get_column (parser, parser->p);
  if (++parser->n_nodes > FORE_CHAIN_MAX_STEPS)
    fail (parser, parser->p, error, _ ("it has too many links."));
  else if (take_link (parser, node, depth, error) && take_options (parser, node, error))
    return node;

  node_free (node);

  return NULL;
}

static GPtrArray *
parse_links (Parser *parser, guint depth, GError **error)
{
  g_autoptr (GPtrArray) nodes = g_ptr_array_new_with_free_func (node_free);

  while (TRUE)
    {
      ForeChainNode *node = parse_link (parser, depth, error);

      if (node == NULL)
        return NULL;
      g_ptr_array_add (nodes, node);
      if (!is_arrow (parser->p))
        return g_steal_pointer (&nodes);
      parser->p += 2;
    }
}

static void
apply_all (GPtrArray *nodes, const ForeChainNode *all)
{
  for (guint i = 0; i < nodes->len; i++)
    {
      ForeChainNode *node = g_ptr_array_index (nodes, i);

      for (guint j = 0; node->branches != NULL && j < node->branches->len; j++)
        apply_all (g_ptr_array_index (node->branches, j), all);
      if (node->cli == NULL)
        node->cli = g_strdup (all->cli);
      if (node->model == NULL)
        node->model = g_strdup (all->model);
      if (node->thinking == NULL)
        node->thinking = g_strdup (all->thinking);
      if (node->skills == NULL)
        node->skills = g_strdupv (all->skills);
      if (node->time_limit == 0)
        node->time_limit = all->time_limit;
      node->goes_on |= all->goes_on;
    }
}

/**
 * fore_chain_parse:
 * @text: a chain, such as `explorer -> "write it" --model a/b-1 -> parallel(reviewer, writer)`
 * @error: return location; says the column of what is wrong
 *
 * Reads a chain: links with `->` between them. A link is the name of an agent, a workflow or a team
 * (with `agent:`, `workflow:`, `team:` or `@` before it where that is not clear), a text in
 * quotation marks that says what to do, or `parallel(chain, chain)`. After it may stand `:N`, which
 * repeats it, and options: --cli, --model, --skill, --thinking, --timeout, --continue-on-error, and
 * the same with --global- for all links that say nothing themselves.
 *
 * Returns: (transfer full) (element-type ForeChainNode) (nullable): its links
 */
GPtrArray *
fore_chain_parse (const char *text, GError **error)
{
  ForeChainNode *all = g_new0 (ForeChainNode, 1);
  Parser parser = { text, text, 0, all };
  g_autoptr (GPtrArray) nodes = NULL;

  g_return_val_if_fail (text != NULL, NULL);

  if (strlen (text) > MAX_TEXT || !g_utf8_validate (text, -1, NULL))
    g_set_error_literal (error, FORE_ERROR, FORE_ERROR_USAGE,
                         _ ("A chain is UTF-8 text of at most 256 KiB."));
  else
    {
      skip_space (&parser);
      if (take_options (&parser, all, error))
        nodes = parse_links (&parser, 0, error);
    }
  if (nodes != NULL && *parser.p != '\0')
    {
      fail (&parser, parser.p, error, _ ("“->” is missing between two links."));
      g_clear_pointer (&nodes, g_ptr_array_unref);
    }
  if (nodes != NULL)
    apply_all (nodes, all);
  node_free (all);

  return g_steal_pointer (&nodes);
}
