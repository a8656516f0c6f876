/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gallery-data.h"

#include "app/fore-transcript-item.h"

typedef struct
{
  const char *id;
  const char *title;
  const char *subtitle;
  const char *detail;
  ForeViewStatus status;
  gboolean dashed;
  const char *icon_name;
  const char *tooltip;
} NodeRow;

typedef struct
{
  const char *from;
  const char *to;
  ForeGraphEdgeKind kind;
  const char *label;
  gboolean dashed;
} EdgeRow;

static const NodeRow run_nodes[] = {
  { "explore", "Map the report window", "explorer · pi", "1 m 02", FORE_VIEW_DONE, FALSE, NULL,
    NULL },
  { "plan", "Plan the export", "planner · claude", "2 m 10", FORE_VIEW_DONE, FALSE, NULL, NULL },
  { "gate", "Plan v2 approved", "you", "10:42", FORE_VIEW_GATE, FALSE, NULL, NULL },
  { "p1", "Writer for CSV rows", "executor · claude", "4 m 20", FORE_VIEW_ACTIVE, FALSE, NULL,
    NULL },
  { "p2", "Export menu and dialog", "executor · codex", "3 m 55", FORE_VIEW_ACTIVE, FALSE, NULL,
    NULL },
  { "p3", "Tests for quoting rules", "test-engineer · pi", "done", FORE_VIEW_DONE, FALSE, NULL,
    NULL },
  { "p4", "Large file streaming", NULL, "waits for p1", FORE_VIEW_PENDING, FALSE, NULL,
    "Waits for Writer for CSV rows" },
  { "p5", "Wire dialog to writer", "attempt 2", "rate limit, 0:18", FORE_VIEW_WAITING, FALSE,
    "fore-retry-symbolic", "The provider said to wait; tries again in 0:18" },
  { "verify", "Verify on merged work", NULL, "make check", FORE_VIEW_PENDING, FALSE, NULL, NULL },
  { "merge", "Ready to merge", NULL, NULL, FORE_VIEW_PENDING, FALSE, NULL, NULL },
};

static const EdgeRow run_edges[] = {
  { "explore", "plan", FORE_GRAPH_EDGE_DEPENDENCY, NULL, FALSE },
  { "plan", "gate", FORE_GRAPH_EDGE_DEPENDENCY, NULL, FALSE },
  { "gate", "p1", FORE_GRAPH_EDGE_DEPENDENCY, NULL, FALSE },
  { "gate", "p2", FORE_GRAPH_EDGE_DEPENDENCY, NULL, FALSE },
  { "gate", "p3", FORE_GRAPH_EDGE_DEPENDENCY, NULL, FALSE },
  { "p1", "p4", FORE_GRAPH_EDGE_DEPENDENCY, NULL, FALSE },
  { "p2", "p5", FORE_GRAPH_EDGE_DEPENDENCY, NULL, FALSE },
  { "p3", "p5", FORE_GRAPH_EDGE_DEPENDENCY, NULL, FALSE },
  { "p4", "verify", FORE_GRAPH_EDGE_DEPENDENCY, NULL, FALSE },
  { "p5", "verify", FORE_GRAPH_EDGE_DEPENDENCY, NULL, FALSE },
  { "verify", "merge", FORE_GRAPH_EDGE_DEPENDENCY, NULL, FALSE },
  { "p1", "p2", FORE_GRAPH_EDGE_CONFLICT, "conflict", FALSE },
};

static const NodeRow preview_nodes[] = {
  { "explore", "Explore", "explorer · pi", NULL, FORE_VIEW_PENDING, FALSE, NULL, NULL },
  { "plan", "Plan", "planner · claude", NULL, FORE_VIEW_PENDING, FALSE, NULL, NULL },
  { "gate", "Your approval", NULL, "the plan waits for you", FORE_VIEW_GATE, FALSE, NULL, NULL },
  { "tasks", "Tasks of the plan", "executor, test-engineer · up to 3 at once", NULL,
    FORE_VIEW_PENDING, TRUE, NULL, NULL },
  { "verify", "Verify", "make check on the merged work", NULL, FORE_VIEW_PENDING, TRUE, NULL,
    NULL },
};

static const EdgeRow preview_edges[] = {
  { "explore", "plan", FORE_GRAPH_EDGE_DEPENDENCY, NULL, FALSE },
  { "plan", "gate", FORE_GRAPH_EDGE_DEPENDENCY, NULL, FALSE },
  { "gate", "tasks", FORE_GRAPH_EDGE_DEPENDENCY, NULL, TRUE },
  { "tasks", "verify", FORE_GRAPH_EDGE_DEPENDENCY, NULL, TRUE },
};

static GListModel *
make_nodes (const NodeRow *rows, guint n)
{
  GListStore *store = g_list_store_new (FORE_TYPE_GRAPH_NODE);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (ForeGraphNode) node = fore_graph_node_new (rows[i].id, rows[i].title);

      fore_graph_node_set_subtitle (node, rows[i].subtitle);
      fore_graph_node_set_detail (node, rows[i].detail);
      fore_graph_node_set_status (node, rows[i].status);
      fore_graph_node_set_dashed (node, rows[i].dashed);
      fore_graph_node_set_icon_name (node, rows[i].icon_name);
      fore_graph_node_set_tooltip (node, rows[i].tooltip);
      g_list_store_append (store, node);
    }

  return G_LIST_MODEL (store);
}

static GPtrArray *
make_edges (const EdgeRow *rows, guint n)
{
  GPtrArray *edges = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_graph_edge_free);

  for (guint i = 0; i < n; i++)
    {
      ForeGraphEdge *edge = fore_graph_edge_new (rows[i].from, rows[i].to, rows[i].kind,
                                                 rows[i].label);

      edge->dashed = rows[i].dashed;
      g_ptr_array_add (edges, edge);
    }

  return edges;
}

GListModel *
gallery_make_run (GPtrArray **edges)
{
  *edges = make_edges (run_edges, G_N_ELEMENTS (run_edges));
  return make_nodes (run_nodes, G_N_ELEMENTS (run_nodes));
}

GListModel *
gallery_make_preview (GPtrArray **edges)
{
  *edges = make_edges (preview_edges, G_N_ELEMENTS (preview_edges));
  return make_nodes (preview_nodes, G_N_ELEMENTS (preview_nodes));
}

static ForeViewStatus
choose_status (GRand *rand, guint i, guint n)
{
  double place = (double) i / n;

  if (place < 0.45)
    return g_rand_double (rand) < 0.04 ? FORE_VIEW_FAILED : FORE_VIEW_DONE;
  if (place < 0.55)
    return g_rand_double (rand) < 0.7 ? FORE_VIEW_ACTIVE : FORE_VIEW_WAITING;
  if (place < 0.58)
    return FORE_VIEW_ATTENTION;

  return FORE_VIEW_PENDING;
}

GListModel *
gallery_make_random (guint n, GPtrArray **edges)
{
  static const char *const verbs[] = { "Read", "Write", "Check", "Port", "Split", "Measure" };
  static const char *const things[] = { "parser", "session store", "table model", "index", "docs" };
  GListStore *store = g_list_store_new (FORE_TYPE_GRAPH_NODE);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GRand) rand = g_rand_new_with_seed (n);

  *edges = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_graph_edge_free);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *id = g_strdup_printf ("t%u", i);
      g_autofree char *title = g_strdup_printf ("%s the %s %u",
                                                verbs[g_rand_int_range (rand, 0, 6)],
                                                things[g_rand_int_range (rand, 0, 5)], i);
      ForeGraphNode *node = fore_graph_node_new (id, title);
      guint n_parents = i == 0 ? 0 : g_rand_int_range (rand, 1, 3);

      fore_graph_node_set_subtitle (node, "executor · claude");
      fore_graph_node_set_status (node, choose_status (rand, i, n));
      g_ptr_array_add (items, node);
      for (guint k = 0; k < n_parents; k++)
        {
          g_autofree char *from = g_strdup_printf ("t%u",
                                                   i - 1 - g_rand_int_range (rand, 0, MIN (i, 14)));

          g_ptr_array_add (*edges,
                           fore_graph_edge_new (from, id, FORE_GRAPH_EDGE_DEPENDENCY, NULL));
        }
    }
  g_list_store_splice (store, 0, 0, items->pdata, items->len);

  return G_LIST_MODEL (store);
}

static const char writer_patch[] = "--- a/src/csv-writer.c\n"
                                   "+++ b/src/csv-writer.c\n"
                                   "@@ -40,1 +40,5 @@\n"
                                   " static gboolean\n"
                                   "+needs_quotes (const char *field)\n"
                                   "+{\n"
                                   "+  return strpbrk (field, \",\\\"\\r\\n\") != NULL;\n"
                                   "+}\n";

static void
add_item (GListStore *store, ForeTranscriptItem *item)
{
  g_list_store_append (store, item);
  g_object_unref (item);
}

static void
add_text (GListStore *store, ForeTranscriptKind kind, const char *text)
{
  add_item (store, fore_transcript_item_new (kind, text));
}

static ForeTranscriptItem *
add_tool (GListStore *store, const char *name, const char *summary, const char *detail)
{
  ForeTranscriptItem *item = fore_transcript_item_new_tool (name, summary, detail);

  add_item (store, item);
  return item;
}

GListModel *
gallery_make_transcript (void)
{
  GListStore *store = g_list_store_new (FORE_TYPE_TRANSCRIPT_ITEM);
  g_autoptr (ForeDiffDoc) diff = fore_diff_doc_new_from_patch (writer_patch, -1);
  ForeTranscriptItem *item;

  add_text (store, FORE_TRANSCRIPT_PERSON,
            "Add a writer for CSV rows. Quote as RFC 4180 says, stream large reports.");
  add_text (store, FORE_TRANSCRIPT_TEXT,
            "The row writer needs the quoting rule of RFC 4180. I'll read how the table model "
            "exposes cells first.");
  item = add_tool (store, "read", "src/report-model.c", "0.1 s");
  fore_transcript_item_set_body (item, "report_model_get_cell (ReportModel *self, ...)\n{\n}\n");
  add_tool (store, "grep", "\"cell_text\" src/", "0.2 s");
  add_text (store, FORE_TRANSCRIPT_THINKING,
            "Cells come as UTF-8 and may hold newlines, so a line based writer is wrong.");
  add_text (store, FORE_TRANSCRIPT_TEXT,
            "Cells may hold newlines, so the writer streams **field by field** and quotes on "
            "`, \" \\r \\n`:\n\n1. find out whether a field needs quotes\n2. double the quotes "
            "inside\n\n```c\nfor (guint i = 0; i < n; i++)\n  write_field (self, fields[i]);\n"
            "```\n");
  item = fore_transcript_item_new_tool ("edit", "src/csv-writer.c", "+96");
  add_item (store, item);
  item = fore_transcript_item_new (FORE_TRANSCRIPT_DIFF, NULL);
  fore_transcript_item_set_diff (item, diff);
  add_item (store, item);
  item = add_tool (store, "bash", "make check TESTS=quoting", "exit 2 · 3.1 s");
  fore_transcript_item_set_outcome (item, FORE_TRANSCRIPT_OUTCOME_FAILED);
  fore_transcript_item_set_body (item, "not ok 3 - embedded quote\n# expected \"a\"\"b\"\n");
  add_text (store, FORE_TRANSCRIPT_NOTICE, "Steered by you: keep the old separator option");
  item = add_tool (store, "bash", "make check TESTS=csv", "running 0:07");
  fore_transcript_item_set_live (item, TRUE);
  item = fore_transcript_item_new (FORE_TRANSCRIPT_TEXT,
                                   "Now the streaming path for large tables, so that no copy of");
  fore_transcript_item_set_live (item, TRUE);
  add_item (store, item);

  return G_LIST_MODEL (store);
}

GListModel *
gallery_make_long_transcript (guint n)
{
  GListStore *store = g_list_store_new (FORE_TYPE_TRANSCRIPT_ITEM);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = g_strdup_printf ("Entry %u of the transcript", i);

      g_ptr_array_add (items, i % 3 == 0 ? fore_transcript_item_new (FORE_TRANSCRIPT_TEXT, text)
                                         : fore_transcript_item_new_tool ("read", text, "0.1 s"));
    }
  g_list_store_splice (store, 0, 0, items->pdata, items->len);

  return G_LIST_MODEL (store);
}

static const char review_patch[]
    = "--- a/src/report-window.c\n"
      "+++ b/src/report-window.c\n"
      "@@ -112,5 +112,6 @@ report_window_class_init\n"
      " static void\n"
      " export_activated (GSimpleAction *action, GVariant *p, gpointer data)\n"
      " {\n"
      "-  report_save_text (self->report, path, &error);\n"
      "+  g_autoptr (CsvWriter) writer = csv_writer_new (stream);\n"
      "+  csv_writer_write_async (writer, self->model, self->cancellable, on_written, self);\n"
      " }\n"
      "@@ -155,3 +156,4 @@\n"
      " static const GActionEntry entries[] = {\n"
      "-  { \"export-text\", export_activated },\n"
      "+  { \"export-csv\", export_activated },\n"
      "+  { \"export-text\", export_text_activated },\n"
      "   { \"print\", print_activated },\n"
      "--- /dev/null\n"
      "+++ b/src/csv-writer.c\n"
      "@@ -0,0 +1,4 @@\n"
      "+#include \"csv-writer.h\"\n"
      "+\n"
      "+struct _CsvWriter\n"
      "+{\n"
      "--- a/src/csv-writer.h\n"
      "+++ b/src/csv-writer.h\n"
      "@@ -1,2 +1,3 @@\n"
      " #pragma once\n"
      "+#include <gio/gio.h>\n"
      " G_BEGIN_DECLS\n"
      "--- a/src/report-model.c\n"
      "+++ b/src/report-model.c\n"
      "@@ -9,3 +9,2 @@\n"
      " a\n"
      "-b\n"
      " c\n"
      "--- a/tests/test-csv.c\n"
      "+++ b/tests/test-csv.c\n"
      "@@ -1,1 +1,2 @@\n"
      " #include <glib.h>\n"
      "+#include \"csv-writer.h\"\n";

ForeDiffDoc *
gallery_make_diff (void)
{
  return fore_diff_doc_new_from_patch (review_patch, -1);
}

ForeDiffDoc *
gallery_make_long_diff (guint n_lines)
{
  ForeDiffDoc *doc = fore_diff_doc_new ();

  fore_diff_doc_add_file (doc, "src/long.c", NULL, FORE_DIFF_FILE_MODIFIED, FALSE);
  fore_diff_doc_add_hunk (doc, 1, 1, NULL);
  for (guint i = 0; i < n_lines; i++)
    {
      g_autofree char *text = g_strdup_printf ("  value[%u] = compute_value (%u, context);", i, i);

      fore_diff_doc_add_line (doc,
                              i % 5 == 1   ? FORE_DIFF_LINE_REMOVED
                              : i % 5 == 2 ? FORE_DIFF_LINE_ADDED
                                           : FORE_DIFF_LINE_CONTEXT,
                              text, -1);
    }

  return doc;
}
