/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-page.h"

#include "ctl/fore-ctl-output.h"
#include "git/fore-repository.h"
#include "platform/fore-files.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

/**
 * fore_ctl_page_init:
 * @page: (out caller-allocates): a page
 * @ctl: a call with the options `limit` and `cursor`
 * @rows: all rows
 * @get_key: tells the key of a row
 * @default_limit: how many rows without `--limit`; `--limit 0` means all
 * @error: where to put an error
 *
 * Finds out which rows are asked for.
 *
 * Returns: %FALSE if the cursor names no row
 */
gboolean
fore_ctl_page_init (ForeCtlPage *page,
                    ForeCtl *ctl,
                    GPtrArray *rows,
                    ForeCtlKeyFunc get_key,
                    guint default_limit,
                    GError **error)
{
  const char *cursor = fore_ctl_get (ctl, "cursor");
  guint limit = fore_ctl_get_number (ctl, "limit", default_limit);
  guint first = 0;

  while (cursor != NULL && first < rows->len && strcmp (get_key (rows->pdata[first]), cursor) != 0)
    first++;

  if (cursor != NULL && first == rows->len)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                   _ ("The cursor “%s” names nothing in this listing; start again without one."),
                   cursor);
      return FALSE;
    }

  page->first = cursor != NULL ? first + 1 : 0;
  page->n_rows = rows->len - page->first;
  page->cursor = NULL;
  if (limit > 0 && page->n_rows > limit)
    {
      page->n_rows = limit;
      page->cursor = get_key (rows->pdata[page->first + limit - 1]);
    }

  return TRUE;
}

/**
 * fore_ctl_page_cut:
 * @page: a page
 * @rows: all rows that it was made for
 *
 * Removes from @rows what is not on @page.
 */
void
fore_ctl_page_cut (const ForeCtlPage *page, GPtrArray *rows)
{
  guint end = page->first + page->n_rows;

  if (rows->len > end)
    g_ptr_array_remove_range (rows, end, rows->len - end);
  if (page->first > 0)
    g_ptr_array_remove_range (rows, 0, page->first);
}

/**
 * fore_ctl_page_print_more:
 * @ctl: a call
 * @page: a page that was printed
 *
 * Tells a person how to see what comes after it.
 */
void
fore_ctl_page_print_more (ForeCtl *ctl, const ForeCtlPage *page)
{
  g_autofree char *text = NULL;

  if (page->cursor == NULL)
    return;

  text = g_strdup_printf (_ ("There is more: --cursor %s\n"), page->cursor);
  fore_ctl_print_styled (ctl, FORE_CTL_DIM, text);
}

/**
 * fore_ctl_dup_project_at:
 * @folder: a folder as a person names it
 *
 * Returns: (transfer full): canonical path of the project that it stands for; of the whole
 *   repository where it is a folder inside of one
 */
char *
fore_ctl_dup_project_at (const char *folder)
{
  g_autofree char *canonical = g_canonicalize_filename (folder, NULL);
  g_autofree char *real = fore_path_dup_real (canonical);

  return fore_repository_dup_top (real != NULL ? real : canonical);
}

/**
 * fore_ctl_dup_project:
 * @ctl: a call with the option `project`
 * @fallback: (nullable): the folder to take without the option
 *
 * Returns: (transfer full) (nullable): canonical path of the project's folder
 */
char *
fore_ctl_dup_project (ForeCtl *ctl, const char *fallback)
{
  const char *project = fore_ctl_get (ctl, "project");

  if (project == NULL)
    project = fallback;

  return project != NULL ? fore_ctl_dup_project_at (project) : NULL;
}
