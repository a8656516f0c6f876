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

typedef struct
{
  ForeCallKind kind;
  char *text;
  GStrv options;
  ForeMcpReply *reply;
} Work;

static GMutex output_lock;
static int n_calls;

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

static gpointer
carry_out (gpointer data)
{
  Work *work = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *answer = NULL;
  g_autofree char *id = NULL;

  id = fore_calls_send (work->kind, work->text, (const char *const *) work->options, &error);
  if (id != NULL)
    answer = fore_calls_wait (id, 0, &error);
  reply (work->reply, answer != NULL ? answer : error->message, answer == NULL);

  g_free (work->text);
  g_strfreev (work->options);
  g_free (work);
  g_atomic_int_add (&n_calls, -1);

  return NULL;
}

static void
call_tool (const char *name,
           const char *text,
           const char *const *options,
           ForeMcpReply *to,
           gpointer user_data)
{
  Work *work;

  if (g_atomic_int_get (&n_calls) >= MAX_CALLS)
    {
      reply (to, _ ("Too many calls at once; wait for the answers."), TRUE);
      return;
    }

  work = g_new0 (Work, 1);
  work->kind = strcmp (name, "ask") == 0 ? FORE_CALL_ASK : FORE_CALL_SUBMIT;
  work->text = g_strdup (text);
  work->options = g_strdupv ((char **) options);
  work->reply = to;
  g_atomic_int_add (&n_calls, 1);
  g_thread_unref (g_thread_new ("call", carry_out, work));
}

static void
take_line (const char *line, gsize length, gint64 offset, gboolean truncated, gpointer user_data)
{
  fore_mcp_take (user_data, line, length, truncated);
}

gboolean
fore_ctl_do_mcp (ForeCtl *ctl, GError **error)
{
  g_autoptr (ForeMcp) mcp = fore_mcp_new (call_tool, send_line, NULL);
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
  return TRUE;
}
