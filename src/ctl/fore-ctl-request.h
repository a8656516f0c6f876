/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ctl/fore-ctl.h"

G_BEGIN_DECLS

/* Lines of the text of one request among others. */
#define FORE_CTL_REQUEST_LINES 20

/* A request as text for a person: what is asked, and the command that gives each answer. */
void fore_ctl_request_print (ForeCtl *ctl, const ForeRequest *request, guint max_lines);
void fore_ctl_request_print_open (ForeCtl *ctl, GPtrArray *requests, guint max_lines);
const ForeRequestOption *fore_ctl_request_find_option (const ForeRequest *request,
                                                       const char *word);
const ForeRequestOption *fore_ctl_request_find_approval (const ForeRequest *request);
const ForeRequestOption *fore_ctl_request_find_refusal (const ForeRequest *request);

G_END_DECLS
