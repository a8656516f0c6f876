/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ctl/fore-ctl-verb.h"
#include "model/fore-error.h"
#include "model/fore-run.h"
#include "model/fore-task.h"
#include "store/fore-run-reader.h"
#include "store/fore-store.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define FORE_CTL_NAME "foredeckctl"

/**
 * ForeCtl:
 * @verb: what was asked for
 * @options: (element-type utf8 utf8): values by the long name of the option
 * @words: (element-type utf8): what stood beside the options, in order
 * @json: whether answers are JSON
 * @colour: whether standard output takes colours
 * @terminal: whether standard output is a terminal
 * @store: (nullable): opened by fore_ctl_get_store()
 * @patience_us: how long a runner may do nothing, or 0 until it was looked up
 * @hint: (nullable): one sentence that helps after an error
 * @exit_code: what to leave with when the verb itself succeeded
 *
 * One call of foredeckctl.
 */
struct _ForeCtl
{
  const ForeCtlVerb *verb;
  GHashTable *options;
  GPtrArray *words;
  gboolean json;
  gboolean colour;
  gboolean terminal;
  ForeStore *store;
  gint64 patience_us;
  char *hint;
  int exit_code;
};

ForeCtl *fore_ctl_new (void);
void fore_ctl_free (ForeCtl *self);

gboolean fore_ctl_has (ForeCtl *self, const char *option);
const char *fore_ctl_get (ForeCtl *self, const char *option);
gint64 fore_ctl_get_number (ForeCtl *self, const char *option, gint64 fallback);
gint64 fore_ctl_get_duration (ForeCtl *self, const char *option, gint64 fallback);
const char *fore_ctl_get_word (ForeCtl *self, guint n);
char *fore_ctl_join_words (ForeCtl *self, guint first);
void fore_ctl_set_hint (ForeCtl *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

ForeStore *fore_ctl_get_store (ForeCtl *self, GError **error);
void fore_ctl_explain_run (ForeCtl *self, const char *text);
void fore_ctl_explain_request (ForeCtl *self, const char *text);
char *fore_ctl_find_run (ForeCtl *self, const char *prefix, GError **error);
char *fore_ctl_find_request (ForeCtl *self, const char *prefix, GError **error);
const ForeTask *
fore_ctl_find_task (ForeCtl *self, ForeRunDelta *delta, const char *prefix, GError **error);
ForeRunDelta *
fore_ctl_read_run (ForeCtl *self, const char *prefix, guint max_events, GError **error);
gboolean fore_ctl_is_interrupted (ForeCtl *self, const ForeRun *run);
ForeOwnerState fore_ctl_look_at_owner (ForeCtl *self, const char *run_id);
const char *fore_ctl_get_run_word (ForeCtl *self, const ForeRun *run);
gboolean fore_ctl_check_person (ForeCtl *self, GError **error);
gboolean fore_ctl_confirm (ForeCtl *self, const char *question, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeCtl, fore_ctl_free)

G_END_DECLS
