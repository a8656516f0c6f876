/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-banner.h"

#include "app/fore-outside.h"

#include <glib/gi18n-lib.h>

struct _ForeBanner
{
  GtkWidget parent_instance;

  GtkWidget *revealer;
  GtkWidget *box;
  GtkWidget *icon;
  GtkWidget *label;
  GtkWidget *button;
  GtkWidget *close;
  const char *style_class;
};

G_DEFINE_FINAL_TYPE (ForeBanner, fore_banner, GTK_TYPE_WIDGET)

enum
{
  BUTTON_CLICKED,
  DISMISSED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static void
button_clicked_cb (GtkButton *button, ForeBanner *self)
{
  g_signal_emit (self, signals[BUTTON_CLICKED], 0);
}

static void
close_clicked_cb (GtkButton *button, ForeBanner *self)
{
  fore_banner_hide (self);
  g_signal_emit (self, signals[DISMISSED], 0);
}

static void
fore_banner_dispose (GObject *object)
{
  ForeBanner *self = FORE_BANNER (object);

  g_clear_pointer (&self->revealer, gtk_widget_unparent);

  G_OBJECT_CLASS (fore_banner_parent_class)->dispose (object);
}

static void
fore_banner_class_init (ForeBannerClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fore_banner_dispose;
  signals[BUTTON_CLICKED] = g_signal_new ("button-clicked", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                          NULL, G_TYPE_NONE, 0);
  signals[DISMISSED] = g_signal_new ("dismissed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "forebanner");
}

static void
fore_banner_init (ForeBanner *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  gtk_widget_add_css_class (self->box, "banner-box");
  self->icon = gtk_image_new ();
  self->label = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (self->label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (self->label), 0);
  gtk_widget_set_hexpand (self->label, TRUE);
  self->button = gtk_button_new_with_label ("");
  gtk_widget_set_valign (self->button, GTK_ALIGN_CENTER);
  self->close = gtk_button_new_from_icon_name ("fore-close-symbolic");
  gtk_widget_add_css_class (self->close, "flat");
  gtk_widget_add_css_class (self->close, "circular");
  gtk_widget_set_valign (self->close, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->close), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Dismiss"), -1);
  gtk_box_append (GTK_BOX (self->box), self->icon);
  gtk_box_append (GTK_BOX (self->box), self->label);
  gtk_box_append (GTK_BOX (self->box), self->button);
  gtk_box_append (GTK_BOX (self->box), self->close);
  g_signal_connect (self->button, "clicked", G_CALLBACK (button_clicked_cb), self);
  g_signal_connect (self->close, "clicked", G_CALLBACK (close_clicked_cb), self);

  self->revealer = gtk_revealer_new ();
  gtk_revealer_set_child (GTK_REVEALER (self->revealer), self->box);
  gtk_widget_set_parent (self->revealer, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

/**
 * fore_banner_new:
 *
 * Returns: (transfer floating): a banner that is not shown
 */
GtkWidget *
fore_banner_new (void)
{
  return g_object_new (FORE_TYPE_BANNER, NULL);
}

static void
apply_style (ForeBanner *self, ForeBannerStyle style)
{
  static const char *const classes[] = { "info", "attention", "bad" };
  static const char *const icons[] = { "fore-info-symbolic", "fore-attention-symbolic",
                                       "fore-warning-symbolic" };

  if (self->style_class != NULL)
    gtk_widget_remove_css_class (self->box, self->style_class);
  self->style_class = classes[style];
  gtk_widget_add_css_class (self->box, self->style_class);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), icons[style]);
}

/**
 * fore_banner_show:
 * @self: a banner
 * @style: how urgent it is
 * @text: one sentence, never markup
 * @button: (nullable): verb on its button
 * @dismissible: whether it can be put away
 */
void
fore_banner_show (ForeBanner *self,
                  ForeBannerStyle style,
                  const char *text,
                  const char *button,
                  gboolean dismissible)
{
  g_return_if_fail (FORE_IS_BANNER (self));

  apply_style (self, style);
  fore_outside_show (GTK_LABEL (self->label), text);
  gtk_widget_set_visible (self->button, button != NULL);
  if (button != NULL && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (self->button)), button) != 0)
    gtk_button_set_label (GTK_BUTTON (self->button), button);
  gtk_widget_set_visible (self->close, dismissible);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), TRUE);
}

/**
 * fore_banner_hide:
 * @self: a banner
 */
void
fore_banner_hide (ForeBanner *self)
{
  g_return_if_fail (FORE_IS_BANNER (self));

  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

/**
 * fore_banner_is_shown:
 * @self: a banner
 *
 * Returns: whether it is shown
 */
gboolean
fore_banner_is_shown (ForeBanner *self)
{
  g_return_val_if_fail (FORE_IS_BANNER (self), FALSE);

  return gtk_widget_get_visible (GTK_WIDGET (self));
}
