/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-empty.h"

#include "app/fore-outside.h"

struct _ForeEmpty
{
  GtkWidget parent_instance;

  GtkWidget *box;
  GtkWidget *icon;
  GtkWidget *spinner;
  GtkWidget *title;
  GtkWidget *text;
  gboolean busy;
};

G_DEFINE_FINAL_TYPE (ForeEmpty, fore_empty, GTK_TYPE_WIDGET)

/* A spinner on a page of a stack that is not shown goes on turning, frame by frame, for nobody. */
static void
update_spinner (ForeEmpty *self)
{
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner),
                            self->busy && gtk_widget_get_mapped (GTK_WIDGET (self)));
}

static void
fore_empty_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (fore_empty_parent_class)->map (widget);
  update_spinner (FORE_EMPTY (widget));
}

static void
fore_empty_unmap (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (fore_empty_parent_class)->unmap (widget);
  update_spinner (FORE_EMPTY (widget));
}

static void
fore_empty_dispose (GObject *object)
{
  ForeEmpty *self = FORE_EMPTY (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);

  G_OBJECT_CLASS (fore_empty_parent_class)->dispose (object);
}

static void
fore_empty_class_init (ForeEmptyClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fore_empty_dispose;
  GTK_WIDGET_CLASS (klass)->map = fore_empty_map;
  GTK_WIDGET_CLASS (klass)->unmap = fore_empty_unmap;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
new_label (const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_CENTER);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 44);
  gtk_widget_add_css_class (label, css_class);

  return label;
}

static void
fore_empty_init (ForeEmpty *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  gtk_widget_add_css_class (self->box, "fore-empty");
  gtk_widget_set_halign (self->box, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (self->box, GTK_ALIGN_CENTER);
  self->icon = gtk_image_new ();
  gtk_image_set_pixel_size (GTK_IMAGE (self->icon), 48);
  gtk_widget_add_css_class (self->icon, "dim-label");
  self->spinner = gtk_spinner_new ();
  gtk_widget_set_size_request (self->spinner, 32, 32);
  self->title = new_label ("empty-title");
  self->text = new_label ("dim-label");
  gtk_box_append (GTK_BOX (self->box), self->icon);
  gtk_box_append (GTK_BOX (self->box), self->spinner);
  gtk_box_append (GTK_BOX (self->box), self->title);
  gtk_box_append (GTK_BOX (self->box), self->text);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
}

/**
 * fore_empty_new:
 *
 * Returns: (transfer floating): an empty state without words
 */
GtkWidget *
fore_empty_new (void)
{
  return g_object_new (FORE_TYPE_EMPTY, NULL);
}

static void
set_texts (ForeEmpty *self, const char *title, const char *text)
{
  fore_outside_show (GTK_LABEL (self->title), title);
  gtk_widget_set_visible (self->title, title != NULL);
  fore_outside_show (GTK_LABEL (self->text), text);
  gtk_widget_set_visible (self->text, text != NULL);
}

/**
 * fore_empty_set:
 * @self: an empty state
 * @icon_name: its icon
 * @title: (nullable): what is not there
 * @text: (nullable): what will come here, or what to do
 */
void
fore_empty_set (ForeEmpty *self, const char *icon_name, const char *title, const char *text)
{
  g_return_if_fail (FORE_IS_EMPTY (self));

  self->busy = FALSE;
  update_spinner (self);
  gtk_widget_set_visible (self->spinner, FALSE);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), icon_name);
  gtk_widget_set_visible (self->icon, TRUE);
  set_texts (self, title, text);
}

/**
 * fore_empty_set_busy:
 * @self: an empty state
 * @title: what is being done
 */
void
fore_empty_set_busy (ForeEmpty *self, const char *title)
{
  g_return_if_fail (FORE_IS_EMPTY (self));

  gtk_widget_set_visible (self->icon, FALSE);
  gtk_widget_set_visible (self->spinner, TRUE);
  self->busy = TRUE;
  update_spinner (self);
  set_texts (self, title, NULL);
}
