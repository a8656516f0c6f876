/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-agent-test.h"

#include "app/fore-application.h"
#include "app/fore-errors.h"
#include "app/fore-format.h"
#include "app/fore-job.h"
#include "app/fore-outside.h"
#include "app/fore-view-status.h"
#include "engine/fore-doctor.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>

#define MAX_WORDS 300

struct _ForeAgentTest
{
  GtkWidget parent_instance;

  GtkWidget *box;
  GtkWidget *icon;
  GtkWidget *spinner;
  GtkWidget *button;

  AdwActionRow *row;
  const ForeAdapter *adapter;
  GCancellable *cancellable;
  char *subtitle;
};

G_DEFINE_FINAL_TYPE (ForeAgentTest, fore_agent_test, GTK_TYPE_WIDGET)

typedef struct
{
  ForeStore *store;
  char *cli;
} TestJob;

static void
test_job_free (gpointer data)
{
  TestJob *job = data;

  g_object_unref (job->store);
  g_free (job->cli);
  g_free (job);
}

static gpointer
test_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  TestJob *job = data;

  return fore_doctor_test_agent (job->store, job->cli, cancellable, error);
}

static void
show_working (ForeAgentTest *self, gboolean working)
{
  g_autofree char *label = g_strdup_printf (working ? _ ("Cancel the Test of %s") : _ ("Test %s"),
                                            self->adapter->title);

  gtk_widget_set_visible (self->spinner, working);
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), working);
  gtk_button_set_label (GTK_BUTTON (self->button), working ? _ ("Cancel") : _ ("Test"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  label, -1);
}

/* What an agent or a service says may hold signs that would act unseen. */
static void
show_outcome (ForeAgentTest *self, ForeViewStatus status, const char *words)
{
  g_autofree char *line = words != NULL ? fore_outside_dup (words) : NULL;
  g_autofree char *both = line != NULL ? g_strdup_printf ("%s\n%s", self->subtitle, line)
                                       : g_strdup (self->subtitle);

  adw_action_row_set_subtitle (self->row, both);
  adw_action_row_set_subtitle_lines (self->row, 0);
  gtk_widget_set_visible (self->icon, words != NULL);
  gtk_widget_set_css_classes (self->icon,
                              (const char *[]){ fore_view_status_get_css_class (status), NULL });
  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), fore_view_status_get_icon_name (status));
}

static char *
describe_success (JsonObject *object)
{
  const char *answer = json_object_get_string_member_with_default (object, "answer", NULL);
  gint64 ms = json_object_get_int_member_with_default (object, "ms", 0);
  double cost = json_object_get_double_member_with_default (object, "cost", -1);
  g_autofree char *span = fore_format_span (ms * 1000);
  g_autofree char *price = cost > 0 ? fore_format_cost ((gint64) (cost * 1e6)) : NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, _ ("It works: answered “%s” after %s"),
                          answer != NULL ? answer : "…", span);
  if (price != NULL)
    g_string_append_printf (text, " · %s", price);

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
describe_failure (JsonObject *object)
{
  const char *problem = json_object_get_string_member_with_default (object, "problem", NULL);
  g_autofree char *words = problem != NULL ? fore_text_shorten (problem, MAX_WORDS) : NULL;

  return g_strdup_printf (_ ("It does not work: %s"),
                          words != NULL ? words : _ ("it ended without an answer."));
}

static void
tested_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeAgentTest *self = owner;
  JsonObject *object = result != NULL ? json_node_get_object (result) : NULL;
  g_autofree char *words = NULL;
  gboolean works;

  g_clear_object (&self->cancellable);
  show_working (self, FALSE);
  if (error != NULL || object == NULL)
    {
      show_outcome (self, FORE_VIEW_FAILED, error != NULL ? error->message : "");
      if (error != NULL)
        fore_show_error (GTK_WIDGET (self), error);
      return;
    }

  works = json_object_get_boolean_member_with_default (object, "works", FALSE);
  words = works ? describe_success (object) : describe_failure (object);
  show_outcome (self, works ? FORE_VIEW_DONE : FORE_VIEW_FAILED, words);
}

static void
begin (ForeAgentTest *self)
{
  TestJob *job = g_new0 (TestJob, 1);

  job->store = g_object_ref (fore_application_get_store ());
  job->cli = g_strdup (self->adapter->name);
  self->cancellable = g_cancellable_new ();
  show_outcome (self, FORE_VIEW_PENDING, NULL);
  show_working (self, TRUE);
  fore_job_run (self, "test-agent", self->cancellable, test_thread, job, test_job_free,
                (GDestroyNotify) json_node_unref, tested_cb);
}

/* A cancelled job reports nothing; its agent is ended behind the scenes. */
static void
cancel (ForeAgentTest *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  show_working (self, FALSE);
  show_outcome (self, FORE_VIEW_CANCELLED, _ ("The test was cancelled."));
}

static void
clicked_cb (GtkButton *button, ForeAgentTest *self)
{
  g_assert (FORE_IS_AGENT_TEST (self));

  if (self->cancellable != NULL)
    cancel (self);
  else
    begin (self);
}

static void
fore_agent_test_dispose (GObject *object)
{
  ForeAgentTest *self = FORE_AGENT_TEST (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->box, gtk_widget_unparent);

  G_OBJECT_CLASS (fore_agent_test_parent_class)->dispose (object);
}

static void
fore_agent_test_finalize (GObject *object)
{
  g_free (FORE_AGENT_TEST (object)->subtitle);

  G_OBJECT_CLASS (fore_agent_test_parent_class)->finalize (object);
}

static void
fore_agent_test_class_init (ForeAgentTestClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fore_agent_test_dispose;
  G_OBJECT_CLASS (klass)->finalize = fore_agent_test_finalize;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
fore_agent_test_init (ForeAgentTest *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  self->icon = gtk_image_new ();
  self->spinner = gtk_spinner_new ();
  self->button = gtk_button_new_with_label (_ ("Test"));
  gtk_widget_set_visible (self->icon, FALSE);
  gtk_widget_set_valign (self->button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (
      self->button, _ ("One tiny prompt through this agent; it may cost a fraction of a cent"));
  gtk_box_append (GTK_BOX (self->box), self->icon);
  gtk_box_append (GTK_BOX (self->box), self->spinner);
  gtk_box_append (GTK_BOX (self->box), self->button);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  g_signal_connect (self->button, "clicked", G_CALLBACK (clicked_cb), self);
}

/**
 * fore_agent_test_new:
 * @row: the row that the button becomes a part of, whose texts are no markup
 * @adapter: the agent
 *
 * Returns: (transfer floating): a button that tests @adapter
 */
GtkWidget *
fore_agent_test_new (AdwActionRow *row, const ForeAdapter *adapter)
{
  ForeAgentTest *self;

  g_return_val_if_fail (ADW_IS_ACTION_ROW (row), NULL);
  g_return_val_if_fail (adapter != NULL, NULL);

  self = g_object_new (FORE_TYPE_AGENT_TEST, NULL);
  self->row = row;
  self->adapter = adapter;
  self->subtitle = g_strdup (adw_action_row_get_subtitle (row));
  show_working (self, FALSE);

  return GTK_WIDGET (self);
}
