/* SPDX-License-Identifier: GPL-3.0-or-later */

const char *__lsan_default_suppressions (void);

/* Fontconfig keeps its patterns for the life of the process. */
const char *
__lsan_default_suppressions (void)
{
  return "leak:libfontconfig\n";
}
