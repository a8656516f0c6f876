/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-guard-private.h"

#include <gio/gunixsocketaddress.h>
#include <glib/gi18n-lib.h>

#include "model/fore-error.h"
#include "platform/fore-dirs.h"

#define NAME_DIGITS 24

static char *
dup_path (const char *run_dir, const char *task, guint n)
{
  g_autofree char *text = g_strdup_printf ("%s\n%s\n%u", run_dir, task, n);
  g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);

  digest[NAME_DIGITS] = '\0';
  return g_build_filename (g_get_user_runtime_dir (), "foredeck", digest, NULL);
}

char *
fore_guard_dup_socket_path (const char *run_dir, const char *task, guint n, GError **error)
{
  g_autofree char *path = NULL;
  g_autofree char *folder = NULL;

  g_return_val_if_fail (run_dir != NULL, NULL);
  g_return_val_if_fail (task != NULL, NULL);

  path = dup_path (run_dir, task, n);
  folder = g_path_get_dirname (path);
  return fore_dirs_ensure_dir (folder, error) ? g_steal_pointer (&path) : NULL;
}

char *
fore_guard_find_socket (const char *run_dir, const char *task, guint n)
{
  g_autofree char *path = dup_path (run_dir, task, n);

  return g_file_test (path, G_FILE_TEST_EXISTS) ? g_steal_pointer (&path) : NULL;
}

GSocketAddress *
fore_guard_socket_address_new (const char *path)
{
  return g_unix_socket_address_new (path);
}

int
fore_guard_socket_dup_fd (int fd)
{
  return -1;
}

void
fore_guard_socket_close_fd (int fd)
{
}

gboolean
fore_guard_socket_pass (GSocket *socket, const char *line, int fd, GError **error)
{
  return TRUE;
}

/* A descriptor cannot be handed on by GLib here: the runner keeps the slot until the attempt ends.
 */
guint
fore_guard_number_slots (const ForeGuardLaunch *launch, int *numbers)
{
  return 0;
}
