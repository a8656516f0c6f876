/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-leader-news.h"

#include "text/fore-json.h"

#include <glib/gi18n-lib.h>

/* A sentence that names more is not read. */
#define PATHS_NAMED 3

/**
 * fore_leader_news_new:
 *
 * Returns: (transfer full): no alarm yet
 */
ForeLeaderNews *
fore_leader_news_new (void)
{
  ForeLeaderNews *news = g_new0 (ForeLeaderNews, 1);

  news->paths = g_ptr_array_new_with_free_func (g_free);
  news->tasks = g_ptr_array_new_with_free_func (g_free);

  return news;
}

/**
 * fore_leader_news_free:
 * @news: (nullable): alarms
 */
void
fore_leader_news_free (ForeLeaderNews *news)
{
  if (news == NULL)
    return;

  g_ptr_array_unref (news->paths);
  g_ptr_array_unref (news->tasks);
  g_free (news);
}

static void
add_words (GPtrArray *to, JsonObject *object, const char *member)
{
  g_auto (GStrv) words = fore_json_dup_strv (object, member);

  for (guint i = 0; words != NULL && words[i] != NULL; i++)
    {
      if (!g_ptr_array_find_with_equal_func (to, words[i], g_str_equal, NULL))
        g_ptr_array_add (to, g_strdup (words[i]));
    }
}

/**
 * fore_leader_news_add:
 * @news: alarms
 * @event: an event of the run
 *
 * Takes @event up if it is an alarm.
 *
 * Returns: whether it was one
 */
gboolean
fore_leader_news_add (ForeLeaderNews *news, const ForeEvent *event)
{
  g_autoptr (JsonNode) node = NULL;

  g_return_val_if_fail (news != NULL, FALSE);
  g_return_val_if_fail (event != NULL, FALSE);

  if (event->type != FORE_EVENT_LEADER_CHANGED || event->data == NULL)
    return FALSE;

  node = fore_json_parse (event->data, -1, NULL, NULL);
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return FALSE;

  add_words (news->paths, json_node_get_object (node), "paths");
  add_words (news->tasks, json_node_get_object (node), "tasks");
  news->time = MAX (news->time, event->time);

  return TRUE;
}

static char *
join_paths (const ForeLeaderNews *news)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint more = news->paths->len > PATHS_NAMED ? news->paths->len - PATHS_NAMED : 0;

  for (guint i = 0; i < MIN (news->paths->len, PATHS_NAMED); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", (char *) news->paths->pdata[i]);
  if (more > 0)
    g_string_append_printf (
        text, g_dngettext (GETTEXT_PACKAGE, " and %u more", " and %u more", more), more);

  return g_strdup (text->str);
}

/**
 * fore_leader_news_dup_text:
 * @news: alarms
 *
 * Returns: (transfer full) (nullable): one sentence about them; %NULL if nothing changed
 */
char *
fore_leader_news_dup_text (const ForeLeaderNews *news)
{
  g_autofree char *paths = NULL;
  g_autofree char *tasks = NULL;

  g_return_val_if_fail (news != NULL, NULL);

  if (news->paths->len == 0)
    return NULL;

  paths = join_paths (news);
  if (news->tasks->len == 0)
    return g_strdup_printf (_ ("Your own checkout changed while tasks ran: %s."), paths);

  g_ptr_array_add (news->tasks, NULL);
  tasks = g_strjoinv (", ", (char **) news->tasks->pdata);
  g_ptr_array_set_size (news->tasks, (int) news->tasks->len - 1);

  return g_strdup_printf (
      _ ("Your own checkout changed while tasks ran: %s. Named in the transcript of %s."), paths,
      tasks);
}
