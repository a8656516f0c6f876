/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-inbox.h"

#include "agents/fore-calls.h"
#include "agents/fore-entry.h"

G_BEGIN_DECLS

/* What the files of ForeInbox share. */
struct _ForeInbox
{
  GObject parent_instance;

  const ForeAttemptServices *services;
  ForeScheduler *scheduler;
  ForePlanner *planner;
  ForeGoalLoop *goals;
  ForeFinisher *finisher;
  guint expiry_source;
  GHashTable *mail_waits; /* attempt that waits for mail -> its call */
  guint mail_retry;
  GPtrArray *joins;     /* calls that wait for several helpers */
  guint n_script_calls; /* since this runner took the run up */
  GHashTable *helped;   /* call that waits for a helper -> that helper and the attempt */
};

ForeRunState *fore_inbox_get_state (ForeInbox *self);
ForeRun *fore_inbox_get_run (ForeInbox *self);
void fore_inbox_cancel_run (ForeInbox *self, const char *reason);
void fore_inbox_accept_task (ForeInbox *self, ForeTask *task, const char *by);
gboolean fore_inbox_add_resolver (ForeInbox *self, GError **error);
char *fore_inbox_follow_up (ForeInbox *self, const ForeCommand *command, GError **error);
void fore_inbox_question_asked (ForeScheduler *scheduler,
                                gpointer data,
                                gpointer asked,
                                gpointer user_data);
void fore_inbox_helper_asked (ForeInbox *self, ForeTask *asker, const ForeCall *call);
void fore_inbox_script_called (ForeInbox *self, ForeTask *script, const ForeCall *call);
void fore_inbox_tell_script (ForeInbox *self,
                             ForeTask *script,
                             const char *reply_to,
                             const ForeTask *task);
void
fore_inbox_answer_call (ForeInbox *self, ForeTask *task, const char *reply_to, const char *text);
void fore_inbox_answer_when_durable (ForeInbox *self,
                                     const ForeTask *task,
                                     const char *call,
                                     const char *text);
void fore_inbox_wait_for_helper (ForeInbox *self,
                                 ForeTask *asker,
                                 const char *reply_to,
                                 const ForeTask *task);
void fore_inbox_take_contact (ForeInbox *self, ForeTask *task, const ForeEntry *entry);
gboolean
fore_inbox_answer_contact (ForeInbox *self, const ForeRequest *request, const char *answer);
void fore_inbox_deliver_mail (ForeInbox *self);
void fore_inbox_take_mail (ForeInbox *self, const ForeMessage *message);
void fore_inbox_take_seen (ForeInbox *self, ForeMessage *message);
void fore_inbox_mail_sent (ForeInbox *self, ForeTask *sender, const ForeCall *call);
void fore_inbox_mail_wanted (ForeInbox *self, ForeTask *task, const ForeCall *call);
void fore_inbox_mail_withdrawn (ForeInbox *self, const ForeTask *task, const char *reply_to);
GPtrArray *fore_inbox_new_joins (void);
void fore_inbox_helpers_joined (ForeInbox *self, ForeTask *asker, const ForeCall *call);
void fore_inbox_look_at_joins (ForeInbox *self);
char *fore_inbox_describe_helper (ForeInbox *self, const ForeTask *task);
void fore_inbox_helper_withdrawn (ForeInbox *self, const char *reply_to);
void fore_inbox_helper_over (ForeScheduler *scheduler, gpointer data, gpointer user_data);
gboolean fore_inbox_answer_question (ForeInbox *self, const ForeRequest *request);
void fore_inbox_take_answer (ForeInbox *self, const ForeAnswer *answer);
void fore_inbox_watch_expiry (ForeInbox *self);
void fore_inbox_take_command (ForeInbox *self, ForeCommand *command);

G_END_DECLS
