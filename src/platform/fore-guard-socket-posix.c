/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-guard-private.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixfdmessage.h>
#include <gio/gunixsocketaddress.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "model/fore-error.h"
#include "platform/fore-guard-protocol.h"

#define NAME_DIGITS 24

static char *
dup_name (const char *run_dir, const char *task, guint n)
{
  g_autofree char *path = g_canonicalize_filename (run_dir, NULL);
  g_autofree char *text = g_strdup_printf ("%s\n%s\n%u", path, task, n);
  g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);

  digest[NAME_DIGITS] = '\0';
  return g_steal_pointer (&digest);
}

/* Folders that a socket may lie in, the best first: those in memory, where a file costs nothing. A
 * runner that follows another may have been started without XDG_RUNTIME_DIR, so that all are looked
 * at.
 */
static GPtrArray *
list_folders (void)
{
  GPtrArray *folders = g_ptr_array_new_with_free_func (g_free);
  const char *runtime_dir = g_getenv ("XDG_RUNTIME_DIR");

  if (runtime_dir != NULL && g_path_is_absolute (runtime_dir))
    g_ptr_array_add (folders, g_build_filename (runtime_dir, "foredeck", NULL));
  g_ptr_array_add (folders, g_strdup_printf ("/run/user/%u/foredeck", (guint) getuid ()));
  g_ptr_array_add (folders, g_strdup_printf ("/dev/shm/foredeck-%u", (guint) getuid ()));
  g_ptr_array_add (folders, g_strdup_printf ("/tmp/foredeck-%u", (guint) getuid ()));
  return folders;
}

/* These folders are everybody's: a folder that is not ours alone is not used. */
static gboolean
ensure_private_folder (const char *path)
{
  struct stat info;

  if (g_mkdir (path, 0700) != 0 && errno != EEXIST)
    return FALSE;

  return lstat (path, &info) == 0 && S_ISDIR (info.st_mode) && info.st_uid == getuid ()
         && (info.st_mode & 0077) == 0 && g_access (path, W_OK | X_OK) == 0;
}

static gboolean
fits (const char *path)
{
  return strlen (path) < G_SIZEOF_MEMBER (struct sockaddr_un, sun_path);
}

/**
 * fore_guard_dup_socket_path:
 * @run_dir: folder of a run
 * @task: key of a task
 * @n: number of the attempt
 * @error: return location for an error
 *
 * Returns: (transfer full): where the guard of a new attempt shall listen
 */
char *
fore_guard_dup_socket_path (const char *run_dir, const char *task, guint n, GError **error)
{
  g_autoptr (GPtrArray) folders = NULL;
  g_autofree char *name = NULL;

  g_return_val_if_fail (run_dir != NULL, NULL);
  g_return_val_if_fail (task != NULL, NULL);

  folders = list_folders ();
  name = dup_name (run_dir, task, n);
  for (guint i = 0; i < folders->len; i++)
    {
      g_autofree char *path = g_build_filename (folders->pdata[i], name, NULL);

      if (fits (path) && ensure_private_folder (folders->pdata[i]))
        return g_steal_pointer (&path);
    }

  g_set_error (
      error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
      _ ("There is no private folder for sockets; set XDG_RUNTIME_DIR to a folder that only "
         "you can enter"));
  return NULL;
}

/**
 * fore_guard_find_socket:
 * @run_dir: folder of a run
 * @task: key of a task
 * @n: number of the attempt
 *
 * Returns: (transfer full) (nullable): where the guard of a running attempt listens
 */
char *
fore_guard_find_socket (const char *run_dir, const char *task, guint n)
{
  g_autoptr (GPtrArray) folders = list_folders ();
  g_autofree char *name = dup_name (run_dir, task, n);

  for (guint i = 0; i < folders->len; i++)
    {
      g_autofree char *path = g_build_filename (folders->pdata[i], name, NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&path);
    }

  return NULL;
}

GSocketAddress *
fore_guard_socket_address_new (const char *path)
{
  return g_unix_socket_address_new (path);
}

int
fore_guard_socket_dup_fd (int fd)
{
  return fcntl (fd, F_DUPFD_CLOEXEC, 0);
}

void
fore_guard_socket_close_fd (int fd)
{
  if (fd >= 0)
    close (fd);
}

gboolean
fore_guard_socket_pass (GSocket *socket, const char *line, int fd, GError **error)
{
  g_autoptr (GSocketControlMessage) message = g_unix_fd_message_new ();
  GOutputVector part = { line, strlen (line) };

  if (!g_unix_fd_message_append_fd (G_UNIX_FD_MESSAGE (message), fd, error))
    return FALSE;

  return g_socket_send_message (socket, NULL, &part, 1, &message, 1, G_SOCKET_MSG_NONE, NULL, error)
         == (gssize) part.size;
}

/* What the descriptors of its slots are called in a guard. */
guint
fore_guard_number_slots (const ForeGuardLaunch *launch, int *numbers)
{
  for (guint i = 0; i < launch->n_slot_fds; i++)
    numbers[i] = FORE_GUARD_FIRST_SLOT_FD + (int) i;

  return launch->n_slot_fds;
}
