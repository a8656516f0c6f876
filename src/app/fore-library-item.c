/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-library-item.h"

#include "app/fore-library-facts.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _ForeLibraryItem
{
  GObject parent_instance;

  const char *kind;
  char *name;
  char *description;
  char *path;
  char *replaced;
  char *faults;
  GStrv facts;
  ForePlan *plan; /* of a workflow: its steps */
  ForeLibraryLayer layer;
  guint n_errors;
};

G_DEFINE_FINAL_TYPE (ForeLibraryItem, fore_library_item, G_TYPE_OBJECT)

static void
fore_library_item_finalize (GObject *object)
{
  ForeLibraryItem *self = FORE_LIBRARY_ITEM (object);

  g_free (self->name);
  g_free (self->description);
  g_free (self->path);
  g_free (self->replaced);
  g_free (self->faults);
  g_strfreev (self->facts);
  g_clear_pointer (&self->plan, fore_plan_free);

  G_OBJECT_CLASS (fore_library_item_parent_class)->finalize (object);
}

static void
fore_library_item_class_init (ForeLibraryItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fore_library_item_finalize;
}

static void
fore_library_item_init (ForeLibraryItem *self)
{
}

/* What is wrong with a file, a line each; without its path, which stands beside them. */
static char *
dup_faults (ForeLibrary *library, const char *path)
{
  GPtrArray *found = fore_library_get_diagnostics (library);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < found->len; i++)
    {
      const ForeDiagnostic *diagnostic = g_ptr_array_index (found, i);

      if (diagnostic->severity == FORE_DIAGNOSTIC_NOTE || g_strcmp0 (diagnostic->path, path) != 0)
        continue;
      if (text->len > 0)
        g_string_append_c (text, '\n');
      if (diagnostic->line > 0)
        g_string_append_printf (text, _ ("Line %u: "), diagnostic->line);
      g_string_append (text, diagnostic->message);
    }

  return g_string_free (text, FALSE);
}

static ForeLibraryItem *
add_item (GPtrArray *items,
          ForeLibrary *library,
          const char *kind,
          const char *name,
          const char *description,
          const ForeSource *source)
{
  ForeLibraryItem *item = g_object_new (FORE_TYPE_LIBRARY_ITEM, NULL);

  item->kind = kind;
  item->name = g_strdup (name);
  item->description = g_strdup (description != NULL ? description : "");
  item->path = g_strdup (source->path);
  item->replaced = g_strdup (source->replaced);
  item->layer = source->layer;
  item->n_errors = source->n_errors;
  item->faults = dup_faults (library, source->path);
  g_ptr_array_add (items, item);

  return item;
}

static void
add_agents (GPtrArray *items, ForeLibrary *library)
{
  GPtrArray *list = fore_library_list_agents (library);

  for (guint i = 0; i < list->len; i++)
    {
      const ForeAgentDef *agent = g_ptr_array_index (list, i);
      ForeLibraryItem *item = add_item (items, library, "agent", agent->name, agent->description,
                                        &agent->source);

      item->facts = fore_library_facts_new_agent (agent);
    }
}

static void
add_teams (GPtrArray *items, ForeLibrary *library)
{
  GPtrArray *list = fore_library_list_teams (library);

  for (guint i = 0; i < list->len; i++)
    {
      const ForeTeam *team = g_ptr_array_index (list, i);
      ForeLibraryItem *item = add_item (items, library, "team", team->name, team->description,
                                        &team->source);

      item->facts = fore_library_facts_new_team (team);
    }
}

static void
add_workflows (GPtrArray *items, ForeLibrary *library)
{
  GPtrArray *list = fore_library_list_workflows (library);

  for (guint i = 0; i < list->len; i++)
    {
      const ForeWorkflow *flow = g_ptr_array_index (list, i);
      ForeLibraryItem *item = add_item (items, library, "workflow", flow->name, flow->description,
                                        &flow->source);

      item->facts = fore_library_facts_new_workflow (flow);
      item->plan = fore_library_facts_dup_plan (flow);
    }
}

static void
add_skills (GPtrArray *items, ForeLibrary *library)
{
  GPtrArray *list = fore_library_list_skills (library);

  for (guint i = 0; i < list->len; i++)
    {
      const ForeSkill *skill = g_ptr_array_index (list, i);

      add_item (items, library, "skill", skill->name, skill->description, &skill->source);
    }
}

/**
 * fore_library_items_new:
 * @library: a library
 *
 * Returns: (transfer full) (element-type ForeLibraryItem): all that is in it, kind by kind, each by
 *   name
 */
GPtrArray *
fore_library_items_new (ForeLibrary *library)
{
  GPtrArray *items = g_ptr_array_new_with_free_func (g_object_unref);

  g_return_val_if_fail (library != NULL, items);

  add_agents (items, library);
  add_teams (items, library);
  add_workflows (items, library);
  add_skills (items, library);

  return items;
}

/**
 * fore_library_item_get_kind:
 * @self: an item
 *
 * Returns: (transfer none): `agent`, `team`, `workflow` or `skill`
 */
const char *
fore_library_item_get_kind (ForeLibraryItem *self)
{
  g_return_val_if_fail (FORE_IS_LIBRARY_ITEM (self), NULL);

  return self->kind;
}

/**
 * fore_library_item_get_name:
 * @self: an item
 *
 * Returns: (transfer none): its name
 */
const char *
fore_library_item_get_name (ForeLibraryItem *self)
{
  g_return_val_if_fail (FORE_IS_LIBRARY_ITEM (self), NULL);

  return self->name;
}

/**
 * fore_library_item_get_description:
 * @self: an item
 *
 * Returns: (transfer none): what it says of itself, or nothing
 */
const char *
fore_library_item_get_description (ForeLibraryItem *self)
{
  g_return_val_if_fail (FORE_IS_LIBRARY_ITEM (self), NULL);

  return self->description;
}

/**
 * fore_library_item_get_path:
 * @self: an item
 *
 * Returns: (transfer none) (nullable): its file
 */
const char *
fore_library_item_get_path (ForeLibraryItem *self)
{
  g_return_val_if_fail (FORE_IS_LIBRARY_ITEM (self), NULL);

  return self->path;
}

/**
 * fore_library_item_get_faults:
 * @self: an item
 *
 * Returns: (transfer none): what is wrong with it, a line each, or nothing
 */
const char *
fore_library_item_get_faults (ForeLibraryItem *self)
{
  g_return_val_if_fail (FORE_IS_LIBRARY_ITEM (self), NULL);

  return self->faults;
}

/**
 * fore_library_item_get_facts:
 * @self: an item
 *
 * Returns: (transfer none) (nullable): captions and values in turn
 */
const char *const *
fore_library_item_get_facts (ForeLibraryItem *self)
{
  g_return_val_if_fail (FORE_IS_LIBRARY_ITEM (self), NULL);

  return (const char *const *) self->facts;
}

/**
 * fore_library_item_get_plan:
 * @self: an item
 *
 * Returns: (transfer none) (nullable): the steps of a workflow, to be drawn
 */
const ForePlan *
fore_library_item_get_plan (ForeLibraryItem *self)
{
  g_return_val_if_fail (FORE_IS_LIBRARY_ITEM (self), NULL);

  return self->plan;
}

/**
 * fore_library_item_is_own:
 * @self: an item
 *
 * Returns: whether its file lies in the person's own folder
 */
gboolean
fore_library_item_is_own (ForeLibraryItem *self)
{
  g_return_val_if_fail (FORE_IS_LIBRARY_ITEM (self), FALSE);

  return self->layer == FORE_LAYER_USER;
}

/**
 * fore_library_item_is_usable:
 * @self: an item
 *
 * Returns: whether it has no errors
 */
gboolean
fore_library_item_is_usable (ForeLibraryItem *self)
{
  g_return_val_if_fail (FORE_IS_LIBRARY_ITEM (self), FALSE);

  return self->n_errors == 0;
}

/**
 * fore_library_item_dup_origin:
 * @self: an item
 *
 * Returns: (transfer full): where it comes from, in words
 */
char *
fore_library_item_dup_origin (ForeLibraryItem *self)
{
  g_return_val_if_fail (FORE_IS_LIBRARY_ITEM (self), NULL);

  if (self->layer == FORE_LAYER_BUILTIN)
    return g_strdup (_ ("Comes with Foredeck"));
  if (self->layer == FORE_LAYER_USER)
    return g_strdup (self->replaced != NULL ? _ ("Yours, instead of the one that comes along")
                                            : _ ("Yours"));
  if (fore_library_layer_is_project (self->layer))
    return g_strdup (_ ("Of the project"));

  return g_strdup (_ ("Yours, for another program"));
}

/**
 * fore_library_item_equal:
 * @self: an item
 * @other: another
 *
 * Returns: whether both are of one kind and name
 */
gboolean
fore_library_item_equal (ForeLibraryItem *self, ForeLibraryItem *other)
{
  g_return_val_if_fail (FORE_IS_LIBRARY_ITEM (self) && FORE_IS_LIBRARY_ITEM (other), FALSE);

  return strcmp (self->kind, other->kind) == 0 && strcmp (self->name, other->name) == 0;
}

static gboolean
have_same_facts (ForeLibraryItem *self, ForeLibraryItem *other)
{
  if ((self->facts == NULL) != (other->facts == NULL)
      || (self->plan == NULL) != (other->plan == NULL))
    return FALSE;

  return (self->facts == NULL
          || g_strv_equal ((const char *const *) self->facts, (const char *const *) other->facts))
         && (self->plan == NULL || g_strcmp0 (self->plan->hash, other->plan->hash) == 0);
}

/**
 * fore_library_item_is_same:
 * @self: an item
 * @other: another
 *
 * Returns: whether both show the same
 */
gboolean
fore_library_item_is_same (ForeLibraryItem *self, ForeLibraryItem *other)
{
  return fore_library_item_equal (self, other) && self->layer == other->layer
         && self->n_errors == other->n_errors && g_strcmp0 (self->path, other->path) == 0
         && g_strcmp0 (self->replaced, other->replaced) == 0
         && strcmp (self->faults, other->faults) == 0
         && strcmp (self->description, other->description) == 0 && have_same_facts (self, other);
}

/**
 * fore_library_item_matches:
 * @self: an item
 * @words: what a person looks for
 *
 * Returns: whether name or description hold @words
 */
gboolean
fore_library_item_matches (ForeLibraryItem *self, const char *words)
{
  g_autofree char *wanted = NULL;
  g_autofree char *own = NULL;
  g_autofree char *folded = NULL;

  g_return_val_if_fail (FORE_IS_LIBRARY_ITEM (self), FALSE);
  g_return_val_if_fail (words != NULL, FALSE);

  wanted = g_utf8_casefold (words, -1);
  own = g_strconcat (self->name, "\n", self->description, NULL);
  g_strstrip (wanted);
  folded = g_utf8_casefold (own, -1);

  return strstr (folded, wanted) != NULL;
}
