/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "git/fore-repository.h"

G_BEGIN_DECLS

/* The work of a task as it is just now. */
typedef struct
{
  const char *base;    /* commit that the task started from */
  const char *commit;  /* (nullable) what it left; %NULL while an agent works */
  const char *git_dir; /* (nullable) of its tree while an agent works */
  const char *path;    /* (nullable) likewise */
} ForeWorkState;

char **fore_repository_list_touched (ForeRepository *self,
                                     const ForeWorkState *work,
                                     char **stamp,
                                     GError **error);
char **fore_repository_predict_pair (ForeRepository *self,
                                     const char *scratch_dir,
                                     const ForeWorkState *ours,
                                     const ForeWorkState *theirs,
                                     const char *const *paths,
                                     GError **error);

G_END_DECLS
