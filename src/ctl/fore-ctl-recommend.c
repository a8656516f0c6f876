/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-page.h"
#include "ctl/fore-ctl-verbs.h"
#include "library/fore-recommend.h"

#include <glib/gi18n.h>

static JsonObject *
to_json (const ForeRecommendation *found)
{
  JsonObject *object = json_object_new ();
  JsonArray *parts = json_array_new ();

  fore_ctl_json_set_text (object, "team", found->team);
  fore_ctl_json_set_text (object, "workflow", found->workflow);
  fore_ctl_json_set_text (object, "confidence", fore_confidence_to_string (found->confidence));
  fore_ctl_json_set_text (object, "reason", found->reason);
  for (guint i = 0; i < found->parts->len; i++)
    {
      const ForeRecommendedPart *part = g_ptr_array_index (found->parts, i);
      JsonObject *member = json_object_new ();

      fore_ctl_json_set_text (member, "title", part->title);
      fore_ctl_json_set_text (member, "role", part->role);
      json_array_add_object_element (parts, member);
    }
  json_object_set_array_member (object, "parts", parts);

  return object;
}

static void
print (ForeCtl *ctl, const ForeRecommendation *found)
{
  g_autofree char *reason = fore_ctl_dup_clean (found->reason);

  fore_ctl_print (ctl, "%s (%s)\n%s\n", found->team != NULL ? found->team : _ ("no team"),
                  fore_confidence_to_string (found->confidence), reason);
  for (guint i = 0; i < found->parts->len; i++)
    {
      const ForeRecommendedPart *part = g_ptr_array_index (found->parts, i);
      g_autofree char *title = fore_ctl_dup_clean (part->title);

      fore_ctl_print (ctl, "  %s: %s\n", part->role, title);
    }
  if (found->workflow != NULL)
    fore_ctl_print (ctl, "\n  foredeckctl run --workflow %s …\n", found->workflow);
}

/**
 * fore_ctl_do_recommend:
 * @ctl: the command line, with a goal
 * @error: return location for an error
 *
 * Says which team and workflow fit a goal, and why.
 *
 * Returns: %FALSE if the library could not be loaded
 */
gboolean
fore_ctl_do_recommend (ForeCtl *ctl, GError **error)
{
  g_autofree char *user_dir = fore_library_dup_user_dir ();
  g_autofree char *project = fore_ctl_dup_project (ctl, ".");
  g_autoptr (GString) goal = g_string_new (NULL);
  g_autoptr (ForeLibrary) library = NULL;
  g_autoptr (ForeRecommendation) found = NULL;

  if (fore_ctl_get_store (ctl, error) == NULL)
    return FALSE;

  library = fore_library_load (user_dir, project, fore_store_is_trusted (ctl->store, project),
                               error);
  if (library == NULL)
    return FALSE;

  for (guint i = 0; i < ctl->words->len; i++)
    g_string_append_printf (goal, "%s%s", i > 0 ? " " : "", fore_ctl_get_word (ctl, i));

  found = fore_recommend (library, goal->str);
  if (ctl->json)
    fore_ctl_print_object (ctl, to_json (found));
  else
    print (ctl, found);

  return TRUE;
}
