/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-calls-private.h"

#include "model/fore-error.h"
#include "platform/fore-watch.h"
#include "text/fore-json.h"

#include <glib/gi18n-lib.h>

#define LOOK_MS 500

static char *
take_answer (JsonNode *node, GError **error)
{
  JsonObject *object = json_node_get_object (node);
  const char *problem = fore_json_get_string (object, "error", NULL);

  if (problem == NULL)
    return g_strdup (fore_json_get_string (object, "text", ""));

  g_set_error_literal (error, FORE_ERROR, FORE_ERROR_REFUSED, problem);
  return NULL;
}

/* One that waits for an answer, with a loop of its own. */
typedef struct
{
  const char *id;
  char *answers;
  GMainContext *context;
  JsonNode *answer;
  gboolean over;
} Wait;

static void
wait_clear (Wait *self)
{
  g_free (self->answers);
  g_clear_pointer (&self->answer, json_node_unref);
  g_clear_pointer (&self->context, g_main_context_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Wait, wait_clear)

static void
look_for_answer (Wait *self)
{
  if (self->answer == NULL)
    self->answer = fore_calls_read_object (self->answers, self->id, NULL);
}

static void
folder_changed (const char *path, ForeWatchEvents events, gpointer user_data)
{
  look_for_answer (user_data);
}

static gboolean
look_again (gpointer user_data)
{
  look_for_answer (user_data);

  return G_SOURCE_CONTINUE;
}

static gboolean
end_wait (gpointer user_data)
{
  Wait *self = user_data;

  self->over = TRUE;
  return G_SOURCE_REMOVE;
}

static gboolean
end_cancelled_wait (GCancellable *cancellable, gpointer user_data)
{
  return end_wait (user_data);
}

static void
add_source (Wait *self, GSource *source, GSourceFunc func)
{
  g_source_set_callback (source, func, self, NULL);
  g_source_attach (source, self->context);
  g_source_unref (source);
}

/* The file of the answer is watched; where nothing can be, it is looked for now and then. */
static void
wait_for_answer (Wait *self, gint64 timeout_us, GCancellable *cancellable)
{
  g_autofree char *file = g_strconcat (self->id, FORE_CALLS_SUFFIX, NULL);
  g_autofree char *path = g_build_filename (self->answers, file, NULL);
  g_autoptr (ForeWatch) watch = fore_watch_new (path, folder_changed, self, self->context, NULL);

  if (watch == NULL)
    add_source (self, g_timeout_source_new (LOOK_MS), look_again);
  if (timeout_us > 0)
    add_source (self, g_timeout_source_new ((guint) MIN (timeout_us / 1000, G_MAXINT)), end_wait);
  if (cancellable != NULL)
    add_source (self, g_cancellable_source_new (cancellable), G_SOURCE_FUNC (end_cancelled_wait));

  look_for_answer (self);
  while (self->answer == NULL && !self->over)
    g_main_context_iteration (self->context, TRUE);
}

/* What was waited with is gone before its loop is. */
static void
drop_sources (Wait *self)
{
  GSource *source;

  while ((source = g_main_context_find_source_by_user_data (self->context, self)) != NULL)
    g_source_destroy (source);
}

/**
 * fore_calls_wait:
 * @id: a call that was sent
 * @timeout_us: how long to wait, or 0 for as long as it takes
 * @cancellable: (nullable): ends the wait from another thread
 * @error: return location for an error; %FORE_ERROR_WAITING if there is no answer yet
 *
 * Sleeps until there is an answer. Any thread; blocking.
 *
 * Returns: (transfer full): the answer, or %NULL
 */
char *
fore_calls_wait (const char *id, gint64 timeout_us, GCancellable *cancellable, GError **error)
{
  const char *folder;
  g_auto (Wait) wait = { .id = id };

  g_return_val_if_fail (id != NULL, NULL);

  folder = fore_calls_get_folder (error);
  if (folder == NULL)
    return NULL;

  wait.answers = g_build_filename (folder, FORE_CALLS_ANSWERS, NULL);
  wait.context = g_main_context_new ();
  wait_for_answer (&wait, timeout_us, cancellable);
  drop_sources (&wait);
  if (wait.answer != NULL)
    return take_answer (wait.answer, error);

  g_set_error_literal (error, FORE_ERROR, FORE_ERROR_WAITING,
                       _ ("There is no answer yet; ask the same again to wait on."));
  return NULL;
}
