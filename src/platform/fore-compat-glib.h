/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What newer versions of GLib have and the oldest one that we support has not. */

/* g_set_str() is from GLib 2.76. */
static inline gboolean
fore_set_str (char **place, const char *text)
{
  char *copy;

  if (*place == text || (*place != NULL && text != NULL && g_str_equal (*place, text)))
    return FALSE;

  copy = g_strdup (text);
  g_free (*place);
  *place = copy;

  return TRUE;
}

G_END_DECLS
