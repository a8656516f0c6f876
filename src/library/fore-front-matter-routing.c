/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-front-matter.h"

/**
 * fore_front_matter_get_routing:
 * @self: a front matter
 * @routing: (out caller-allocates): place for the hints
 *
 * Gets the hints that help to choose an object for a goal.
 */
void
fore_front_matter_get_routing (ForeFrontMatter *self, ForeRouting *routing)
{
  static const char *const costs[] = { "free", "cheap", "expensive", NULL };

  g_return_if_fail (self != NULL);
  g_return_if_fail (routing != NULL);

  routing->triggers = fore_front_matter_dup_list (self, "triggers");
  if (routing->triggers == NULL)
    routing->triggers = fore_front_matter_dup_list (self, "trigger");
  routing->use_when = fore_front_matter_dup_list (self, "useWhen");
  routing->avoid_when = fore_front_matter_dup_list (self, "avoidWhen");
  routing->cost = fore_front_matter_dup_word (self, "cost", costs);
  routing->category = fore_front_matter_dup_string (self, "category");
}
