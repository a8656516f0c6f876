/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-sandbox.h"

#include <string.h>

#include "model/fore-error.h"
#include "platform/fore-files.h"
#include "platform/fore-sandbox-private.h"

#define PROFILE_FULL "full"

struct _ForeSandbox
{
  char *profile;
  gboolean network;
  GPtrArray *mounts;
  gboolean sorted;
};

static const char *const access_words[] = { "hidden", "read", "write" };

static void
mount_free (gpointer data)
{
  ForeSandboxMount *mount = data;

  g_free (mount->path);
  g_free (mount->source);
  g_free (mount);
}

/**
 * fore_sandbox_new:
 * @profile: `read-only`, `workspace-write` or `full`
 *
 * Returns: (transfer full): a sandbox with the network and without mounts
 */
ForeSandbox *
fore_sandbox_new (const char *profile)
{
  ForeSandbox *self;

  g_return_val_if_fail (profile != NULL, NULL);

  self = g_new0 (ForeSandbox, 1);
  self->profile = g_strdup (profile);
  self->network = TRUE;
  self->mounts = g_ptr_array_new_with_free_func (mount_free);

  return self;
}

/**
 * fore_sandbox_free:
 * @self: (nullable): a sandbox
 */
void
fore_sandbox_free (ForeSandbox *self)
{
  if (self == NULL)
    return;

  g_free (self->profile);
  g_ptr_array_unref (self->mounts);
  g_free (self);
}

/* Where something else is seen at a path, that goes before what is there itself. */
static void
change_mount (ForeSandboxMount *mount, ForeSandboxAccess access, char *path, char *source)
{
  if (source != NULL || mount->source == NULL)
    mount->access = source != NULL ? access : MAX (mount->access, access);
  if (source != NULL)
    {
      g_free (mount->source);
      mount->source = source;
    }
  g_free (path);
}

static void
take_mount (ForeSandbox *self, ForeSandboxAccess access, char *path, char *source)
{
  ForeSandboxMount *mount;

  for (guint i = 0; i < self->mounts->len; i++)
    {
      mount = g_ptr_array_index (self->mounts, i);
      if (strcmp (mount->path, path) == 0)
        {
          change_mount (mount, access, path, source);
          return;
        }
    }

  mount = g_new0 (ForeSandboxMount, 1);
  mount->access = access;
  mount->path = path;
  mount->source = source;
  g_ptr_array_add (self->mounts, mount);
  self->sorted = FALSE;
}

/**
 * fore_sandbox_add:
 * @self: a sandbox
 * @access: how @path is to be seen
 * @path: an absolute path; what is not there, or is the root, is left out
 *
 * Says how something is seen from inside. Looks at the file system; blocking.
 */
void
fore_sandbox_add (ForeSandbox *self, ForeSandboxAccess access, const char *path)
{
  g_autofree char *real = NULL;

  g_return_if_fail (self != NULL && path != NULL);

  real = g_path_is_absolute (path) ? fore_path_dup_real (path) : NULL;
  if (real != NULL && strcmp (real, "/") != 0)
    take_mount (self, access, g_steal_pointer (&real), NULL);
}

/**
 * fore_sandbox_add_from:
 * @self: a sandbox
 * @access: how @source is to be seen
 * @source: an absolute path; what is not there is left out
 * @path: where it is to be seen: an absolute path without links, which is there inside
 *
 * Shows something at another place than its own. Looks at the file system; blocking.
 */
void
fore_sandbox_add_from (ForeSandbox *self,
                       ForeSandboxAccess access,
                       const char *source,
                       const char *path)
{
  char *real;

  g_return_if_fail (self != NULL);
  g_return_if_fail (access != FORE_SANDBOX_HIDDEN);
  g_return_if_fail (source != NULL && g_path_is_absolute (source));
  g_return_if_fail (path != NULL && g_path_is_absolute (path));

  real = fore_path_dup_real (source);
  if (real != NULL)
    take_mount (self, access, g_strdup (path), real);
}

/**
 * fore_sandbox_cut_network:
 * @self: a sandbox
 *
 * Leaves nothing of the network but a loopback of its own.
 */
void
fore_sandbox_cut_network (ForeSandbox *self)
{
  g_return_if_fail (self != NULL);

  self->network = FALSE;
}

static gint
compare_mounts (gconstpointer a, gconstpointer b)
{
  const ForeSandboxMount *first = *(ForeSandboxMount *const *) a;
  const ForeSandboxMount *second = *(ForeSandboxMount *const *) b;

  return strcmp (first->path, second->path);
}

/* A folder comes before what lies in it, so that the nearest mount of a path holds. */
static void
sort (ForeSandbox *self)
{
  if (!self->sorted)
    g_ptr_array_sort (self->mounts, compare_mounts);
  self->sorted = TRUE;
}

static void
add_words (GPtrArray *argv, const char *first, const char *second, const char *third)
{
  const char *const words[] = { first, second, third };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (words[i] != NULL)
        g_ptr_array_add (argv, g_strdup (words[i]));
    }
}

static void
add_mount (GPtrArray *argv, const ForeSandboxMount *mount)
{
  const char *source = mount->source != NULL ? mount->source : mount->path;

  if (mount->access == FORE_SANDBOX_WRITE)
    add_words (argv, "--bind", source, mount->path);
  else if (mount->access == FORE_SANDBOX_READ)
    add_words (argv, "--ro-bind", source, mount->path);
  else if (g_file_test (mount->path, G_FILE_TEST_IS_DIR))
    add_words (argv, "--tmpfs", mount->path, NULL);
  else
    add_words (argv, "--ro-bind", "/dev/null", mount->path);
}

/**
 * fore_sandbox_wrap:
 * @self: a sandbox
 * @program: path of bubblewrap, from fore_sandbox_find()
 * @argv: a command line; its first word is an absolute path
 *
 * The options are those of bwrap(1). No descriptors but the three are passed on, and the process
 * group stays, so that signals of whoever watches it arrive.
 *
 * Returns: (transfer full): a command line that carries @argv out in the sandbox
 */
GStrv
fore_sandbox_wrap (ForeSandbox *self, const char *program, const char *const *argv)
{
  GPtrArray *words;
  gboolean full;

  g_return_val_if_fail (self != NULL && program != NULL, NULL);
  g_return_val_if_fail (argv != NULL && argv[0] != NULL, NULL);

  full = strcmp (self->profile, PROFILE_FULL) == 0;
  words = g_ptr_array_new ();
  add_words (words, program, "--unshare-pid", "--die-with-parent");
  if (!self->network)
    add_words (words, "--unshare-net", NULL, NULL);
  if (!full)
    fore_sandbox_system_add_powers (words);
  add_words (words, "--setenv", FORE_MARKER_SANDBOX, self->profile);
  add_words (words, full ? "--bind" : "--ro-bind", "/", "/");
  add_words (words, full ? "--dev-bind" : "--dev", "/dev", full ? "/dev" : NULL);
  add_words (words, "--proc", "/proc", NULL);

  sort (self);
  for (guint i = 0; i < self->mounts->len; i++)
    add_mount (words, g_ptr_array_index (self->mounts, i));

  add_words (words, "--", NULL, NULL);
  for (guint i = 0; argv[i] != NULL; i++)
    add_words (words, argv[i], NULL, NULL);
  g_ptr_array_add (words, NULL);

  return (GStrv) g_ptr_array_free (words, FALSE);
}

/* One option of a command line that fore_sandbox_wrap() made; how many words it has. */
static guint
read_option (ForeSandbox *self, const char *const *argv)
{
  gboolean write = strcmp (argv[0], "--bind") == 0;
  gboolean hidden;

  if (strcmp (argv[0], "--unshare-net") == 0)
    self->network = FALSE;
  if (strcmp (argv[0], "--tmpfs") == 0 && argv[1] != NULL)
    {
      take_mount (self, FORE_SANDBOX_HIDDEN, g_strdup (argv[1]), NULL);
      return 2;
    }
  if (argv[1] == NULL || argv[2] == NULL)
    return 1;
  if (strcmp (argv[0], "--setenv") == 0)
    {
      g_free (self->profile);
      self->profile = g_strdup (argv[2]);
      return 3;
    }
  if (!write && strcmp (argv[0], "--ro-bind") != 0)
    return 1;

  hidden = !write && strcmp (argv[1], "/dev/null") == 0;
  take_mount (self,
              write    ? FORE_SANDBOX_WRITE
              : hidden ? FORE_SANDBOX_HIDDEN
                       : FORE_SANDBOX_READ,
              g_strdup (argv[2]),
              hidden || strcmp (argv[1], argv[2]) == 0 ? NULL : g_strdup (argv[1]));
  return 3;
}

/**
 * fore_sandbox_is_one:
 * @argv: (nullable): a recorded command line
 *
 * Returns: whether fore_sandbox_wrap() made it
 */
gboolean
fore_sandbox_is_one (const char *const *argv)
{
  g_autofree char *name = NULL;

  if (argv == NULL || argv[0] == NULL)
    return FALSE;

  name = g_path_get_basename (argv[0]);
  return strcmp (name, "bwrap") == 0 && g_strcmp0 (argv[1], "--unshare-pid") == 0;
}

/**
 * fore_sandbox_read:
 * @argv: (nullable): a recorded command line
 *
 * Tells what sandbox a command line makes; the mount of the root is among its mounts.
 *
 * Returns: (transfer full) (nullable): the sandbox, or %NULL if it makes none
 */
ForeSandbox *
fore_sandbox_read (const char *const *argv)
{
  ForeSandbox *self;

  if (!fore_sandbox_is_one (argv))
    return NULL;

  self = fore_sandbox_new ("");
  for (guint i = 1; argv[i] != NULL && strcmp (argv[i], "--") != 0;)
    i += read_option (self, argv + i);

  return self;
}

/**
 * fore_sandbox_get_profile:
 * @self: a sandbox
 *
 * Returns: (transfer none): its profile
 */
const char *
fore_sandbox_get_profile (const ForeSandbox *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->profile;
}

/**
 * fore_sandbox_has_network:
 * @self: a sandbox
 *
 * Returns: whether the network can be reached
 */
gboolean
fore_sandbox_has_network (const ForeSandbox *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->network;
}

/**
 * fore_sandbox_get_mounts:
 * @self: a sandbox
 *
 * Returns: (transfer none) (element-type ForeSandboxMount): its mounts, a folder before what lies
 *     in it
 */
GPtrArray *
fore_sandbox_get_mounts (ForeSandbox *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  sort (self);
  return self->mounts;
}

/**
 * fore_sandbox_access_to_string:
 * @access: how something is seen
 *
 * Returns: (transfer none): `hidden`, `read` or `write`
 */
const char *
fore_sandbox_access_to_string (ForeSandboxAccess access)
{
  g_return_val_if_fail (access < G_N_ELEMENTS (access_words), NULL);

  return access_words[access];
}

/**
 * fore_sandbox_find:
 * @error: return location for an error
 *
 * Finds bubblewrap and tries whether this system lets it make sandboxes; what was found out the
 * first time holds for the life of the program. Blocking; any thread.
 *
 * Returns: (transfer full): its path, or %NULL with %FORE_ERROR_ENVIRONMENT, which says why
 */
char *
fore_sandbox_find (GError **error)
{
  static GMutex mutex;
  static gboolean tried;
  static char *program;
  static GError *problem;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);

  if (!tried)
    program = fore_sandbox_system_find (&problem);
  tried = TRUE;
  if (program == NULL && error != NULL)
    *error = g_error_copy (problem);

  return g_strdup (program);
}
