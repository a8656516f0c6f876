/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-check-hash.h"

#include "model/fore-id.h"

#include <string.h>

#define N_RECIPES 4
#define MAX_RECIPE_SIZE (256 * 1024)

static gboolean
is_exempt (const char *path, const char *const *exempt)
{
  for (guint i = 0; exempt != NULL && exempt[i] != NULL; i++)
    {
      gsize length = strlen (exempt[i]);

      if (strcmp (path, exempt[i]) == 0)
        return TRUE;
      if (length > 0 && strncmp (path, exempt[i], length) == 0
          && (exempt[i][length - 1] == '/' || path[length] == '/'))
        return TRUE;
    }

  return FALSE;
}

static gboolean
is_own_file (const char *tree, const char *word)
{
  g_autofree char *path = NULL;

  if (!fore_id_is_tree_path (word))
    return FALSE;

  path = g_build_filename (tree, word, NULL);
  return g_file_test (path, G_FILE_TEST_IS_REGULAR) && !g_file_test (path, G_FILE_TEST_IS_SYMLINK);
}

static const char *
skip_here (const char *word)
{
  while (g_str_has_prefix (word, "./"))
    word += 2;

  return word;
}

/* What a program that was named carries out without being told its name, beside the file that is
 * there: one that is not there yet may come.
 */
static const char *const *
get_recipes (const char *program)
{
  static const struct
  {
    const char *program;
    const char *recipes[4];
  } known[] = {
    { "make", { "GNUmakefile", "makefile", "Makefile" } },
    { "gmake", { "GNUmakefile", "makefile", "Makefile" } },
    { "just", { "justfile", "Justfile", ".justfile" } },
    { "npm", { "package.json" } },
    { "pnpm", { "package.json" } },
    { "yarn", { "package.json" } },
    { "bun", { "package.json" } },
    { "tox", { "tox.ini" } },
    { "nox", { "noxfile.py" } },
    { "pytest", { "conftest.py", "pytest.ini" } },
    { "rake", { "Rakefile" } },
    { "task", { "Taskfile.yml" } },
  };
  g_autofree char *name = g_path_get_basename (program);

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      if (strcmp (name, known[i].program) == 0)
        return known[i].recipes;
    }

  return NULL;
}

static gboolean
is_interpreter (const char *word)
{
  static const char *const names[] = { "sh",   "bash", "dash",    "zsh",    "node", "deno",
                                       "ruby", "perl", "python3", "python", "lua",  NULL };
  g_autofree char *name = g_path_get_basename (word);

  return g_strv_contains (names, name);
}

/* Scripts that a recipe starts: behind the name of an interpreter, or as a program of their own. */
static void
add_scripts (GPtrArray *files, const char *tree, const char *recipe)
{
  g_autofree char *path = g_build_filename (tree, recipe, NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) words = NULL;
  gsize length = 0;

  if (!is_own_file (tree, recipe) || !g_file_get_contents (path, &text, &length, NULL)
      || length > MAX_RECIPE_SIZE)
    return;

  words = g_strsplit_set (text, " \t\r\n\"';&|@()", -1);
  for (guint i = 0; words[i] != NULL; i++)
    {
      if ((g_str_has_prefix (words[i], "./") || (i > 0 && is_interpreter (words[i - 1])))
          && is_own_file (tree, skip_here (words[i])))
        g_ptr_array_add (files, g_strdup (skip_here (words[i])));
    }
}

static void
add_recipes (GPtrArray *files, const char *tree, const char *program)
{
  const char *const *recipes = get_recipes (program);

  for (guint i = 0; recipes != NULL && i < N_RECIPES && recipes[i] != NULL; i++)
    {
      g_ptr_array_add (files, g_strdup (recipes[i]));
      add_scripts (files, tree, recipes[i]);
    }
}

/**
 * fore_check_list_files:
 * @check: a check
 * @tree: folder that it runs in
 * @exempt: (nullable) (array zero-terminated=1): files and folders that the plan says will be
 *   written
 *
 * Lists the files that the check's command names, those that a program such as make reads without
 * being told, and the scripts that these start. Blocking.
 *
 * Returns: (transfer full): tree-relative paths of the files that decide @check; some may not be
 *   there yet
 */
GStrv
fore_check_list_files (const ForeCheck *check, const char *tree, const char *const *exempt)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);

  g_return_val_if_fail (check != NULL && tree != NULL, NULL);

  for (guint i = 0; check->argv[i] != NULL; i++)
    {
      if (is_own_file (tree, skip_here (check->argv[i])))
        g_ptr_array_add (files, g_strdup (skip_here (check->argv[i])));
    }
  if (check->argv[0] != NULL)
    add_recipes (files, tree, check->argv[0]);

  for (guint i = 0; i < files->len; i++)
    {
      if (!is_exempt (files->pdata[i], exempt))
        g_strv_builder_add (builder, files->pdata[i]);
    }

  return g_strv_builder_end (builder);
}

/**
 * fore_check_hash_files:
 * @files: (nullable) (array zero-terminated=1): tree-relative paths
 * @tree: folder that they lie in
 *
 * Returns: (transfer full): SHA-256 over names and contents; a file that is gone counts as such
 */
char *
fore_check_hash_files (const char *const *files, const char *tree)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);

  g_return_val_if_fail (tree != NULL, NULL);

  for (guint i = 0; files != NULL && files[i] != NULL; i++)
    {
      g_autofree char *path = g_build_filename (tree, files[i], NULL);
      g_autofree char *content = NULL;
      gsize length = 0;

      g_checksum_update (checksum, (const guchar *) files[i], strlen (files[i]) + 1);
      if (!g_file_test (path, G_FILE_TEST_IS_SYMLINK)
          && g_file_get_contents (path, &content, &length, NULL))
        g_checksum_update (checksum, (const guchar *) content, length);
      else
        g_checksum_update (checksum, (const guchar *) "gone", 5);
    }

  return g_strdup (g_checksum_get_string (checksum));
}
