/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-transcript-row.h"

#include "app/fore-diff-snippet.h"
#include "app/fore-markdown-view.h"
#include "app/fore-outside.h"

#include "text/fore-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Folded text is cut here, with a button for the rest: a row stays a row. */
#define BODY_CHARS 4000
#define SUMMARY_CHARS 300
/* Measuring text takes time by its length, and more than that: what a command printed may be
 * megabytes.
 */
#define PROSE_BYTES (16 * 1024)

struct _ForeTranscriptRow
{
  GtkWidget parent_instance;

  ForeTranscriptItem *item;
  gulong changed;
  guint tick;
  ForeTranscriptKind kind;
  gboolean built;
  gboolean whole_body;

  GtkWidget *box;
  GtkWidget *markdown;
  GtkWidget *head;
  GtkWidget *icon;
  GtkWidget *title;
  GtkWidget *detail;
  GtkWidget *arrow;
  GtkWidget *body;
  GtkWidget *more;
  GtkWidget *diff;
};

G_DEFINE_FINAL_TYPE (ForeTranscriptRow, fore_transcript_row, GTK_TYPE_WIDGET)

static gboolean
is_prose (ForeTranscriptKind kind)
{
  return kind == FORE_TRANSCRIPT_TEXT || kind == FORE_TRANSCRIPT_PERSON
         || kind == FORE_TRANSCRIPT_RESULT || kind == FORE_TRANSCRIPT_PLAN;
}

/* Entries that begin with a row of their own: icon, a line, a word at the end. */
static gboolean
has_head (ForeTranscriptKind kind)
{
  return kind != FORE_TRANSCRIPT_TEXT && kind != FORE_TRANSCRIPT_DIFF
         && kind != FORE_TRANSCRIPT_PERSON;
}

static const char *
get_kind_title (ForeTranscriptRow *self)
{
  switch (self->kind)
    {
    case FORE_TRANSCRIPT_THINKING:
      return _ ("Thinking");
    case FORE_TRANSCRIPT_PLAN:
      return _ ("Plan");
    case FORE_TRANSCRIPT_RESULT:
      return fore_transcript_item_get_outcome (self->item) == FORE_TRANSCRIPT_OUTCOME_FAILED
                 ? _ ("Failed")
                 : _ ("Result");
    case FORE_TRANSCRIPT_PERMISSION:
      return _ ("Asks to be allowed");
    case FORE_TRANSCRIPT_ERROR:
      return _ ("Error");
    case FORE_TRANSCRIPT_TEXT:
    case FORE_TRANSCRIPT_PERSON:
    case FORE_TRANSCRIPT_TOOL:
    case FORE_TRANSCRIPT_DIFF:
    case FORE_TRANSCRIPT_NOTICE:
    case FORE_N_TRANSCRIPT_KINDS:
    default:
      return NULL;
    }
}

static char *
dup_title (ForeTranscriptRow *self)
{
  const char *name = fore_transcript_item_get_name (self->item);
  const char *summary = fore_transcript_item_get_summary (self->item);
  g_autofree char *joined = NULL;
  g_autofree char *line = NULL;

  if (name == NULL)
    name = get_kind_title (self);
  if (summary == NULL && name == NULL)
    summary = fore_transcript_item_get_text (self->item);
  joined = g_strjoin (name != NULL && summary != NULL ? " " : "", name != NULL ? name : "",
                      summary != NULL ? summary : "", NULL);
  line = fore_text_first_line (joined, SUMMARY_CHARS);

  return fore_text_make_visible (line);
}

/* What is folded behind the head. */
static const char *
get_folded (ForeTranscriptRow *self)
{
  const char *body = fore_transcript_item_get_body (self->item);
  const char *text = fore_transcript_item_get_text (self->item);

  if (body != NULL && *body != '\0')
    return body;
  if (self->kind == FORE_TRANSCRIPT_TOOL || is_prose (self->kind))
    return NULL;
  if (self->kind == FORE_TRANSCRIPT_NOTICE && text != NULL && strchr (text, '\n') == NULL)
    return NULL;

  return text != NULL && *text != '\0' ? text : NULL;
}

static void
toggle (GtkButton *button, gpointer data)
{
  ForeTranscriptRow *self = FORE_TRANSCRIPT_ROW (data);

  if (self->item == NULL || get_folded (self) == NULL)
    return;

  if (!fore_transcript_item_get_expanded (self->item))
    gtk_widget_activate_action (GTK_WIDGET (self), "transcript.pin", NULL);
  fore_transcript_item_set_expanded (self->item, !fore_transcript_item_get_expanded (self->item));
}

static void show_item (ForeTranscriptRow *self);

static void
show_whole_body (GtkButton *button, gpointer data)
{
  ForeTranscriptRow *self = FORE_TRANSCRIPT_ROW (data);

  self->whole_body = TRUE;
  show_item (self);
}

static GtkWidget *
make_head (ForeTranscriptRow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  GtkWidget *button = gtk_button_new ();

  self->icon = gtk_image_new ();
  gtk_box_append (GTK_BOX (box), self->icon);

  self->title = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->title), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (self->title, TRUE);
  if (self->kind == FORE_TRANSCRIPT_TOOL)
    gtk_widget_add_css_class (self->title, "monospace");
  gtk_box_append (GTK_BOX (box), self->title);

  self->detail = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->detail, "detail");
  gtk_widget_add_css_class (self->detail, "numeric");
  gtk_widget_set_direction (self->detail, GTK_TEXT_DIR_LTR);
  gtk_box_append (GTK_BOX (box), self->detail);

  self->arrow = gtk_image_new ();
  gtk_widget_add_css_class (self->arrow, "arrow");
  gtk_box_append (GTK_BOX (box), self->arrow);

  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "entry-head");
  g_signal_connect (button, "clicked", G_CALLBACK (toggle), self);

  return button;
}

static void
append_body (ForeTranscriptRow *self)
{
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  self->body = gtk_label_new (NULL);
  pango_attr_list_insert (attributes, pango_attr_insert_hyphens_new (FALSE));
  gtk_label_set_attributes (GTK_LABEL (self->body), attributes);
  gtk_label_set_xalign (GTK_LABEL (self->body), 0);
  gtk_label_set_wrap (GTK_LABEL (self->body), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (self->body), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (self->body), TRUE);
  gtk_widget_add_css_class (self->body, "entry-body");
  if (self->kind == FORE_TRANSCRIPT_TOOL)
    gtk_widget_add_css_class (self->body, "monospace");
  gtk_box_append (GTK_BOX (self->box), self->body);

  self->more = gtk_button_new_with_label (_ ("Show all"));
  gtk_widget_set_halign (self->more, GTK_ALIGN_START);
  gtk_widget_add_css_class (self->more, "flat");
  g_signal_connect (self->more, "clicked", G_CALLBACK (show_whole_body), self);
  gtk_box_append (GTK_BOX (self->box), self->more);
}

static void
clear (ForeTranscriptRow *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->box)) != NULL)
    gtk_box_remove (GTK_BOX (self->box), child);
  self->markdown = self->head = self->icon = self->title = self->detail = NULL;
  self->arrow = self->body = self->more = self->diff = NULL;
  self->built = FALSE;
}

/* The widgets that a kind of entry needs; kept while rows of the same kind are shown. */
static void
build (ForeTranscriptRow *self)
{
  static const char *const kind_classes[FORE_N_TRANSCRIPT_KINDS] = {
    "text", "person", "thinking", "tool", "diff", "notice", "error", "plan", "permission", "result"
  };
  const char *classes[] = { "entry", kind_classes[self->kind], NULL };

  clear (self);
  gtk_widget_set_css_classes (GTK_WIDGET (self), classes);
  if (has_head (self->kind))
    {
      self->head = make_head (self);
      gtk_box_append (GTK_BOX (self->box), self->head);
    }
  if (is_prose (self->kind))
    {
      self->markdown = fore_markdown_view_new ();
      gtk_widget_add_css_class (self->markdown, "entry-text");
      gtk_box_append (GTK_BOX (self->box), self->markdown);
    }
  self->built = TRUE;
}

static void
set_class (GtkWidget *widget, const char *name, gboolean on)
{
  if (on)
    gtk_widget_add_css_class (widget, name);
  else
    gtk_widget_remove_css_class (widget, name);
}

static void
show_head (ForeTranscriptRow *self)
{
  g_autofree char *title = dup_title (self);
  const char *detail = fore_transcript_item_get_detail (self->item);
  gboolean folds = get_folded (self) != NULL;
  gboolean expanded = fore_transcript_item_get_expanded (self->item);
  g_autofree char *name = NULL;

  gtk_label_set_text (GTK_LABEL (self->title), title);
  gtk_label_set_text (GTK_LABEL (self->detail), detail != NULL ? detail : "");
  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon),
                                fore_transcript_item_get_icon_name (self->item));
  gtk_image_set_from_icon_name (GTK_IMAGE (self->arrow),
                                expanded ? "fore-up-symbolic" : "fore-down-symbolic");
  gtk_widget_set_visible (self->arrow, folds);
  gtk_widget_set_can_target (self->head, folds);
  gtk_widget_set_focusable (self->head, folds);

  name = g_strdup_printf ("%s%s%s", title, detail != NULL ? ", " : "",
                          detail != NULL ? detail : "");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->head), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  -1);
  if (folds)
    gtk_accessible_update_state (GTK_ACCESSIBLE (self->head), GTK_ACCESSIBLE_STATE_EXPANDED,
                                 expanded, -1);
}

static void
show_body (ForeTranscriptRow *self)
{
  const char *folded = get_folded (self);
  gboolean shown = folded != NULL && fore_transcript_item_get_expanded (self->item);
  g_autofree char *valid = NULL;
  g_autofree char *cut = NULL;
  g_autofree char *visible = NULL;

  if (!shown && self->body == NULL)
    return;
  if (self->body == NULL)
    append_body (self);
  gtk_widget_set_visible (self->body, shown);
  gtk_widget_set_visible (self->more, FALSE);
  if (!shown)
    return;

  valid = fore_text_make_valid (folded, -1);
  g_strchomp (valid);
  cut = self->whole_body ? g_strdup (valid) : fore_text_shorten (valid, BODY_CHARS);
  visible = fore_text_make_visible (cut);
  gtk_label_set_text (GTK_LABEL (self->body), visible);
  gtk_widget_set_visible (self->more, strlen (cut) < strlen (valid));
}

static void
show_diff (ForeTranscriptRow *self)
{
  ForeDiffDoc *diff = fore_transcript_item_get_diff (self->item);

  if (self->diff == NULL && diff != NULL)
    {
      self->diff = fore_diff_snippet_new ();
      gtk_box_append (GTK_BOX (self->box), self->diff);
    }
  if (self->diff == NULL)
    return;

  gtk_widget_set_visible (self->diff, diff != NULL);
  fore_diff_snippet_set_doc (FORE_DIFF_SNIPPET (self->diff), diff);
}

/* The beginning of a long text, up to the end of a line where there is one. */
static char *
dup_beginning (const char *text, gsize length)
{
  const char *end = g_utf8_find_prev_char (text, text + PROSE_BYTES);
  const char *line = g_strrstr_len (text, end - text, "\n");
  gsize shown = (line != NULL && line > text ? line : end) - text;
  g_autofree char *rest = fore_text_format_size (length - shown);
  g_autofree char *begin = g_strndup (text, shown);
  g_autofree char *note = g_strdup_printf (
      _ ("Here end the first lines; “foredeckctl transcript” prints the other %s too."), rest);

  return g_strconcat (begin, "\n\n*", note, "*", NULL);
}

static char *
dup_prose (ForeTranscriptRow *self)
{
  const char *text = fore_transcript_item_get_text (self->item);
  gsize length = text != NULL ? strlen (text) : 0;

  if (length > PROSE_BYTES)
    return dup_beginning (text, length);

  return g_strconcat (text != NULL ? text : "",
                      fore_transcript_item_get_live (self->item) ? "▌" : "", NULL);
}

/* The row of the list has no name of its own; what it says changes with the entry. */
static void
name_parent (ForeTranscriptRow *self)
{
  GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (self));
  g_autofree char *name = fore_transcript_item_dup_plain (self->item);

  if (parent != NULL)
    fore_outside_name (parent, name);
}

static void
show_item (ForeTranscriptRow *self)
{
  ForeTranscriptKind kind = fore_transcript_item_get_kind (self->item);
  GtkWidget *widget = GTK_WIDGET (self);

  if (!self->built || kind != self->kind)
    {
      self->kind = kind;
      build (self);
    }

  set_class (widget, "live", fore_transcript_item_get_live (self->item));
  set_class (widget, "failed",
             fore_transcript_item_get_outcome (self->item) == FORE_TRANSCRIPT_OUTCOME_FAILED);
  if (self->markdown != NULL)
    {
      g_autofree char *text = dup_prose (self);

      fore_markdown_view_set_text (FORE_MARKDOWN_VIEW (self->markdown), text);
    }
  if (self->head != NULL)
    show_head (self);
  show_body (self);
  show_diff (self);
  name_parent (self);
}

static gboolean
show_later (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  ForeTranscriptRow *self = FORE_TRANSCRIPT_ROW (widget);

  self->tick = 0;
  if (self->item != NULL)
    show_item (self);

  return G_SOURCE_REMOVE;
}

/* A text that grows many times between two frames is shown once. */
static void
item_changed (ForeTranscriptItem *item, gpointer data)
{
  ForeTranscriptRow *self = FORE_TRANSCRIPT_ROW (data);

  if (self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), show_later, NULL, NULL);
}

static void
forget_item (ForeTranscriptRow *self)
{
  if (self->item != NULL)
    g_clear_signal_handler (&self->changed, self->item);
  if (self->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
  self->tick = 0;
  g_clear_object (&self->item);
}

static void
fore_transcript_row_dispose (GObject *object)
{
  ForeTranscriptRow *self = FORE_TRANSCRIPT_ROW (object);

  forget_item (self);
  g_clear_pointer (&self->box, gtk_widget_unparent);

  G_OBJECT_CLASS (fore_transcript_row_parent_class)->dispose (object);
}

static void
fore_transcript_row_class_init (ForeTranscriptRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fore_transcript_row_dispose;
  gtk_widget_class_set_css_name (widget_class, "transcriptrow");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
fore_transcript_row_init (ForeTranscriptRow *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
fore_transcript_row_new (void)
{
  return g_object_new (FORE_TYPE_TRANSCRIPT_ROW, NULL);
}

/**
 * fore_transcript_row_set_item:
 * @self: a row
 * @item: (nullable): the entry to show and follow
 */
void
fore_transcript_row_set_item (ForeTranscriptRow *self, ForeTranscriptItem *item)
{
  g_return_if_fail (FORE_IS_TRANSCRIPT_ROW (self));
  g_return_if_fail (item == NULL || FORE_IS_TRANSCRIPT_ITEM (item));

  if (self->item == item)
    return;

  forget_item (self);
  self->whole_body = FALSE;
  if (item == NULL)
    return;

  self->item = g_object_ref (item);
  self->changed = g_signal_connect (item, "changed", G_CALLBACK (item_changed), self);
  show_item (self);
}

ForeTranscriptItem *
fore_transcript_row_get_item (ForeTranscriptRow *self)
{
  g_return_val_if_fail (FORE_IS_TRANSCRIPT_ROW (self), NULL);

  return self->item;
}
