/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "guard/guard.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

void
guard_slots_hold (Guard *guard)
{
  guard_system_close_from (FORE_GUARD_FIRST_SLOT_FD + guard->options.n_slots);
  for (int i = 0; i < guard->options.n_slots; i++)
    fcntl (FORE_GUARD_FIRST_SLOT_FD + i, F_SETFD, FD_CLOEXEC);
}

/* The new times wake those who wait for one. */
static void
release (int fd)
{
  flock (fd, LOCK_UN);
  futimens (fd, NULL);
}

void
guard_slots_release (Guard *guard)
{
  for (int i = 0; i < guard->options.n_slots; i++)
    release (FORE_GUARD_FIRST_SLOT_FD + i);

  if (guard->slot >= 0)
    {
      release (guard->slot);
      close (guard->slot);
    }
  guard->slot = -1;
}

/* In place of those that were given back. */
void
guard_slots_take (Guard *guard, int fd)
{
  guard_slots_release (guard);
  guard->slot = fd;
}
