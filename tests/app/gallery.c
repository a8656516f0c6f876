/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gallery-data.h"

#include "app/fore-diff-view.h"
#include "app/fore-file-list.h"
#include "app/fore-markdown-view.h"
#include "app/fore-status-dot.h"
#include "app/fore-transcript-view.h"
#include "app/fore-widgets.h"

#include <adwaita.h>

/* Shows each widget with data. With --shot FILE it saves a picture and ends. */

static char *page = "run";
static char *shot;
static int width = 1160;
static int height = 800;
static gboolean fit;
static guint frames;

static const GOptionEntry entries[] = {
  { "page", 'p', 0, G_OPTION_ARG_STRING, &page,
    "run, preview, sixty, thousand, many, diff, side, icons, markdown", "NAME" },
  { "shot", 's', 0, G_OPTION_ARG_FILENAME, &shot, "save a picture and end", "FILE" },
  { "fit", 'f', 0, G_OPTION_ARG_NONE, &fit, "show the whole graph", NULL },
  { "width", 0, 0, G_OPTION_ARG_INT, &width, "of the window", "N" },
  { "height", 0, 0, G_OPTION_ARG_INT, &height, "of the window", "N" },
  { NULL },
};

static GtkWidget *
make_graph (GListModel *model, GPtrArray *edges)
{
  GtkWidget *view = fore_graph_view_new ();

  fore_graph_view_set_model (FORE_GRAPH_VIEW (view), model);
  fore_graph_view_set_edges (FORE_GRAPH_VIEW (view), edges);
  g_object_unref (model);
  g_ptr_array_unref (edges);

  return view;
}

static GtkWidget *
make_transcript (void)
{
  GtkWidget *view = fore_transcript_view_new ();
  g_autoptr (GListModel) model = gallery_make_transcript ();

  fore_transcript_view_set_model (FORE_TRANSCRIPT_VIEW (view), model);
  return view;
}

static GtkWidget *
make_run (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GPtrArray *edges;
  GListModel *model = gallery_make_run (&edges);
  GtkWidget *graph = make_graph (model, edges);
  GtkWidget *transcript = make_transcript ();

  fore_graph_view_set_selected_id (FORE_GRAPH_VIEW (graph), "p1");
  gtk_box_append (GTK_BOX (box), graph);
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_VERTICAL));
  gtk_widget_set_size_request (transcript, 430, -1);
  gtk_widget_set_hexpand (transcript, FALSE);
  gtk_box_append (GTK_BOX (box), transcript);

  return box;
}

static void
show_file (ForeFileList *list, const char *path, gpointer data)
{
  fore_diff_view_set_path (FORE_DIFF_VIEW (data), path);
}

static GtkWidget *
make_diff (gboolean side_by_side)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *files = fore_file_list_new ();
  GtkWidget *view = fore_diff_view_new ();
  g_autoptr (ForeDiffDoc) doc = gallery_make_diff ();

  fore_file_list_set_doc (FORE_FILE_LIST (files), doc);
  fore_file_list_set_viewed (FORE_FILE_LIST (files), "src/csv-writer.c", TRUE);
  fore_file_list_set_viewed (FORE_FILE_LIST (files), "src/csv-writer.h", TRUE);
  fore_file_list_set_comments (FORE_FILE_LIST (files), "src/report-window.c", 2);
  fore_file_list_set_selected_path (FORE_FILE_LIST (files), "src/report-window.c");
  gtk_widget_set_size_request (files, 280, -1);
  g_signal_connect (files, "file-selected", G_CALLBACK (show_file), view);
  fore_diff_view_set_doc (FORE_DIFF_VIEW (view), doc);
  if (!side_by_side)
    fore_diff_view_set_path (FORE_DIFF_VIEW (view), "src/report-window.c");
  fore_diff_view_set_side_by_side (FORE_DIFF_VIEW (view), side_by_side);
  fore_diff_view_set_comment (FORE_DIFF_VIEW (view), "src/report-window.c", 116,
                              "Please show progress here; large reports take seconds.");

  gtk_box_append (GTK_BOX (box), files);
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_VERTICAL));
  gtk_box_append (GTK_BOX (box), view);
  return box;
}

static void
add_icons (GtkWidget *flow)
{
  g_auto (GStrv) names = g_resources_enumerate_children (
      "/app/foredeck/Foredeck/icons/scalable/actions", 0, NULL);

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      g_autofree char *name = g_strndup (names[i], strlen (names[i]) - strlen (".svg"));
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
      GtkWidget *large = gtk_image_new_from_icon_name (name);
      g_autofree char *word = g_strndup (name + 5, strlen (name) - strlen ("fore--symbolic"));
      GtkWidget *label = gtk_label_new (word);

      gtk_image_set_pixel_size (GTK_IMAGE (large), 32);
      gtk_box_append (GTK_BOX (box), large);
      gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name (name));
      gtk_widget_add_css_class (label, "caption");
      gtk_box_append (GTK_BOX (box), label);
      gtk_flow_box_append (GTK_FLOW_BOX (flow), box);
    }
}

static GtkWidget *
make_icons (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);
  GtkWidget *dots = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 18);
  GtkWidget *flow = gtk_flow_box_new ();

  for (guint i = 0; i < FORE_N_VIEW_STATUSES; i++)
    {
      GtkWidget *dot = fore_status_dot_new (i);
      GtkWidget *icon = fore_status_dot_new (i);

      fore_status_dot_set_show_icon (FORE_STATUS_DOT (icon), TRUE);
      gtk_box_append (GTK_BOX (dots), dot);
      gtk_box_append (GTK_BOX (dots), icon);
      gtk_box_append (GTK_BOX (dots), gtk_label_new (fore_view_status_get_word (i)));
    }
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (flow), 12);
  add_icons (flow);
  gtk_box_append (GTK_BOX (box), dots);
  gtk_box_append (GTK_BOX (box), flow);

  return box;
}

static GtkWidget *
make_markdown (void)
{
  GtkWidget *view = fore_markdown_view_new ();

  fore_markdown_view_set_text (
      FORE_MARKDOWN_VIEW (view),
      "# SQLite session store\n\nSessions move from JSON files to one SQLite database in *WAL* "
      "mode. Existing sessions are **imported** at start; the file store stays as a fallback "
      "behind `SESSION_STORE=file`.\n\n## Steps\n\n- Schema and migration\n- Expiry job\n  1. "
      "index on `expires`\n  2. one timer\n- [x] read\n- [ ] write\n\n> The old cookie name "
      "stays.\n\n| task | tokens |\n|---|---|\n| Schema | ~30 k |\n| Expiry | ~20 k |\n\n"
      "```sql\nCREATE TABLE session (id TEXT PRIMARY KEY, expires INTEGER);\n```\n\n---\n\n"
      "See [the guide](https://example.org/guide) and <b>no markup</b>, \u202eno tricks.");
  gtk_widget_set_margin_start (view, 24);
  gtk_widget_set_margin_end (view, 24);
  gtk_widget_set_margin_top (view, 24);
  return view;
}

static GtkWidget *
make_page (void)
{
  GPtrArray *edges;
  GListModel *model;
  guint n = 0;

  if (g_str_equal (page, "run"))
    return make_run ();
  if (g_str_equal (page, "diff") || g_str_equal (page, "side"))
    return make_diff (g_str_equal (page, "side"));
  if (g_str_equal (page, "icons"))
    return make_icons ();
  if (g_str_equal (page, "markdown"))
    return make_markdown ();

  if (g_str_equal (page, "sixty"))
    n = 60;
  else if (g_str_equal (page, "thousand"))
    n = 1000;
  else if (g_str_equal (page, "many"))
    n = 10000;
  model = n > 0 ? gallery_make_random (n, &edges) : gallery_make_preview (&edges);
  return make_graph (model, edges);
}

static gboolean
save_shot (GtkWidget *window, GdkFrameClock *clock, gpointer data)
{
  g_autoptr (GdkPaintable) paintable = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  GtkSnapshot *snapshot;
  GskRenderNode *node;
  GtkWidget *content = data;

  if ((FORE_IS_GRAPH_VIEW (content) && !fore_graph_view_is_settled (FORE_GRAPH_VIEW (content)))
      || ++frames < 60)
    {
      if (fit && frames == 30)
        fore_graph_view_fit (FORE_GRAPH_VIEW (content));
      gtk_widget_queue_draw (content);
      return G_SOURCE_CONTINUE;
    }

  paintable = gtk_widget_paintable_new (window);
  snapshot = gtk_snapshot_new ();
  gdk_paintable_snapshot (paintable, snapshot, gtk_widget_get_width (window),
                          gtk_widget_get_height (window));
  node = gtk_snapshot_free_to_node (snapshot);
  texture = gsk_renderer_render_texture (gtk_native_get_renderer (GTK_NATIVE (window)), node, NULL);
  gdk_texture_save_to_png (texture, shot);
  gsk_render_node_unref (node);
  gtk_window_destroy (GTK_WINDOW (window));
  return G_SOURCE_REMOVE;
}

static void
activate (GtkApplication *app, gpointer data)
{
  GtkWidget *window = adw_application_window_new (app);
  GtkWidget *content;

  fore_widgets_init ();
  content = make_page ();
  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  adw_application_window_set_content (ADW_APPLICATION_WINDOW (window), content);
  gtk_window_present (GTK_WINDOW (window));
  if (shot != NULL)
    gtk_widget_add_tick_callback (window, save_shot, content, NULL);
}

int
main (int argc, char **argv)
{
  g_autoptr (AdwApplication) app = adw_application_new ("app.foredeck.Gallery",
                                                        G_APPLICATION_NON_UNIQUE);

  g_application_add_main_option_entries (G_APPLICATION (app), entries);
  g_signal_connect (app, "activate", G_CALLBACK (activate), NULL);

  return g_application_run (G_APPLICATION (app), argc, argv);
}
