/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * ForePoolKind:
 * @FORE_POOL_GIT: work in repositories
 * @FORE_POOL_DECODE: reading and decoding what agents print
 * @FORE_POOL_FILE: small files
 * @FORE_POOL_HOOK: commands of the person that are called at events
 * @FORE_POOL_START: starts of guards
 *
 * The bounded pools that blocking work of the engine runs in, so that none of it starves GIO's own.
 */
typedef enum
{
  FORE_POOL_GIT,
  FORE_POOL_DECODE,
  FORE_POOL_FILE,
  FORE_POOL_HOOK,
  FORE_POOL_START,
  FORE_N_POOLS
} ForePoolKind;

void fore_pool_run (ForePoolKind kind, GTask *task, GTaskThreadFunc func);

G_END_DECLS
