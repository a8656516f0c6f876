/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-notes.h"
#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-verbs.h"

#include <glib/gi18n.h>
#include <string.h>

#define NODE_WIDTH 200
#define NODE_HEIGHT 44
#define COLUMN_GAP 70
#define ROW_GAP 18
#define MARGIN 20

/* Each task with its column: one more than the greatest of those that it depends on. */
typedef struct
{
  const ForeTask *task;
  guint column;
  guint row;
} Node;

typedef struct
{
  GPtrArray *nodes; /* in the order of the tasks */
  GHashTable *by_key;
  GArray *heights; /* rows of each column */
} Layout;

static void
layout_clear (Layout *layout)
{
  g_hash_table_unref (layout->by_key);
  g_ptr_array_unref (layout->nodes);
  g_array_unref (layout->heights);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Layout, layout_clear)

static void
add_node (Layout *layout, const ForeTask *task)
{
  Node *node = g_new0 (Node, 1);

  node->task = task;
  g_ptr_array_add (layout->nodes, node);
  g_hash_table_insert (layout->by_key, task->key, node);
}

static gboolean
raise_column (Layout *layout, Node *node)
{
  guint column = node->column;

  for (guint i = 0; node->task->depends_on != NULL && node->task->depends_on[i] != NULL; i++)
    {
      const Node *before = g_hash_table_lookup (layout->by_key, node->task->depends_on[i]);

      if (before != NULL)
        column = MAX (column, before->column + 1);
    }

  if (column == node->column)
    return FALSE;

  node->column = column;
  return TRUE;
}

/* The engine's graphs have no cycles; the bound is for files that somebody damaged. */
static void
place_columns (Layout *layout)
{
  gboolean moved = TRUE;

  for (guint round = 0; moved && round < layout->nodes->len; round++)
    {
      moved = FALSE;
      for (guint i = 0; i < layout->nodes->len; i++)
        moved |= raise_column (layout, layout->nodes->pdata[i]);
    }
}

static void
place_rows (Layout *layout)
{
  for (guint i = 0; i < layout->nodes->len; i++)
    {
      Node *node = layout->nodes->pdata[i];

      if (node->column >= layout->heights->len)
        g_array_set_size (layout->heights, node->column + 1);
      node->row = g_array_index (layout->heights, guint, node->column)++;
    }
}

static void
layout_init (Layout *layout, GPtrArray *tasks)
{
  layout->nodes = g_ptr_array_new_with_free_func (g_free);
  layout->by_key = g_hash_table_new (g_str_hash, g_str_equal);
  layout->heights = g_array_new (FALSE, TRUE, sizeof (guint));

  for (guint i = 0; i < tasks->len; i++)
    add_node (layout, tasks->pdata[i]);
  place_columns (layout);
  place_rows (layout);
}

static JsonObject *
node_to_json (const Node *node)
{
  const ForeTask *task = node->task;
  JsonObject *object = json_object_new ();

  fore_ctl_json_set_text (object, "key", task->key);
  fore_ctl_json_set_text (object, "title", task->title);
  fore_ctl_json_set_text (object, "role", task->role);
  fore_ctl_json_set_text (object, "status", fore_task_status_to_string (task->status));
  fore_ctl_json_set_text (object, "class",
                          fore_status_class_to_string (fore_task_status_get_class (task->status)));
  json_object_set_int_member (object, "layer", node->column);

  return object;
}

static void
add_edges (JsonArray *edges, const ForeTask *task)
{
  for (guint i = 0; task->depends_on != NULL && task->depends_on[i] != NULL; i++)
    {
      JsonObject *edge = json_object_new ();

      fore_ctl_json_set_text (edge, "from", task->depends_on[i]);
      fore_ctl_json_set_text (edge, "to", task->key);
      json_array_add_object_element (edges, edge);
    }
}

static void
print_as_json (ForeCtl *ctl, const ForeRun *run, const Layout *layout, GPtrArray *foreseen)
{
  JsonObject *object = json_object_new ();
  JsonArray *nodes = json_array_new ();
  JsonArray *edges = json_array_new ();

  for (guint i = 0; i < layout->nodes->len; i++)
    {
      const Node *node = layout->nodes->pdata[i];

      json_array_add_object_element (nodes, node_to_json (node));
      add_edges (edges, node->task);
    }

  json_object_set_string_member (object, "run", run->id);
  json_object_set_array_member (object, "nodes", nodes);
  json_object_set_array_member (object, "edges", edges);
  json_object_set_array_member (object, "conflicts", fore_ctl_json_foreseen (foreseen));
  fore_ctl_print_object (ctl, object);
}

static char *
escape_dot (const char *text)
{
  GString *escaped = g_string_new (NULL);

  for (const char *p = text; *p != '\0'; p++)
    {
      if (*p == '"' || *p == '\\')
        g_string_append_c (escaped, '\\');
      g_string_append_c (escaped, *p == '\n' ? ' ' : *p);
    }

  return g_string_free (escaped, FALSE);
}

static const char *
get_fill (ForeTaskStatus status)
{
  switch (status)
    {
    case FORE_TASK_COMPLETED:
      return "#d3f0da";
    case FORE_TASK_FAILED:
      return "#f9d3d0";
    case FORE_TASK_RUNNING:
      return "#d0e2fb";
    case FORE_TASK_WAITING:
    case FORE_TASK_NEEDS_ATTENTION:
      return "#fbeac2";
    default:
      return "#ececec";
    }
}

static void
print_as_dot (ForeCtl *ctl, const ForeRun *run, const Layout *layout)
{
  fore_ctl_print (
      ctl, "digraph \"%s\" {\n  rankdir=LR;\n  node [shape=box, style=\"rounded,filled\"];\n",
      run->id);
  for (guint i = 0; i < layout->nodes->len; i++)
    {
      const ForeTask *task = ((const Node *) layout->nodes->pdata[i])->task;
      g_autofree char *clean = fore_ctl_dup_clean (task->title);
      g_autofree char *title = escape_dot (clean);

      fore_ctl_print (ctl, "  \"%s\" [label=\"%s\\n%s\", fillcolor=\"%s\"];\n", task->key, title,
                      fore_task_status_to_string (task->status), get_fill (task->status));
      for (guint j = 0; task->depends_on != NULL && task->depends_on[j] != NULL; j++)
        fore_ctl_print (ctl, "  \"%s\" -> \"%s\";\n", task->depends_on[j], task->key);
    }
  fore_ctl_print (ctl, "}\n");
}

static int
get_x (const Node *node)
{
  return MARGIN + (int) node->column * (NODE_WIDTH + COLUMN_GAP);
}

static int
get_y (const Node *node)
{
  return MARGIN + (int) node->row * (NODE_HEIGHT + ROW_GAP);
}

static void
print_svg_edges (ForeCtl *ctl, const Layout *layout, const Node *node)
{
  int x2 = get_x (node), y2 = get_y (node) + NODE_HEIGHT / 2;

  for (guint i = 0; node->task->depends_on != NULL && node->task->depends_on[i] != NULL; i++)
    {
      const Node *before = g_hash_table_lookup (layout->by_key, node->task->depends_on[i]);
      int x1, y1;

      if (before == NULL)
        continue;

      x1 = get_x (before) + NODE_WIDTH;
      y1 = get_y (before) + NODE_HEIGHT / 2;
      fore_ctl_print (ctl, "<path d=\"M%d %dC%d %d %d %d %d %d\"/>\n", x1, y1, (x1 + x2) / 2, y1,
                      (x1 + x2) / 2, y2, x2, y2);
    }
}

static void
print_svg_node (ForeCtl *ctl, const Node *node)
{
  g_autofree char *clean = fore_ctl_dup_clean (node->task->title);
  g_autofree char *cut = g_utf8_strlen (clean, -1) > 26 ? g_utf8_substring (clean, 0, 25)
                                                        : g_strdup (clean);
  g_autofree char *full = g_markup_escape_text (clean, -1);
  g_autofree char *title = g_markup_escape_text (cut, -1);

  fore_ctl_print (ctl,
                  "<g><title>%s</title><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"8\" "
                  "fill=\"%s\" stroke=\"#888\"/><text x=\"%d\" y=\"%d\">%s%s</text>"
                  "<text x=\"%d\" y=\"%d\" fill=\"#555\">%s</text></g>\n",
                  full, get_x (node), get_y (node), NODE_WIDTH, NODE_HEIGHT,
                  get_fill (node->task->status), get_x (node) + 10, get_y (node) + 18, title,
                  strlen (cut) < strlen (clean) ? "…" : "", get_x (node) + 10, get_y (node) + 35,
                  fore_task_status_to_string (node->task->status));
}

static void
print_as_svg (ForeCtl *ctl, const Layout *layout)
{
  guint rows = 1;
  int width, height;

  for (guint i = 0; i < layout->heights->len; i++)
    rows = MAX (rows, g_array_index (layout->heights, guint, i));
  width = 2 * MARGIN + (int) MAX (layout->heights->len, 1) * (NODE_WIDTH + COLUMN_GAP) - COLUMN_GAP;
  height = 2 * MARGIN + (int) rows * (NODE_HEIGHT + ROW_GAP) - ROW_GAP;

  fore_ctl_print (ctl,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                  "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"13\">\n"
                  "<g fill=\"none\" stroke=\"#888\" stroke-width=\"1.5\">\n",
                  width, height, width, height);
  for (guint i = 0; i < layout->nodes->len; i++)
    print_svg_edges (ctl, layout, layout->nodes->pdata[i]);
  fore_ctl_print (ctl, "</g>\n");
  for (guint i = 0; i < layout->nodes->len; i++)
    print_svg_node (ctl, layout->nodes->pdata[i]);
  fore_ctl_print (ctl, "</svg>\n");
}

static void
print_text_node (ForeCtl *ctl, const Node *node)
{
  const ForeTask *task = node->task;
  g_autofree char *clean = fore_ctl_dup_clean (task->title);
  g_autofree char *depends = task->depends_on != NULL ? g_strjoinv (", ", task->depends_on)
                                                      : g_strdup ("");

  fore_ctl_print (ctl, "%*s", (int) MIN (node->column, 30) * 2, "");
  fore_ctl_print_styled (ctl, fore_ctl_style_for_task (task->status),
                         fore_task_status_to_string (task->status));
  fore_ctl_print (ctl, "  %s  %s", task->key, clean);
  if (*depends != '\0')
    fore_ctl_print (ctl, "  ← %s", depends);
  fore_ctl_write ("\n", 1);
}

static int
compare_columns (gconstpointer a, gconstpointer b)
{
  const Node *left = *(const Node *const *) a;
  const Node *right = *(const Node *const *) b;

  if (left->column != right->column)
    return left->column < right->column ? -1 : 1;

  return left->row < right->row ? -1 : left->row > right->row;
}

static void
print_as_text (ForeCtl *ctl, Layout *layout, GPtrArray *foreseen)
{
  g_ptr_array_sort (layout->nodes, compare_columns);
  for (guint i = 0; i < layout->nodes->len; i++)
    print_text_node (ctl, layout->nodes->pdata[i]);
  for (guint i = 0; i < foreseen->len; i++)
    {
      g_autofree char *text = fore_foreseen_dup_text (foreseen->pdata[i]);
      g_autofree char *clean = fore_ctl_dup_clean (text);

      fore_ctl_print_styled (ctl, FORE_CTL_WAIT, "⚡ ");
      fore_ctl_print (ctl, "%s\n", clean);
    }
}

static void
print_graph (ForeCtl *ctl, const ForeRunDelta *delta, const char *format)
{
  g_autoptr (GPtrArray) foreseen = fore_ctl_read_foreseen (ctl, delta);
  g_auto (Layout) layout = { 0 };

  layout_init (&layout, delta->tasks);
  if (strcmp (format, "json") == 0)
    print_as_json (ctl, delta->run, &layout, foreseen);
  else if (strcmp (format, "dot") == 0)
    print_as_dot (ctl, delta->run, &layout);
  else if (strcmp (format, "svg") == 0)
    print_as_svg (ctl, &layout);
  else
    print_as_text (ctl, &layout, foreseen);
}

gboolean
fore_ctl_do_graph (ForeCtl *ctl, GError **error)
{
  g_autoptr (ForeRunDelta) delta = fore_ctl_read_run (ctl, fore_ctl_get_word (ctl, 0), 0, error);
  const char *format = fore_ctl_get (ctl, "format");

  if (delta == NULL)
    return FALSE;

  print_graph (ctl, delta, format != NULL ? format : ctl->json ? "json" : "text");
  return TRUE;
}
