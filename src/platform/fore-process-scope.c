/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-process.h"

#include <glib/gi18n-lib.h>

#include "model/fore-error.h"
#include "platform/fore-process-private.h"

#define CALL_TIMEOUT_MS 2000

static GDBusConnection *
connect_to_manager (GCancellable *cancellable, GError **error)
{
  const char *runtime_dir = g_getenv ("XDG_RUNTIME_DIR");
  g_autofree char *manager = NULL;
  g_autofree char *address = NULL;

  if (runtime_dir != NULL)
    manager = g_build_filename (runtime_dir, "systemd", "private", NULL);

  if (manager == NULL || !g_file_test (manager, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                   _ ("No user manager runs; this process stays in the scope of its starter"));
      return NULL;
    }

  address = g_strdup_printf ("unix:path=%s/bus", runtime_dir);
  return g_dbus_connection_new_for_address_sync (
      address,
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
          | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
      NULL, cancellable, error);
}

static GVariant *
build_call (const char *name)
{
  g_autofree char *unit = g_strdup_printf ("%s.scope", name);
  GVariantBuilder properties, pids;

  g_variant_builder_init (&pids, G_VARIANT_TYPE ("au"));
  g_variant_builder_add (&pids, "u", (guint32) fore_process_system_get_pid ());
  g_variant_builder_init (&properties, G_VARIANT_TYPE ("a(sv)"));
  g_variant_builder_add (&properties, "(sv)", "PIDs", g_variant_builder_end (&pids));
  g_variant_builder_add (&properties, "(sv)", "CollectMode",
                         g_variant_new_string ("inactive-or-failed"));
  return g_variant_new ("(ssa(sv)a(sa(sv)))", unit, "fail", &properties, NULL);
}

static void
join_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) connection = connect_to_manager (cancellable, &error);
  g_autoptr (GVariant) answer = NULL;

  if (connection != NULL)
    answer = g_dbus_connection_call_sync (
        connection, "org.freedesktop.systemd1", "/org/freedesktop/systemd1",
        "org.freedesktop.systemd1.Manager", "StartTransientUnit", build_call (task_data),
        G_VARIANT_TYPE ("(o)"), G_DBUS_CALL_FLAGS_NONE, CALL_TIMEOUT_MS, cancellable, &error);

  if (answer == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_boolean (task, TRUE);
}

/**
 * fore_process_join_scope_async:
 * @name: name of the unit without its ending, such as app-foredeck-runner-abcd2345
 * @cancellable: (nullable): a cancellable
 * @callback: called when it is done
 * @user_data: data for @callback
 *
 * Moves this process into a transient unit of its own, so that ending the scope of the window or of
 * the terminal that started it does not end it. Not having a user manager is an error that a caller
 * can go on from.
 */
void
fore_process_join_scope_async (const char *name,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (name != NULL);

  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, fore_process_join_scope_async);
  g_task_set_name (task, "fore_process_join_scope_async");
  g_task_set_task_data (task, g_strdup (name), g_free);
  g_task_run_in_thread (task, join_thread);
}

gboolean
fore_process_join_scope_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
