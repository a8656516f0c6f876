/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "git/fore-git.h"
#include "git/fore-repository.h"

G_BEGIN_DECLS

/* What libgit2 cannot do as the person's git would: signing, hooks, filters. Private to src/git. */

/* How long a hook, a filter or a signature may take. */
#define FORE_GIT_PROGRAM_MS 300000

char **fore_git_program_make_env (void);

gboolean fore_git_signs (git_repository *git);
gboolean fore_git_sign_commit (git_repository *git,
                               git_oid *oid,
                               const git_signature *author,
                               const char *message,
                               const git_tree *tree,
                               const git_oid *parents,
                               gsize n_parents,
                               GError **error);

gboolean fore_git_has_hook (git_repository *git, const char *name);
gboolean fore_git_hook_is_inside (git_repository *git, const char *name);
gboolean fore_git_run_hook (git_repository *git,
                            const char *name,
                            const char *const *words,
                            guint timeout_ms,
                            GError **error);

void fore_git_register_filters (void);
gboolean fore_git_may_filter (git_repository *git, git_commit *commit);

G_END_DECLS
