/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/fore-error.h"
#include "platform/fore-clock.h"
#include "platform/fore-crash.h"
#include "platform/fore-dirs.h"
#include "platform/fore-exits-reader.h"
#include "platform/fore-lock.h"
#include "platform/fore-process.h"
#include "platform/fore-random-id.h"
#include "platform/fore-slots.h"
#include "unit-tools.h"

static char *
in_dir (const char *dir, const char *name)
{
  return g_build_filename (dir, name, NULL);
}

static void
test_lock_exclusive (void)
{
  g_autofree char *dir = unit_make_dir ();
  g_autofree char *path = in_dir (dir, "a.lock");
  g_autoptr (GError) error = NULL;
  g_autofree char *holder = NULL;
  ForeLock *lock, *second;

  g_assert_false (fore_lock_is_held (path));
  lock = fore_lock_try (path, TRUE, "runner 17 of abcd2345", &error);
  g_assert_no_error (error);
  g_assert_true (fore_lock_is_held (path));
  holder = fore_lock_dup_holder (path);
  g_assert_cmpstr (holder, ==, "runner 17 of abcd2345");

  second = fore_lock_try (path, TRUE, "the other", &error);
  g_assert_null (second);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_BUSY);
  g_assert_nonnull (strstr (error->message, "runner 17 of abcd2345"));
  g_clear_error (&error);

  g_assert_null (fore_lock_try (path, FALSE, NULL, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_BUSY);
  g_clear_error (&error);

  fore_lock_free (lock);
  g_assert_false (fore_lock_is_held (path));
  lock = fore_lock_try (path, TRUE, "the other", &error);
  g_assert_no_error (error);
  fore_lock_free (lock);
  unit_remove_dir (dir);
}

static void
test_lock_shared (void)
{
  g_autofree char *dir = unit_make_dir ();
  g_autofree char *path = in_dir (dir, "a.lock");
  g_autoptr (ForeLock) first = fore_lock_try (path, FALSE, NULL, NULL);
  g_autoptr (ForeLock) second = fore_lock_try (path, FALSE, NULL, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (first);
  g_assert_nonnull (second);
  g_assert_false (fore_lock_is_held (path));
  g_assert_null (fore_lock_try (path, TRUE, NULL, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_BUSY);
  unit_remove_dir (dir);
}

static gpointer
free_later (gpointer lock)
{
  g_usleep (30000);
  fore_lock_free (lock);
  return NULL;
}

static void
test_lock_wait (void)
{
  g_autofree char *dir = unit_make_dir ();
  g_autofree char *path = in_dir (dir, "a.lock");
  g_autoptr (GError) error = NULL;
  ForeLock *lock = fore_lock_try (path, TRUE, "first", NULL);
  GThread *thread;

  g_assert_null (fore_lock_wait (path, TRUE, 20, "second", NULL, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_BUSY);
  g_clear_error (&error);

  thread = g_thread_new ("holder", free_later, lock);
  lock = fore_lock_wait (path, TRUE, 10000, "second", NULL, &error);
  g_assert_no_error (error);
  g_thread_join (thread);
  fore_lock_free (lock);
  unit_remove_dir (dir);
}

static void
test_lock_cancelled (void)
{
  g_autofree char *dir = unit_make_dir ();
  g_autofree char *path = in_dir (dir, "a.lock");
  g_autoptr (ForeLock) lock = fore_lock_try (path, TRUE, NULL, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (fore_lock_wait (path, TRUE, 60000, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  unit_remove_dir (dir);
}

static gpointer
look_often (gpointer data)
{
  const char *path = ((gpointer *) data)[0];
  int *stop = ((gpointer *) data)[1];

  while (!g_atomic_int_get (stop))
    fore_lock_is_held (path);

  return NULL;
}

/* Looking whether a lock is held takes it for a moment, which must not be taken for a holder. */
static void
test_lock_looked_at (void)
{
  g_autofree char *dir = unit_make_dir ();
  g_autofree char *path = in_dir (dir, "a.lock");
  g_autoptr (ForeLock) first = fore_lock_try (path, TRUE, NULL, NULL);
  int stop = 0;
  gpointer data[2] = { path, &stop };
  GThread *thread;

  g_clear_pointer (&first, fore_lock_free);
  thread = g_thread_new ("looker", look_often, data);
  for (guint i = 0; i < 300; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (ForeLock) lock = fore_lock_try (path, TRUE, NULL, &error);

      g_assert_no_error (error);
    }

  g_atomic_int_set (&stop, 1);
  g_thread_join (thread);
  unit_remove_dir (dir);
}

static void
test_lock_no_folder (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (fore_lock_try ("/nowhere/at/all.lock", TRUE, NULL, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT);
}

static void
test_clock (void)
{
  gint64 boot = fore_clock_boot_us ();

  g_assert_cmpint (fore_clock_now_us (), >, G_GINT64_CONSTANT (1577836800000000));
  g_assert_cmpint (boot, >, 0);
  g_assert_cmpint (fore_clock_boot_us (), >=, boot);
  g_assert_cmpint (fore_clock_thread_cpu_us (), >=, 0);
}

static void
test_run_id (void)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < 5000; i++)
    {
      char *id = fore_platform_random_run_id ();

      g_assert_cmpuint (strlen (id), ==, 8);
      g_assert_cmpuint (strspn (id, "abcdefghijklmnopqrstuvwxyz234567"), ==, 8);
      g_assert_true (g_ascii_islower (id[0]));
      g_assert_true (g_hash_table_add (seen, id));
    }
}

static void
test_token (void)
{
  g_autofree char *a = fore_platform_random_token (32);
  g_autofree char *b = fore_platform_random_token (32);

  g_assert_cmpuint (strlen (a), ==, 64);
  g_assert_cmpuint (strspn (a, "0123456789abcdef"), ==, 64);
  g_assert_cmpstr (a, !=, b);
}

static void
assert_private_dir (const char *path)
{
  GStatBuf info;

  g_assert_cmpint (g_stat (path, &info), ==, 0);
  g_assert_true (S_ISDIR (info.st_mode));
  g_assert_cmpint (info.st_mode & 0777, ==, 0700);
}

static void
test_home (void)
{
  g_autofree char *dir = unit_make_dir ();
  g_autofree char *home = in_dir (dir, "deep/home");
  g_autofree char *runs = fore_dirs_dup_runs_dir (home);
  g_autofree char *attempts = fore_dirs_dup_attempts_dir (home, "abcd2345");
  g_autofree char *out = fore_dirs_dup_attempt_path (home, "abcd2345", "plan", 2, "out");
  g_autoptr (GError) error = NULL;

  fore_dirs_ensure_home (home, &error);
  g_assert_no_error (error);
  assert_private_dir (home);
  assert_private_dir (runs);
  fore_dirs_ensure_home (home, &error);
  g_assert_no_error (error);
  fore_dirs_ensure_run (home, "abcd2345", &error);
  g_assert_no_error (error);
  assert_private_dir (attempts);
  g_assert_true (g_str_has_suffix (out, "/deep/home/runs/abcd2345/attempts/plan.2.out"));
  g_assert_cmpuint (fore_dirs_get_free_space (home), >, 0);
  g_assert_false (fore_dirs_is_network (home));
  unit_remove_dir (dir);
}

static void
test_home_is_file (void)
{
  g_autofree char *dir = unit_make_dir ();
  g_autofree char *home = in_dir (dir, "file");
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (home, "x", 1, NULL));
  g_assert_false (fore_dirs_ensure_home (home, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT);
  g_assert_nonnull (strstr (error->message, "FOREDECK_HOME"));
  unit_remove_dir (dir);
}

static void
test_slots (void)
{
  g_autofree char *home = unit_make_dir ();
  g_autoptr (GError) error = NULL;
  ForeSlot *first = fore_slot_try (home, FORE_POOL_COMMANDS, 2, &error);
  ForeSlot *second = fore_slot_try (home, FORE_POOL_COMMANDS, 2, &error);
  ForeSlot *again;

  g_assert_no_error (error);
  g_assert_cmpuint (fore_slot_get_index (first), ==, 0);
  g_assert_cmpuint (fore_slot_get_index (second), ==, 1);
  g_assert_null (fore_slot_try (home, FORE_POOL_COMMANDS, 2, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (fore_slots_count_used (home, FORE_POOL_COMMANDS, 5), ==, 2);
  fore_slot_free (first);
  again = fore_slot_try (home, FORE_POOL_COMMANDS, 2, &error);
  g_assert_cmpuint (fore_slot_get_index (again), ==, 0);
  fore_slot_release (again);
  fore_slot_release (second);
  g_assert_cmpuint (fore_slots_count_used (home, FORE_POOL_COMMANDS, 5), ==, 0);
  unit_remove_dir (home);
}

static gpointer
count_often (gpointer data)
{
  const char *home = ((gpointer *) data)[0];
  int *stop = ((gpointer *) data)[1];

  while (!g_atomic_int_get (stop))
    fore_slots_count_used (home, FORE_POOL_AGENTS, 1);

  return NULL;
}

static void
test_slots_looked_at (void)
{
  g_autofree char *home = unit_make_dir ();
  int stop = 0;
  gpointer data[2] = { home, &stop };
  ForeSlot *slot = fore_slot_try (home, FORE_POOL_AGENTS, 1, NULL);
  GThread *thread = g_thread_new ("looker", count_often, data);

  for (guint i = 0; i < 200; i++)
    {
      fore_slot_release (slot);
      slot = fore_slot_try (home, FORE_POOL_AGENTS, 1, NULL);
      g_assert_nonnull (slot);
    }

  g_atomic_int_set (&stop, 1);
  g_thread_join (thread);
  fore_slot_free (slot);
  unit_remove_dir (home);
}

static void
test_process_identity (void)
{
  ForeProcessId self, other;

  g_assert_true (fore_process_id_current (&self));
  g_assert_cmpint (self.pid, ==, getpid ());
  g_assert_cmpuint (strlen (self.boot), ==, 36);
  g_assert_true (fore_process_is_alive (&self));
  other = self;
  other.start++;
  g_assert_false (fore_process_is_alive (&other));
  g_assert_false (fore_process_id_equal (&self, &other));
  other = self;
  other.boot[0] = 'x';
  g_assert_false (fore_process_is_alive (&other));
  g_assert_false (fore_process_id_for_pid (0, &other));
}

static gboolean
on_process_ended (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
test_process_signal (void)
{
  g_autoptr (GSubprocess) process = g_subprocess_new (0, NULL, "sleep", "600", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GSource) source = NULL;
  ForeProcessId id, wrong;
  gboolean ended = FALSE;

  g_assert_true (fore_process_id_for_pid (atoi (g_subprocess_get_identifier (process)), &id));
  wrong = id;
  wrong.start--;
  g_assert_false (fore_process_signal (&wrong, SIGKILL, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND);
  g_assert_true (fore_process_is_alive (&id));
  g_assert_null (fore_process_watch_source_new (&wrong));

  source = fore_process_watch_source_new (&id);
  g_source_set_callback (source, on_process_ended, &ended, NULL);
  g_source_attach (source, NULL);
  g_assert_true (fore_process_signal (&id, SIGTERM, NULL));
  while (!ended)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (g_subprocess_wait (process, NULL, NULL));
  g_assert_cmpint (g_subprocess_get_term_sig (process), ==, SIGTERM);
  g_assert_false (fore_process_is_alive (&id));
}

static void
test_process_marked (void)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (0);
  g_autofree char *run = fore_platform_random_run_id ();
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GArray) found = NULL, other_task = NULL, other_run = NULL;

  g_subprocess_launcher_setenv (launcher, FORE_MARKER_RUN, run, TRUE);
  g_subprocess_launcher_setenv (launcher, FORE_MARKER_TASK, "build", TRUE);
  g_subprocess_launcher_setenv (launcher, FORE_MARKER_ATTEMPT, "12", TRUE);
  process = g_subprocess_launcher_spawn (launcher, NULL, "sleep", "600", NULL);
  found = fore_process_find_marked (run, "build", 12);
  g_assert_cmpuint (found->len, ==, 1);
  g_assert_cmpint (g_array_index (found, ForeProcessId, 0).pid, ==,
                   atoi (g_subprocess_get_identifier (process)));
  other_task = fore_process_find_marked (run, "buil", 0);
  g_assert_cmpuint (other_task->len, ==, 0);
  other_run = fore_process_find_marked (run, NULL, 1);
  g_assert_cmpuint (other_run->len, ==, 0);
  g_subprocess_force_exit (process);
  g_subprocess_wait (process, NULL, NULL);
}

/* One that starts program after program shows no environment while it changes from one to the next.
 */
static void
test_process_marked_while_it_starts (void)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (0);
  g_autofree char *run = fore_platform_random_run_id ();
  g_autoptr (GSubprocess) process = NULL;
  guint missed = 0;

  g_subprocess_launcher_setenv (launcher, FORE_MARKER_RUN, run, TRUE);
  /* It ends by itself should nobody be left to end it. */
  g_subprocess_launcher_setenv (launcher, "LEFT", "200000", TRUE);
  g_subprocess_launcher_setenv (
      launcher, "AGAIN", "LEFT=$((LEFT - 1)); [ $LEFT -gt 0 ] && exec sh -c \"$AGAIN\"", TRUE);
  process = g_subprocess_launcher_spawn (launcher, NULL, "sh", "-c", "eval \"$AGAIN\"", NULL);

  for (guint i = 0; i < 500; i++)
    {
      g_autoptr (GArray) found = fore_process_find_marked (run, NULL, 0);

      missed += found->len != 1;
    }

  g_subprocess_force_exit (process);
  g_subprocess_wait (process, NULL, NULL);
  g_assert_cmpuint (missed, ==, 0);
}

static void
test_process_ancestors (void)
{
  g_autoptr (GArray) ancestors = fore_process_get_ancestors (getpid ());

  g_assert_cmpuint (ancestors->len, >, 0);
  g_assert_cmpint (g_array_index (ancestors, ForeProcessId, 0).pid, ==, getppid ());
  g_assert_false (fore_process_has_guard_ancestor ());
}

static gboolean
wait_for_text (const char *path, const char *text, char **content)
{
  for (guint i = 0; i < 3000; i++)
    {
      g_free (*content);
      *content = NULL;
      if (g_file_get_contents (path, content, NULL, NULL) && strstr (*content, text) != NULL)
        return TRUE;
      g_usleep (5000);
    }

  return FALSE;
}

static void
test_process_detached (void)
{
  static const char *const argv[]
      = { "/bin/sh", "-c",
          "echo $PPID $MARK; cut -d' ' -f6 /proc/$$/stat; readlink /proc/$$/fd/0; "
          "[ -e /proc/$$/fd/9 ] || echo clean; echo end",
          NULL };
  static const char *const envp[] = { "PATH=/usr/bin:/bin", "MARK=here", NULL };
  g_autofree char *dir = unit_make_dir ();
  g_autofree char *log = in_dir (dir, "out.log");
  g_autofree char *content = NULL;
  g_autofree char *session = NULL;
  g_autoptr (GError) error = NULL;
  int pid = 0;

  g_assert_cmpint (dup2 (2, 9), ==, 9);
  g_assert_true (fore_process_spawn_detached (argv, envp, log, &pid, &error));
  close (9);
  g_assert_no_error (error);
  g_assert_true (wait_for_text (log, "end\n", &content));
  session = g_strdup_printf (" here\n%d\n/dev/null\nclean\nend\n", pid);
  g_assert_nonnull (strstr (content, session));
  unit_remove_dir (dir);
}

static void
test_process_detached_missing (void)
{
  static const char *const argv[] = { "/nowhere/program", NULL };
  g_autoptr (GError) error = NULL;

  g_assert_false (fore_process_spawn_detached (argv, NULL, NULL, NULL, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT);
}

static void
test_find_program (void)
{
  g_autofree char *guard = fore_platform_find_program ("foredeck-guard");

  g_assert_nonnull (guard);
  g_assert_true (g_path_is_absolute (guard));
  g_assert_null (fore_platform_find_program ("foredeck-nothing"));
}

static void
add_record (GByteArray *file, const char *task, guint attempt, guint kind)
{
  ForeGuardRecord record = { .kind = (guint16) kind, .attempt = attempt };

  memcpy (record.task, task, strlen (task));
  fore_guard_record_seal (&record);
  g_byte_array_append (file, (const guint8 *) &record, sizeof record);
}

static void
store (const char *path, GByteArray *file)
{
  g_assert_true (g_file_set_contents (path, (const char *) file->data, file->len, NULL));
}

static void
collect (const ForeGuardRecord *record, gpointer user_data)
{
  GString *text = user_data;
  g_autofree char *task = fore_guard_record_dup_task (record);

  g_string_append_printf (text, "%s.%u/%d ", task, record->attempt, record->kind);
}

static void
assert_read (ForeExitsReader *reader, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  fore_exits_reader_read (reader, collect, text, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_exits_torn (void)
{
  g_autofree char *dir = unit_make_dir ();
  g_autofree char *path = in_dir (dir, "exits");
  g_autoptr (ForeExitsReader) reader = fore_exits_reader_new (path);
  g_autoptr (GByteArray) file = g_byte_array_new ();
  ForeGuardRecord found;
  FILE *stream;

  assert_read (reader, "");
  add_record (file, "a", 1, FORE_GUARD_START);
  add_record (file, "a", 1, FORE_GUARD_EXIT);
  stream = fopen (path, "w");
  setvbuf (stream, NULL, _IONBF, 0);
  fwrite (file->data, 1, 300, stream);
  assert_read (reader, "a.1/1 ");
  assert_read (reader, "");
  fwrite (file->data + 300, 1, file->len - 300, stream);
  assert_read (reader, "a.1/2 ");
  fclose (stream);
  g_assert_cmpuint (fore_exits_reader_get_offset (reader), ==, 512);
  g_assert_cmpuint (fore_exits_reader_get_damaged (reader), ==, 0);
  g_assert_true (fore_exits_find (path, "a", 1, FORE_GUARD_EXIT, &found));
  g_assert_cmpint (found.kind, ==, FORE_GUARD_EXIT);
  g_assert_false (fore_exits_find (path, "a", 2, FORE_GUARD_EXIT, &found));
  unit_remove_dir (dir);
}

/* A write that was cut short by a full disk, and another guard's record behind it. */
static void
test_exits_damaged (void)
{
  g_autofree char *dir = unit_make_dir ();
  g_autofree char *path = in_dir (dir, "exits");
  g_autoptr (ForeExitsReader) reader = fore_exits_reader_new (path);
  g_autoptr (GByteArray) file = g_byte_array_new ();
  char zeros[700] = { 0 };

  add_record (file, "a", 1, FORE_GUARD_EXIT);
  add_record (file, "torn", 1, FORE_GUARD_EXIT);
  g_byte_array_set_size (file, 356);
  add_record (file, "b", 1, FORE_GUARD_EXIT);
  g_byte_array_append (file, (const guint8 *) zeros, sizeof zeros);
  add_record (file, "c", 1, FORE_GUARD_EXIT);
  file->data[356 + 256 + 700 + 20] ^= 1;
  add_record (file, "d", 1, FORE_GUARD_EXIT);
  store (path, file);
  assert_read (reader, "a.1/2 b.1/2 d.1/2 ");
  g_assert_cmpuint (fore_exits_reader_get_damaged (reader), ==, 100 + 700 + 256);
  unit_remove_dir (dir);
}

static void
test_exits_newer (void)
{
  g_autofree char *dir = unit_make_dir ();
  g_autofree char *path = in_dir (dir, "exits");
  g_autoptr (ForeExitsReader) reader = fore_exits_reader_new (path);
  g_autoptr (GByteArray) file = g_byte_array_new ();
  ForeGuardRecord *record;

  add_record (file, "a", 1, FORE_GUARD_EXIT);
  record = (ForeGuardRecord *) (gpointer) file->data;
  record->version = FORE_GUARD_VERSION + 1;
  record->crc = fore_guard_crc32 (record, offsetof (ForeGuardRecord, crc));
  add_record (file, "b", 1, FORE_GUARD_EXIT);
  store (path, file);
  assert_read (reader, "b.1/2 ");
  unit_remove_dir (dir);
}

static void
test_exits_skip (void)
{
  g_autofree char *dir = unit_make_dir ();
  g_autofree char *path = in_dir (dir, "exits");
  g_autoptr (ForeExitsReader) reader = fore_exits_reader_new (path);
  g_autoptr (GByteArray) file = g_byte_array_new ();

  add_record (file, "old", 1, FORE_GUARD_EXIT);
  add_record (file, "half", 1, FORE_GUARD_EXIT);
  g_byte_array_set_size (file, 400);
  store (path, file);
  fore_exits_reader_skip_to_end (reader);
  g_byte_array_set_size (file, 256);
  add_record (file, "half", 1, FORE_GUARD_EXIT);
  store (path, file);
  assert_read (reader, "half.1/2 ");
  unit_remove_dir (dir);
}

static void
test_crc (void)
{
  g_assert_cmpuint (fore_guard_crc32 ("123456789", 9), ==, 0xcbf43926u);
  g_assert_cmpuint (fore_guard_crc32 ("", 0), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lock/exclusive", test_lock_exclusive);
  g_test_add_func ("/lock/shared", test_lock_shared);
  g_test_add_func ("/lock/wait", test_lock_wait);
  g_test_add_func ("/lock/cancelled", test_lock_cancelled);
  g_test_add_func ("/lock/looked-at", test_lock_looked_at);
  g_test_add_func ("/lock/no-folder", test_lock_no_folder);
  g_test_add_func ("/clock", test_clock);
  g_test_add_func ("/random/run-id", test_run_id);
  g_test_add_func ("/random/token", test_token);
  g_test_add_func ("/dirs/home", test_home);
  g_test_add_func ("/dirs/home-is-file", test_home_is_file);
  g_test_add_func ("/slots/limit", test_slots);
  g_test_add_func ("/slots/looked-at", test_slots_looked_at);
  g_test_add_func ("/process/identity", test_process_identity);
  g_test_add_func ("/process/signal", test_process_signal);
  g_test_add_func ("/process/marked", test_process_marked);
  g_test_add_func ("/process/marked-while-it-starts", test_process_marked_while_it_starts);
  g_test_add_func ("/process/ancestors", test_process_ancestors);
  g_test_add_func ("/process/detached", test_process_detached);
  g_test_add_func ("/process/detached-missing", test_process_detached_missing);
  g_test_add_func ("/process/find-program", test_find_program);
  g_test_add_func ("/exits/torn", test_exits_torn);
  g_test_add_func ("/exits/damaged", test_exits_damaged);
  g_test_add_func ("/exits/newer", test_exits_newer);
  g_test_add_func ("/exits/skip", test_exits_skip);
  g_test_add_func ("/exits/crc", test_crc);
  return g_test_run ();
}
