/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-workflow-parser.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "library/fore-front-matter-yaml.h"
#include "library/fore-library-text.h"
#include "model/fore-nearest.h"
#include "model/fore-quantity.h"

/* What a value of a step's key is, and with it how it is read. */
typedef enum
{
  KIND_TEXT,
  KIND_NAME,
  KIND_PLAIN,
  KIND_FILE,
  KIND_LIST,
  KIND_PATHS,
  KIND_SKILLS,
  KIND_COUNT,
  KIND_RETRIES,
  KIND_YES_NO,
  KIND_TRISTATE,
  KIND_GATE,
  KIND_DURATION,
  KIND_WORD,
  KIND_ARGV,
  KIND_ARGVS,
} Kind;

typedef struct
{
  const char *name;
  Kind kind;
  gsize offset;
  const char *const *words;
} KeyRow;

#define MAX_CHECKS 100
#define AT(field) G_STRUCT_OFFSET (ForeWorkflowStep, field)

static const char *const failure_words[] = { "continue", "stop", "stop-now", "ask", NULL };

static const KeyRow rows[] = {
  { "role", KIND_NAME, AT (role), NULL },
  { "dependsOn", KIND_LIST, AT (depends_on), NULL },
  { "title", KIND_TEXT, AT (title), NULL },
  { "task", KIND_TEXT, AT (task), NULL },
  { "agent", KIND_NAME, AT (agent), NULL },
  { "parallelGroup", KIND_TEXT, AT (group), NULL },
  { "phase", KIND_TEXT, AT (phase), NULL },
  { "output", KIND_FILE, AT (output), NULL },
  { "reads", KIND_PATHS, AT (reads), NULL },
  { "paths", KIND_PATHS, AT (paths), NULL },
  { "seedPaths", KIND_PATHS, AT (seed_paths), NULL },
  { "cli", KIND_NAME, AT (cli), NULL },
  { "command", KIND_ARGV, AT (command), NULL },
  { "model", KIND_PLAIN, AT (model), NULL },
  { "fallback", KIND_LIST, AT (fallback), NULL },
  { "fallbackModels", KIND_LIST, AT (fallback), NULL },
  { "thinking", KIND_PLAIN, AT (thinking), NULL },
  { "skills", KIND_SKILLS, AT (skills), NULL },
  { "checks", KIND_ARGVS, AT (checks), NULL },
  { "retries", KIND_RETRIES, AT (retries), NULL },
  { "timeLimit", KIND_DURATION, AT (time_limit), NULL },
  { "timeout", KIND_DURATION, AT (time_limit), NULL },
  { "maxTurns", KIND_COUNT, AT (max_turns), NULL },
  { "maxTokens", KIND_COUNT, AT (max_tokens), NULL },
  { "onFailure", KIND_WORD, AT (on_failure), failure_words },
  { "live", KIND_YES_NO, AT (live), NULL },
  { "writes", KIND_TRISTATE, AT (writes), NULL },
  { "worktree", KIND_TRISTATE, AT (worktree), NULL },
  { "verify", KIND_YES_NO, AT (verify), NULL },
  { "adaptive", KIND_YES_NO, AT (adaptive), NULL },
  { "gate", KIND_GATE, AT (gate), NULL },
  { "specRefs", KIND_LIST, AT (spec_refs), NULL },
  { "specStrict", KIND_TRISTATE, AT (spec_strict), NULL },
  { "preStepScript", KIND_FILE, AT (pre_script), NULL },
  { "preStepArgs", KIND_LIST, AT (pre_args), NULL },
  { "preStepTimeout", KIND_DURATION, AT (pre_timeout), NULL },
  { "preStepOptional", KIND_YES_NO, AT (pre_optional), NULL },
  { "progress", KIND_TEXT, AT (progress), NULL },
};

/**
 * fore_step_get_keys:
 *
 * Gets the keys that a step may have.
 *
 * Returns: (transfer none) (array zero-terminated=1): the keys
 */
const char *const *
fore_step_get_keys (void)
{
  static const char *names[G_N_ELEMENTS (rows) + 1];
  static gsize ready = 0;

  if (g_once_init_enter (&ready))
    {
      for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
        names[i] = rows[i].name;
      g_once_init_leave (&ready, 1);
    }

  return names;
}

static const KeyRow *
find_row (const char *key)
{
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      if (fore_key_equal (rows[i].name, key))
        return &rows[i];
    }

  return NULL;
}

/**
 * fore_step_key_is_known:
 * @key: a key
 *
 * Tells whether a step may have @key.
 *
 * Returns: %TRUE if it may
 */
gboolean
fore_step_key_is_known (const char *key)
{
  g_return_val_if_fail (key != NULL, FALSE);

  return find_row (key) != NULL;
}

/**
 * fore_step_key_suggest:
 * @key: a word that is no key
 *
 * Finds the key that was most likely meant.
 *
 * Returns: (transfer none) (nullable): the key
 */
const char *
fore_step_key_suggest (const char *key)
{
  g_return_val_if_fail (key != NULL, NULL);

  return fore_nearest_word (key, fore_step_get_keys ());
}

/* The value, wherever it stands: behind the key or in the lines below it. */
static char *
dup_text (ForeStepKey *key, const char *separator)
{
  GString *text;

  if (key->value->len > 0)
    return g_strdup (key->value->str);

  text = g_string_new (NULL);
  for (guint i = 0; i < key->items->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? separator : "", (char *) key->items->pdata[i]);

  return g_string_free (text, FALSE);
}

static GStrv
dup_list (ForeStepKey *key)
{
  if (key->items->len > 0)
    return fore_strv_unique (key->items);

  return fore_csv_split (key->value->str);
}

static gboolean
set_text (char **place, const char *text)
{
  gsize length = strlen (text);

  g_clear_pointer (place, g_free);
  if (length >= 2 && (text[0] == '"' || text[0] == '\'') && text[length - 1] == text[0])
    *place = g_strndup (text + 1, length - 2);
  else if (length > 0 && strcmp (text, "false") != 0)
    *place = g_strdup (text);

  return TRUE;
}

static gboolean
set_name (char **place, const char *text)
{
  g_autofree char *name = g_ascii_strdown (text, -1);

  if (!fore_library_name_is_valid (name))
    return FALSE;

  g_free (*place);
  *place = g_steal_pointer (&name);
  return TRUE;
}

/* One word, such as the name of a model. */
static gboolean
set_plain (char **place, const char *text)
{
  return text[strcspn (text, " \t,{}[]")] == '\0' && set_text (place, text);
}

/* Whether @text names a file of the run or of the project: never one that lies elsewhere. */
static gboolean
is_inside (const char *text)
{
  g_auto (GStrv) parts = g_strsplit_set (text, "/\\", -1);

  return *text != '\0' && *text != '~' && !g_path_is_absolute (text)
         && !g_strv_contains ((const char *const *) parts, "..");
}

static gboolean
set_file (char **place, const char *text)
{
  return text[strcspn (text, "{}[]")] == '\0' && is_inside (text) && set_text (place, text);
}

static gboolean
set_list (GStrv *place, ForeStepKey *key)
{
  g_auto (GStrv) list = dup_list (key);

  if (key->value->str[0] == '{')
    return FALSE;

  if (g_strv_length (list) == 1 && strcmp (list[0], "false") == 0)
    g_clear_pointer (&list[0], g_free);

  g_strfreev (*place);
  *place = g_strdupv (list);
  return TRUE;
}

static gboolean
set_paths (GStrv *place, ForeStepKey *key)
{
  g_auto (GStrv) list = dup_list (key);

  for (guint i = 0; list[i] != NULL; i++)
    {
      if (!is_inside (list[i]))
        return FALSE;
    }

  return set_list (place, key);
}

static gboolean
set_skills (ForeWorkflowStep *step, ForeStepKey *key)
{
  step->no_skills = strcmp (key->value->str, "false") == 0;
  return set_list (&step->skills, key);
}

static gboolean
set_count (guint *place, const char *text)
{
  guint value;

  if (!fore_parse_count (text, G_MAXINT, &value) || value == 0)
    return FALSE;

  *place = value;
  return TRUE;
}

static gboolean
set_retries (int *place, const char *text)
{
  guint value;

  if (!fore_parse_count (text, 100, &value))
    return FALSE;

  *place = value;
  return TRUE;
}

static gboolean
set_tristate (ForeTristate *place, const char *text)
{
  gboolean value;

  if (!fore_parse_yes_no (text, &value))
    return FALSE;

  *place = value ? FORE_YES : FORE_NO;
  return TRUE;
}

static gboolean
set_gate (ForeTristate *place, const char *text)
{
  if (strcmp (text, "ask") == 0)
    *place = FORE_YES;
  else if (strcmp (text, "auto") == 0)
    *place = FORE_UNSET;
  else
    return set_tristate (place, text);

  return TRUE;
}

static gboolean
set_word (char **place, const char *text, const char *const *words)
{
  return g_strv_contains (words, text) && set_text (place, text);
}

static gboolean
set_argv (GStrv *place, const char *text)
{
  g_auto (GStrv) argv = NULL;

  if (*text == '{' || !g_shell_parse_argv (text, NULL, &argv, NULL))
    return FALSE;

  /* what GLib returns has room for sixteen words */
  g_strfreev (*place);
  *place = g_strdupv (argv);
  return TRUE;
}

/* The items of a list that is written as YAML and JSON do, on one line. An item that is a list
 * itself becomes a command line. Returns NULL if @text is no such list.
 */
static GPtrArray *
read_flow_list (const char *text)
{
  g_autofree char *yaml = g_strconcat ("list: ", text, NULL);
  g_autoptr (ForeFrontMatter) matter = NULL;
  ForeFrontMatterEntry *entry;

  matter = fore_front_matter_parse ("", 0, NULL, NULL);
  if (fore_front_matter_read_yaml (matter, yaml, strlen (yaml), 1) != FORE_YAML_DONE)
    return NULL;

  entry = fore_front_matter_find (matter, "list");
  return entry != NULL && entry->items != NULL && entry->items->len > 0
             ? g_ptr_array_ref (entry->items)
             : NULL;
}

/* A command is a line as one types it, or a list of its words. */
static gboolean
set_command (GStrv *place, const char *text)
{
  g_autoptr (GPtrArray) words = NULL;
  g_autoptr (GStrvBuilder) builder = NULL;

  if (*text != '[')
    return *text != '{' && set_argv (place, text);

  words = read_flow_list (text);
  if (words == NULL || strstr (text, "[[") != NULL)
    return FALSE;

  builder = g_strv_builder_new ();
  for (guint i = 0; i < words->len; i++)
    g_strv_builder_add (builder, words->pdata[i]);
  g_strfreev (*place);
  *place = g_strv_builder_end (builder);

  return TRUE;
}

/* Checks add up: the key may stand several times, or hold one command a line. */
static gboolean
add_checks (GPtrArray *checks, ForeStepKey *key)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_ref (key->items);

  if (key->value->str[0] == '[')
    {
      g_ptr_array_unref (lines);
      lines = read_flow_list (key->value->str);
    }
  else if (lines->len == 0)
    g_ptr_array_add (lines, g_strdup (key->value->str));

  for (guint i = 0; lines != NULL && i < lines->len; i++)
    {
      GStrv argv = NULL;

      if (checks->len >= MAX_CHECKS || !set_argv (&argv, lines->pdata[i]))
        return FALSE;
      g_ptr_array_add (checks, argv);
    }

  return lines != NULL;
}

static gboolean
set_value (ForeWorkflowStep *step, const KeyRow *row, ForeStepKey *key)
{
  gpointer place = G_STRUCT_MEMBER_P (step, row->offset);
  g_autofree char *text = dup_text (key, row->kind == KIND_TEXT ? "\n" : " ");

  switch (row->kind)
    {
    case KIND_TEXT:
      return set_text (place, text);
    case KIND_NAME:
      return set_name (place, text);
    case KIND_PLAIN:
      return set_plain (place, text);
    case KIND_FILE:
      return strcmp (text, "false") == 0 || set_file (place, text);
    case KIND_LIST:
      return set_list (place, key);
    case KIND_PATHS:
      return set_paths (place, key);
    case KIND_SKILLS:
      return set_skills (step, key);
    case KIND_COUNT:
      return set_count (place, text);
    case KIND_RETRIES:
      return set_retries (place, text);
    case KIND_YES_NO:
      return fore_parse_yes_no (text, place);
    case KIND_TRISTATE:
      return set_tristate (place, text);
    case KIND_GATE:
      return set_gate (place, text);
    case KIND_DURATION:
      return fore_duration_parse (text, place) && *(gint64 *) place > 0;
    case KIND_WORD:
      return set_word (place, text, row->words);
    case KIND_ARGV:
      return set_command (place, text);
    case KIND_ARGVS:
      return add_checks (*(GPtrArray **) place, key);
    default:
      g_assert_not_reached ();
    }
}

static char *
dup_expected (const KeyRow *row)
{
  switch (row->kind)
    {
    case KIND_NAME:
      return g_strdup (_ ("a name in small letters"));
    case KIND_PLAIN:
      return g_strdup (_ ("one word"));
    case KIND_LIST:
    case KIND_SKILLS:
      return g_strdup (_ ("a list such as `a, b`"));
    case KIND_PATHS:
      return g_strdup (_ ("a list of paths inside the project, without `..`"));
    case KIND_FILE:
      return g_strdup (_ ("a file name without `..`"));
    case KIND_COUNT:
      return g_strdup (_ ("a whole number above 0"));
    case KIND_RETRIES:
      return g_strdup (_ ("a whole number from 0 to 100"));
    case KIND_DURATION:
      return g_strdup (_ ("a time such as `10 min`"));
    case KIND_GATE:
      return g_strdup (_ ("ask or auto"));
    case KIND_WORD:
      return g_strjoinv (", ", (char **) row->words);
    case KIND_ARGV:
    case KIND_ARGVS:
      return g_strdup (_ ("a command line with closed quotes, or a list such as [make, check]"));
    default:
      return g_strdup (_ ("true or false"));
    }
}

static void
report_unknown (ForeStepKey *key, const char *path, GPtrArray *diagnostics)
{
  const char *nearest = fore_step_key_suggest (key->key);

  if (nearest != NULL)
    fore_diagnostics_add (diagnostics, FORE_DIAGNOSTIC_WARNING, path, key->line, key->column,
                          key->key, _ ("A step has no key `%s`. Did you mean `%s`?"), key->key,
                          nearest);
  else
    fore_diagnostics_add (diagnostics, FORE_DIAGNOSTIC_WARNING, path, key->line, key->column,
                          key->key,
                          _ ("A step has no key `%s`. It is kept, and does nothing. Put an empty "
                             "line above text that is no key."),
                          key->key);
}

/* What a key cannot do here is said, not left to be found out. */
static void
report_unused (ForeStepKey *key,
               const KeyRow *row,
               const ForeWorkflowStep *step,
               const char *path,
               GPtrArray *diagnostics)
{
  if (row->offset == AT (spec_strict) && step->spec_strict == FORE_YES)
    fore_diagnostics_add (diagnostics, FORE_DIAGNOSTIC_ERROR, path, key->line, key->column,
                          key->key,
                          _ ("Specs are not held to by a gate yet. Remove `%s`, or write what must "
                             "hold as `checks`."),
                          key->key);
}

/**
 * fore_step_key_apply:
 * @key: a key with its value
 * @step: the step that it belongs to
 * @seen: the keys that the step has had already
 * @path: (nullable): the file, for messages
 * @diagnostics: (nullable) (element-type ForeDiagnostic): where to say what is wrong
 *
 * Puts a key into a step.
 */
void
fore_step_key_apply (ForeStepKey *key,
                     ForeWorkflowStep *step,
                     GHashTable *seen,
                     const char *path,
                     GPtrArray *diagnostics)
{
  const KeyRow *row;
  g_autofree char *expected = NULL;

  g_return_if_fail (key != NULL);
  g_return_if_fail (step != NULL);

  row = find_row (key->key);
  if (row == NULL)
    {
      fore_workflow_step_add_extra (step, key->key, key->value->str);
      report_unknown (key, path, diagnostics);
      return;
    }

  if (row->kind != KIND_ARGVS && !g_hash_table_add (seen, (gpointer) row))
    fore_diagnostics_add (
        diagnostics, FORE_DIAGNOSTIC_WARNING, path, key->line, key->column, key->key,
        _ ("`%s` stands here twice; this one counts. Remove the other."), key->key);
  if (row->offset == AT (role))
    step->role_line = key->line;
  if (row->offset == AT (skills))
    step->skills_line = key->line;
  if (row->offset == AT (cli))
    step->cli_line = key->line;
  if (row->offset == AT (agent))
    step->agent_line = key->line;
  if (row->offset == AT (depends_on))
    step->depends_line = key->line;

  if (row->offset == AT (worktree))
    step->worktree_line = key->line;

  if (set_value (step, row, key))
    {
      report_unused (key, row, step, path, diagnostics);
      return;
    }

  expected = dup_expected (row);
  fore_diagnostics_add (diagnostics, FORE_DIAGNOSTIC_ERROR, path, key->line, key->column, key->key,
                        _ ("`%s` of the step `%s` is `%s`; it must be %s."), key->key, step->id,
                        key->value->str, expected);
}
