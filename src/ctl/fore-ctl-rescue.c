/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-page.h"
#include "ctl/fore-ctl-verbs.h"
#include "engine/fore-ledger.h"
#include "git/fore-repository.h"
#include "text/fore-text.h"

#include <glib/gi18n.h>
#include <string.h>

/* A repository and what was put aside in it. */
typedef struct
{
  ForeRepository *repository;
  char *project;
  GPtrArray *rescues; /* of ForeRescue */
} Shelf;

static void
shelf_free (Shelf *shelf)
{
  g_clear_object (&shelf->repository);
  g_free (shelf->project);
  g_clear_pointer (&shelf->rescues, g_ptr_array_unref);
  g_free (shelf);
}

static gboolean
add_shelf (GPtrArray *shelves, const char *project, GError **error)
{
  Shelf *shelf = g_new0 (Shelf, 1);

  shelf->project = g_strdup (project);
  shelf->repository = fore_repository_open (project, error);
  if (shelf->repository != NULL)
    shelf->rescues = fore_repository_list_rescues (shelf->repository, NULL, error);
  if (shelf->rescues == NULL)
    {
      shelf_free (shelf);
      return FALSE;
    }

  g_ptr_array_add (shelves, shelf);
  return TRUE;
}

/* The repository that was named, else all projects that can still be opened. */
static GPtrArray *
open_shelves (ForeCtl *ctl, GError **error)
{
  ForeStore *store = fore_ctl_get_store (ctl, error);
  g_autoptr (GPtrArray) shelves = g_ptr_array_new_with_free_func ((GDestroyNotify) shelf_free);
  g_autoptr (GPtrArray) projects = NULL;
  g_autofree char *project = NULL;

  if (store == NULL)
    return NULL;

  if (fore_ctl_has (ctl, "project"))
    {
      project = fore_ctl_dup_project (ctl, ".");
      return add_shelf (shelves, project, error) ? g_steal_pointer (&shelves) : NULL;
    }

  projects = fore_store_list_projects (store, error);
  for (guint i = 0; projects != NULL && i < projects->len; i++)
    add_shelf (shelves, g_ptr_array_index (projects, i), NULL);

  return projects != NULL ? g_steal_pointer (&shelves) : NULL;
}

static gboolean
is_wanted (ForeCtl *ctl, const ForeRescue *rescue)
{
  gint64 older = fore_ctl_get_duration (ctl, "older", 0);

  return g_get_real_time () - rescue->time >= older * 1000;
}

static JsonObject *
rescue_to_json (const Shelf *shelf, const ForeRescue *rescue)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "name", rescue->name);
  fore_ctl_json_set_text (object, "project", shelf->project);
  json_object_set_string_member (object, "commit", rescue->commit);
  fore_ctl_json_set_text (object, "subject", rescue->subject);
  fore_ctl_json_set_time (object, "time", rescue->time);
  json_object_set_int_member (object, "files", rescue->n_files);
  json_object_set_int_member (object, "bytes", (gint64) rescue->bytes);

  return object;
}

static void
add_row (ForeCtlTable *table, const Shelf *shelf, const ForeRescue *rescue)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (rescue->time / G_USEC_PER_SEC);
  g_autofree char *date = time != NULL ? g_date_time_format (time, "%F %R") : NULL;
  g_autofree char *size = fore_text_format_size (rescue->bytes);

  fore_ctl_table_add_row (table);
  fore_ctl_table_add (table, FORE_CTL_BOLD, rescue->name);
  fore_ctl_table_add (table, FORE_CTL_PLAIN, date);
  fore_ctl_table_add (table, FORE_CTL_PLAIN, size);
  fore_ctl_table_add (table, FORE_CTL_PLAIN, rescue->subject);
  fore_ctl_table_add (table, FORE_CTL_DIM, shelf->project);
}

static void
print_list (ForeCtl *ctl, GPtrArray *shelves)
{
  const char *headings[] = { N_ ("NAME"), N_ ("FROM"),    N_ ("SIZE"),
                             N_ ("WHAT"), N_ ("PROJECT"), NULL };
  g_autoptr (ForeCtlTable) table = fore_ctl_table_new (headings);
  JsonArray *array = json_array_new ();
  JsonObject *object = json_object_new ();
  guint64 bytes = 0;

  for (guint i = 0; i < shelves->len; i++)
    {
      const Shelf *shelf = g_ptr_array_index (shelves, i);

      for (guint j = 0; j < shelf->rescues->len; j++)
        {
          const ForeRescue *rescue = g_ptr_array_index (shelf->rescues, j);

          if (!is_wanted (ctl, rescue))
            continue;

          bytes += rescue->bytes;
          json_array_add_object_element (array, rescue_to_json (shelf, rescue));
          add_row (table, shelf, rescue);
        }
    }

  json_object_set_array_member (object, "rescues", array);
  json_object_set_int_member (object, "bytes", (gint64) bytes);
  json_object_set_boolean_member (object, "over_quota", bytes > FORE_LEDGER_QUOTA);
  if (ctl->json)
    {
      fore_ctl_print_object (ctl, object);
      return;
    }

  fore_ctl_table_print (ctl, table);
  if (bytes > FORE_LEDGER_QUOTA)
    fore_ctl_print (ctl, "%s\n",
                    _ ("Rescued work takes up more than 1 GiB; “foredeckctl rescue drop” gives up "
                       "what you do not need."));
  json_object_unref (object);
}

static const ForeRescue *
find_rescue (GPtrArray *shelves, const char *name, const Shelf **found, GError **error)
{
  const ForeRescue *match = NULL;

  for (guint i = 0; i < shelves->len; i++)
    {
      const Shelf *shelf = g_ptr_array_index (shelves, i);

      for (guint j = 0; j < shelf->rescues->len; j++)
        {
          const ForeRescue *rescue = g_ptr_array_index (shelf->rescues, j);

          if (strcmp (rescue->name, name) != 0)
            continue;
          if (match != NULL)
            {
              g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                           _ ("Several projects have a “%s”; say which with --project."), name);
              return NULL;
            }
          match = rescue;
          *found = shelf;
        }
    }

  if (match == NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                 _ ("There is no rescued work “%s”; “foredeckctl rescue list” names what there "
                    "is."),
                 name);
  return match;
}

static gboolean
print_restored (ForeCtl *ctl, const char *name, const char *member, const char *where)
{
  JsonObject *object;

  if (!ctl->json)
    {
      fore_ctl_print (ctl, _ ("%s is back: %s\n"), name, where);
      return TRUE;
    }

  object = json_object_new ();
  json_object_set_string_member (object, "name", name);
  fore_ctl_json_set_text (object, member, where);
  fore_ctl_print_object (ctl, object);
  return TRUE;
}

static gboolean
restore (ForeCtl *ctl, GPtrArray *shelves, GError **error)
{
  const char *name = fore_ctl_get_word (ctl, 1);
  const char *to = fore_ctl_get (ctl, "to");
  const Shelf *shelf = NULL;
  g_autofree char *branch = NULL;
  g_autofree char *folder = NULL;

  if (name == NULL || (to != NULL && fore_ctl_has (ctl, "branch")))
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_USAGE,
                           _ ("Say what to restore: rescue restore NAME [--branch BRANCH | --to "
                              "DIR]."));
      return FALSE;
    }

  if (find_rescue (shelves, name, &shelf, error) == NULL)
    return FALSE;

  if (to != NULL)
    {
      folder = g_canonicalize_filename (to, NULL);
      return fore_repository_export_rescue (shelf->repository, name, folder, error)
             && print_restored (ctl, name, "folder", folder);
    }

  branch = fore_repository_restore_rescue (shelf->repository, name, fore_ctl_get (ctl, "branch"),
                                           error);
  return branch != NULL && print_restored (ctl, name, "branch", branch);
}

static gboolean
names_it (ForeCtl *ctl, const ForeRescue *rescue)
{
  for (guint i = 1; i < ctl->words->len; i++)
    {
      if (strcmp (fore_ctl_get_word (ctl, i), rescue->name) == 0)
        return TRUE;
    }

  return ctl->words->len == 1 && is_wanted (ctl, rescue);
}

static gboolean
drop_one (
    ForeCtl *ctl, const Shelf *shelf, const ForeRescue *rescue, JsonArray *dropped, GError **error)
{
  if (!fore_ctl_has (ctl, "dry-run")
      && !fore_repository_drop_rescue (shelf->repository, rescue->name, rescue->commit, error))
    return FALSE;

  json_array_add_object_element (dropped, rescue_to_json (shelf, rescue));
  if (!ctl->json)
    fore_ctl_print (ctl, "%s\n", rescue->name);

  return TRUE;
}

static gboolean
check_drop (ForeCtl *ctl, GPtrArray *shelves, GError **error)
{
  const Shelf *shelf;

  if (ctl->words->len == 1 && !fore_ctl_has (ctl, "older"))
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_USAGE,
                           _ ("Say what to drop: rescue drop NAME…, or --older TIME."));
      return FALSE;
    }

  for (guint i = 1; i < ctl->words->len; i++)
    {
      if (find_rescue (shelves, fore_ctl_get_word (ctl, i), &shelf, error) == NULL)
        return FALSE;
    }

  return fore_ctl_has (ctl, "dry-run")
         || fore_ctl_confirm (ctl, _ ("Give up this rescued work for good?"), error);
}

static gboolean
drop (ForeCtl *ctl, GPtrArray *shelves, GError **error)
{
  g_autoptr (JsonArray) dropped = json_array_new ();
  JsonObject *object;

  if (!check_drop (ctl, shelves, error))
    return FALSE;

  for (guint i = 0; i < shelves->len; i++)
    {
      const Shelf *shelf = g_ptr_array_index (shelves, i);

      for (guint j = 0; j < shelf->rescues->len; j++)
        {
          const ForeRescue *rescue = g_ptr_array_index (shelf->rescues, j);

          if (names_it (ctl, rescue) && !drop_one (ctl, shelf, rescue, dropped, error))
            return FALSE;
        }
    }

  if (ctl->json)
    {
      object = json_object_new ();
      json_object_set_boolean_member (object, "dry_run", fore_ctl_has (ctl, "dry-run"));
      json_object_set_array_member (object, "dropped", json_array_ref (dropped));
      fore_ctl_print_object (ctl, object);
    }

  return TRUE;
}

gboolean
fore_ctl_do_rescue (ForeCtl *ctl, GError **error)
{
  const char *action = fore_ctl_get_word (ctl, 0);
  g_autoptr (GPtrArray) shelves = NULL;

  if (strcmp (action, "list") != 0 && strcmp (action, "restore") != 0
      && strcmp (action, "drop") != 0)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE, _ ("“%s” is not list, restore or drop."),
                   action);
      return FALSE;
    }

  shelves = open_shelves (ctl, error);
  if (shelves == NULL)
    return FALSE;
  if (strcmp (action, "restore") == 0)
    return restore (ctl, shelves, error);
  if (strcmp (action, "drop") == 0)
    return drop (ctl, shelves, error);

  print_list (ctl, shelves);
  return TRUE;
}
