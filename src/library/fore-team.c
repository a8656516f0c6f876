/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-team.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "library/fore-front-matter.h"
#include "library/fore-library-text.h"

#define MAX_ROLES 200

G_DEFINE_BOXED_TYPE (ForeTeam, fore_team, fore_team_ref, fore_team_unref)

static const char *const known_keys[] = {
  "name",     "description", "defaultWorkflow", "workflow",  "workspaceMode", "maxConcurrency",
  "triggers", "trigger",     "useWhen",         "avoidWhen", "cost",          "category",
  NULL,
};

static const char *const foreign_keys[] = { "observability", "source", "metadata", NULL };

/* Which lines of a body may be roles. */
typedef enum
{
  ANY_BULLET_WITH_NAME,
  BELOW_ROLES_HEADING,
  NOWHERE,
} RolePlace;

/**
 * fore_team_get_keys:
 *
 * Gets the keys that a team may have.
 *
 * Returns: (transfer none) (array zero-terminated=1): the keys
 */
const char *const *
fore_team_get_keys (void)
{
  return known_keys;
}

static ForeTeam *
team_new (const char *name, ForeLibraryLayer layer, const char *path)
{
  ForeTeam *self = g_atomic_rc_box_new0 (ForeTeam);

  fore_source_init (&self->source, layer, path);
  self->name = g_strdup (name);
  self->worktrees = FORE_UNSET;
  self->roles = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_team_role_free);

  return self;
}

/**
 * fore_team_new:
 * @name: its name
 *
 * Makes a team without roles, from no file.
 *
 * Returns: (transfer full): the team
 */
ForeTeam *
fore_team_new (const char *name)
{
  ForeTeam *self;

  g_return_val_if_fail (name != NULL, NULL);

  self = team_new (name, FORE_LAYER_MADE, NULL);
  self->description = g_strdup ("");

  return self;
}

/**
 * fore_team_new_direct:
 * @agent_name: name of an agent
 *
 * Makes the team `direct-AGENT` of one agent in the role `agent`, for a run of that agent alone
 * along the workflow `direct-agent`.
 *
 * Returns: (transfer full): the team
 */
ForeTeam *
fore_team_new_direct (const char *agent_name)
{
  g_autofree char *name = NULL;
  ForeTeam *self;

  g_return_val_if_fail (agent_name != NULL, NULL);

  name = g_strconcat ("direct-", agent_name, NULL);
  self = fore_team_new (name);
  self->default_workflow = g_strdup ("direct-agent");
  fore_team_add_role (self, fore_team_role_new ("agent", agent_name));

  return self;
}

static gboolean
is_bullet (const char *line)
{
  return (line[0] == '-' || line[0] == '*') && (line[1] == ' ' || line[1] == '\t');
}

static gboolean
is_roles_heading (const char *line)
{
  g_autofree char *title = NULL;

  if (*line != '#')
    return FALSE;

  title = g_strstrip (g_strdup (line + strspn (line, "#")));
  return g_ascii_strcasecmp (title, "roles") == 0;
}

static gboolean
has_roles_heading (char **lines)
{
  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (is_roles_heading (lines[i]))
        return TRUE;
    }

  return FALSE;
}

static void
read_role (ForeTeam *self, ForeFrontMatter *matter, const char *line, guint number, RolePlace place)
{
  g_autoptr (ForeTeamRole) role = NULL;

  if (place == ANY_BULLET_WITH_NAME && strchr (line, ':') == NULL)
    return;

  role = fore_team_role_new_from_line (line + 1, matter->path, number, matter->foreign,
                                       matter->diagnostics);
  if (role == NULL)
    {
      if (place == BELOW_ROLES_HEADING)
        fore_diagnostics_add (matter->diagnostics, FORE_DIAGNOSTIC_ERROR, matter->path, number, 1,
                              NULL, _ ("This is no role. Write it as `- name: agent=AGENT text`."));
      return;
    }

  if (fore_team_get_role (self, role->name) != NULL)
    fore_diagnostics_add (matter->diagnostics, FORE_DIAGNOSTIC_ERROR, matter->path, number, 1,
                          role->name, _ ("There are two roles `%s`. Rename one of them."),
                          role->name);
  else if (self->roles->len >= MAX_ROLES)
    fore_diagnostics_add (matter->diagnostics, FORE_DIAGNOSTIC_ERROR, matter->path, number, 1,
                          role->name, _ ("A team may have %d roles. Remove some."), MAX_ROLES);
  else
    fore_team_add_role (self, g_steal_pointer (&role));
}

static void
read_roles (ForeTeam *self, ForeFrontMatter *matter)
{
  g_auto (GStrv) lines = g_strsplit (matter->body, "\n", -1);
  RolePlace place = has_roles_heading (lines) ? NOWHERE : ANY_BULLET_WITH_NAME;
  gboolean in_fence = FALSE;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (g_str_has_prefix (lines[i], "```"))
        in_fence = !in_fence;
      else if (in_fence)
        continue;
      else if (lines[i][0] == '#' && place != ANY_BULLET_WITH_NAME)
        place = is_roles_heading (lines[i]) ? BELOW_ROLES_HEADING : NOWHERE;
      else if (place != NOWHERE && is_bullet (lines[i]))
        read_role (self, matter, lines[i], matter->body_line + i, place);
    }

  if (self->roles->len == 0)
    fore_diagnostics_add (matter->diagnostics, FORE_DIAGNOSTIC_ERROR, matter->path,
                          matter->body_line, 0, NULL,
                          _ ("This team has no roles. Add lines like `- executor: "
                             "agent=executor`."));
}

static void
read_keys (ForeTeam *self, ForeFrontMatter *matter)
{
  static const char *const modes[] = { "single", "worktree", NULL };
  g_autofree char *mode = fore_front_matter_dup_word (matter, "workspaceMode", modes);

  self->description = fore_front_matter_dup_string (matter, "description");
  if (self->description == NULL)
    self->description = g_strdup (_ ("No description"));
  self->default_workflow = fore_front_matter_dup_reference (matter, "defaultWorkflow");
  if (self->default_workflow == NULL)
    self->default_workflow = fore_front_matter_dup_reference (matter, "workflow");
  if (mode != NULL)
    self->worktrees = strcmp (mode, "worktree") == 0 ? FORE_YES : FORE_NO;
  if (self->worktrees == FORE_NO)
    {
      const ForeFrontMatterEntry *entry = fore_front_matter_find (matter, "workspaceMode");

      fore_diagnostics_add (matter->diagnostics, FORE_DIAGNOSTIC_NOTE, matter->path, entry->line,
                            entry->column, "workspaceMode",
                            _ ("Who writes has a tree of its own all the same, unless a run is "
                               "started with --isolation none."));
    }
  self->max_agents = fore_front_matter_get_count (matter, "maxConcurrency");
  fore_front_matter_get_routing (matter, &self->routing);
  fore_front_matter_keep_rest (matter, known_keys, foreign_keys, &self->source);
}

/**
 * fore_team_new_from_text:
 * @text: bytes of a team's file
 * @length: how many, or -1 if @text ends with a NUL
 * @path: (nullable): the file, for its name and for messages
 * @layer: where it comes from
 * @diagnostics: (nullable) (element-type ForeDiagnostic): where to say what is wrong
 *
 * Reads a team. Any bytes may be given.
 *
 * Returns: (transfer full) (nullable): the team, or %NULL if the file cannot be used
 */
ForeTeam *
fore_team_new_from_text (const char *text,
                         gssize length,
                         const char *path,
                         ForeLibraryLayer layer,
                         GPtrArray *diagnostics)
{
  g_autoptr (ForeFrontMatter) matter = NULL;
  g_autofree char *name = NULL;
  ForeTeam *self;

  g_return_val_if_fail (text != NULL, NULL);

  matter = fore_front_matter_parse (text, length, path, diagnostics);
  if (matter == NULL)
    return NULL;

  matter->foreign = fore_library_layer_is_foreign (layer);
  name = fore_front_matter_dup_name (matter, ".team.md");
  if (name == NULL)
    return NULL;

  self = team_new (name, layer, path);
  read_keys (self, matter);
  read_roles (self, matter);

  return self;
}

/**
 * fore_team_ref:
 * @self: a team
 *
 * Takes a reference.
 *
 * Returns: (transfer full): @self
 */
ForeTeam *
fore_team_ref (ForeTeam *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

static void
team_clear (gpointer data)
{
  ForeTeam *self = data;

  fore_source_clear (&self->source);
  g_free (self->name);
  g_free (self->description);
  g_free (self->default_workflow);
  g_ptr_array_unref (self->roles);
  fore_routing_clear (&self->routing);
}

/**
 * fore_team_unref:
 * @self: (transfer full): a team
 *
 * Gives a reference back.
 */
void
fore_team_unref (ForeTeam *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, team_clear);
}

/**
 * fore_team_add_role:
 * @self: a team that nobody else has yet
 * @role: (transfer full): a role
 *
 * Adds a role.
 */
void
fore_team_add_role (ForeTeam *self, ForeTeamRole *role)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (role != NULL);

  g_ptr_array_add (self->roles, role);
}

/**
 * fore_team_get_role:
 * @self: a team
 * @name: name of a role
 *
 * Finds a role, `_` and `-` being the same.
 *
 * Returns: (transfer none) (nullable): the role
 */
const ForeTeamRole *
fore_team_get_role (const ForeTeam *self, const char *name)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  for (guint i = 0; i < self->roles->len; i++)
    {
      const ForeTeamRole *role = self->roles->pdata[i];

      if (fore_key_equal (role->name, name))
        return role;
    }

  return NULL;
}
