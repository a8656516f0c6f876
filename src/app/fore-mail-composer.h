/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-run-model.h"

G_BEGIN_DECLS

#define FORE_TYPE_MAIL_COMPOSER (fore_mail_composer_get_type ())

/* Writes to one task of a run that is not over, or to all of them. Not shown where nobody would
 * read it.
 */
G_DECLARE_FINAL_TYPE (ForeMailComposer, fore_mail_composer, FORE, MAIL_COMPOSER, GtkWidget)

GtkWidget *fore_mail_composer_new (void);
void fore_mail_composer_follow (ForeMailComposer *self, ForeRunModel *model);

G_END_DECLS
