/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-mail-composer.h"

#include "app/fore-application.h"
#include "app/fore-draft-file.h"
#include "app/fore-errors.h"
#include "app/fore-job.h"
#include "app/fore-outside.h"
#include "app/fore-task-item.h"
#include "store/fore-run-client.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define PERSON "person"
#define MAIL "mail"

struct _ForeMailComposer
{
  GtkWidget parent_instance;

  GtkWidget *box;
  GtkDropDown *to;
  GtkEditable *entry;
  GtkWidget *send;

  ForeRunModel *model;
  GPtrArray *keys; /* of tasks that are not over, in the order of the list below “everyone” */
};

G_DEFINE_FINAL_TYPE (ForeMailComposer, fore_mail_composer, GTK_TYPE_WIDGET)

typedef struct
{
  ForeStore *store;
  char *run;
  GStrv to;
  char *text;
} Letter;

static void
letter_free (gpointer data)
{
  Letter *letter = data;

  g_object_unref (letter->store);
  g_free (letter->run);
  g_strfreev (letter->to);
  g_free (letter->text);
  g_free (letter);
}

static gpointer
send_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  Letter *letter = data;

  for (guint i = 0; letter->to[i] != NULL; i++)
    {
      g_autoptr (ForeMessage) message = fore_message_new (PERSON, letter->to[i], MAIL,
                                                          letter->text);

      if (!fore_run_client_message (letter->store, letter->run, message, error))
        return NULL;
    }

  return GINT_TO_POINTER (TRUE);
}

static char *
dup_draft_name (ForeMailComposer *self)
{
  return g_strconcat ("mail ", fore_run_model_get_id (self->model), NULL);
}

/* What could not be sent is there again, unless something else was written meanwhile. */
static void
sent_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeMailComposer *self = owner;
  Letter *letter = data;

  if (error == NULL)
    return;

  fore_show_error (GTK_WIDGET (self), error);
  if (*gtk_editable_get_text (self->entry) == '\0'
      && g_strcmp0 (letter->run, fore_run_model_get_id (self->model)) == 0)
    gtk_editable_set_text (self->entry, letter->text);
}

static GStrv
dup_readers (ForeMailComposer *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  guint selected = gtk_drop_down_get_selected (self->to);

  for (guint i = 0; i < self->keys->len; i++)
    {
      if (selected == 0 || selected == i + 1)
        g_strv_builder_add (builder, g_ptr_array_index (self->keys, i));
    }

  return g_strv_builder_end (builder);
}

static void
send_cb (ForeMailComposer *self)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (self->entry)));
  Letter *letter;

  if (*text == '\0' || self->keys->len == 0)
    return;

  letter = g_new0 (Letter, 1);
  letter->store = g_object_ref (fore_application_get_store ());
  letter->run = g_strdup (fore_run_model_get_id (self->model));
  letter->to = dup_readers (self);
  letter->text = g_steal_pointer (&text);
  gtk_editable_set_text (self->entry, "");
  fore_job_run (self, "send-mail", NULL, send_thread, letter, letter_free, NULL, sent_cb);
}

static void
changed_cb (GtkEditable *entry, ForeMailComposer *self)
{
  const char *text = gtk_editable_get_text (entry);
  g_autofree char *name = NULL;

  gtk_widget_set_sensitive (self->send, *text != '\0');
  if (self->model == NULL)
    return;

  name = dup_draft_name (self);
  fore_draft_file_set (name, *text != '\0' ? text : NULL);
}

/* Who can read: those that are not over. */
static GPtrArray *
list_readers (ForeRunModel *model)
{
  GPtrArray *keys = g_ptr_array_new_with_free_func (g_free);
  GListModel *tasks = fore_run_model_get_tasks (model);

  for (guint i = 0; i < g_list_model_get_n_items (tasks); i++)
    {
      g_autoptr (ForeTaskItem) item = g_list_model_get_item (tasks, i);
      const ForeTask *task = fore_task_item_get_task (item);

      if (fore_task_status_get_class (task->status) != FORE_CLASS_FINISHED)
        g_ptr_array_add (keys, g_strdup (task->key));
    }

  return keys;
}

static gboolean
are_same (GPtrArray *a, GPtrArray *b)
{
  if (a->len != b->len)
    return FALSE;

  for (guint i = 0; i < a->len; i++)
    {
      if (strcmp (a->pdata[i], b->pdata[i]) != 0)
        return FALSE;
    }

  return TRUE;
}

/* Whoever was chosen stays chosen; once that one is over, nobody else reads what was meant for it
 * unless the person chooses anew.
 */
static void
show_readers (ForeMailComposer *self, GPtrArray *keys)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint before = gtk_drop_down_get_selected (self->to);
  const char *chosen = before > 0 && before <= self->keys->len ? self->keys->pdata[before - 1]
                                                               : NULL;
  guint selected = 0;

  gtk_string_list_append (names, _ ("Everyone"));
  for (guint i = 0; i < keys->len; i++)
    {
      g_autofree char *visible = fore_outside_dup (keys->pdata[i]);

      gtk_string_list_append (names, visible);
      if (g_strcmp0 (chosen, keys->pdata[i]) == 0)
        selected = i + 1;
    }
  if (chosen != NULL && selected == 0)
    gtk_editable_set_text (self->entry, "");
  g_ptr_array_unref (self->keys);
  self->keys = g_ptr_array_ref (keys);
  gtk_drop_down_set_model (self->to, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->to, selected);
}

static void
update (ForeMailComposer *self)
{
  g_autoptr (GPtrArray) keys = list_readers (self->model);

  if (!are_same (self->keys, keys))
    show_readers (self, keys);
  gtk_widget_set_visible (GTK_WIDGET (self), keys->len > 0);
}

static void
task_changed_cb (ForeRunModel *model, const char *key, ForeMailComposer *self)
{
  update (self);
}

static void
fore_mail_composer_dispose (GObject *object)
{
  ForeMailComposer *self = FORE_MAIL_COMPOSER (object);

  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_object (&self->model);
  g_clear_pointer (&self->box, gtk_widget_unparent);

  G_OBJECT_CLASS (fore_mail_composer_parent_class)->dispose (object);
}

static void
fore_mail_composer_finalize (GObject *object)
{
  g_ptr_array_unref (FORE_MAIL_COMPOSER (object)->keys);

  G_OBJECT_CLASS (fore_mail_composer_parent_class)->finalize (object);
}

static void
fore_mail_composer_class_init (ForeMailComposerClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fore_mail_composer_dispose;
  G_OBJECT_CLASS (klass)->finalize = fore_mail_composer_finalize;

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/foredeck/Foredeck/ui/fore-mail-composer.ui");
  gtk_widget_class_bind_template_child (widget_class, ForeMailComposer, box);
  gtk_widget_class_bind_template_child (widget_class, ForeMailComposer, to);
  gtk_widget_class_bind_template_child (widget_class, ForeMailComposer, entry);
  gtk_widget_class_bind_template_child (widget_class, ForeMailComposer, send);
  gtk_widget_class_bind_template_callback (widget_class, send_cb);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
fore_mail_composer_init (ForeMailComposer *self)
{
  self->keys = g_ptr_array_new_with_free_func (g_free);
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

/**
 * fore_mail_composer_new:
 *
 * Returns: (transfer floating): a composer without a run
 */
GtkWidget *
fore_mail_composer_new (void)
{
  return g_object_new (FORE_TYPE_MAIL_COMPOSER, NULL);
}

/**
 * fore_mail_composer_follow:
 * @self: a composer
 * @model: the run whose tasks are written to
 *
 * What was written to this run and not sent is there again.
 */
void
fore_mail_composer_follow (ForeMailComposer *self, ForeRunModel *model)
{
  g_autofree char *name = NULL;
  const char *draft;

  g_return_if_fail (FORE_IS_MAIL_COMPOSER (self) && FORE_IS_RUN_MODEL (model));

  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_object (&self->model);
  g_ptr_array_set_size (self->keys, 0);
  gtk_drop_down_set_selected (self->to, 0);
  gtk_editable_set_text (self->entry, "");
  self->model = g_object_ref (model);
  name = dup_draft_name (self);
  draft = fore_draft_file_get (name);
  gtk_editable_set_text (self->entry, draft != NULL ? draft : "");
  g_signal_connect_swapped (model, "changed", G_CALLBACK (update), self);
  g_signal_connect (model, "task-changed", G_CALLBACK (task_changed_cb), self);
  update (self);
}
