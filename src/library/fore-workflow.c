/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-workflow.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "library/fore-front-matter.h"
#include "library/fore-workflow-parser.h"
#include "library/fore-workflow-script.h"

/* From this many steps that can run together on, a workflow is called concurrent. */
#define MANY_TOGETHER 3

G_DEFINE_BOXED_TYPE (ForeWorkflow, fore_workflow, fore_workflow_ref, fore_workflow_unref)

static const char *const known_keys[] = {
  "name",     "description",        "team",       "maxConcurrency",
  "topology", "coalesceMicroTasks", "specStrict", NULL,
};

static const char *const foreign_keys[] = { "metadata", NULL };

/**
 * fore_workflow_get_keys:
 *
 * Gets the keys that a workflow may have.
 *
 * Returns: (transfer none) (array zero-terminated=1): the keys
 */
const char *const *
fore_workflow_get_keys (void)
{
  return known_keys;
}

static ForeWorkflow *
workflow_new (const char *name, ForeLibraryLayer layer, const char *path)
{
  ForeWorkflow *self = g_atomic_rc_box_new0 (ForeWorkflow);

  fore_source_init (&self->source, layer, path);
  self->name = g_strdup (name);
  self->steps = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_workflow_step_free);
  self->index = g_hash_table_new (g_str_hash, g_str_equal);

  return self;
}

/**
 * fore_workflow_new:
 * @name: its name
 *
 * Makes a workflow without steps, from no file.
 *
 * Returns: (transfer full): the workflow
 */
ForeWorkflow *
fore_workflow_new (const char *name)
{
  ForeWorkflow *self;

  g_return_val_if_fail (name != NULL, NULL);

  self = workflow_new (name, FORE_LAYER_MADE, NULL);
  self->description = g_strdup ("");

  return self;
}

static void
say_at (ForeFrontMatter *matter,
        ForeDiagnosticSeverity severity,
        const char *key,
        const char *message)
{
  const ForeFrontMatterEntry *entry = fore_front_matter_find (matter, key);

  fore_diagnostics_add (matter->diagnostics, severity, matter->path, entry->line, entry->column,
                        key, "%s", message);
}

/* What a key cannot do here is said, not left to be found out. */
static void
report_unused (const ForeWorkflow *self, ForeFrontMatter *matter)
{
  if (self->coalesce)
    say_at (matter, FORE_DIAGNOSTIC_WARNING, "coalesceMicroTasks",
            _ ("Each step has an agent of its own; `coalesceMicroTasks` changes nothing."));
  if (self->spec_strict)
    say_at (matter, FORE_DIAGNOSTIC_ERROR, "specStrict",
            _ ("Specs are not held to by a gate yet. Remove `specStrict`, or write what must hold "
               "as `checks`."));
}

static void
read_keys (ForeWorkflow *self, ForeFrontMatter *matter)
{
  static const char *const topologies[] = { "single",      "sequential", "concurrent",
                                            "complex-dag", "dynamic",    NULL };

  self->description = fore_front_matter_dup_string (matter, "description");
  if (self->description == NULL)
    self->description = g_strdup (_ ("No description"));
  self->team = fore_front_matter_dup_reference (matter, "team");
  self->topology = fore_front_matter_dup_word (matter, "topology", topologies);
  self->max_agents = fore_front_matter_get_count (matter, "maxConcurrency");
  self->coalesce = fore_front_matter_get_bool (matter, "coalesceMicroTasks", FALSE);
  self->spec_strict = fore_front_matter_get_bool (matter, "specStrict", FALSE);
  report_unused (self, matter);
  fore_front_matter_keep_rest (matter, known_keys, foreign_keys, &self->source);
}

static ForeFrontMatter *
parse_head (const char *text, gssize length, const char *path, GPtrArray *diagnostics)
{
  g_autofree char *head = NULL;

  if (!fore_workflow_script_is_one (path))
    return fore_front_matter_parse (text, length, path, diagnostics);

  head = fore_workflow_script_dup_head (text, length);
  return fore_front_matter_parse (head, -1, path, diagnostics);
}

static const char *
get_suffix (const char *path)
{
  if (fore_workflow_script_is_one (path))
    return FORE_SCRIPT_SUFFIX;

  return path != NULL && g_str_has_suffix (path, ".workflow.md") ? ".workflow.md" : ".md";
}

/**
 * fore_workflow_new_from_text:
 * @text: bytes of a workflow's file
 * @length: how many, or -1 if @text ends with a NUL
 * @path: (nullable): the file, for its name and for messages
 * @layer: where it comes from
 * @diagnostics: (nullable) (element-type ForeDiagnostic): where to say what is wrong
 *
 * Reads a workflow, or the head of one that is a script. Any bytes may be given. What is wrong with
 * the graph itself says fore_workflow_validate().
 *
 * Returns: (transfer full) (nullable): the workflow, or %NULL if the file cannot be used
 */
ForeWorkflow *
fore_workflow_new_from_text (const char *text,
                             gssize length,
                             const char *path,
                             ForeLibraryLayer layer,
                             GPtrArray *diagnostics)
{
  g_autoptr (ForeFrontMatter) matter = NULL;
  g_autofree char *name = NULL;
  ForeWorkflow *self;

  g_return_val_if_fail (text != NULL, NULL);

  matter = parse_head (text, length, path, diagnostics);
  if (matter == NULL)
    return NULL;

  matter->foreign = fore_library_layer_is_foreign (layer);
  name = fore_front_matter_dup_name (matter, get_suffix (path));
  if (name == NULL)
    return NULL;

  self = workflow_new (name, layer, path);
  read_keys (self, matter);
  if (fore_workflow_script_is_one (path))
    fore_workflow_script_add_step (self);
  else
    fore_workflow_parse_steps (self, matter);

  return self;
}

/**
 * fore_workflow_ref:
 * @self: a workflow
 *
 * Takes a reference.
 *
 * Returns: (transfer full): @self
 */
ForeWorkflow *
fore_workflow_ref (ForeWorkflow *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

static void
workflow_clear (gpointer data)
{
  ForeWorkflow *self = data;

  fore_source_clear (&self->source);
  g_free (self->name);
  g_free (self->description);
  g_free (self->team);
  g_free (self->topology);
  g_hash_table_unref (self->index);
  g_ptr_array_unref (self->steps);
}

/**
 * fore_workflow_unref:
 * @self: (transfer full): a workflow
 *
 * Gives a reference back.
 */
void
fore_workflow_unref (ForeWorkflow *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, workflow_clear);
}

/**
 * fore_workflow_add_step:
 * @self: a workflow that nobody else has yet
 * @step: (transfer full): a step
 *
 * Adds a step at the end. Of two steps with one id the first is found by it.
 */
void
fore_workflow_add_step (ForeWorkflow *self, ForeWorkflowStep *step)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (step != NULL);

  g_ptr_array_add (self->steps, step);
  if (!g_hash_table_contains (self->index, step->id))
    g_hash_table_insert (self->index, step->id, step);
}

/**
 * fore_workflow_forget_plain_steps:
 * @self: a workflow that nobody else has yet, whose tasks have been made
 *
 * Forgets each step of which its task says all: in a run of thousands of them memory holds each
 * once.
 */
void
fore_workflow_forget_plain_steps (ForeWorkflow *self)
{
  GPtrArray *all;

  g_return_if_fail (self != NULL);

  all = g_steal_pointer (&self->steps);
  self->steps = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_workflow_step_free);
  g_hash_table_remove_all (self->index);
  for (guint i = 0; i < all->len; i++)
    {
      if (!fore_workflow_step_is_plain (g_ptr_array_index (all, i)))
        fore_workflow_add_step (self, g_steal_pointer (&all->pdata[i]));
    }

  g_ptr_array_set_free_func (all, NULL);
  for (guint i = 0; i < all->len; i++)
    g_clear_pointer (&all->pdata[i], fore_workflow_step_free);
  g_ptr_array_unref (all);
}

/**
 * fore_workflow_get_step:
 * @self: a workflow
 * @id: id of a step
 *
 * Finds a step, in constant time.
 *
 * Returns: (transfer none) (nullable): the step
 */
const ForeWorkflowStep *
fore_workflow_get_step (const ForeWorkflow *self, const char *id)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (id != NULL, NULL);

  return g_hash_table_lookup (self->index, id);
}

/**
 * fore_workflow_get_adaptive_step:
 * @self: a workflow
 *
 * Finds the first step whose answer carries a plan.
 *
 * Returns: (transfer none) (nullable): the step, or %NULL if the graph is static
 */
const ForeWorkflowStep *
fore_workflow_get_adaptive_step (const ForeWorkflow *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  for (guint i = 0; i < self->steps->len; i++)
    {
      const ForeWorkflowStep *step = self->steps->pdata[i];

      if (step->adaptive)
        return step;
    }

  return NULL;
}

/* Which steps wait for which, by position, and for how many each still waits. */
typedef struct
{
  GArray **dependents;
  guint *missing;
  guint n_steps;
} Edges;

static void
edges_add (Edges *edges, guint from, guint to)
{
  if (edges->dependents[from] == NULL)
    edges->dependents[from] = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (edges->dependents[from], to);
  edges->missing[to]++;
}

static void
edges_init (Edges *edges, const ForeWorkflow *self)
{
  g_autoptr (GHashTable) positions = g_hash_table_new (g_str_hash, g_str_equal);

  edges->n_steps = self->steps->len;
  edges->dependents = g_new0 (GArray *, edges->n_steps + 1);
  edges->missing = g_new0 (guint, edges->n_steps + 1);
  for (guint i = 0; i < edges->n_steps; i++)
    g_hash_table_insert (positions, ((ForeWorkflowStep *) self->steps->pdata[i])->id,
                         GUINT_TO_POINTER (i + 1));

  for (guint i = 0; i < edges->n_steps; i++)
    {
      const ForeWorkflowStep *step = self->steps->pdata[i];

      for (guint j = 0; step->depends_on[j] != NULL; j++)
        {
          guint from = GPOINTER_TO_UINT (g_hash_table_lookup (positions, step->depends_on[j]));

          if (from > 0)
            edges_add (edges, from - 1, i);
        }
    }
}

static void
edges_clear (Edges *edges)
{
  for (guint i = 0; i < edges->n_steps; i++)
    g_clear_pointer (&edges->dependents[i], g_array_unref);
  g_free (edges->dependents);
  g_free (edges->missing);
}

/* Those of @level_steps' dependents that wait for nothing else. */
static GArray *
edges_next_level (Edges *edges, GArray *level_steps)
{
  GArray *next = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < level_steps->len; i++)
    {
      GArray *dependents = edges->dependents[g_array_index (level_steps, guint, i)];

      for (guint j = 0; dependents != NULL && j < dependents->len; j++)
        {
          guint step = g_array_index (dependents, guint, j);

          if (--edges->missing[step] == 0)
            g_array_append_val (next, step);
        }
    }

  return next;
}

/* How many steps share the distance from the start that most share. */
static guint
count_widest (const ForeWorkflow *self)
{
  g_autoptr (GArray) level = g_array_new (FALSE, FALSE, sizeof (guint));
  guint widest = 0;
  Edges edges;

  edges_init (&edges, self);
  for (guint i = 0; i < edges.n_steps; i++)
    {
      if (edges.missing[i] == 0)
        g_array_append_val (level, i);
    }

  while (level->len > 0)
    {
      GArray *next = edges_next_level (&edges, level);

      widest = MAX (widest, level->len);
      g_array_unref (level);
      level = next;
    }
  edges_clear (&edges);

  return widest;
}

static gboolean
has_join (const ForeWorkflow *self)
{
  for (guint i = 0; i < self->steps->len; i++)
    {
      const ForeWorkflowStep *step = self->steps->pdata[i];

      if (g_strv_length (step->depends_on) > 1)
        return TRUE;
    }

  return FALSE;
}

/**
 * fore_workflow_get_topology:
 * @self: a workflow
 *
 * Gets the word for the shape of the graph: what the file says, or what it looks like.
 *
 * Returns: (transfer none): `single`, `sequential`, `concurrent`, `complex-dag` or `dynamic`
 */
const char *
fore_workflow_get_topology (const ForeWorkflow *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (self->topology != NULL)
    return self->topology;
  if (self->steps->len <= 1)
    return "single";
  if (count_widest (self) >= MANY_TOGETHER)
    return "concurrent";
  if (self->steps->len > MANY_TOGETHER && has_join (self))
    return "complex-dag";

  return "sequential";
}

/**
 * fore_workflow_is_script:
 * @self: a workflow
 *
 * Returns: whether a script says what is done
 */
gboolean
fore_workflow_is_script (const ForeWorkflow *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->steps->len == 1 && fore_workflow_step_is_script (g_ptr_array_index (self->steps, 0));
}
