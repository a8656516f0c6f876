/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-panes.h"

#include "app/fore-page-keys.h"
#include "app/fore-split.h"

static ForeSplit *
find_split (GtkWidget *widget)
{
  ForeSplit *found = NULL;

  if (!gtk_widget_get_mapped (widget))
    return NULL;
  if (FORE_IS_SPLIT (widget))
    return FORE_SPLIT (widget);

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_split (child);

  return found;
}

/* What is under a side that has slid over it cannot be reached. */
static void
collect (GtkWidget *widget, GPtrArray *panes)
{
  ForeSplit *split = find_split (widget);
  g_autoptr (GtkWidget) side = NULL;
  g_autoptr (GtkWidget) content = NULL;
  gboolean at_end;

  if (split == NULL)
    {
      if (gtk_widget_get_mapped (widget))
        g_ptr_array_add (panes, widget);
      return;
    }

  g_object_get (split, "side", &side, "content", &content, "at-end", &at_end, NULL);
  if (!fore_split_get_show_side (split))
    g_clear_object (&side);
  if (side != NULL && fore_split_get_collapsed (split))
    g_clear_object (&content);
  if (side != NULL && !at_end)
    collect (side, panes);
  if (content != NULL)
    collect (content, panes);
  if (side != NULL && at_end)
    collect (side, panes);
}

static gboolean
find_current (GPtrArray *panes, GtkWidget *focus, guint *index)
{
  for (guint i = 0; focus != NULL && i < panes->len; i++)
    {
      GtkWidget *pane = g_ptr_array_index (panes, i);

      if (focus == pane || gtk_widget_is_ancestor (focus, pane))
        {
          *index = i;
          return TRUE;
        }
    }

  return FALSE;
}

/**
 * fore_panes_move_focus:
 * @within: a widget with splits in it
 * @back: whether to go to the one before
 *
 * Gives the focus to the next part of @within that can be seen and takes it, after the last one to
 * the first.
 */
void
fore_panes_move_focus (GtkWidget *within, gboolean back)
{
  g_autoptr (GPtrArray) panes = g_ptr_array_new ();
  GtkRoot *root;
  guint current;

  g_return_if_fail (GTK_IS_WIDGET (within));

  root = gtk_widget_get_root (within);
  collect (within, panes);
  if (panes->len == 0)
    return;
  if (!find_current (panes, root != NULL ? gtk_root_get_focus (root) : NULL, &current))
    current = back ? 0 : panes->len - 1;

  for (guint i = 1; i <= panes->len; i++)
    {
      guint next = (current + (back ? panes->len - i : i)) % panes->len;

      if (fore_page_keys_focus (g_ptr_array_index (panes, next)))
        return;
    }
}
