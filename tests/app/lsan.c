/* SPDX-License-Identifier: GPL-3.0-or-later */

const char *__lsan_default_suppressions (void);

/* What fonts, drivers and the toolkit keep for the life of the process. */
const char *
__lsan_default_suppressions (void)
{
  return "leak:libfontconfig\n"
         "leak:libEGL\n"
         "leak:libGL\n"
         "leak:libgallium\n"
         "leak:librsvg\n"
         "leak:libX11\n";
}
