/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-owner-link.h"

/* Who waited for a barrier starts a process next; a hundred in a row would hold the main loop. */
#define TASKS_AT_ONCE 4

struct _ForeOwnerLink
{
  gatomicrefcount ref_count;
  GMainContext *context;
  /* of the owner's thread */
  ForeRunWriter *writer;
  gint64 turn; /* of the main loop */
  guint n_in_turn;
};

typedef struct
{
  ForeOwnerLink *link;
  GPtrArray *tasks; /* NULL for signals */
  guint n_finished;
  GError *error;
} Post;

static Post *
post_new (ForeOwnerLink *link, const GError *error)
{
  Post *post = g_new0 (Post, 1);

  g_atomic_ref_count_inc (&link->ref_count);
  post->link = link;
  post->error = error != NULL ? g_error_copy (error) : NULL;

  return post;
}

static void
post_free (Post *post)
{
  g_clear_pointer (&post->tasks, g_ptr_array_unref);
  g_clear_error (&post->error);
  fore_owner_link_unref (post->link);
  g_free (post);
}

static gboolean
emit_signal (gpointer user_data)
{
  Post *post = user_data;
  g_autoptr (ForeRunWriter) writer = NULL;

  if (post->link->writer == NULL)
    return G_SOURCE_REMOVE;

  writer = g_object_ref (post->link->writer);
  if (post->error != NULL)
    g_signal_emit_by_name (writer, "failed", post->error);
  else
    g_signal_emit_by_name (writer, "input");

  return G_SOURCE_REMOVE;
}

/* Whether another one may go on in this turn of the main loop. */
static gboolean
take_place (ForeOwnerLink *link)
{
  gint64 turn = g_source_get_time (g_main_current_source ());

  if (link->turn != turn)
    {
      link->turn = turn;
      link->n_in_turn = 0;
    }

  return link->n_in_turn++ < TASKS_AT_ONCE;
}

static gboolean
finish_tasks (gpointer user_data)
{
  Post *post = user_data;

  while (post->n_finished < post->tasks->len && take_place (post->link))
    {
      GTask *task = g_ptr_array_index (post->tasks, post->n_finished++);

      if (post->error != NULL)
        g_task_return_error (task, g_error_copy (post->error));
      else
        g_task_return_boolean (task, TRUE);
    }

  return post->n_finished < post->tasks->len ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static void
send (ForeOwnerLink *link, GSourceFunc func, Post *post)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_static_name (source, "run writer");
  g_source_set_callback (source, func, post, (GDestroyNotify) post_free);
  g_source_attach (source, link->context);
}

/**
 * fore_owner_link_new:
 * @writer: the writer; not kept alive
 * @context: the context of its thread
 *
 * Returns: (transfer full): a link
 */
ForeOwnerLink *
fore_owner_link_new (ForeRunWriter *writer, GMainContext *context)
{
  ForeOwnerLink *link = g_new0 (ForeOwnerLink, 1);

  g_atomic_ref_count_init (&link->ref_count);
  link->context = g_main_context_ref (context);
  link->writer = writer;

  return link;
}

/**
 * fore_owner_link_unref:
 * @link: (transfer full): a link
 */
void
fore_owner_link_unref (ForeOwnerLink *link)
{
  if (!g_atomic_ref_count_dec (&link->ref_count))
    return;

  g_main_context_unref (link->context);
  g_free (link);
}

/**
 * fore_owner_link_cut:
 * @link: a link
 *
 * For the owner's thread: no signal is emitted any more. Tasks are still finished.
 */
void
fore_owner_link_cut (ForeOwnerLink *link)
{
  link->writer = NULL;
}

/**
 * fore_owner_link_emit_failed:
 * @link: a link
 * @error: why
 *
 * Any thread. Emits #ForeRunWriter::failed on the owner's.
 */
void
fore_owner_link_emit_failed (ForeOwnerLink *link, const GError *error)
{
  g_return_if_fail (error != NULL);

  send (link, emit_signal, post_new (link, error));
}

/**
 * fore_owner_link_emit_input:
 * @link: a link
 *
 * Any thread. Emits #ForeRunWriter::input on the owner's.
 */
void
fore_owner_link_emit_input (ForeOwnerLink *link)
{
  send (link, emit_signal, post_new (link, NULL));
}

/**
 * fore_owner_link_finish_tasks:
 * @link: a link
 * @tasks: (transfer full) (element-type GTask): tasks, which are freed on the owner's thread too:
 * one can hold the last reference to the writer
 * @error: (nullable): why they failed
 *
 * Any thread.
 */
void
fore_owner_link_finish_tasks (ForeOwnerLink *link, GPtrArray *tasks, const GError *error)
{
  Post *post = post_new (link, error);

  post->tasks = tasks;
  send (link, finish_tasks, post);
}
