/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The verbs of agents as tools: a server of the Model Context Protocol on standard input and
 * output.
 */

#include "config.h"

#include "agents/fore-calls.h"
#include "ctl/fore-ctl-verbs.h"
#include "ctl/fore-mcp.h"
#include "text/fore-line-reader.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MAX_LINE (1024 * 1024)
#define MAX_CALLS 16
#define WITHDRAWAL_US (5 * G_USEC_PER_SEC)

typedef struct
{
  ForeCallKind kind;
  char *text;
  GStrv options;
  ForeMcpReply *reply;
  GCancellable *cancellable;
  gboolean unwanted; /* under the lock of works */
} Work;

static GMutex output_lock;
static GMutex work_lock;
static GCond work_left;
static GPtrArray *works; /* of Work that is being carried out, owned by its thread */

static void
send_line (const char *line, gpointer user_data)
{
  g_mutex_lock (&output_lock);
  fputs (line, stdout);
  fputc ('\n', stdout);
  fflush (stdout);
  g_mutex_unlock (&output_lock);
}

static void
reply (ForeMcpReply *to, const char *text, gboolean failed)
{
  g_autofree char *line = fore_mcp_reply (to, text, failed);

  send_line (line, NULL);
}

static void
work_free (Work *work)
{
  g_free (work->text);
  g_strfreev (work->options);
  fore_mcp_reply_free (work->reply);
  g_object_unref (work->cancellable);
  g_free (work);
}

/* From here on nobody can take it back. */
static gboolean
leave (Work *work)
{
  g_mutex_lock (&work_lock);
  g_ptr_array_remove_fast (works, work);
  g_cond_broadcast (&work_left);
  g_mutex_unlock (&work_lock);

  return !g_cancellable_is_cancelled (work->cancellable);
}

static gboolean
is_unwanted (Work *work)
{
  gboolean unwanted;

  g_mutex_lock (&work_lock);
  unwanted = work->unwanted;
  g_mutex_unlock (&work_lock);

  return unwanted;
}

static gpointer
carry_out (gpointer data)
{
  Work *work = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *answer = NULL;
  g_autofree char *id = NULL;
  g_autofree char *withdrawal = NULL;

  id = fore_calls_send (work->kind, work->text, (const char *const *) work->options, &error);
  if (id != NULL)
    answer = fore_calls_wait (id, 0, work->cancellable, &error);
  if (answer == NULL && id != NULL && is_unwanted (work))
    withdrawal = fore_calls_send (FORE_CALL_WITHDRAW, id, NULL, NULL);
  if (leave (work))
    reply (g_steal_pointer (&work->reply), answer != NULL ? answer : error->message,
           answer == NULL);
  work_free (work);

  return NULL;
}

static gboolean
enter (Work *work)
{
  gboolean free_place;

  g_mutex_lock (&work_lock);
  if (works == NULL)
    works = g_ptr_array_new ();
  free_place = works->len < MAX_CALLS;
  if (free_place)
    g_ptr_array_add (works, work);
  g_mutex_unlock (&work_lock);

  return free_place;
}

static ForeCallKind
find_kind (const char *tool)
{
  static const struct
  {
    const char *tool;
    ForeCallKind kind;
  } kinds[] = {
    { "ask", FORE_CALL_ASK },          { "delegate", FORE_CALL_DELEGATE },
    { "submit_plan", FORE_CALL_PLAN }, { "send_mail", FORE_CALL_MAIL },
    { "read_mail", FORE_CALL_INBOX },  { "join_helpers", FORE_CALL_JOIN },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      if (strcmp (kinds[i].tool, tool) == 0)
        return kinds[i].kind;
    }

  return FORE_CALL_SUBMIT;
}

static void
call_tool (const char *name,
           const char *text,
           const char *const *options,
           ForeMcpReply *to,
           gpointer user_data)
{
  Work *work = g_new0 (Work, 1);

  work->kind = find_kind (name);
  work->text = g_strdup (text);
  work->options = g_strdupv ((char **) options);
  work->reply = to;
  work->cancellable = g_cancellable_new ();
  if (!enter (work))
    {
      reply (g_steal_pointer (&work->reply), _ ("Too many calls at once; wait for the answers."),
             TRUE);
      work_free (work);
      return;
    }

  g_thread_unref (g_thread_new ("call", carry_out, work));
}

/* A question of a client that only has no patience stays with the run, whose person may answer it:
 * the same again waits on.
 */
static void
cancel_call (const char *id, gboolean timed_out, gpointer user_data)
{
  g_mutex_lock (&work_lock);
  for (guint i = 0; works != NULL && i < works->len; i++)
    {
      Work *work = g_ptr_array_index (works, i);

      if (strcmp (fore_mcp_reply_get_id (work->reply), id) != 0)
        continue;
      work->unwanted = !timed_out;
      g_cancellable_cancel (work->cancellable);
    }
  g_mutex_unlock (&work_lock);
}

static gboolean
has_unwanted (void)
{
  for (guint i = 0; works != NULL && i < works->len; i++)
    {
      if (((const Work *) g_ptr_array_index (works, i))->unwanted)
        return TRUE;
    }

  return FALSE;
}

/* A client that takes a question back and goes at once has taken it back. */
static void
finish_withdrawals (void)
{
  gint64 end = g_get_monotonic_time () + WITHDRAWAL_US;

  g_mutex_lock (&work_lock);
  while (has_unwanted () && g_cond_wait_until (&work_left, &work_lock, end))
    continue;
  g_mutex_unlock (&work_lock);
}

static void
take_line (const char *line, gsize length, gint64 offset, gboolean truncated, gpointer user_data)
{
  fore_mcp_take (user_data, line, length, truncated);
}

gboolean
fore_ctl_do_mcp (ForeCtl *ctl, GError **error)
{
  g_autoptr (ForeMcp) mcp = fore_mcp_new (call_tool, cancel_call, send_line, NULL);
  g_autoptr (ForeLineReader) reader = fore_line_reader_new (MAX_LINE);
  char bytes[16 * 1024];
  gssize length;

  /* An agent CLI starts its servers without most of its environment. */
  if (fore_ctl_has (ctl, "calls"))
    fore_calls_enter (fore_ctl_get (ctl, "calls"));

  while ((length = read (STDIN_FILENO, bytes, sizeof bytes)) != 0)
    {
      if (length > 0)
        fore_line_reader_feed (reader, bytes, (gsize) length, take_line, mcp);
      else if (errno != EINTR)
        break;
    }

  fore_line_reader_finish (reader, take_line, mcp);
  finish_withdrawals ();
  return TRUE;
}
