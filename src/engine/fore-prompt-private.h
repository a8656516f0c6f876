/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-prompt.h"

G_BEGIN_DECLS

/* What the files that build prompts share. Each gives text, maybe empty, that the caller frees. */

char *fore_prompt_dup_skills (ForeRunContext *context, const ForeTask *task);

char *fore_prompt_dup_project (ForeRunContext *context, const ForeTask *task);
char *fore_prompt_dup_knowledge (ForeRunContext *context, const ForePromptInput *input);
char *fore_prompt_dup_memory (ForeRunContext *context, const ForeTask *task);

char *fore_prompt_dup_results (ForeRunContext *context, const ForePromptInput *input);
char *fore_prompt_dup_files (ForeRunContext *context, const ForePromptInput *input);

char *fore_prompt_dup_specs (ForeRunContext *context, const ForeTask *task);

G_END_DECLS
