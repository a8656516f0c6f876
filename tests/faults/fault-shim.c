/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stands between our programs and the C library, in tests only: counts the calls that change files,
 * and fails, cuts or journals them. See fault-shim.h.
 */

/* or open() would be another name of open64(), which is defined here too */
#undef _FILE_OFFSET_BITS

#include "fault-shim.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define MAX_PATH 4096
/* where nobody else's descriptors are */
#define FIRST_FD 900

typedef struct
{
  const char *name;
  const char *path;
  const void *bytes; /* NULL: not a write */
  size_t length;
} Call;

static volatile int64_t *control;
static char root[MAX_PATH];
static size_t root_length;
static char boot_path[MAX_PATH];
static char faults[MAX_PATH];
static char match_call[32]; /* "": any */
static char match_path[256];
static int program;
static int lock_fd = -1;
static int journal_fd = -1;
static int trace_fd = -1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static __thread bool inside;

static int
find_program (void)
{
  const char *name = program_invocation_short_name;

  if (strcmp (name, "foredeckctl") == 0)
    return FAULT_CTL;
  if (strcmp (name, "foredeck-runner") == 0)
    return FAULT_RUNNER;
  if (strcmp (name, "foredeck-guard") == 0)
    return FAULT_GUARD;
  if (strcmp (name, "foredeck") == 0)
    return FAULT_APP;

  return 0;
}

static int
open_beside (const char *name, int flags)
{
  char path[MAX_PATH + 32];

  int fd, high;

  snprintf (path, sizeof path, "%s/%s", faults, name);
  fd = (int) syscall (SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0600);
  high = fcntl (fd, F_DUPFD_CLOEXEC, FIRST_FD);
  syscall (SYS_close, fd);
  return high;
}

static void
open_files (void)
{
  lock_fd = open_beside ("lock", O_RDWR | O_CREAT);
  journal_fd = open_beside ("journal", O_WRONLY | O_CREAT | O_APPEND);
  trace_fd = open_beside ("trace", O_WRONLY | O_CREAT | O_APPEND);
}

static void
read_match (void)
{
  char text[300] = "";
  int match = open_beside ("match", O_RDONLY);

  if (match < 0)
    return;

  if (read (match, text, sizeof text - 1) > 0)
    sscanf (text, "%31s %255s", match_call, match_path);
  syscall (SYS_close, match);
}

__attribute__ ((constructor)) static void
begin (void)
{
  const char *home = getenv ("HOME");
  void *words;
  int fd;

  program = find_program ();
  if (program == 0 || home == NULL || strlen (home) > MAX_PATH - 64)
    return;

  snprintf (root, sizeof root, "%s/", home);
  root_length = strlen (root);
  snprintf (faults, sizeof faults, "%s/faults", home);
  snprintf (boot_path, sizeof boot_path, "%s/faults/boot_id", home);
  fd = open_beside ("control", O_RDWR);
  if (fd < 0)
    return;

  open_files ();
  read_match ();
  words = mmap (NULL, FAULT_N_WORDS * sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close (fd);
  if (words != MAP_FAILED)
    control = words;
}

static void
die (void)
{
  syscall (SYS_kill, getpid (), SIGKILL);
  for (;;)
    pause ();
}

static bool
is_ours (const char *path)
{
  return strncmp (path, root, root_length) == 0 && strncmp (path, faults, strlen (faults)) != 0;
}

/* Whether what changes at @path is looked at. */
static bool
watches (const char *path, char *full)
{
  if (control == NULL || inside)
    return false;
  if (path[0] == '/')
    snprintf (full, MAX_PATH, "%s", path);
  else
    {
      if (getcwd (full, MAX_PATH / 2) == NULL)
        return false;
      strncat (full, "/", MAX_PATH - strlen (full) - 1);
      strncat (full, path, MAX_PATH - strlen (full) - 1);
    }

  return is_ours (full);
}

static bool
watches_fd (int fd, char *path, struct stat *info)
{
  char link[40];
  ssize_t length;

  if (control == NULL || inside || fstat (fd, info) != 0
      || !(S_ISREG (info->st_mode) || S_ISDIR (info->st_mode)))
    return false;

  snprintf (link, sizeof link, "/proc/self/fd/%d", fd);
  length = readlink (link, path, MAX_PATH - 1);
  if (length <= 0)
    return false;

  path[length] = '\0';
  return is_ours (path) && info->st_nlink > 0;
}

static void
enter (void)
{
  pthread_mutex_lock (&mutex);
  inside = true;
  while (flock (lock_fd, LOCK_EX) != 0)
    {
      /* a guard closes what it did not open itself */
      if (errno == EBADF)
        open_files ();
    }
  if (control[FAULT_DEAD])
    die ();
}

static void
leave (void)
{
  flock (lock_fd, LOCK_UN);
  inside = false;
  pthread_mutex_unlock (&mutex);
}

static void
trace (int64_t n, const Call *call)
{
  char line[MAX_PATH + 64];
  int length;

  length = snprintf (line, sizeof line, "%lld %d %s %s\n", (long long) n, program, call->name,
                     call->path + root_length);
  syscall (SYS_write, trace_fd, line, (size_t) length);
}

static bool
is_meant (const Call *call)
{
  return match_call[0] == '\0'
         || (strcmp (call->name, match_call) == 0 && strstr (call->path, match_path) != NULL);
}

/* Counts the call and lets come what is due. 0: do it; else the errno to fail with; -1: do half. */
static int
count (const Call *call)
{
  int64_t n, at = control[FAULT_AT];

  if ((control[FAULT_PROGRAMS] & program) == 0 || !is_meant (call))
    return 0;

  n = ++control[FAULT_COUNTER];
  if (control[FAULT_TRACE])
    trace (n, call);
  if (at == 0 || n < at || n >= at + control[FAULT_LASTING])
    return 0;

  control[FAULT_FIRED]++;
  switch (control[FAULT_MODE])
    {
    case FAULT_FAIL:
      return (int) control[FAULT_ERRNO];

    case FAULT_SHORT:
    case FAULT_KILL_MIDDLE:
      return call->length > 1 ? -1 : 0;

    case FAULT_KILL_BEFORE:
      die ();
      break;

    case FAULT_POWER:
      control[FAULT_DEAD] = 1;
      die ();
      break;

    default:
      break;
    }

  return 0;
}

/* After the call that was meant. */
static void
cut_after (const Call *call)
{
  int64_t at = control[FAULT_AT], n = control[FAULT_COUNTER];

  if ((control[FAULT_PROGRAMS] & program) != 0 && is_meant (call) && at != 0 && n == at
      && (control[FAULT_MODE] == FAULT_KILL_AFTER || control[FAULT_MODE] == FAULT_KILL_MIDDLE))
    die ();
}

/* The journal */

static void
note (uint32_t kind,
      const char *path,
      const char *other,
      const struct stat *info,
      uint64_t offset,
      const void *data,
      size_t length)
{
  FaultRecord record = { .kind = kind };
  struct iovec parts[4];

  if (!control[FAULT_JOURNAL])
    return;

  record.path_length = (uint32_t) strlen (path);
  record.other_length = other != NULL ? (uint32_t) strlen (other) : 0;
  record.data_length = (uint32_t) length;
  record.inode = info != NULL ? info->st_ino : 0;
  record.offset = offset;
  record.size = info != NULL ? (uint64_t) info->st_size : 0;
  parts[0] = (struct iovec){ &record, sizeof record };
  parts[1] = (struct iovec){ (void *) path, record.path_length };
  parts[2] = (struct iovec){ (void *) other, record.other_length };
  parts[3] = (struct iovec){ (void *) data, length };
  if (syscall (SYS_writev, journal_fd, parts, 4) < 0)
    abort ();
}

/* What lies at @offset, as far as the file goes. */
static void
note_bytes (uint32_t kind, const char *path, const struct stat *info, off_t offset, size_t length)
{
  char *before;
  ssize_t n = 0;
  int fd;

  if (!control[FAULT_JOURNAL])
    return;

  if (offset >= info->st_size)
    length = 0;
  else if ((off_t) length > info->st_size - offset)
    length = (size_t) (info->st_size - offset);
  before = malloc (length + 1);
  fd = length > 0 ? (int) syscall (SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0) : -1;
  if (fd >= 0)
    {
      n = pread (fd, before, length, offset);
      syscall (SYS_close, fd);
    }
  note (kind, path, NULL, info, (uint64_t) offset, before, n > 0 ? (size_t) n : 0);
  free (before);
}

/* Keeps what is at @path under another name. */
static const char *
save (const char *path, char *name, size_t size)
{
  static unsigned n;
  char target[MAX_PATH + 64];

  if (!control[FAULT_JOURNAL])
    return NULL;

  snprintf (name, size, "%d-%u", (int) getpid (), n++);
  snprintf (target, sizeof target, "%s/saved/%s", faults, name);
  return syscall (SYS_linkat, AT_FDCWD, path, AT_FDCWD, target, 0) == 0 ? name : NULL;
}

/* Writes */

static ssize_t
half (int fd, const void *bytes, size_t length, off_t offset)
{
  if (offset < 0)
    return syscall (SYS_write, fd, bytes, length / 2);

  return syscall (SYS_pwrite64, fd, bytes, length / 2, offset);
}

static ssize_t
do_write (int fd,
          const void *bytes,
          size_t length,
          off_t offset,
          const char *path,
          const struct stat *info)
{
  Call call = { "write", path, bytes, length };
  off_t at = offset;
  ssize_t done;
  int fault;

  enter ();
  fault = count (&call);
  if (fault > 0)
    {
      leave ();
      errno = fault;
      return -1;
    }

  if (at < 0)
    at = (fcntl (fd, F_GETFL) & O_APPEND) != 0 ? info->st_size : lseek (fd, 0, SEEK_CUR);
  note_bytes (FAULT_WRITE, path, info, at, length);
  if (fault < 0)
    done = half (fd, bytes, length, offset);
  else if (offset < 0)
    done = syscall (SYS_write, fd, bytes, length);
  else
    done = syscall (SYS_pwrite64, fd, bytes, length, offset);
  cut_after (&call);
  leave ();
  return done;
}

ssize_t
write (int fd, const void *bytes, size_t length)
{
  char path[MAX_PATH];
  struct stat info;

  if (!watches_fd (fd, path, &info))
    return syscall (SYS_write, fd, bytes, length);

  return do_write (fd, bytes, length, -1, path, &info);
}

ssize_t
pwrite64 (int fd, const void *bytes, size_t length, off_t offset)
{
  char path[MAX_PATH];
  struct stat info;

  if (!watches_fd (fd, path, &info))
    return syscall (SYS_pwrite64, fd, bytes, length, offset);

  return do_write (fd, bytes, length, offset, path, &info);
}

ssize_t
pwrite (int fd, const void *bytes, size_t length, off_t offset)
{
  return pwrite64 (fd, bytes, length, offset);
}

ssize_t
writev (int fd, const struct iovec *parts, int n_parts)
{
  char path[MAX_PATH];
  struct stat info;
  ssize_t done = 0;

  if (!watches_fd (fd, path, &info))
    return syscall (SYS_writev, fd, parts, n_parts);

  for (int i = 0; i < n_parts; i++)
    {
      ssize_t n = write (fd, parts[i].iov_base, parts[i].iov_len);

      if (n < 0)
        return done > 0 ? done : -1;
      done += n;
      if (n < (ssize_t) parts[i].iov_len)
        break;
    }

  return done;
}

/* Syncs */

static int
do_sync (int fd, const char *name, long number)
{
  char path[MAX_PATH];
  struct stat info;
  Call call = { name, path, NULL, 0 };
  int result = 0;
  int fault;

  if (!watches_fd (fd, path, &info))
    return (int) syscall (number, fd);

  enter ();
  fault = count (&call);
  if (fault > 0)
    {
      note (FAULT_SYNC_FAILED, path, NULL, &info, 0, NULL, 0);
      leave ();
      errno = fault;
      return -1;
    }

  if (!control[FAULT_NO_SYNC])
    result = (int) syscall (number, fd);
  if (result == 0)
    note (FAULT_SYNC, path, NULL, &info, 0, NULL, 0);
  cut_after (&call);
  leave ();
  return result;
}

int
fsync (int fd)
{
  return do_sync (fd, "fsync", SYS_fsync);
}

int
fdatasync (int fd)
{
  return do_sync (fd, "fdatasync", SYS_fdatasync);
}

int
ftruncate64 (int fd, off_t size)
{
  char path[MAX_PATH];
  struct stat info;
  Call call = { "ftruncate", path, NULL, 0 };
  int result;
  int fault;

  if (!watches_fd (fd, path, &info))
    return (int) syscall (SYS_ftruncate, fd, size);

  enter ();
  fault = count (&call);
  if (fault > 0)
    {
      leave ();
      errno = fault;
      return -1;
    }

  note_bytes (FAULT_TRUNCATE, path, &info, size, (size_t) info.st_size);
  result = (int) syscall (SYS_ftruncate, fd, size);
  cut_after (&call);
  leave ();
  return result;
}

int
ftruncate (int fd, off_t size)
{
  return ftruncate64 (fd, size);
}

/* Names */

static int
do_open (int dir, const char *path, int flags, mode_t mode)
{
  char full[MAX_PATH];
  struct stat info;
  Call call = { "open", full, NULL, 0 };
  bool there;
  int fault;
  int fd;

  if (control != NULL && strcmp (path, "/proc/sys/kernel/random/boot_id") == 0
      && syscall (SYS_faccessat, AT_FDCWD, boot_path, R_OK) == 0)
    path = boot_path;

  if ((flags & (O_CREAT | O_TRUNC)) == 0 || (dir != AT_FDCWD && path[0] != '/')
      || !watches (path, full))
    return (int) syscall (SYS_openat, dir, path, flags, mode);

  there = lstat (full, &info) == 0;
  if (there && (flags & O_TRUNC) == 0)
    return (int) syscall (SYS_openat, dir, path, flags, mode);

  enter ();
  fault = count (&call);
  if (fault > 0)
    {
      leave ();
      errno = fault;
      return -1;
    }

  if (there && info.st_size > 0)
    note_bytes (FAULT_TRUNCATE, full, &info, 0, (size_t) info.st_size);
  fd = (int) syscall (SYS_openat, dir, path, flags, mode);
  if (fd >= 0 && !there && fstat (fd, &info) == 0)
    note (FAULT_CREATE, full, NULL, &info, 0, NULL, 0);
  cut_after (&call);
  leave ();
  return fd;
}

static mode_t
get_mode (int flags, va_list args)
{
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg (args, mode_t) : 0;
}

#define DEFINE_OPEN(name)                                                                          \
  int name (const char *path, int flags, ...)                                                      \
  {                                                                                                \
    va_list args;                                                                                  \
    mode_t mode;                                                                                   \
                                                                                                   \
    va_start (args, flags);                                                                        \
    mode = get_mode (flags, args);                                                                 \
    va_end (args);                                                                                 \
    return do_open (AT_FDCWD, path, flags, mode);                                                  \
  }

DEFINE_OPEN (open)
DEFINE_OPEN (open64)

#define DEFINE_OPENAT(name)                                                                        \
  int name (int dir, const char *path, int flags, ...)                                             \
  {                                                                                                \
    va_list args;                                                                                  \
    mode_t mode;                                                                                   \
                                                                                                   \
    va_start (args, flags);                                                                        \
    mode = get_mode (flags, args);                                                                 \
    va_end (args);                                                                                 \
    return do_open (dir, path, flags, mode);                                                       \
  }

DEFINE_OPENAT (openat)
DEFINE_OPENAT (openat64)

int
rename (const char *from, const char *to)
{
  char full_from[MAX_PATH], full_to[MAX_PATH], name[48];
  struct stat info;
  Call call = { "rename", full_to, NULL, 0 };
  const char *saved;
  bool there;
  int result;
  int fault;

  if (!watches (from, full_from) || !watches (to, full_to))
    return (int) syscall (SYS_rename, from, to);

  enter ();
  fault = count (&call);
  if (fault > 0)
    {
      leave ();
      errno = fault;
      return -1;
    }

  there = lstat (full_from, &info) == 0;
  saved = there ? save (full_to, name, sizeof name) : NULL;
  result = (int) syscall (SYS_rename, from, to);
  if (result == 0 && there)
    note (FAULT_RENAME, full_from, full_to, &info, 0, saved, saved != NULL ? strlen (saved) : 0);
  cut_after (&call);
  leave ();
  return result;
}

static int
do_unlink (int dir, const char *path, int flags)
{
  char full[MAX_PATH], name[48];
  struct stat info;
  Call call = { "unlink", full, NULL, 0 };
  const char *saved;
  int result;
  int fault;

  if (flags != 0 || (dir != AT_FDCWD && path[0] != '/') || !watches (path, full)
      || lstat (full, &info) != 0 || !S_ISREG (info.st_mode))
    return (int) syscall (SYS_unlinkat, dir, path, flags);

  enter ();
  fault = count (&call);
  if (fault > 0)
    {
      leave ();
      errno = fault;
      return -1;
    }

  saved = save (full, name, sizeof name);
  result = (int) syscall (SYS_unlinkat, dir, path, flags);
  if (result == 0)
    note (FAULT_UNLINK, full, saved, &info, 0, NULL, 0);
  cut_after (&call);
  leave ();
  return result;
}

int
unlink (const char *path)
{
  return do_unlink (AT_FDCWD, path, 0);
}

int
unlinkat (int dir, const char *path, int flags)
{
  return do_unlink (dir, path, flags);
}

int
mkdir (const char *path, mode_t mode)
{
  char full[MAX_PATH];
  struct stat info;
  Call call = { "mkdir", full, NULL, 0 };
  int result;
  int fault;

  if (!watches (path, full) || lstat (full, &info) == 0)
    return (int) syscall (SYS_mkdir, path, mode);

  enter ();
  fault = count (&call);
  if (fault > 0)
    {
      leave ();
      errno = fault;
      return -1;
    }

  result = (int) syscall (SYS_mkdir, path, mode);
  cut_after (&call);
  leave ();
  return result;
}

int
link (const char *from, const char *to)
{
  char full[MAX_PATH];
  struct stat info;
  Call call = { "link", full, NULL, 0 };
  int result;
  int fault;

  if (!watches (to, full))
    return (int) syscall (SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);

  enter ();
  fault = count (&call);
  if (fault > 0)
    {
      leave ();
      errno = fault;
      return -1;
    }

  result = (int) syscall (SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
  if (result == 0 && lstat (full, &info) == 0)
    note (FAULT_CREATE, full, NULL, &info, 0, NULL, 0);
  cut_after (&call);
  leave ();
  return result;
}

/* The wall clock */

int
clock_gettime (clockid_t clock, struct timespec *now)
{
  int result = (int) syscall (SYS_clock_gettime, clock, now);

  if (clock == CLOCK_REALTIME && control != NULL && control[FAULT_CLOCK] != 0)
    {
      int64_t us = (int64_t) now->tv_sec * 1000000 + now->tv_nsec / 1000 + control[FAULT_CLOCK];

      now->tv_sec = us / 1000000;
      now->tv_nsec = us % 1000000 * 1000;
    }

  return result;
}

int
gettimeofday (struct timeval *restrict now, void *restrict zone)
{
  struct timespec time;
  int result = clock_gettime (CLOCK_REALTIME, &time);

  (void) zone;
  now->tv_sec = time.tv_sec;
  now->tv_usec = time.tv_nsec / 1000;
  return result;
}

time_t
time (time_t *out)
{
  struct timespec now;

  clock_gettime (CLOCK_REALTIME, &now);
  if (out != NULL)
    *out = now.tv_sec;
  return now.tv_sec;
}
