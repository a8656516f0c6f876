/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-library-page.h"

#include "app/fore-empty.h"
#include "app/fore-flow.h"
#include "app/fore-graph-view.h"
#include "app/fore-header.h"
#include "app/fore-job.h"
#include "app/fore-markdown-view.h"
#include "app/fore-outside.h"
#include "app/fore-plan-graph.h"
#include "app/fore-stat.h"
#include "app/fore-view-bar.h"
#include "library/fore-workflow-script.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _ForeLibraryPage
{
  GtkWidget parent_instance;

  GtkWidget *box;
  ForeHeader *header;
  GtkWidget *copy;
  GtkWidget *edit;
  GtkWidget *remove;
  ForeEmpty *start;
  GtkWidget *shown;
  GtkLabel *description;
  GtkBox *facts_place;
  GtkWidget *facts;
  GtkWidget *faults_box;
  GtkLabel *faults;
  ForeViewBar *views;
  GtkLabel *path;
  GtkStack *stack;
  ForeMarkdownView *markdown;
  ForeGraphView *graph;
  GtkTextView *source;

  ForePlanGraph *plan_graph;
  GCancellable *cancellable;
  char *name; /* of what is shown */
  gboolean has_graph;
};

G_DEFINE_FINAL_TYPE (ForeLibraryPage, fore_library_page, GTK_TYPE_WIDGET)

static gpointer
read_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  g_autofree char *text = NULL;

  if (!g_file_get_contents (data, &text, NULL, error))
    return NULL;

  return g_utf8_make_valid (text, -1);
}

/* Of what stands above the text the facts say what matters; the source shows all of it. */
static const char *
skip_front_matter (const char *text)
{
  const char *end = g_str_has_prefix (text, "---\n") ? strstr (text + 4, "\n---") : NULL;

  if (end == NULL)
    return text;

  end = strchr (end + 1, '\n');

  return end != NULL ? end + 1 : "";
}

/* A script is code and no text. */
static void
show_script (ForeLibraryPage *self, const char *text)
{
  g_autofree char *block = g_strconcat ("```lua\n", text, "\n```\n", NULL);

  fore_markdown_view_set_text (self->markdown, block);
}

static void
read_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeLibraryPage *self = owner;
  g_autofree char *visible = fore_outside_dup (error != NULL ? error->message : result);

  gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->source), visible, -1);
  if (fore_workflow_script_is_one (gtk_label_get_text (self->path)))
    show_script (self, visible);
  else
    fore_markdown_view_set_text (self->markdown, skip_front_matter (visible));
}

static void
view_selected_cb (ForeViewBar *views, GParamSpec *pspec, ForeLibraryPage *self)
{
  const char *id = fore_view_bar_get_selected (views);

  if (id != NULL)
    gtk_stack_set_visible_child_name (self->stack, id);
}

static void
show_facts (ForeLibraryPage *self, const char *const *facts)
{
  if (self->facts != NULL)
    gtk_box_remove (self->facts_place, self->facts);
  self->facts = g_object_new (FORE_TYPE_FLOW, "spacing", 26, "line-spacing", 8, NULL);
  gtk_widget_set_hexpand (self->facts, TRUE);
  for (guint i = 0; facts != NULL && facts[i] != NULL && facts[i + 1] != NULL; i += 2)
    {
      GtkWidget *stat = fore_stat_new (facts[i]);
      g_autofree char *value = fore_outside_dup (facts[i + 1]);

      fore_stat_set_value (FORE_STAT (stat), value);
      fore_flow_append (FORE_FLOW (self->facts), stat);
    }
  gtk_box_append (self->facts_place, self->facts);
  gtk_widget_set_visible (GTK_WIDGET (self->facts_place), facts != NULL && facts[0] != NULL);
}

/* Only a workflow has a graph. */
static void
show_views (ForeLibraryPage *self, gboolean graph)
{
  fore_view_bar_clear (self->views);
  if (graph)
    fore_view_bar_add (self->views, "graph", _ ("Graph"), NULL);
  fore_view_bar_add (self->views, "text", _ ("Text"), NULL);
  fore_view_bar_add (self->views, "source", _ ("Source"), NULL);
  self->has_graph = graph;
}

static void
show_graph (ForeLibraryPage *self, const ForePlan *plan)
{
  g_autofree char *words = NULL;

  fore_plan_graph_clear (self->plan_graph);
  if (plan != NULL)
    words = fore_plan_graph_show (self->plan_graph, plan, FALSE);
}

static void
fore_library_page_dispose (GObject *object)
{
  ForeLibraryPage *self = FORE_LIBRARY_PAGE (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->plan_graph, fore_plan_graph_free);
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->box, gtk_widget_unparent);

  G_OBJECT_CLASS (fore_library_page_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, ForeLibraryPage, box);
  gtk_widget_class_bind_template_child (widget_class, ForeLibraryPage, header);
  gtk_widget_class_bind_template_child (widget_class, ForeLibraryPage, copy);
  gtk_widget_class_bind_template_child (widget_class, ForeLibraryPage, edit);
  gtk_widget_class_bind_template_child (widget_class, ForeLibraryPage, remove);
  gtk_widget_class_bind_template_child (widget_class, ForeLibraryPage, start);
  gtk_widget_class_bind_template_child (widget_class, ForeLibraryPage, shown);
  gtk_widget_class_bind_template_child (widget_class, ForeLibraryPage, description);
  gtk_widget_class_bind_template_child (widget_class, ForeLibraryPage, facts_place);
  gtk_widget_class_bind_template_child (widget_class, ForeLibraryPage, faults_box);
  gtk_widget_class_bind_template_child (widget_class, ForeLibraryPage, faults);
  gtk_widget_class_bind_template_child (widget_class, ForeLibraryPage, views);
  gtk_widget_class_bind_template_child (widget_class, ForeLibraryPage, path);
  gtk_widget_class_bind_template_child (widget_class, ForeLibraryPage, stack);
  gtk_widget_class_bind_template_child (widget_class, ForeLibraryPage, markdown);
  gtk_widget_class_bind_template_child (widget_class, ForeLibraryPage, graph);
  gtk_widget_class_bind_template_child (widget_class, ForeLibraryPage, source);
}

static void
fore_library_page_class_init (ForeLibraryPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fore_library_page_dispose;

  g_type_ensure (FORE_TYPE_EMPTY);
  g_type_ensure (FORE_TYPE_GRAPH_VIEW);
  g_type_ensure (FORE_TYPE_HEADER);
  g_type_ensure (FORE_TYPE_MARKDOWN_VIEW);
  g_type_ensure (FORE_TYPE_VIEW_BAR);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/foredeck/Foredeck/ui/fore-library-page.ui");
  bind_children (widget_class);
  gtk_widget_class_bind_template_callback (widget_class, view_selected_cb);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
fore_library_page_init (ForeLibraryPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  show_views (self, FALSE);
  self->plan_graph = fore_plan_graph_new (self->graph);
  fore_library_page_clear (self);
}

/**
 * fore_library_page_new:
 *
 * Returns: (transfer floating): an empty page
 */
GtkWidget *
fore_library_page_new (void)
{
  return g_object_new (FORE_TYPE_LIBRARY_PAGE, NULL);
}

/**
 * fore_library_page_clear:
 * @self: a page
 *
 * Shows nothing, and what the library is for.
 */
void
fore_library_page_clear (ForeLibraryPage *self)
{
  g_return_if_fail (FORE_IS_LIBRARY_PAGE (self));

  g_clear_pointer (&self->name, g_free);
  fore_header_set_title (self->header, _ ("Library"));
  fore_header_set_subtitle (self->header, "");
  fore_empty_set (self->start, "fore-library-symbolic", _ ("Your Crew"),
                  _ ("What agents are told, who works in a team, and in which order it is done. "
                     "Choose something to read it."));
  gtk_widget_set_visible (GTK_WIDGET (self->start), TRUE);
  gtk_widget_set_visible (self->shown, FALSE);
  gtk_widget_set_visible (self->copy, FALSE);
  gtk_widget_set_visible (self->edit, FALSE);
  gtk_widget_set_visible (self->remove, FALSE);
}

static void
show_head (ForeLibraryPage *self, ForeLibraryItem *item)
{
  const char *faults = fore_library_item_get_faults (item);
  const char *description = fore_library_item_get_description (item);
  const char *path = fore_library_item_get_path (item);
  g_autofree char *origin = fore_library_item_dup_origin (item);
  g_autofree char *title = fore_outside_dup (fore_library_item_get_name (item));

  fore_header_set_title (self->header, title);
  fore_header_set_subtitle (self->header, origin);
  fore_outside_show (self->description, description);
  gtk_widget_set_visible (GTK_WIDGET (self->description), *description != '\0');
  show_facts (self, fore_library_item_get_facts (item));
  fore_outside_show (self->faults, faults);
  gtk_widget_set_visible (self->faults_box, *faults != '\0');
  fore_outside_show (self->path, path != NULL ? path : "");
  gtk_widget_set_visible (GTK_WIDGET (self->start), FALSE);
  gtk_widget_set_visible (self->shown, TRUE);
  gtk_widget_set_visible (self->copy, TRUE);
  gtk_widget_set_visible (self->edit, fore_library_item_is_own (item));
  gtk_widget_set_visible (self->remove, fore_library_item_is_own (item));
}

/**
 * fore_library_page_show:
 * @self: a page
 * @item: what it shall show
 *
 * Shows @item, and reads its file in a worker thread. What is shown again keeps the view that the
 * person chose.
 */
void
fore_library_page_show (ForeLibraryPage *self, ForeLibraryItem *item)
{
  const ForePlan *plan;
  const char *path;
  g_autofree char *name = NULL;

  g_return_if_fail (FORE_IS_LIBRARY_PAGE (self));
  g_return_if_fail (FORE_IS_LIBRARY_ITEM (item));

  plan = fore_library_item_get_plan (item);
  path = fore_library_item_get_path (item);
  name = g_strdup_printf ("%s/%s", fore_library_item_get_kind (item),
                          fore_library_item_get_name (item));
  show_head (self, item);
  show_graph (self, plan);
  if (g_strcmp0 (name, self->name) != 0 || self->has_graph != (plan != NULL))
    show_views (self, plan != NULL);
  g_free (self->name);
  self->name = g_steal_pointer (&name);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (path == NULL)
    return;

  self->cancellable = g_cancellable_new ();
  fore_job_run (self, "read-library-file", self->cancellable, read_thread, g_strdup (path), g_free,
                g_free, read_cb);
}
