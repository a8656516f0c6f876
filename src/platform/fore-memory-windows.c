/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-memory.h"

#include <malloc.h>

void
fore_memory_give_back (void)
{
  _heapmin ();
}
