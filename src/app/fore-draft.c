/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-draft.h"

#include <string.h>

#define OFFERED "fore-draft-offered"

/* Main thread. */
static GHashTable *
get_drafts (void)
{
  static GHashTable *drafts;

  if (drafts == NULL)
    drafts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  return drafts;
}

/**
 * fore_draft_set:
 * @about: (nullable): what it is about, such as the path of a project; %NULL for nothing yet
 * @text: (nullable): what was written; nothing forgets the draft
 */
void
fore_draft_set (const char *about, const char *text)
{
  const char *key = about != NULL ? about : "";

  if (text == NULL || *text == '\0')
    g_hash_table_remove (get_drafts (), key);
  else
    g_hash_table_insert (get_drafts (), g_strdup (key), g_strdup (text));
}

/**
 * fore_draft_get:
 * @about: (nullable): what it is about
 *
 * Returns: (transfer none) (nullable): what was written about it
 */
const char *
fore_draft_get (const char *about)
{
  return g_hash_table_lookup (get_drafts (), about != NULL ? about : "");
}

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
  const char *offered;
  const char *draft;

  g_return_if_fail (GTK_IS_TEXT_VIEW (view));

  text = fore_draft_dup_text (view);
  offered = g_object_get_data (G_OBJECT (view), OFFERED);
  draft = fore_draft_get (about);
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
 * Keeps what stands in @view as the draft about @about.
 */
void
fore_draft_keep (GtkTextView *view, const char *about)
{
  g_autofree char *text = NULL;

  g_return_if_fail (GTK_IS_TEXT_VIEW (view));

  text = fore_draft_dup_text (view);
  fore_draft_set (about, text);
}
