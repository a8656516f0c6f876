/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ctl/fore-ctl.h"
#include "model/fore-command.h"

G_BEGIN_DECLS

/* What the verbs do; the table of them is in fore-ctl-verbs.c. */

/* fore-ctl-start.c */
gboolean fore_ctl_do_run (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_wait (ForeCtl *ctl, GError **error);
gboolean fore_ctl_command (ForeCtl *ctl,
                           const char *run_id,
                           ForeCommandKind kind,
                           const char *const *args,
                           GError **error);
gboolean fore_ctl_follow_and_print (ForeCtl *ctl, const char *run_id, GError **error);

/* fore-ctl-demo.c */
gboolean fore_ctl_do_demo (ForeCtl *ctl, GError **error);

/* fore-ctl-list.c */
gboolean fore_ctl_do_list (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_tasks (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_requests (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_messages (ForeCtl *ctl, GError **error);
void fore_ctl_print_messages (ForeCtl *ctl, GPtrArray *messages);

/* fore-ctl-trees.c */
gboolean fore_ctl_do_worktrees (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_clean (ForeCtl *ctl, GError **error);

/* fore-ctl-rescue.c */
gboolean fore_ctl_do_rescue (ForeCtl *ctl, GError **error);

/* fore-ctl-show.c */
gboolean fore_ctl_do_show (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_events (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_plan (ForeCtl *ctl, GError **error);

/* fore-ctl-graph.c */
gboolean fore_ctl_do_graph (ForeCtl *ctl, GError **error);

/* fore-ctl-transcript.c */
gboolean fore_ctl_do_transcript (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_prompt (ForeCtl *ctl, GError **error);

/* fore-ctl-decode.c */
gboolean fore_ctl_do_decode (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_recommend (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_tokens (ForeCtl *ctl, GError **error);

/* fore-ctl-answer.c */
gboolean fore_ctl_do_approve (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_reject (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_ask (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_delegate (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_submit_result (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_join (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_mail (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_submit_plan (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_mcp (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_answer (ForeCtl *ctl, GError **error);

/* fore-ctl-control.c */
gboolean fore_ctl_do_pause (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_continue (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_cancel (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_resume (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_restart (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_retry (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_accept (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_steer (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_comment (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_follow_up (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_interrupt (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_goal (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_goal_start (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_schedule (ForeCtl *ctl, GError **error);

/* fore-ctl-changes.c */
gboolean fore_ctl_do_conflicts (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_diff (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_merge (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_branch (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_discard (ForeCtl *ctl, GError **error);

/* fore-ctl-forget.c */
gboolean fore_ctl_do_forget (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_prune (ForeCtl *ctl, GError **error);

/* fore-ctl-library.c */
gboolean fore_ctl_do_library (ForeCtl *ctl, GError **error);

/* fore-ctl-config.c */
gboolean fore_ctl_do_config (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_trust (ForeCtl *ctl, GError **error);

/* fore-ctl-stats.c */
gboolean fore_ctl_do_stats (ForeCtl *ctl, GError **error);

/* fore-ctl-machine.c */
gboolean fore_ctl_do_doctor (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_logs (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_version (ForeCtl *ctl, GError **error);
gboolean fore_ctl_do_help (ForeCtl *ctl, GError **error);

G_END_DECLS
