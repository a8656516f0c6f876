/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <errno.h>
#include <fcntl.h>
#include <glib.h>

G_BEGIN_DECLS

/* Flags of open() and errors that Windows has by other names or not at all. Nothing of ours is text
 * there: bytes are left as they are.
 */
#ifdef G_OS_WIN32
#define O_CLOEXEC (_O_NOINHERIT | _O_BINARY)
#define O_NOFOLLOW 0
#define O_NONBLOCK 0
#ifndef EDQUOT
#define EDQUOT ENOSPC
#endif
#ifndef S_ISLNK
#define S_ISLNK(mode) FALSE
#endif
#endif

/**
 * ForeFileStamp:
 * @file: its number in its file system; 0 if there is no such file, or numbers are unknown
 * @size: in bytes, -1 if there is no such file
 * @modified: when its content changed, in nanoseconds since 1970
 * @changed: when anything of it changed, in nanoseconds since 1970
 *
 * What tells whether a file or folder is still what it was, without reading it.
 */
typedef struct
{
  guint64 file;
  gint64 size;
  gint64 modified;
  gint64 changed;
} ForeFileStamp;

void fore_file_get_stamp (const char *path, gboolean follow_links, ForeFileStamp *stamp);
gboolean fore_file_stamp_is_settled (const ForeFileStamp *stamp, gint64 now_us);

gssize fore_file_read_at (int fd, void *buffer, gsize size, gint64 offset);
gssize fore_file_write_at (int fd, const void *bytes, gsize size, gint64 offset);
gboolean fore_file_wait (int fd, int ms);
int fore_file_open_beneath (const char *folder, const char *path);
char *fore_path_dup_real (const char *path);
gboolean fore_path_is_inside (const char *path, const char *folder);

G_END_DECLS
