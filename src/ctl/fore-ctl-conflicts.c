/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-verbs.h"
#include "engine/fore-conflict-sides.h"

#include <glib/gi18n.h>

static const char *const side_names[FORE_N_MERGE_SIDES] = { "base", "ours", "theirs" };

static gboolean
is_wanted (const ForeMergeConflict *conflict, const char *path)
{
  return path == NULL || g_str_equal (conflict->path, path);
}

static JsonObject *
side_to_json (const ForeMergeConflict *conflict, ForeMergeSide side)
{
  g_autofree char *text = fore_conflict_sides_dup_text (conflict, side);
  JsonObject *object = json_object_new ();

  fore_ctl_json_set_text (object, "id", fore_merge_conflict_get_id (conflict, side));
  fore_ctl_json_set_text (object, "text", text);
  if (conflict->contents[side] != NULL)
    json_object_set_int_member (object, "bytes",
                                (gint64) g_bytes_get_size (conflict->contents[side]));

  return object;
}

static void
print_json (ForeCtl *ctl,
            const ForeRequest *request,
            const ForeConflictSides *sides,
            const char *path)
{
  JsonObject *object = json_object_new ();
  JsonArray *files = json_array_new ();

  fore_ctl_json_set_text (object, "request", request->id);
  fore_ctl_json_set_text (object, "run", request->run);
  fore_ctl_json_set_text (object, "task", request->task);
  fore_ctl_json_set_text (object, "theirs", sides->theirs);
  fore_ctl_json_set_text (object, "folder", sides->folder);
  for (guint i = 0; i < sides->result->conflicts->len; i++)
    {
      const ForeMergeConflict *conflict = g_ptr_array_index (sides->result->conflicts, i);
      JsonObject *file = json_object_new ();

      if (!is_wanted (conflict, path))
        {
          json_object_unref (file);
          continue;
        }
      fore_ctl_json_set_text (file, "path", conflict->path);
      for (guint side = 0; side < FORE_N_MERGE_SIDES; side++)
        fore_ctl_json_take_object (file, side_names[side], side_to_json (conflict, side));
      json_array_add_object_element (files, file);
    }
  json_object_set_array_member (object, "files", files);
  fore_ctl_print_object (ctl, object);
}

static char *
dup_heading (const ForeConflictSides *sides, ForeMergeSide side)
{
  switch (side)
    {
    case FORE_MERGE_SIDE_BASE:
      return g_strdup (_ ("What both began with (base)"));

    case FORE_MERGE_SIDE_OURS:
      return g_strdup (_ ("The first side (ours)"));

    case FORE_MERGE_SIDE_THEIRS:
    case FORE_N_MERGE_SIDES:
    default:
      return sides->theirs != NULL
                 ? g_strdup_printf (_ ("The second side (theirs): %s"), sides->theirs)
                 : g_strdup (_ ("The second side (theirs)"));
    }
}

/* Each line stands behind a bar, so that no file's text passes for ours. */
static void
print_text (ForeCtl *ctl, const char *text)
{
  g_autofree char *clean = fore_ctl_dup_clean (text);
  g_auto (GStrv) lines = g_strsplit (clean, "\n", -1);

  for (guint i = 0; lines[i] != NULL && (lines[i + 1] != NULL || *lines[i] != '\0'); i++)
    {
      fore_ctl_print_styled (ctl, FORE_CTL_DIM, "  │ ");
      fore_ctl_print (ctl, "%s\n", lines[i]);
    }
}

static void
print_side (ForeCtl *ctl,
            const ForeConflictSides *sides,
            const ForeMergeConflict *conflict,
            ForeMergeSide side)
{
  g_autofree char *heading = dup_heading (sides, side);
  g_autofree char *text = fore_conflict_sides_dup_text (conflict, side);

  fore_ctl_print (ctl, "  %s\n", heading);
  if (text != NULL)
    print_text (ctl, text);
  else
    fore_ctl_print (ctl, "  %s\n",
                    fore_merge_conflict_get_id (conflict, side) == NULL
                        ? _ ("The file is not there.")
                        : _ ("It is not text, or too large to be shown."));
}

static void
print_sides (ForeCtl *ctl, const ForeConflictSides *sides, const char *path)
{
  for (guint i = 0; i < sides->result->conflicts->len; i++)
    {
      const ForeMergeConflict *conflict = g_ptr_array_index (sides->result->conflicts, i);
      g_autofree char *clean = fore_ctl_dup_clean (conflict->path);

      if (!is_wanted (conflict, path))
        continue;
      fore_ctl_print_styled (ctl, FORE_CTL_BOLD, clean);
      fore_ctl_print (ctl, "\n");
      for (guint side = 0; side < FORE_N_MERGE_SIDES; side++)
        print_side (ctl, sides, conflict, side);
    }
}

static gboolean
has_path (const ForeConflictSides *sides, const char *path)
{
  for (guint i = 0; i < sides->result->conflicts->len; i++)
    {
      if (is_wanted (g_ptr_array_index (sides->result->conflicts, i), path))
        return TRUE;
    }

  return path == NULL;
}

gboolean
fore_ctl_do_conflicts (ForeCtl *ctl, GError **error)
{
  g_autofree char *id = fore_ctl_find_request (ctl, fore_ctl_get_word (ctl, 0), error);
  const char *path = ctl->words->len > 1 ? fore_ctl_get_word (ctl, 1) : NULL;
  g_autoptr (ForeRequest) request = NULL;
  g_autoptr (ForeConflictSides) sides = NULL;

  if (id == NULL || (request = fore_run_read_request (ctl->store, id, error)) == NULL
      || (sides = fore_conflict_sides_load (ctl->store, request, error)) == NULL)
    return FALSE;

  if (!has_path (sides, path))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND, _ ("“%s” is not in conflict."), path);
      return FALSE;
    }

  if (ctl->json)
    print_json (ctl, request, sides, path);
  else
    print_sides (ctl, sides, path);

  return TRUE;
}
