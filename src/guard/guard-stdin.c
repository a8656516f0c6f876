/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "guard/guard.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* Whose message is being written, or is next. One that was begun is finished before another. */
GuardClient *
guard_stdin_next (Guard *guard)
{
  GuardClient *next = NULL;

  if (guard->agent_stdin < 0)
    return NULL;

  for (int i = 0; i < GUARD_MAX_CLIENTS; i++)
    {
      GuardClient *client = &guard->clients[i];

      if (client->queued.bytes == NULL)
        continue;
      if (client->queued.done > 0)
        return client;
      if (next == NULL)
        next = client;
    }

  return next;
}

static void
clear_queued (GuardClient *client)
{
  free (client->queued.bytes);
  memset (&client->queued, 0, sizeof client->queued);
}

/* The record of what was said: kept as far as the disk takes it, the saying matters more. */
static void
keep_sent (Guard *guard, const GuardMessage *message)
{
  size_t done = 0;

  while (guard->sent >= 0 && done < message->length)
    {
      ssize_t step = write (guard->sent, message->bytes + done, message->length - done);

      if (step < 0 && errno == EINTR)
        continue;
      if (step <= 0)
        return;
      done += (size_t) step;
    }
}

static void
finish_message (Guard *guard, GuardClient *client)
{
  uint64_t id = client->queued.id;

  keep_sent (guard, &client->queued);
  if (id > guard->last_id)
    guard->last_id = id;

  clear_queued (client);
  guard_client_reply_id (client, "ok", id);
}

void
guard_stdin_close (Guard *guard)
{
  if (guard->agent_stdin >= 0)
    close (guard->agent_stdin);
  guard->agent_stdin = -1;

  for (int i = 0; i < GUARD_MAX_CLIENTS; i++)
    {
      GuardClient *client = &guard->clients[i];

      if (client->queued.bytes == NULL)
        continue;
      clear_queued (client);
      guard_client_reply (client, "error closed\n");
    }
}

void
guard_stdin_write (Guard *guard)
{
  GuardClient *client = guard_stdin_next (guard);
  GuardMessage *message;
  ssize_t done;

  if (client == NULL)
    return;

  message = &client->queued;
  done = write (guard->agent_stdin, message->bytes + message->done,
                message->length - message->done);
  if (done < 0 && (errno == EAGAIN || errno == EINTR))
    return;
  if (done < 0)
    {
      guard_stdin_close (guard);
      return;
    }

  message->done += (size_t) done;
  if (message->done == message->length)
    finish_message (guard, client);

  if (guard->close_stdin && guard_stdin_next (guard) == NULL)
    guard_stdin_close (guard);
}
