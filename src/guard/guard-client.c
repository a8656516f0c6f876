/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "guard/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define BACKLOG 128

static void
set_flags (int fd)
{
  fcntl (fd, F_SETFD, FD_CLOEXEC);
  fcntl (fd, F_SETFL, fcntl (fd, F_GETFL) | O_NONBLOCK);
}

/* Without a socket an attempt can still be watched; only talking to it fails. */
bool
guard_client_listen (Guard *guard)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  const char *path = guard->options.socket;
  mode_t mask;
  bool bound;

  if (path == NULL || strlen (path) >= sizeof address.sun_path)
    return false;

  guard->listener = socket (AF_UNIX, SOCK_STREAM, 0);
  if (guard->listener < 0)
    return false;

  set_flags (guard->listener);
  memcpy (address.sun_path, path, strlen (path));
  mask = umask (0177);
  bound = bind (guard->listener, (struct sockaddr *) &address, sizeof address) == 0;
  if (!bound && errno == EADDRINUSE && unlink (path) == 0)
    bound = bind (guard->listener, (struct sockaddr *) &address, sizeof address) == 0;
  umask (mask);

  if (bound && listen (guard->listener, BACKLOG) == 0)
    return true;

  close (guard->listener);
  guard->listener = -1;
  return false;
}

void
guard_client_accept (Guard *guard)
{
  int fd = accept (guard->listener, NULL, NULL);

  if (fd < 0)
    return;

  set_flags (fd);
  for (int i = 0; i < GUARD_MAX_CLIENTS; i++)
    {
      if (guard->clients[i].fd < 0 && guard->clients[i].queued.bytes == NULL)
        {
          memset (&guard->clients[i], 0, sizeof guard->clients[i]);
          guard->clients[i].fd = fd;
          guard->clients[i].passed = -1;
          return;
        }
    }

  close (fd);
}

static void
take_passed (GuardClient *client, int fd)
{
  if (client->passed >= 0)
    close (client->passed);
  client->passed = fd;
}

/* A message that is whole is still delivered when its sender goes. */
void
guard_client_drop (GuardClient *client)
{
  if (client->fd >= 0)
    close (client->fd);
  client->fd = -1;
  take_passed (client, -1);
  free (client->incoming.bytes);
  memset (&client->incoming, 0, sizeof client->incoming);
}

void
guard_client_reply (GuardClient *client, const char *text)
{
  if (client->fd < 0)
    return;

  /* Answers are short; a client that lets them pile up is not one of ours. */
  if (send (client->fd, text, strlen (text), MSG_NOSIGNAL) != (ssize_t) strlen (text))
    guard_client_drop (client);
}

void
guard_client_reply_id (GuardClient *client, const char *word, uint64_t id)
{
  char text[64];

  snprintf (text, sizeof text, "%s %" PRIu64 "\n", word, id);
  guard_client_reply (client, text);
}

static void
say_hello (Guard *guard, GuardClient *client)
{
  char text[96];

  snprintf (text, sizeof text, "ok %d %s %" PRIu64 " %d\n", FORE_GUARD_VERSION,
            guard->step == GUARD_STEP_NONE ? "running" : "ending", guard->last_id,
            (int) guard->agent);
  guard_client_reply (client, text);
}

static void
begin_message (GuardClient *client, const char *line)
{
  uint64_t length, id;

  if (sscanf (line, "in %" SCNu64 " %" SCNu64, &length, &id) != 2)
    {
      guard_client_reply (client, "error usage\n");
      guard_client_drop (client);
      return;
    }

  client->incoming.bytes = length <= FORE_GUARD_MAX_MESSAGE ? malloc (length + 1) : NULL;
  if (client->incoming.bytes == NULL)
    {
      guard_client_reply (client, "error too-long\n");
      guard_client_drop (client);
      return;
    }

  client->incoming.length = (size_t) length;
  client->incoming.id = id;
}

static void
end_message (Guard *guard, GuardClient *client)
{
  uint64_t id = client->incoming.id;
  bool known = id != 0 && id <= guard->last_id;

  if (!known && client->incoming.length > 0 && guard->agent_stdin >= 0 && !guard->close_stdin)
    {
      client->queued = client->incoming;
      client->queued.done = 0;
      memset (&client->incoming, 0, sizeof client->incoming);
      return;
    }

  free (client->incoming.bytes);
  memset (&client->incoming, 0, sizeof client->incoming);
  if (known || (guard->agent_stdin >= 0 && !guard->close_stdin))
    guard_client_reply_id (client, "ok", id);
  else
    guard_client_reply (client, "error closed\n");
}

static void
close_when_said (Guard *guard, GuardClient *client)
{
  guard->close_stdin = true;
  if (guard_stdin_next (guard) == NULL)
    guard_stdin_close (guard);
  guard_client_reply (client, "ok\n");
}

static void
interrupt_agent (Guard *guard, GuardClient *client)
{
  if (!guard->agent_gone)
    guard_agent_interrupt (guard);
  guard_client_reply (client, "ok\n");
}

static void
end_tree (Guard *guard, GuardClient *client)
{
  guard_ladder_end (guard, FORE_GUARD_REASON_TOLD_END);
  guard_client_reply (client, "ok\n");
}

static void
kill_tree (Guard *guard, GuardClient *client)
{
  guard_ladder_kill (guard, FORE_GUARD_REASON_TOLD_KILL);
  guard_client_reply (client, "ok\n");
}

static void
set_limits (Guard *guard, GuardClient *client, const char *line)
{
  uint64_t limit;
  int64_t wall;

  if (sscanf (line, "limits %" SCNu64 " %" SCNd64, &limit, &wall) != 2 || wall < 0
      || wall > INT64_MAX / 1000000)
    {
      guard_client_reply (client, "error usage\n");
      return;
    }

  guard->options.limit = limit;
  guard->options.wall_ms = wall;
  guard_client_reply (client, "ok\n");
}

static void
free_slots (Guard *guard, GuardClient *client)
{
  guard_slots_release (guard);
  guard_client_reply (client, "ok\n");
}

static void
take_slot (Guard *guard, GuardClient *client)
{
  if (client->passed < 0)
    {
      guard_client_reply (client, "error usage\n");
      return;
    }

  guard_slots_take (guard, client->passed);
  client->passed = -1;
  guard_client_reply (client, "ok\n");
}

static void
do_line (Guard *guard, GuardClient *client, const char *line)
{
  if (strcmp (line, "hello") == 0)
    say_hello (guard, client);
  else if (strncmp (line, "in ", 3) == 0)
    begin_message (client, line);
  else if (strcmp (line, "close-stdin") == 0)
    close_when_said (guard, client);
  else if (strcmp (line, "interrupt") == 0)
    interrupt_agent (guard, client);
  else if (strcmp (line, "end") == 0)
    end_tree (guard, client);
  else if (strcmp (line, "kill") == 0)
    kill_tree (guard, client);
  else if (strncmp (line, "limits ", 7) == 0)
    set_limits (guard, client, line);
  else if (strcmp (line, "free-slots") == 0)
    free_slots (guard, client);
  else if (strcmp (line, "slot") == 0)
    take_slot (guard, client);
  else
    guard_client_reply (client, "error unknown\n");
}

/* Bytes of a line, and the descriptor that came with them. */
static ssize_t
receive (GuardClient *client, char *start, size_t length)
{
  union
  {
    struct cmsghdr header;
    char bytes[CMSG_SPACE (sizeof (int))];
  } control;
  struct iovec part = { start, length };
  struct msghdr message = { .msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = control.bytes,
                            .msg_controllen = sizeof control.bytes };
  ssize_t done = recvmsg (client->fd, &message, 0);
  struct cmsghdr *header = done > 0 ? CMSG_FIRSTHDR (&message) : NULL;

  if (header != NULL && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS
      && header->cmsg_len == CMSG_LEN (sizeof (int)))
    {
      int fd;

      memcpy (&fd, CMSG_DATA (header), sizeof fd);
      fcntl (fd, F_SETFD, FD_CLOEXEC);
      take_passed (client, fd);
    }

  return done;
}

/* Byte by byte from the kernel's buffer would be slow, and reading ahead would mix the lines with
 * the bytes of a message: the line is peeked at.
 */
static ssize_t
read_line (Guard *guard, GuardClient *client)
{
  char *start = client->line + client->line_length;
  size_t room = sizeof client->line - 1 - client->line_length;
  ssize_t length = recv (client->fd, start, room, MSG_PEEK);
  char *newline;

  if (length <= 0)
    return length;

  newline = memchr (start, '\n', (size_t) length);
  if (newline != NULL)
    length = newline - start + 1;

  length = receive (client, start, (size_t) length);
  if (length <= 0)
    return length;

  client->line_length += (size_t) length;
  if (newline != NULL)
    {
      *newline = '\0';
      client->line_length = 0;
      do_line (guard, client, client->line);
    }
  else if (client->line_length == sizeof client->line - 1)
    {
      guard_client_reply (client, "error usage\n");
      guard_client_drop (client);
    }

  return length;
}

static ssize_t
read_message (Guard *guard, GuardClient *client)
{
  GuardMessage *message = &client->incoming;
  ssize_t length = recv (client->fd, message->bytes + message->done,
                         message->length - message->done, 0);

  if (length > 0)
    message->done += (size_t) length;

  return length;
}

void
guard_client_read (Guard *guard, GuardClient *client)
{
  bool in_message = client->incoming.bytes != NULL;
  ssize_t length = in_message ? read_message (guard, client) : read_line (guard, client);

  if (length == 0 || (length < 0 && errno != EAGAIN && errno != EINTR))
    {
      guard_client_drop (client);
      return;
    }

  if (client->incoming.bytes != NULL && client->incoming.done == client->incoming.length)
    end_message (guard, client);
}
