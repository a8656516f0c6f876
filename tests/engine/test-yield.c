/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-yield.h"
#include "library/fore-diagnostic.h"

#include <locale.h>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#define COUNTS_ALLOCATIONS 1

static guint64 n_allocations;

extern void *__libc_malloc (size_t size);
extern void *malloc (size_t size);

void *
malloc (size_t size)
{
  n_allocations++;
  return __libc_malloc (size);
}
#else
#define COUNTS_ALLOCATIONS 0

static guint64 n_allocations;
#endif

static ForeSettings *
load (const char *name, const char *value)
{
  g_autoptr (GPtrArray) diagnostics = fore_diagnostics_new ();
  g_autoptr (GError) error = NULL;
  ForeSettings *settings = fore_settings_load ("/nowhere", NULL, FALSE, diagnostics);

  if (name != NULL)
    g_assert_true (fore_settings_set_run_option (settings, name, value, &error));

  return settings;
}

static void
test_off (void)
{
  g_autoptr (ForeSettings) settings = load (NULL, NULL);
  ForeRunContext context = { .settings = settings };
  g_autoptr (ForeTask) task = fore_task_new ("a");
  guint64 before;

  g_assert_false (fore_yield_is_wanted_of_any (settings));
  task->agent = g_strdup ("executor");
  before = n_allocations;
  for (guint i = 0; i < 100000; i++)
    g_assert_false (fore_yield_is_wanted (&context, task));
  if (COUNTS_ALLOCATIONS)
    g_assert_cmpuint (n_allocations - before, ==, 0);
}

static void
test_on (void)
{
  g_autoptr (ForeSettings) settings = load ("agents.submit", "true");
  ForeRunContext context = { .settings = settings };
  g_autoptr (ForeTask) task = fore_task_new ("a");

  context.yields = fore_yield_is_wanted_of_any (settings);
  g_assert_true (context.yields);
  task->agent = g_strdup ("executor");
  task->cli = g_strdup ("claude");
  g_assert_true (fore_yield_is_wanted (&context, task));
  g_assert_cmpuint (fore_yield_get_reminders (&context), ==, 3);
  g_assert_cmpint (fore_yield_get_policy (&context), ==, FORE_YIELD_ASK);

  g_free (task->cli);
  task->cli = g_strdup ("command");
  g_assert_false (fore_yield_is_wanted (&context, task));
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/yield/off-it-costs-nothing", test_off);
  g_test_add_func ("/yield/on", test_on);

  return g_test_run ();
}
