/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-library.h"

#include <glib/gstdio.h>
#include <time.h>

#define N_AGENTS 500
#define N_SKILLS 300
#define ROUNDS 7
#define BAR_COLD_MS 100.0
#define BAR_WARM_MS 1.0
#define SLACK 1.5
/* Of a system that takes long to look at a file the least that can be done: to look at each once.
 */
#define BARE_SLACK 2.0
#define DEADLINE_US (60 * G_USEC_PER_SEC)

/* Loading a library of many files anew, and finding out that it is still the same. CPU time of this
 * thread, the best of some rounds.
 */
static double
cpu_ms (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);

  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static void
write_file (const char *dir, const char *name, const char *head, guint n)
{
  g_autofree char *path = g_build_filename (dir, name, NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_printf (text, "---\nname: %s-%u\ndescription: Number %u of many\n---\n", head, n, n);
  for (guint i = 0; i < 20; i++)
    g_string_append_printf (text, "- Line %u of what %s %u is told, as long as lines are.\n", i,
                            head, n);
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text->str, text->len, NULL));
}

static void
remove_file (const char *dir, const char *name)
{
  g_autofree char *path = g_build_filename (dir, name, NULL);

  g_remove (path);
}

static void
for_each_file (const char *dir, gboolean write)
{
  for (guint i = 0; i < N_AGENTS + N_SKILLS; i++)
    {
      gboolean agent = i < N_AGENTS;
      g_autofree char *folder = agent ? g_strdup ("agents") : g_strdup_printf ("skills/s%u", i);
      g_autofree char *name = agent ? g_strdup_printf ("agents/a%u.md", i)
                                    : g_strdup_printf ("skills/s%u/SKILL.md", i);

      if (write)
        write_file (dir, name, agent ? "agent" : "skill", i);
      else
        {
          remove_file (dir, name);
          remove_file (dir, folder);
        }
    }
  if (!write)
    remove_file (dir, "skills");
}

static double
load_ms (const char *dir, gboolean *hit)
{
  guint hits, misses, hits_now;
  double start = cpu_ms ();
  double spent;
  g_autoptr (ForeLibrary) library = NULL;

  fore_library_get_cache_figures (&hits, &misses);
  library = fore_library_load (dir, NULL, FALSE, NULL);
  spent = cpu_ms () - start;
  g_assert_nonnull (library);
  g_assert_cmpuint (fore_library_list_skills (library)->len, >=, N_SKILLS);
  g_assert_cmpuint (fore_library_list_agents (library)->len, >=, N_AGENTS);
  fore_library_get_cache_figures (&hits_now, &misses);
  *hit = hits_now > hits;

  return spent;
}

static double
bare_ms (const char *dir)
{
  double spent = 0;

  for (guint i = 0; i < N_AGENTS + N_SKILLS; i++)
    {
      g_autofree char *name = i < N_AGENTS ? g_strdup_printf ("agents/a%u.md", i)
                                           : g_strdup_printf ("skills/s%u/SKILL.md", i);
      g_autofree char *path = g_build_filename (dir, name, NULL);
      double start = cpu_ms ();
      GStatBuf info;

      g_assert_cmpint (g_lstat (path, &info), ==, 0);
      spent += cpu_ms () - start;
    }

  return spent;
}

int
main (void)
{
  g_autofree char *dir = g_dir_make_tmp ("fore-bench-XXXXXX", NULL);
  double cold = G_MAXDOUBLE, warm = G_MAXDOUBLE, bare;
  gint64 deadline = g_get_monotonic_time () + DEADLINE_US;
  guint n_warm = 0, hits, misses;

  g_setenv ("HOME", dir, TRUE);
  for_each_file (dir, TRUE);
  for (guint i = 0; i < ROUNDS || n_warm < ROUNDS; i++)
    {
      g_autofree char *name = g_strdup_printf ("agents/a%u.md", i);
      gboolean hit;
      double spent;

      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      if (i < ROUNDS)
        write_file (dir, name, "agent", i);
      spent = load_ms (dir, &hit);
      if (hit)
        warm = MIN (warm, spent);
      else
        cold = MIN (cold, spent);
      n_warm += hit;
    }
  bare = bare_ms (dir);
  for_each_file (dir, FALSE);
  g_rmdir (dir);

  fore_library_get_cache_figures (&hits, &misses);
  g_print (
      "{\"agents\": %d, \"skills\": %d, \"cold_ms\": %.2f, \"warm_ms\": %.3f, \"hits\": %u, "
      "\"misses\": %u, \"bar_cold_ms\": %.0f, \"bar_warm_ms\": %.0f, \"bare_stat_ms\": %.3f}\n",
      N_AGENTS, N_SKILLS, cold, warm, hits, misses, BAR_COLD_MS, BAR_WARM_MS, bare);

  return cold <= BAR_COLD_MS * SLACK && warm <= MAX (BAR_WARM_MS * SLACK, bare * BARE_SLACK) ? 0
                                                                                             : 1;
}
