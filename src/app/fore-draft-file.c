/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-draft-file.h"

#include <gio/gio.h>
#include <string.h>

#include "text/fore-json.h"

#define FILE_NAME "drafts.json"
#define MAX_DRAFTS 100
#define MAX_BYTES (1024 * 1024)
#define SAVE_MS 300

static const ForeJsonLimits LIMITS = { 8, 64 * 1024 * 1024 };

typedef struct
{
  char *text;
  gint64 time; /* µs since 1970 */
} Draft;

/* What a file held, for the main thread. */
typedef struct
{
  char *path;
  GHashTable *drafts;
} Loaded;

/* What is to be written, for a worker. */
typedef struct
{
  char *path;
  char *text;
  guint64 serial;
} Writing;

static Loaded *loaded; /* atomic */

/* of the main thread */
static GHashTable *drafts; /* about → Draft */
static char *path;         /* NULL until the file is known */
static guint save_timeout;
static gboolean is_changed;
static guint64 n_taken;

static GMutex mutex;
static guint64 n_written; /* by mutex: an older state never follows a newer one */

static void
draft_free (gpointer data)
{
  Draft *draft = data;

  g_free (draft->text);
  g_free (draft);
}

static Draft *
draft_new (const char *text, gint64 time)
{
  Draft *draft = g_new (Draft, 1);

  draft->text = g_strdup (text);
  draft->time = time;

  return draft;
}

static GHashTable *
new_table (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, draft_free);
}

static void
writing_free (gpointer data)
{
  Writing *writing = data;

  g_free (writing->path);
  g_free (writing->text);
  g_free (writing);
}

/* Any thread. */
static void
carry_out (const Writing *writing)
{
  g_autoptr (GError) error = NULL;

  g_mutex_lock (&mutex);
  if (writing->serial > n_written)
    {
      n_written = writing->serial;
      if (!g_file_set_contents_full (writing->path, writing->text, -1,
                                     G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE,
                                     0600, &error))
        g_message ("What was written is kept for as long as the window is open: %s",
                   error->message);
    }
  g_mutex_unlock (&mutex);
}

static void
write_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  carry_out (task_data);
  g_task_return_boolean (task, TRUE);
}

/* The name may be a path of any bytes. */
static void
append_draft (GString *out, const char *about, const Draft *draft)
{
  g_autofree char *name = g_strescape (about, NULL);

  g_string_append (out, out->str[out->len - 1] == '[' ? "\n{\"about\":" : ",\n{\"about\":");
  fore_json_append_string (out, name);
  g_string_append_printf (out, ",\"time\":%" G_GINT64_FORMAT ",\"text\":", draft->time);
  fore_json_append_string (out, draft->text);
  g_string_append_c (out, '}');
}

static Writing *
take_state (void)
{
  GString *out = g_string_new ("{\"format\":1,\"drafts\":[");
  Writing *writing = g_new0 (Writing, 1);
  GHashTableIter iter;
  gpointer about, draft;

  g_hash_table_iter_init (&iter, drafts);
  while (g_hash_table_iter_next (&iter, &about, &draft))
    append_draft (out, about, draft);
  g_string_append (out, "]}\n");
  writing->path = g_strdup (path);
  writing->text = g_string_free (out, FALSE);
  writing->serial = ++n_taken;
  is_changed = FALSE;

  return writing;
}

static gboolean
save_cb (gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);

  save_timeout = 0;
  g_task_set_name (task, "save-drafts");
  g_task_set_task_data (task, take_state (), writing_free);
  g_task_run_in_thread (task, write_thread);

  return G_SOURCE_REMOVE;
}

static void
queue_save (void)
{
  is_changed = TRUE;
  if (path != NULL && save_timeout == 0)
    save_timeout = g_timeout_add (SAVE_MS, save_cb, NULL);
}

/* What was written since is newer than what the file held. */
static void
take_loaded (void)
{
  Loaded *found = g_atomic_pointer_exchange (&loaded, NULL);
  GHashTableIter iter;
  gpointer about, draft;

  if (found == NULL)
    return;

  g_hash_table_iter_init (&iter, found->drafts);
  while (g_hash_table_iter_next (&iter, &about, &draft))
    {
      g_hash_table_iter_steal (&iter);
      if (g_hash_table_contains (drafts, about))
        {
          g_free (about);
          draft_free (draft);
        }
      else
        g_hash_table_insert (drafts, about, draft);
    }
  g_hash_table_unref (found->drafts);
  g_free (path);
  path = found->path;
  g_free (found);
  if (is_changed)
    queue_save ();
}

static GHashTable *
get_drafts (void)
{
  if (drafts == NULL)
    drafts = new_table ();
  take_loaded ();

  return drafts;
}

static void
drop_oldest (GHashTable *table)
{
  const char *oldest = NULL;
  gint64 least = G_MAXINT64;
  GHashTableIter iter;
  gpointer about, draft;

  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, &about, &draft))
    {
      if (((Draft *) draft)->time < least)
        {
          least = ((Draft *) draft)->time;
          oldest = about;
        }
    }
  if (oldest != NULL)
    g_hash_table_remove (table, oldest);
}

static void
read_draft (GHashTable *table, JsonObject *object)
{
  const char *about = fore_json_get_string (object, "about", NULL);
  const char *text = fore_json_get_string (object, "text", NULL);

  if (about != NULL && text != NULL && g_hash_table_size (table) < MAX_DRAFTS)
    g_hash_table_insert (table, g_strcompress (about),
                         draft_new (text, fore_json_get_int (object, "time", 0)));
}

static GHashTable *
read_file (const char *file)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = NULL;
  GHashTable *table = new_table ();
  JsonArray *array;

  if (g_file_test (file, G_FILE_TEST_EXISTS))
    root = fore_json_load_file (file, &LIMITS, &error);
  if (error != NULL)
    g_message ("%s", error->message);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return table;

  array = fore_json_get_array (json_node_get_object (root), "drafts");
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonNode *element = json_array_get_element (array, i);

      if (JSON_NODE_HOLDS_OBJECT (element))
        read_draft (table, json_node_get_object (element));
    }

  return table;
}

/**
 * fore_draft_file_load:
 * @home: home of the store
 *
 * Takes up what was written before; what is set from now on is written there too. One that cannot
 * be read counts for nothing. Blocking; any thread.
 */
void
fore_draft_file_load (const char *home)
{
  Loaded *found;

  g_return_if_fail (home != NULL);

  found = g_new (Loaded, 1);
  found->path = g_build_filename (home, FILE_NAME, NULL);
  found->drafts = read_file (found->path);
  found = g_atomic_pointer_exchange (&loaded, found);
  if (found != NULL)
    {
      g_free (found->path);
      g_hash_table_unref (found->drafts);
      g_free (found);
    }
}

/**
 * fore_draft_file_set:
 * @about: (nullable): what it is about, such as the path of a project; %NULL for nothing yet
 * @text: (nullable): what was written, in UTF-8; nothing forgets the draft
 *
 * It is on the disk soon after. Only the newest hundred are kept. Main thread.
 */
void
fore_draft_file_set (const char *about, const char *text)
{
  const char *key = about != NULL ? about : "";

  if (g_strcmp0 (fore_draft_file_get (about), text != NULL && *text != '\0' ? text : NULL) == 0)
    return;

  if (text == NULL || *text == '\0' || strlen (text) > MAX_BYTES)
    g_hash_table_remove (get_drafts (), key);
  else
    g_hash_table_insert (get_drafts (), g_strdup (key), draft_new (text, g_get_real_time ()));
  if (g_hash_table_size (get_drafts ()) > MAX_DRAFTS)
    drop_oldest (get_drafts ());
  queue_save ();
}

/**
 * fore_draft_file_get:
 * @about: (nullable): what it is about
 *
 * Main thread.
 *
 * Returns: (transfer none) (nullable): what was written about it
 */
const char *
fore_draft_file_get (const char *about)
{
  Draft *draft = g_hash_table_lookup (get_drafts (), about != NULL ? about : "");

  return draft != NULL ? draft->text : NULL;
}

/**
 * fore_draft_file_flush:
 *
 * Writes what has not been written yet, where the program ends. Blocking; main thread.
 */
void
fore_draft_file_flush (void)
{
  Writing *writing;

  g_clear_handle_id (&save_timeout, g_source_remove);
  take_loaded ();
  if (!is_changed || path == NULL)
    return;

  writing = take_state ();
  carry_out (writing);
  writing_free (writing);
}
