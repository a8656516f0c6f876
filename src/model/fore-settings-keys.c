/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "model/fore-settings-keys.h"

#include <string.h>

#include "model/fore-nearest.h"

#define N_(text) (text)

#define USER FORE_SETTING_IN_USER
#define PROJECT FORE_SETTING_IN_PROJECT
#define RUN FORE_SETTING_IN_RUN
#define TIGHTEN (FORE_SETTING_IN_PROJECT | FORE_SETTING_TIGHTEN)
#define TRUST (FORE_SETTING_IN_PROJECT | FORE_SETTING_TRUST)

#define SECOND 1000.0
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)
#define KIB 1024.0
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)
#define ANY 9007199254740992.0

/* Words stand strictest first: that is the order in which a project may tighten. */
static const char *const plan_words[] = { "ask", "auto", NULL };
static const char *const tool_words[] = { "deny", "ask", "allow-reads", "allow-in-tree", NULL };
static const char *const failure_words[] = { "stop-now", "stop", "ask", "continue", NULL };
static const char *const isolation_words[] = { "worktrees", "none", NULL };
static const char *const merge_words[] = { "ff", "merge", "squash", NULL };
static const char *const leader_words[] = { "note", "stop", NULL };
static const char *const profile_words[] = { "read-only", "workspace-write", "full", NULL };
static const char *const sandbox_words[] = { "required", "auto", "off", NULL };
static const char *const network_words[] = { "cut", "keep", NULL };
static const char *const missing_words[] = { "ask", "fail", "accept", NULL };
static const char *const level_words[] = { "debug", "info", "warning", "error", NULL };

static const ForeSettingKey keys[] = {
  { "limits.machine_agents", FORE_SETTING_INT, USER, 1, 1024, "8", NULL,
    N_ ("Agents at work at once on this machine, over all runs") },
  { "limits.machine_commands", FORE_SETTING_INT, USER, 1, 4096, NULL, NULL,
    N_ ("Commands at work at once on this machine; unset means twice the number of processors, at "
        "least 8") },
  { "limits.day_cost", FORE_SETTING_DOUBLE, USER, 0, 1e6, NULL, NULL,
    N_ ("Cost in USD that all runs of this machine may reach in a day; unset or 0 means any") },
  { "limits.run_cost", FORE_SETTING_DOUBLE, USER, 0, 1e6, "5.00", NULL,
    N_ ("Budget in USD of a new run that names none; 0 means none") },
  { "limits.run_agents", FORE_SETTING_INT, USER | PROJECT | RUN, 1, 1024, "4", NULL,
    N_ ("Agents at work at once in one run") },
  { "limits.cli_agents.NAME", FORE_SETTING_INT, USER, 1, 1024, NULL, NULL,
    N_ ("Agents of this agent CLI at work at once") },
  { "limits.depth", FORE_SETTING_INT, USER | TIGHTEN, 0, 10, "2", NULL,
    N_ ("How deep tasks may start tasks of their own") },
  { "limits.helpers", FORE_SETTING_INT, USER | TIGHTEN, 0, 1000, "12", NULL,
    N_ ("How many tasks the tasks of one run may start") },
  { "limits.script_calls", FORE_SETTING_INT, USER | TIGHTEN, 1, 100000, "1000", NULL,
    N_ ("How often a script may call for something") },
  { "limits.script_steps", FORE_SETTING_INT, USER | TIGHTEN, 1, 100000, "200", NULL,
    N_ ("Millions of steps that a script may compute without waiting for anything") },
  { "limits.script_memory", FORE_SETTING_SIZE, USER, 1024 * KIB, 16 * GIB, "128 MiB", NULL,
    N_ ("Memory that a script may take") },
  { "limits.plan_items", FORE_SETTING_INT, USER | TIGHTEN, 1, 10000, "50", NULL,
    N_ ("How many items a plan may have") },
  { "limits.run_time", FORE_SETTING_DURATION, USER | PROJECT | RUN, SECOND, 366 * DAY, "4 h", NULL,
    N_ ("How long a run may take") },
  { "limits.task_time", FORE_SETTING_DURATION, USER | PROJECT | RUN, SECOND, 366 * DAY, "1 h", NULL,
    N_ ("How long one attempt of a task may take") },
  { "limits.silence", FORE_SETTING_DURATION, USER | PROJECT | RUN, SECOND, 7 * DAY, "10 min", NULL,
    N_ ("How long an agent may print nothing while no tool runs") },
  { "limits.turns", FORE_SETTING_INT, USER | PROJECT | RUN, 1, 100000, "100", NULL,
    N_ ("Turns of one attempt") },
  { "limits.task_tokens", FORE_SETTING_INT, USER | PROJECT | RUN, 1, ANY, NULL, NULL,
    N_ ("Tokens of one attempt") },
  { "limits.capture_size", FORE_SETTING_SIZE, USER, 64 * KIB, 1024 * GIB, "512 MiB", NULL,
    N_ ("What one attempt may print before it is stopped") },
  { "resume.orphan_grace", FORE_SETTING_DURATION, USER, 0, 7 * DAY, "10 min", NULL,
    N_ ("How long an agent may go on without a runner") },
  { "resume.unresponsive", FORE_SETTING_DURATION, USER, 1000, 7 * DAY, "60 s", NULL,
    N_ ("After how long a runner that does nothing more counts as not responding") },
  { "retry.attempts", FORE_SETTING_INT, USER | PROJECT | RUN, 1, 100, "2", NULL,
    N_ ("Attempts of a task that fails for a cause that can pass") },
  { "retry.delay", FORE_SETTING_DURATION, USER | PROJECT | RUN, 0, HOUR, "5 s", NULL,
    N_ ("Wait before the second attempt") },
  { "retry.factor", FORE_SETTING_DOUBLE, USER | PROJECT | RUN, 1, 100, "2", NULL,
    N_ ("By what the wait grows with every attempt") },
  { "retry.jitter", FORE_SETTING_DOUBLE, USER | PROJECT | RUN, 0, 1, "0.3", NULL,
    N_ ("Random share added to or taken from the wait") },
  { "approval.plan", FORE_SETTING_ENUM, USER | TIGHTEN | RUN, 0, 0, "ask", plan_words,
    N_ ("Whether a person approves before anything is written") },
  { "approval.tools", FORE_SETTING_ENUM, USER | TIGHTEN | RUN, 0, 0, "ask", tool_words,
    N_ ("What happens when an agent asks to use a tool") },
  { "approval.tool_rules", FORE_SETTING_RULES, USER, 0, 0, "[]", NULL,
    N_ ("Rules for single tools, tried in order before approval.tools") },
  { "approval.timeout", FORE_SETTING_DURATION, USER, SECOND, 366 * DAY, NULL, NULL,
    N_ ("After what time an agent that asks for leave and gets no answer is refused; unset means "
        "never") },
  { "failure.policy", FORE_SETTING_ENUM, USER | PROJECT | RUN, 0, 0, "continue", failure_words,
    N_ ("What a failed task does to the rest of its run") },
  { "budget.tokens", FORE_SETTING_INT, USER | TIGHTEN | RUN, 1, ANY, NULL, NULL,
    N_ ("Tokens that a run may use") },
  { "budget.cost", FORE_SETTING_DOUBLE, USER | TIGHTEN | RUN, 0, 1e6, NULL, NULL,
    N_ ("Cost in USD that a run may reach") },
  { "budget.warn", FORE_SETTING_DOUBLE, USER | TIGHTEN | RUN, 0, 1, "0.8", NULL,
    N_ ("Share of the budget at which to warn") },
  { "budget.stop", FORE_SETTING_DOUBLE, USER | TIGHTEN | RUN, 0, 1, "0.95", NULL,
    N_ ("Share of the budget at which to stop") },
  { "git.isolation", FORE_SETTING_ENUM, USER | PROJECT | RUN, 0, 0, "worktrees", isolation_words,
    N_ ("Whether tasks that write get trees of their own") },
  { "git.worktree_dir", FORE_SETTING_STRING, USER | PROJECT, 0, 0, NULL, NULL,
    N_ ("Folder for the trees of tasks") },
  { "git.setup", FORE_SETTING_STRV, USER | TRUST, 0, 0, NULL, NULL,
    N_ ("Command (a list of words) that prepares a new tree") },
  { "git.setup_timeout", FORE_SETTING_DURATION, USER | PROJECT, SECOND, DAY, "10 min", NULL,
    N_ ("How long the command may take that prepares a new tree") },
  { "git.copy", FORE_SETTING_STRV, USER | PROJECT, 0, 0, NULL, NULL,
    N_ ("Ignored files to copy into a new tree, as patterns; a .worktreeinclude adds more") },
  { "git.link", FORE_SETTING_STRV, USER | PROJECT, 0, 0, NULL, NULL,
    N_ ("Ignored folders to link into a new tree") },
  { "git.leader_changes", FORE_SETTING_ENUM, USER | PROJECT | RUN, 0, 0, "note", leader_words,
    N_ ("What happens when the project's own folder changes while a run works elsewhere") },
  { "git.merge", FORE_SETTING_ENUM, USER | PROJECT | RUN, 0, 0, "merge", merge_words,
    N_ ("How a result is merged") },
  { "checks.commands", FORE_SETTING_COMMANDS, USER | TRUST, 0, 0, "[]", NULL,
    N_ ("Commands that verify a result") },
  { "checks.timeout", FORE_SETTING_DURATION, USER | PROJECT, SECOND, DAY, "10 min", NULL,
    N_ ("How long one check may take") },
  { "checks.sandbox", FORE_SETTING_BOOL, USER | RUN, 0, 0, "true", NULL,
    N_ ("Whether checks run in the sandbox of agents where there is one") },
  { "agents.default_cli", FORE_SETTING_STRING, USER | PROJECT | RUN, 0, 0, NULL, NULL,
    N_ ("Agent CLI to use; unset means the first that is found") },
  { "agents.model", FORE_SETTING_STRING, USER | PROJECT | RUN, 0, 0, NULL, NULL,
    N_ ("Model to use; unset means the CLI's own choice") },
  { "agents.fallback", FORE_SETTING_STRV, USER | PROJECT | RUN, 0, 0, NULL, NULL,
    N_ ("Models to try in order when the first cannot be had") },
  { "agents.submit", FORE_SETTING_BOOL, USER | PROJECT | RUN, 0, 0, "false", NULL,
    N_ ("Whether agents must hand their result in with submit_result") },
  { "agents.submit_reminders", FORE_SETTING_INT, USER | PROJECT | RUN, 0, 20, "3", NULL,
    N_ ("How often an agent is reminded that ends without having handed its result in") },
  { "agents.submit_missing", FORE_SETTING_ENUM, USER | PROJECT | RUN, 0, 0, "ask", missing_words,
    N_ ("What becomes of a task whose agent hands nothing in though it was reminded") },
  { "agents.overrides.NAME.cli", FORE_SETTING_STRING, USER, 0, 0, NULL, NULL,
    N_ ("Agent CLI of this agent") },
  { "agents.overrides.NAME.model", FORE_SETTING_STRING, USER, 0, 0, NULL, NULL,
    N_ ("Model of this agent") },
  { "agents.overrides.NAME.fallback", FORE_SETTING_STRV, USER, 0, 0, NULL, NULL,
    N_ ("Models to try in order after the first") },
  { "agents.overrides.NAME.thinking", FORE_SETTING_STRING, USER, 0, 0, NULL, NULL,
    N_ ("Reasoning level of this agent") },
  { "agents.overrides.NAME.tools", FORE_SETTING_STRV, USER, 0, 0, NULL, NULL,
    N_ ("Tools of this agent") },
  { "agents.overrides.NAME.skills", FORE_SETTING_STRV, USER, 0, 0, NULL, NULL,
    N_ ("Skills of this agent") },
  { "agents.overrides.NAME.submit", FORE_SETTING_BOOL, USER, 0, 0, NULL, NULL,
    N_ ("Whether this agent must hand its result in with submit_result") },
  { "agents.overrides.NAME.disabled", FORE_SETTING_BOOL, USER, 0, 0, NULL, NULL,
    N_ ("Whether this agent is left out") },
  { "sandbox.mode", FORE_SETTING_ENUM, USER | TIGHTEN | RUN, 0, 0, "auto", sandbox_words,
    N_ ("Whether agents are held in a sandbox: always, where the system has one, or not") },
  { "sandbox.profile.ROLE", FORE_SETTING_ENUM, USER | TIGHTEN | RUN, 0, 0, NULL, profile_words,
    N_ ("What agents in this role may reach; unset means by role") },
  { "sandbox.command_network", FORE_SETTING_ENUM, USER | TIGHTEN | RUN, 0, 0, "keep", network_words,
    N_ ("Whether commands of steps reach the network from their sandbox") },
  { "sandbox.readable", FORE_SETTING_STRV, USER, 0, 0, NULL, NULL,
    N_ ("Folders and files of the home that agents in a sandbox may read") },
  { "sandbox.writable", FORE_SETTING_STRV, USER, 0, 0, NULL, NULL,
    N_ ("Folders and files outside their tree that agents in a sandbox may write") },
  { "prompts.dependency_bytes", FORE_SETTING_SIZE, USER, 0, 16 * MIB, "32000", NULL,
    N_ ("How much of one result is handed on inside a prompt; the rest goes by path") },
  { "prompts.dependencies_bytes", FORE_SETTING_SIZE, USER, 0, 16 * MIB, "96000", NULL,
    N_ ("How much of all results is handed on inside a prompt") },
  { "prompts.skill_bytes", FORE_SETTING_SIZE, USER, 0, MIB, "1500", NULL,
    N_ ("How much of one skill goes into a prompt") },
  { "prompts.skills_bytes", FORE_SETTING_SIZE, USER, 0, 4 * MIB, "6000", NULL,
    N_ ("How much of all skills goes into a prompt") },
  { "prompts.skills", FORE_SETTING_INT, USER, 0, 1000, "32", NULL,
    N_ ("How many skills go into a prompt") },
  { "prompts.conventions_bytes", FORE_SETTING_SIZE, USER, 0, MIB, "2048", NULL,
    N_ ("How much of the project's conventions goes into a prompt") },
  { "prompts.knowledge_bytes", FORE_SETTING_SIZE, USER, 0, MIB, "5000", NULL,
    N_ ("How much of the project's other knowledge goes into a prompt") },
  { "hooks", FORE_SETTING_HOOKS, USER | TRUST, 0, 0, "[]", NULL,
    N_ ("Commands to run at events of runs, tasks, plans and requests") },
  { "schedules.enabled", FORE_SETTING_BOOL, USER, 0, 0, "false", NULL,
    N_ ("Whether schedules start runs") },
  { "log.level", FORE_SETTING_ENUM, USER, 0, 0, "info", level_words,
    N_ ("What our own programs write to their logs") },
  { "log.keep", FORE_SETTING_DURATION, USER, HOUR, 3660 * DAY, "14 days", NULL,
    N_ ("How long logs are kept") },
};

static gboolean
is_placeholder (const char *part, gsize length)
{
  return (length == 4 && (strncmp (part, "NAME", 4) == 0 || strncmp (part, "ROLE", 4) == 0));
}

static gsize
part_length (const char *text)
{
  return strcspn (text, ".");
}

/* Whether @name fits @pattern; with @as_group it only has to fit a leading part of it. */
static gboolean
matches (const char *pattern, const char *name, gboolean as_group)
{
  for (;;)
    {
      gsize n_pattern = part_length (pattern), n_name = part_length (name);

      if (n_name == 0)
        return FALSE;
      if (!is_placeholder (pattern, n_pattern)
          && (n_pattern != n_name || strncmp (pattern, name, n_name) != 0))
        return FALSE;

      pattern += n_pattern;
      name += n_name;
      if (*name == '\0')
        return as_group ? *pattern == '.' : *pattern == '\0';
      if (*pattern == '\0')
        return FALSE;
      pattern++;
      name++;
    }
}

/**
 * fore_setting_keys_get:
 * @n_keys: (out): place for the number of keys
 *
 * Gets the registry: every key there is, in the order in which people should see them.
 *
 * Returns: (transfer none) (array length=n_keys): the keys
 */
const ForeSettingKey *
fore_setting_keys_get (guint *n_keys)
{
  g_return_val_if_fail (n_keys != NULL, NULL);

  *n_keys = G_N_ELEMENTS (keys);
  return keys;
}

static const ForeSettingKey *
find_by_pattern (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      if (matches (keys[i].name, name, FALSE))
        return &keys[i];
    }

  return NULL;
}

/* Every start of a task asks for a dozen settings: those without a placeholder are found by name.
 */
static GHashTable *
get_by_name (void)
{
  static GHashTable *by_name;
  static gsize made;

  if (g_once_init_enter (&made))
    {
      by_name = g_hash_table_new (g_str_hash, g_str_equal);
      for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
        g_hash_table_insert (by_name, (gpointer) keys[i].name,
                             (gpointer) find_by_pattern (keys[i].name));
      g_once_init_leave (&made, 1);
    }

  return by_name;
}

/**
 * fore_setting_keys_find:
 * @name: a full dotted name, such as `limits.cli_agents.pi`
 *
 * Finds the key that @name is an instance of.
 *
 * Returns: (transfer none) (nullable): the key, or %NULL if there is none
 */
const ForeSettingKey *
fore_setting_keys_find (const char *name)
{
  const ForeSettingKey *key;

  g_return_val_if_fail (name != NULL, NULL);

  key = g_hash_table_lookup (get_by_name (), name);

  return key != NULL ? key : find_by_pattern (name);
}

/**
 * fore_setting_keys_has_group:
 * @prefix: the leading parts of a name, such as `limits`
 *
 * Tells whether there are keys below @prefix.
 *
 * Returns: %TRUE if there are
 */
gboolean
fore_setting_keys_has_group (const char *prefix)
{
  g_return_val_if_fail (prefix != NULL, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      if (matches (keys[i].name, prefix, TRUE))
        return TRUE;
    }

  return FALSE;
}

/**
 * fore_setting_keys_suggest:
 * @name: a name that is no key
 *
 * Finds the key that was most likely meant.
 *
 * Returns: (transfer none) (nullable): a name of the registry, or %NULL if none is near
 */
const char *
fore_setting_keys_suggest (const char *name)
{
  const char *words[G_N_ELEMENTS (keys) + 1];

  g_return_val_if_fail (name != NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    words[i] = keys[i].name;
  words[G_N_ELEMENTS (keys)] = NULL;

  return fore_nearest_word (name, words);
}

/**
 * fore_setting_key_is_pattern:
 * @self: a key
 *
 * Tells whether @self stands for many names, one for each agent, CLI or role.
 *
 * Returns: %TRUE if a part of its name stands for any name
 */
gboolean
fore_setting_key_is_pattern (const ForeSettingKey *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  for (const char *part = self->name; *part != '\0'; part += *part == '.')
    {
      gsize length = part_length (part);

      if (is_placeholder (part, length))
        return TRUE;
      part += length;
    }

  return FALSE;
}

/**
 * fore_setting_type_to_string:
 * @type: a type
 *
 * Gets the word that stands for @type in documents and JSON.
 *
 * Returns: (transfer none): a static string
 */
const char *
fore_setting_type_to_string (ForeSettingType type)
{
  static const char *const names[] = {
    [FORE_SETTING_BOOL] = "bool",         [FORE_SETTING_INT] = "int",
    [FORE_SETTING_DOUBLE] = "double",     [FORE_SETTING_DURATION] = "duration",
    [FORE_SETTING_SIZE] = "size",         [FORE_SETTING_STRING] = "string",
    [FORE_SETTING_ENUM] = "enum",         [FORE_SETTING_STRV] = "strings",
    [FORE_SETTING_COMMANDS] = "commands", [FORE_SETTING_RULES] = "rules",
    [FORE_SETTING_HOOKS] = "hooks",
  };

  g_return_val_if_fail ((guint) type < G_N_ELEMENTS (names), "string");

  return names[type];
}
