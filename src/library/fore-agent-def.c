/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-agent-def.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "library/fore-front-matter.h"
#include "library/fore-library-text.h"
#include "model/fore-nearest.h"

G_DEFINE_BOXED_TYPE (ForeAgentDef, fore_agent_def, fore_agent_def_ref, fore_agent_def_unref)

static const char *const known_keys[] = {
  "name",
  "description",
  "model",
  "fallbackModels",
  "fallback",
  "thinking",
  "tools",
  "cli",
  "skills",
  "skill",
  "systemPromptMode",
  "writes",
  "inheritProjectContext",
  "inheritSkills",
  "memory",
  "maxTurns",
  "maxTokens",
  "effort",
  "disabled",
  "enabled",
  "triggers",
  "trigger",
  "useWhen",
  "avoidWhen",
  "cost",
  "category",
  NULL,
};

/* Keys of other systems whose files we read. */
static const char *const foreign_keys[] = {
  "scratchpad",  "extensions",      "excludeExtensions",
  "loadMode",    "defaultTools",    "contextMode",
  "color",       "permissionMode",  "mcpServers",
  "hooks",       "disallowedTools", "background",
  "isolation",   "metadata",        "license",
  "version",     "author",          "mode",
  "temperature", "permission",      NULL,
};

/* The same tool under the names that the agent CLIs have for it. */
static const struct
{
  const char *theirs;
  const char *ours;
} tool_names[] = {
  { "multiedit", "edit" }, { "notebookedit", "edit" }, { "webfetch", "web" },
  { "websearch", "web" },  { "web_search", "web" },    { "apply_patch", "edit" },
  { "shell", "bash" },     { "search", "grep" },
};

static const char *const all_tools[] = { "read", "edit", "write", "bash", "grep",
                                         "find", "glob", "ls",    NULL };

static const char *const our_tools[] = { "read", "edit", "write", "bash", "grep", "find",
                                         "glob", "ls",   "web",   "ask",  NULL };

/* A name of ours that was mistyped; agent CLIs have tools that we do not know. */
static void
check_tool (ForeFrontMatter *matter, const char *name)
{
  const ForeFrontMatterEntry *entry = fore_front_matter_find (matter, "tools");
  const char *nearest;

  if (matter->foreign || name[strspn (name, "abcdefghijklmnopqrstuvwxyz")] != '\0'
      || g_strv_contains (our_tools, name))
    return;

  nearest = fore_nearest_word (name, our_tools);
  if (nearest != NULL)
    fore_diagnostics_add (matter->diagnostics, FORE_DIAGNOSTIC_WARNING, matter->path, entry->line,
                          entry->column, "tools", _ ("There is no tool `%s`. Did you mean `%s`?"),
                          name, nearest);
}

static char *
dup_tool_name (const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  for (guint i = 0; i < G_N_ELEMENTS (tool_names); i++)
    {
      if (strcmp (tool_names[i].theirs, lower) == 0)
        return g_strdup (tool_names[i].ours);
    }

  return g_strdup (g_strv_contains (our_tools, lower) ? lower : name);
}

static GStrv
dup_tools (ForeFrontMatter *matter)
{
  g_auto (GStrv) given = fore_front_matter_dup_list (matter, "tools");
  g_autoptr (GPtrArray) tools = NULL;

  if (given == NULL)
    return NULL;
  if (g_strv_length (given) == 1 && g_strcmp0 (given[0], "none") == 0)
    return g_new0 (char *, 1);
  if (g_strv_length (given) == 1
      && (g_strcmp0 (given[0], "*") == 0 || g_strcmp0 (given[0], "all") == 0))
    return g_strdupv ((char **) all_tools);

  tools = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; given[i] != NULL; i++)
    {
      g_ptr_array_add (tools, dup_tool_name (given[i]));
      check_tool (matter, tools->pdata[i]);
    }

  return fore_strv_unique (tools);
}

/* "false" clears a text key, as "inherit" does in files of Claude Code. */
static char *
dup_clearable (ForeFrontMatter *matter, const char *key)
{
  g_autofree char *text = fore_front_matter_dup_plain (matter, key);

  if (g_strcmp0 (text, "false") == 0 || g_strcmp0 (text, "inherit") == 0)
    return NULL;

  return g_steal_pointer (&text);
}

static void
read_model (ForeAgentDef *self, ForeFrontMatter *matter)
{
  self->cli = fore_front_matter_dup_reference (matter, "cli");
  self->model = dup_clearable (matter, "model");
  self->thinking = dup_clearable (matter, "thinking");
  self->fallback = fore_front_matter_dup_list (matter, "fallbackModels");
  if (self->fallback == NULL)
    self->fallback = fore_front_matter_dup_list (matter, "fallback");

  /* Short model names of Claude Code mean something to Claude Code only. */
  if ((self->source.layer == FORE_LAYER_CLAUDE || self->source.layer == FORE_LAYER_HOME_CLAUDE)
      && self->model != NULL && self->cli == NULL)
    self->cli = g_strdup ("claude");
}

static void
read_skills (ForeAgentDef *self, ForeFrontMatter *matter)
{
  self->skills = fore_front_matter_dup_list (matter, "skills");
  if (self->skills == NULL)
    self->skills = fore_front_matter_dup_list (matter, "skill");

  if (self->skills != NULL && g_strv_length (self->skills) == 1
      && strcmp (self->skills[0], "false") == 0)
    {
      g_clear_pointer (&self->skills, g_strfreev);
      self->no_skills = TRUE;
    }
}

static void
read_limits (ForeAgentDef *self, ForeFrontMatter *matter)
{
  static const char *const efforts[] = { "low", "medium", "high", NULL };
  static const char *const memories[] = { "user", "project", "local", NULL };
  static const char *const modes[] = { "append", "replace", NULL };
  g_autofree char *mode = fore_front_matter_dup_word (matter, "systemPromptMode", modes);

  self->append_prompt = g_strcmp0 (mode, "append") == 0;
  self->inherit_context = fore_front_matter_get_tristate (matter, "inheritProjectContext");
  self->inherit_skills = fore_front_matter_get_bool (matter, "inheritSkills", FALSE);
  self->writes = fore_front_matter_get_tristate (matter, "writes");
  self->max_turns = fore_front_matter_get_count (matter, "maxTurns");
  self->max_tokens = fore_front_matter_get_count (matter, "maxTokens");
  self->effort = fore_front_matter_dup_word (matter, "effort", efforts);
  self->memory = fore_front_matter_dup_word (matter, "memory", memories);
  self->disabled = fore_front_matter_get_bool (matter, "disabled", FALSE)
                   || !fore_front_matter_get_bool (matter, "enabled", TRUE);
}

/**
 * fore_agent_def_get_keys:
 *
 * Gets the keys that an agent may have.
 *
 * Returns: (transfer none) (array zero-terminated=1): the keys
 */
const char *const *
fore_agent_def_get_keys (void)
{
  return known_keys;
}

static ForeAgentDef *
agent_new (const char *name, ForeLibraryLayer layer, const char *path)
{
  ForeAgentDef *self = g_atomic_rc_box_new0 (ForeAgentDef);

  fore_source_init (&self->source, layer, path);
  self->name = g_strdup (name);
  self->writes = FORE_UNSET;
  self->inherit_context = FORE_UNSET;

  return self;
}

/**
 * fore_agent_def_new:
 * @name: its name
 *
 * Makes an agent without a prompt, from no file.
 *
 * Returns: (transfer full): the agent
 */
ForeAgentDef *
fore_agent_def_new (const char *name)
{
  ForeAgentDef *self;

  g_return_val_if_fail (name != NULL, NULL);

  self = agent_new (name, FORE_LAYER_MADE, NULL);
  self->description = g_strdup ("");
  self->prompt = g_strdup ("");

  return self;
}

/**
 * fore_agent_def_new_from_text:
 * @text: bytes of an agent's file
 * @length: how many, or -1 if @text ends with a NUL
 * @path: (nullable): the file, for its name and for messages
 * @layer: where it comes from
 * @diagnostics: (nullable) (element-type ForeDiagnostic): where to say what is wrong
 *
 * Reads an agent. Any bytes may be given.
 *
 * Returns: (transfer full) (nullable): the agent, or %NULL if the file cannot be used
 */
ForeAgentDef *
fore_agent_def_new_from_text (const char *text,
                              gssize length,
                              const char *path,
                              ForeLibraryLayer layer,
                              GPtrArray *diagnostics)
{
  g_autoptr (ForeFrontMatter) matter = NULL;
  g_autofree char *name = NULL;
  ForeAgentDef *self;

  g_return_val_if_fail (text != NULL, NULL);

  matter = fore_front_matter_parse (text, length, path, diagnostics);
  if (matter == NULL)
    return NULL;

  matter->foreign = fore_library_layer_is_foreign (layer);
  name = fore_front_matter_dup_name (matter, ".md");
  if (name == NULL)
    return NULL;

  self = agent_new (name, layer, path);
  self->description = fore_front_matter_dup_string (matter, "description");
  if (self->description == NULL)
    self->description = g_strdup (_ ("No description"));
  self->prompt = fore_library_text_sanitise (matter->body, layer, path, matter->body_line,
                                             diagnostics);
  g_strstrip (self->prompt);
  if (*self->prompt == '\0')
    fore_diagnostics_add (diagnostics, FORE_DIAGNOSTIC_WARNING, path, matter->body_line, 0, NULL,
                          _ ("This agent has no prompt. Write below the keys what it is to do."));

  read_model (self, matter);
  self->tools = dup_tools (matter);
  read_skills (self, matter);
  read_limits (self, matter);
  fore_front_matter_get_routing (matter, &self->routing);
  fore_front_matter_keep_rest (matter, known_keys, foreign_keys, &self->source);

  return self;
}

/**
 * fore_agent_def_ref:
 * @self: an agent
 *
 * Takes a reference.
 *
 * Returns: (transfer full): @self
 */
ForeAgentDef *
fore_agent_def_ref (ForeAgentDef *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

static void
agent_clear (gpointer data)
{
  ForeAgentDef *self = data;

  fore_source_clear (&self->source);
  g_free (self->name);
  g_free (self->description);
  g_free (self->prompt);
  g_free (self->cli);
  g_free (self->model);
  g_strfreev (self->fallback);
  g_free (self->thinking);
  g_strfreev (self->tools);
  g_strfreev (self->skills);
  g_free (self->effort);
  g_free (self->memory);
  fore_routing_clear (&self->routing);
}

/**
 * fore_agent_def_unref:
 * @self: (transfer full): an agent
 *
 * Gives a reference back.
 */
void
fore_agent_def_unref (ForeAgentDef *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, agent_clear);
}
