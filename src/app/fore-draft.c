/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-draft.h"

#include <string.h>

#include "app/fore-draft-file.h"

#define OFFERED "fore-draft-offered"
#define ABOUT "fore-draft-about"

/**
 * fore_draft_dup_text:
 * @view: where is written
 *
 * Returns: (transfer full): what stands in @view, without the space around it
 */
char *
fore_draft_dup_text (GtkTextView *view)
{
  GtkTextBuffer *buffer;
  GtkTextIter start;
  GtkTextIter end;

  g_return_val_if_fail (GTK_IS_TEXT_VIEW (view), NULL);

  buffer = gtk_text_view_get_buffer (view);
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return g_strstrip (gtk_text_buffer_get_text (buffer, &start, &end, FALSE));
}

/**
 * fore_draft_offer:
 * @view: where is written
 * @about: (nullable): what it is about now
 *
 * Puts the draft about @about into @view, unless a person has written something there.
 */
void
fore_draft_offer (GtkTextView *view, const char *about)
{
  g_autofree char *text = NULL;
  g_autofree char *draft = NULL;
  const char *offered;

  g_return_if_fail (GTK_IS_TEXT_VIEW (view));

  text = fore_draft_dup_text (view);
  offered = g_object_get_data (G_OBJECT (view), OFFERED);
  draft = g_strdup (fore_draft_file_get (about));
  if (*text != '\0' && g_strcmp0 (text, offered) != 0)
    return;

  if (g_strcmp0 (text, draft) != 0)
    gtk_text_buffer_set_text (gtk_text_view_get_buffer (view), draft != NULL ? draft : "", -1);
  g_object_set_data_full (G_OBJECT (view), OFFERED, g_strdup (draft), g_free);
}

/**
 * fore_draft_keep:
 * @view: where is written
 * @about: (nullable): what it is about
 *
 * Keeps what stands in @view as the draft about @about, and about nothing that it was about before.
 */
void
fore_draft_keep (GtkTextView *view, const char *about)
{
  g_autofree char *text = NULL;
  const char *key = about != NULL ? about : "";
  const char *before;

  g_return_if_fail (GTK_IS_TEXT_VIEW (view));

  text = fore_draft_dup_text (view);
  before = g_object_get_data (G_OBJECT (view), ABOUT);
  if (before != NULL && strcmp (before, key) != 0
      && g_strcmp0 (fore_draft_file_get (before), text) == 0)
    fore_draft_file_set (before, NULL);
  fore_draft_file_set (about, text);
  g_object_set_data_full (G_OBJECT (view), ABOUT, g_strdup (key), g_free);
}

static void
changed_cb (GtkTextBuffer *buffer, GtkTextView *view)
{
  fore_draft_keep (view, g_object_get_data (G_OBJECT (view), ABOUT));
}

/**
 * fore_draft_follow:
 * @view: where is written about one thing only
 * @about: what it is about
 *
 * Keeps what is written in @view while it is written.
 */
void
fore_draft_follow (GtkTextView *view, const char *about)
{
  g_return_if_fail (GTK_IS_TEXT_VIEW (view));
  g_return_if_fail (about != NULL);

  g_object_set_data_full (G_OBJECT (view), ABOUT, g_strdup (about), g_free);
  g_signal_connect_object (gtk_text_view_get_buffer (view), "changed", G_CALLBACK (changed_cb),
                           view, 0);
}
