/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <git2/sys/filter.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "git/fore-git-program.h"
#include "platform/fore-program.h"

#define FILTER_NAME "foredeck-program"

/* libgit2 knows the attribute `filter` only for filters in C. The drivers of git's settings, that
 * of LFS for instance, are programs: this filter runs them, so that checkouts, commits and
 * comparisons see what git would see.
 */
typedef struct
{
  char *command;
  char *dir;
  char *name;
  gboolean required;
} Driver;

/* Gathers the whole file, filters it when it is complete and passes it on. */
typedef struct
{
  git_writestream parent;
  git_writestream *next;
  const Driver *driver;
  GByteArray *bytes;
} Stream;

static void
driver_free (Driver *driver)
{
  g_free (driver->command);
  g_free (driver->dir);
  g_free (driver->name);
  g_free (driver);
}

static char *
get_setting (git_config *config, const char *driver, const char *what)
{
  g_autofree char *key = g_strdup_printf ("filter.%s.%s", driver, what);
  const char *value;

  return git_config_get_string (&value, config, key) == 0 && *value != '\0' ? g_strdup (value)
                                                                            : NULL;
}

static gboolean
is_required (git_config *config, const char *driver)
{
  g_autofree char *key = g_strdup_printf ("filter.%s.required", driver);
  int required = 0;

  return git_config_get_bool (&required, config, key) == 0 && required;
}

static int
refuse (const char *driver)
{
  g_autofree char *text = g_strdup_printf (
      _ ("the filter “%s” that .gitattributes names cannot be run; install its program and see "
         "“git config filter.%s.clean”"),
      driver, driver);

  git_error_set_str (GIT_ERROR_FILTER, text);
  return GIT_ERROR;
}

/* What the person's git would run, with the path put in; NULL: nothing for this direction. */
static char *
find_command (git_config *config, const char *driver, gboolean clean, const char *path)
{
  g_autofree char *command = get_setting (config, driver, clean ? "clean" : "smudge");
  g_autofree char *quoted = g_shell_quote (path);
  g_auto (GStrv) parts = NULL;

  if (command == NULL)
    return NULL;

  parts = g_strsplit (command, "%f", -1);
  return g_strjoinv (quoted, parts);
}

static int
check (git_filter *self, void **payload, const git_filter_source *source, const char **attributes)
{
  git_repository *git = git_filter_source_repo (source);
  gboolean clean = git_filter_source_mode (source) == GIT_FILTER_TO_ODB;
  const char *name = attributes[0];
  g_autoptr (git_config) config = NULL;
  g_autofree char *command = NULL;
  Driver *driver;

  if (name == NULL || git == NULL || git_repository_config_snapshot (&config, git) != 0)
    return GIT_PASSTHROUGH;

  command = find_command (config, name, clean, git_filter_source_path (source));
  if (command == NULL)
    return is_required (config, name) ? refuse (name) : GIT_PASSTHROUGH;

  driver = g_new0 (Driver, 1);
  driver->command = g_steal_pointer (&command);
  driver->name = g_strdup (name);
  driver->required = is_required (config, name);
  driver->dir = g_strdup (git_repository_workdir (git) ?: git_repository_path (git));
  *payload = driver;

  return 0;
}

static int
stream_write (git_writestream *stream, const char *buffer, size_t length)
{
  Stream *self = (Stream *) stream;

  g_byte_array_append (self->bytes, (const guint8 *) buffer, (guint) length);
  return 0;
}

static int
pass_on (Stream *self, const void *data, gsize length)
{
  int result = length > 0 ? self->next->write (self->next, data, length) : 0;

  return result == 0 ? self->next->close (self->next) : result;
}

static int
stream_close (git_writestream *stream)
{
  Stream *self = (Stream *) stream;
  const char *argv[] = { "sh", "-c", self->driver->command, NULL };
  g_auto (GStrv) env = fore_git_program_make_env ();
  g_autoptr (GBytes) input = g_bytes_new_static (self->bytes->data, self->bytes->len);
  g_auto (ForeProgram) program = { .argv = argv,
                                   .envp = (const char *const *) env,
                                   .dir = self->driver->dir,
                                   .input = input,
                                   .timeout_ms = FORE_GIT_PROGRAM_MS };
  g_autoptr (GError) error = NULL;
  const void *data;
  gsize length;

  if (fore_program_run (&program, &error) && program.exit_code == 0)
    {
      data = g_bytes_get_data (program.output, &length);
      return pass_on (self, data, length);
    }

  if (self->driver->required)
    {
      /* libgit2 takes a target that is still open for a fault of its own and forgets this one. */
      self->next->close (self->next);
      return refuse (self->driver->name);
    }

  return pass_on (self, self->bytes->data, self->bytes->len);
}

static void
stream_free (git_writestream *stream)
{
  Stream *self = (Stream *) stream;

  g_byte_array_unref (self->bytes);
  g_free (self);
}

static int
open_stream (git_writestream **stream,
             git_filter *filter,
             void **payload,
             const git_filter_source *source,
             git_writestream *next)
{
  Stream *self = g_new0 (Stream, 1);

  self->parent.write = stream_write;
  self->parent.close = stream_close;
  self->parent.free = stream_free;
  self->next = next;
  self->driver = *payload;
  self->bytes = g_byte_array_new ();
  *stream = &self->parent;

  return 0;
}

static void
clean_up (git_filter *filter, void *payload)
{
  if (payload != NULL)
    driver_free (payload);
}

/**
 * fore_git_register_filters:
 *
 * Makes libgit2 run the filter drivers of git's settings. Once, before any repository is opened.
 */
void
fore_git_register_filters (void)
{
  static git_filter filter = {
    .version = GIT_FILTER_VERSION,
    .attributes = "filter=*",
    .check = check,
    .stream = open_stream,
    .cleanup = clean_up,
  };

  git_filter_register (FILTER_NAME, &filter, GIT_FILTER_DRIVER_PRIORITY);
}

static gboolean
has_setting (git_repository *git)
{
  static const char *const names[] = { "core.autocrlf", "core.eol", "core.attributesfile" };
  g_autoptr (git_config) config = NULL;
  const char *value;

  if (git_repository_config_snapshot (&config, git) != 0)
    return TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      if (git_config_get_string (&value, config, names[i]) != GIT_ENOTFOUND)
        return TRUE;
    }

  return FALSE;
}

static gboolean
has_file (git_repository *git)
{
  g_autofree char *of_repository = g_build_filename (git_repository_commondir (git), "info",
                                                     "attributes", NULL);
  g_autofree char *of_person = g_build_filename (g_get_user_config_dir (), "git", "attributes",
                                                 NULL);

  return g_file_test (of_repository, G_FILE_TEST_EXISTS)
         || g_file_test (of_person, G_FILE_TEST_EXISTS)
         || g_file_test ("/etc/gitattributes", G_FILE_TEST_EXISTS);
}

static int
stop_at_attributes (const char *root, const git_tree_entry *entry, void *payload)
{
  return g_ascii_strcasecmp (git_tree_entry_name (entry), ".gitattributes") == 0 ? -1 : 0;
}

/**
 * fore_git_may_filter:
 * @git: an open repository
 * @commit: what is to be checked out
 *
 * Finds out whether anything at all says that files differ from their contents in the repository.
 * Where nothing does, a checkout need not ask for each file, which takes libgit2 1.5 as long as
 * writing it.
 *
 * Returns: %FALSE when no file can be concerned
 */
gboolean
fore_git_may_filter (git_repository *git, git_commit *commit)
{
  g_autoptr (git_tree) tree = NULL;

  return has_setting (git) || has_file (git) || git_commit_tree (&tree, commit) != 0
         || git_tree_walk (tree, GIT_TREEWALK_PRE, stop_at_attributes, NULL) != 0;
}
