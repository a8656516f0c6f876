/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-decoder-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* What an agent asks and waits for: a permission or a question. The line that each answer is to be
 * written as is made when it asks, so that everything goes back as it came.
 */
typedef struct
{
  ForeEntry *entry;
  GStrv replies;
  char *before;
  char *after;
  char *refusal;
} Asked;

static void
asked_free (gpointer data)
{
  Asked *asked = data;

  fore_entry_free (asked->entry);
  g_strfreev (asked->replies);
  g_free (asked->before);
  g_free (asked->after);
  g_free (asked->refusal);
  g_free (asked);
}

void
fore_decoder_init_asked (ForeDecoder *decoder)
{
  decoder->asked = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, asked_free);
}

/* Options of which two have the same id cannot be told apart: none of them is offered then. */
static gboolean
is_ambiguous (GPtrArray *options)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; options != NULL && i < options->len; i++)
    {
      const ForeRequestOption *option = g_ptr_array_index (options, i);

      if (!g_hash_table_add (ids, option->id))
        return TRUE;
    }

  return FALSE;
}

static void
add (ForeDecoder *decoder, Asked *asked)
{
  ForeEntry *entry = asked->entry;

  entry->kind = FORE_ENTRY_PERMISSION;
  entry->state = FORE_ENTRY_RUNNING;
  if (entry->options == NULL)
    entry->options = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_request_option_free);
  if (is_ambiguous (entry->options))
    g_ptr_array_set_size (entry->options, 0);

  g_hash_table_replace (decoder->asked, entry->id, asked);
  fore_decoder_emit (decoder, entry);
}

/* Shows that the agent asks; everything is taken over. A reply belongs to the option at its place.
 */
void
fore_decoder_ask (ForeDecoder *decoder, ForeEntry *entry, GStrv replies, char *refusal)
{
  Asked *asked = g_new0 (Asked, 1);

  g_assert (entry->id != NULL && replies != NULL);

  asked->entry = entry;
  asked->replies = replies;
  asked->refusal = refusal;
  add (decoder, asked);
}

/* Asks for words, which are written between the two pieces as a JSON string. */
void
fore_decoder_ask_words (
    ForeDecoder *decoder, ForeEntry *entry, char *before, char *after, char *refusal)
{
  Asked *asked = g_new0 (Asked, 1);

  g_assert (entry->id != NULL && before != NULL && after != NULL);

  asked->entry = entry;
  asked->before = before;
  asked->after = after;
  asked->refusal = refusal;
  add (decoder, asked);
}

/* Shows how it ended and forgets it. */
static void
close_asked (ForeDecoder *decoder, Asked *asked, const char *answer, gboolean later)
{
  ForeEntry *entry = asked->entry;

  entry->state = answer != NULL ? FORE_ENTRY_DONE : FORE_ENTRY_FAILED;
  g_free (entry->text);
  entry->text = g_strdup (answer != NULL ? answer : _ ("withdrawn"));
  if (later)
    fore_decoder_queue (decoder, entry);
  else
    fore_decoder_emit (decoder, entry);
  g_hash_table_remove (decoder->asked, entry->id);
}

static gboolean
answer_words (ForeDecoder *decoder, Asked *asked, const char *words)
{
  g_autofree char *quoted = NULL;
  g_autofree char *line = NULL;

  if (asked->before == NULL)
    return FALSE;

  quoted = fore_decoder_quote (words);
  line = g_strconcat (asked->before, quoted, asked->after, NULL);
  fore_decoder_send (decoder, line);
  close_asked (decoder, asked, words, TRUE);

  return TRUE;
}

/* Answers once with one of the options, or with none of them. */
gboolean
fore_decoder_answer (ForeDecoder *decoder, const char *id, const char *option)
{
  Asked *asked = id != NULL ? g_hash_table_lookup (decoder->asked, id) : NULL;

  if (asked == NULL)
    return FALSE;

  if (option == NULL)
    {
      if (asked->refusal != NULL)
        fore_decoder_send (decoder, asked->refusal);
      close_asked (decoder, asked, NULL, TRUE);
      return TRUE;
    }

  for (guint i = 0; i < asked->entry->options->len; i++)
    {
      const ForeRequestOption *known = g_ptr_array_index (asked->entry->options, i);

      if (strcmp (known->id, option) == 0 && asked->replies != NULL)
        {
          g_autofree char *name = g_strdup (known->name);

          fore_decoder_send (decoder, asked->replies[i]);
          close_asked (decoder, asked, name, TRUE);
          return TRUE;
        }
    }

  return answer_words (decoder, asked, option);
}

/* It is not answered any more. The agent took it back, or nobody here has answered it: who only
 * reads a capture does not see the answers, and what is over without one was answered then.
 */
void
fore_decoder_withdraw (ForeDecoder *decoder, const char *id, gboolean taken_back)
{
  Asked *asked = g_hash_table_lookup (decoder->asked, id);

  if (asked != NULL)
    close_asked (decoder, asked, taken_back || decoder->speaking ? NULL : "", FALSE);
}

static GList *
list_asked (ForeDecoder *decoder)
{
  return g_list_sort (g_hash_table_get_keys (decoder->asked), (GCompareFunc) strcmp);
}

/* Before the agent is interrupted; some want to hear so for each, others take them back. */
void
fore_decoder_refuse_all (ForeDecoder *decoder)
{
  g_autoptr (GList) ids = list_asked (decoder);

  for (GList *l = ids; l != NULL; l = l->next)
    fore_decoder_answer (decoder, l->data, NULL);
}

/* A call that is over waits for nobody. */
void
fore_decoder_close_asked_of_tool (ForeDecoder *decoder, const char *tool)
{
  g_autoptr (GList) ids = NULL;

  if (g_hash_table_size (decoder->asked) == 0)
    return;

  ids = list_asked (decoder);
  for (GList *l = ids; l != NULL; l = l->next)
    {
      Asked *asked = g_hash_table_lookup (decoder->asked, l->data);

      if (g_strcmp0 (asked->entry->parent, tool) == 0)
        fore_decoder_withdraw (decoder, l->data, FALSE);
    }
}

/* Nobody waits for an answer once the agent is gone. */
void
fore_decoder_withdraw_all (ForeDecoder *decoder)
{
  g_autoptr (GList) ids = list_asked (decoder);

  for (GList *l = ids; l != NULL; l = l->next)
    fore_decoder_withdraw (decoder, l->data, TRUE);
}
