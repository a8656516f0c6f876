/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-plan-markdown.h"

G_BEGIN_DECLS

/* Where something stands in the file, from 1, in characters. */
typedef struct
{
  guint line;
  guint column;
} ForePlanPlace;

/* What an item comes after, as it is written. */
typedef struct
{
  char *id;
  ForePlanPlace place;
} ForePlanAfter;

/* One item as the file has it. */
typedef struct
{
  ForePlanItem *item;
  GString *details;
  GPtrArray *afters; /* of ForePlanAfter; NULL where nothing is said */
  char *before;      /* id of the numbered item before it */
  ForePlanPlace place;
  gboolean done;
} ForePlanEntry;

/* One line, and where in it somebody reads. */
typedef struct
{
  const char *start;
  const char *p;
  guint number;
} ForePlanLine;

/* What was read so far. */
typedef struct
{
  const ForePlanRules *rules;
  char **lines;
  GPtrArray *entries;
  GHashTable *ids; /* to entries */
  char *title;
  GString *summary;
  ForePlanEntry *current; /* what details go to; NULL for the summary */
  gboolean by_heading;    /* lists are details of the current item */
  guint indent;           /* of the text of the current item */
  guint list_indent;
  gboolean in_list;
  gboolean blank_before;
  char *numbered; /* id of the last numbered item that is not done */
  GString *done;
  guint n_open;
} ForePlanReader;

ForePlanEntry *fore_plan_entry_new (ForePlanPlace place);
void fore_plan_entry_free (ForePlanEntry *entry);

ForePlanPlace fore_plan_line_get_place (const ForePlanLine *line, const char *p);
void fore_plan_fail (ForePlanPlace place, GError **error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
gboolean fore_plan_tag_is (const char *text);
gboolean fore_plan_tag_read (ForePlanEntry *entry,
                             const ForePlanLine *line,
                             const char *end,
                             GError **error);
gboolean fore_plan_tag_title (ForePlanEntry *entry, const ForePlanLine *line, GError **error);
ForePlan *fore_plan_reader_make_plan (ForePlanReader *self, GError **error);

G_END_DECLS
