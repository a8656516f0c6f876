/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-event.h"

G_BEGIN_DECLS

/**
 * ForeLeaderNews:
 * @paths: (element-type utf8): what changed in the main checkout while tasks ran, each once
 * @tasks: (element-type utf8): keys of the tasks whose transcripts name them, each once
 * @time: when it was seen last, in microseconds since 1970; 0 if nothing changed
 *
 * All alarms of a run about its main checkout taken together.
 */
typedef struct
{
  GPtrArray *paths;
  GPtrArray *tasks;
  gint64 time;
} ForeLeaderNews;

ForeLeaderNews *fore_leader_news_new (void);
void fore_leader_news_free (ForeLeaderNews *news);
gboolean fore_leader_news_add (ForeLeaderNews *news, const ForeEvent *event);
char *fore_leader_news_dup_text (const ForeLeaderNews *news);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeLeaderNews, fore_leader_news_free)

G_END_DECLS
