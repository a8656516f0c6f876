/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-checkout-banner.h"

#include "app/fore-banner.h"
#include "app/fore-errors.h"
#include "app/fore-outside.h"

#include <glib/gi18n-lib.h>

struct _ForeCheckoutBanner
{
  AdwBin parent_instance;

  GtkWidget *banner;
  ForeRunModel *model;
  guint n_dismissed;
};

G_DEFINE_FINAL_TYPE (ForeCheckoutBanner, fore_checkout_banner, ADW_TYPE_BIN)

/* What was put away comes again when more changes. */
static void
update (ForeCheckoutBanner *self)
{
  const ForeLeaderNews *news = fore_run_model_get_leader_news (self->model);
  g_autofree char *text = fore_leader_news_dup_text (news);

  if (text == NULL || news->paths->len <= self->n_dismissed)
    fore_banner_hide (FORE_BANNER (self->banner));
  else
    fore_banner_show (FORE_BANNER (self->banner), FORE_BANNER_ATTENTION, text, _ ("Details"), TRUE);
}

static void
model_changed_cb (ForeRunModel *model, ForeCheckoutBanner *self)
{
  g_assert (FORE_IS_CHECKOUT_BANNER (self));

  update (self);
}

static void
dismissed_cb (ForeBanner *banner, ForeCheckoutBanner *self)
{
  g_assert (FORE_IS_CHECKOUT_BANNER (self));

  self->n_dismissed = fore_run_model_get_leader_news (self->model)->paths->len;
}

static void
append_list (GString *text, const char *title, GPtrArray *words)
{
  if (words->len == 0)
    return;

  g_string_append_printf (text, "%s%s\n", text->len > 0 ? "\n" : "", title);
  for (guint i = 0; i < words->len; i++)
    g_string_append_printf (text, "  %s\n", (const char *) words->pdata[i]);
}

static void
details_cb (ForeBanner *banner, ForeCheckoutBanner *self)
{
  const ForeLeaderNews *news = fore_run_model_get_leader_news (self->model);
  g_autoptr (GString) text = g_string_new (NULL);

  g_assert (FORE_IS_CHECKOUT_BANNER (self));

  append_list (text, _ ("Changed in your own checkout:"), news->paths);
  append_list (text, _ ("Tasks whose transcripts name them:"), news->tasks);
  fore_show_text (GTK_WIDGET (self), _ ("What Changed in Your Checkout"), text->str);
}

static void
fore_checkout_banner_dispose (GObject *object)
{
  ForeCheckoutBanner *self = FORE_CHECKOUT_BANNER (object);

  fore_checkout_banner_set_model (self, NULL);

  G_OBJECT_CLASS (fore_checkout_banner_parent_class)->dispose (object);
}

static void
fore_checkout_banner_class_init (ForeCheckoutBannerClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fore_checkout_banner_dispose;
}

static void
fore_checkout_banner_init (ForeCheckoutBanner *self)
{
  self->banner = fore_banner_new ();
  adw_bin_set_child (ADW_BIN (self), self->banner);
  g_signal_connect (self->banner, "button-clicked", G_CALLBACK (details_cb), self);
  g_signal_connect (self->banner, "dismissed", G_CALLBACK (dismissed_cb), self);
}

/**
 * fore_checkout_banner_set_model:
 * @self: a banner
 * @model: (nullable): the run to follow
 */
void
fore_checkout_banner_set_model (ForeCheckoutBanner *self, ForeRunModel *model)
{
  g_return_if_fail (FORE_IS_CHECKOUT_BANNER (self));
  g_return_if_fail (model == NULL || FORE_IS_RUN_MODEL (model));

  if (self->model == model)
    return;

  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_set_object (&self->model, model);
  self->n_dismissed = 0;
  if (model == NULL)
    return;

  g_signal_connect_object (model, "changed", G_CALLBACK (model_changed_cb), self, 0);
  update (self);
}
