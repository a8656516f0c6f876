/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

#include <stdlib.h>

/* g_error() ends with a trap, after which libFuzzer does not keep the input; it does after abort().
 */
#define fuzz_fail(...)                                                                             \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_printerr (__VA_ARGS__);                                                                      \
    g_printerr ("\n");                                                                             \
    abort ();                                                                                      \
  }                                                                                                \
  G_STMT_END
