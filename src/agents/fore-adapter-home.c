/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-adapter.h"

#include <string.h>

#include "platform/fore-dirs.h"

static char *
dup_path (const char *word)
{
  gsize length = strcspn (word, "/");
  g_autofree char *name = g_strndup (word, length);
  const char *folder;

  if (word[0] != '$')
    return g_build_filename (g_get_home_dir (), word, NULL);

  folder = g_getenv (name + 1);
  return folder != NULL && folder[0] != '\0' ? g_build_filename (folder, word + length, NULL)
                                             : NULL;
}

/* What it makes there is gone with the attempt; what is there already it may only read. */
static void
open_settings (ForeSandbox *sandbox, const char *word)
{
  g_autofree char *folder = dup_path (word);
  g_autoptr (GDir) dir = folder != NULL ? g_dir_open (folder, 0, NULL) : NULL;
  const char *name;

  if (dir == NULL)
    return;

  fore_sandbox_add (sandbox, FORE_SANDBOX_HIDDEN, folder);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      fore_sandbox_add (sandbox, FORE_SANDBOX_READ, path);
    }
}

static void
open_word (ForeSandbox *sandbox, const char *word)
{
  gboolean keep = word[0] == '!';
  g_autofree char *path = dup_path (keep ? word + 1 : word);

  if (path == NULL)
    return;
  if (g_str_has_suffix (word, "/"))
    fore_dirs_ensure_dir (path, NULL);

  fore_sandbox_add (sandbox, keep ? FORE_SANDBOX_READ : FORE_SANDBOX_WRITE, path);
}

/**
 * fore_adapter_open_home:
 * @adapter: an adapter
 * @sandbox: a sandbox that hides the home
 *
 * Lets the agent CLI reach its own files: each word of the adapter's `home` is a path from the home
 * that it may write, made if it ends in a slash; after a `!` one that it may only read; after a `%`
 * a folder of which it may read what is there, and lose what it adds; a `$` begins the name of a
 * variable that names a folder. Blocking.
 */
void
fore_adapter_open_home (const ForeAdapter *adapter, ForeSandbox *sandbox)
{
  g_return_if_fail (adapter != NULL && sandbox != NULL);

  for (guint i = 0; adapter->home != NULL && adapter->home[i] != NULL; i++)
    {
      if (adapter->home[i][0] == '%')
        open_settings (sandbox, adapter->home[i] + 1);
      else
        open_word (sandbox, adapter->home[i]);
    }
}
