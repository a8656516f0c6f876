/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-memory.h"

#include <malloc/malloc.h>

void
fore_memory_give_back (void)
{
  malloc_zone_pressure_relief (NULL, 0);
}
