/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-entries.h"

#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-output.h"
#include "text/fore-text.h"

#include <glib/gi18n.h>

struct _ForeCtlEntryPrinter
{
  ForeCtl *ctl;
  char *last_id;
  gboolean line_open;
  GHashTable *shown; /* id → GString: what was printed of its text */
};

static void
string_free (gpointer data)
{
  g_string_free (data, TRUE);
}

/**
 * fore_ctl_entry_printer_new:
 * @ctl: a call, which must live longer
 *
 * Returns: (transfer full): a printer
 */
ForeCtlEntryPrinter *
fore_ctl_entry_printer_new (ForeCtl *ctl)
{
  ForeCtlEntryPrinter *self = g_new0 (ForeCtlEntryPrinter, 1);

  self->ctl = ctl;
  self->shown = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, string_free);

  return self;
}

/**
 * fore_ctl_entry_printer_free:
 * @printer: (nullable): a printer
 */
void
fore_ctl_entry_printer_free (ForeCtlEntryPrinter *printer)
{
  if (printer == NULL)
    return;

  g_hash_table_unref (printer->shown);
  g_free (printer->last_id);
  g_free (printer);
}

static const char *
get_label (ForeEntryKind kind)
{
  switch (kind)
    {
    case FORE_ENTRY_THINKING:
      return _ ("thinking");
    case FORE_ENTRY_TOOL:
      return _ ("tool");
    case FORE_ENTRY_PLAN:
      return _ ("plan");
    case FORE_ENTRY_PERMISSION:
      return _ ("asks");
    case FORE_ENTRY_PROMPT:
      return _ ("prompt");
    case FORE_ENTRY_NOTICE:
      return _ ("notice");
    case FORE_ENTRY_ERROR:
      return _ ("error");
    case FORE_ENTRY_RESULT:
      return _ ("result");
    case FORE_ENTRY_SESSION:
      return _ ("session");
    case FORE_ENTRY_USAGE:
      return _ ("usage");
    default:
      return NULL;
    }
}

static ForeCtlStyle
get_style (const ForeEntry *entry)
{
  if (entry->kind == FORE_ENTRY_ERROR || entry->state == FORE_ENTRY_FAILED)
    return FORE_CTL_BAD;

  switch (entry->kind)
    {
    case FORE_ENTRY_TOOL:
      return FORE_CTL_BUSY;
    case FORE_ENTRY_PERMISSION:
      return FORE_CTL_WAIT;
    case FORE_ENTRY_RESULT:
      return FORE_CTL_GOOD;
    default:
      return FORE_CTL_DIM;
    }
}

static void
end_line (ForeCtlEntryPrinter *self)
{
  if (self->line_open)
    fore_ctl_write ("\n", 1);
  self->line_open = FALSE;
}

static void
print_text (ForeCtlEntryPrinter *self, const char *text)
{
  g_autofree char *clean = fore_ctl_dup_clean (text);

  if (*clean == '\0')
    return;

  fore_ctl_write (clean, -1);
  self->line_open = !g_str_has_suffix (clean, "\n");
}

static void
print_head (ForeCtlEntryPrinter *self, const ForeEntry *entry)
{
  const char *label = get_label (entry->kind);
  g_autofree char *name = fore_ctl_dup_clean (entry->name);
  g_autofree char *title = fore_ctl_dup_clean (entry->title);

  end_line (self);
  if (label == NULL)
    return;

  fore_ctl_print_styled (self->ctl, get_style (entry), label);
  if (*name != '\0')
    fore_ctl_print (self->ctl, " %s", name);
  if (*title != '\0')
    fore_ctl_print (self->ctl, " %s", title);
  if (entry->exit_code > 0)
    fore_ctl_print (self->ctl, _ (" (exit %d)"), entry->exit_code);
  fore_ctl_write ("\n", 1);
}

static void
print_usage (ForeCtlEntryPrinter *self, const ForeEntry *entry)
{
  gint64 tokens = fore_usage_get_tokens (&entry->usage);
  g_autofree char *used = tokens >= 0 ? fore_text_format_tokens (tokens) : g_strdup ("?");
  g_autofree char *cost = entry->usage.cost >= 0 ? fore_text_format_cost (entry->usage.cost)
                                                 : g_strdup ("?");
  g_autofree char *line = g_strdup_printf (_ ("usage %s tokens, %s\n"), used, cost);

  end_line (self);
  fore_ctl_print_styled (self->ctl, FORE_CTL_DIM, line);
}

/* An entry that comes again whole, as streams of several CLIs do, prints only what is new in it. */
static const char *
skip_shown (ForeCtlEntryPrinter *self, const ForeEntry *entry)
{
  const GString *shown = entry->id != NULL ? g_hash_table_lookup (self->shown, entry->id) : NULL;

  if (shown == NULL || entry->text == NULL || !g_str_has_prefix (entry->text, shown->str))
    return entry->text;

  return entry->text + shown->len;
}

static void
remember (ForeCtlEntryPrinter *self, const ForeEntry *entry)
{
  GString *shown;

  if (entry->id == NULL)
    return;

  shown = g_hash_table_lookup (self->shown, entry->id);
  if (shown == NULL)
    {
      shown = g_string_new (NULL);
      g_hash_table_insert (self->shown, g_strdup (entry->id), shown);
    }
  if (!entry->append)
    g_string_truncate (shown, 0);
  g_string_append (shown, entry->text != NULL ? entry->text : "");
}

static void
print_entry (ForeCtlEntryPrinter *self, const ForeEntry *entry)
{
  gboolean same = entry->id != NULL && g_strcmp0 (entry->id, self->last_id) == 0;
  const char *text = entry->append ? entry->text : skip_shown (self, entry);

  if (same && entry->state == FORE_ENTRY_DONE && (text == NULL || *text == '\0'))
    return;

  if (!same || (entry->kind == FORE_ENTRY_TOOL && entry->state == FORE_ENTRY_FAILED))
    print_head (self, entry);
  print_text (self, text);
  remember (self, entry);
  g_free (self->last_id);
  self->last_id = g_strdup (entry->id);
}

/**
 * fore_ctl_entry_printer_print:
 * @printer: a printer
 * @entry: the next entry, as a decoder gave it
 *
 * Prints @entry, or what is new in it.
 */
void
fore_ctl_entry_printer_print (ForeCtlEntryPrinter *printer, const ForeEntry *entry)
{
  g_return_if_fail (printer != NULL);

  if (printer->ctl->json)
    {
      g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);

      json_node_take_object (node, fore_ctl_json_entry (entry));
      fore_ctl_print_json_line (node);
    }
  else if (entry->kind == FORE_ENTRY_USAGE)
    print_usage (printer, entry);
  else
    print_entry (printer, entry);
}

/**
 * fore_ctl_entry_printer_finish:
 * @printer: a printer
 *
 * Ends the line that is open.
 */
void
fore_ctl_entry_printer_finish (ForeCtlEntryPrinter *printer)
{
  g_return_if_fail (printer != NULL);

  end_line (printer);
}

/**
 * fore_ctl_print_entries:
 * @ctl: a call
 * @entries: (element-type ForeEntry): entries, each id once
 *
 * Prints a whole transcript as text.
 */
void
fore_ctl_print_entries (ForeCtl *ctl, GPtrArray *entries)
{
  g_autoptr (ForeCtlEntryPrinter) printer = fore_ctl_entry_printer_new (ctl);

  for (guint i = 0; i < entries->len; i++)
    fore_ctl_entry_printer_print (printer, entries->pdata[i]);
  fore_ctl_entry_printer_finish (printer);
}

/**
 * fore_ctl_json_entries:
 * @entries: (element-type ForeEntry): entries
 *
 * Returns: (transfer full): an array of them
 */
JsonArray *
fore_ctl_json_entries (GPtrArray *entries)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < entries->len; i++)
    json_array_add_object_element (array, fore_ctl_json_entry (entries->pdata[i]));

  return array;
}
