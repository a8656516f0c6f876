/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/fore-sql.h"

G_BEGIN_DECLS

/**
 * ForeSchema:
 * @name: what kind of file it is, for names of backups
 * @steps: (array length=n_steps): statements; step i makes version i + 1 out of version i
 * @n_steps: the newest version
 *
 * How a kind of file came to what it is. Versions only go forward; `user_version` says which one a
 * file has. Steps that were shipped never change.
 */
typedef struct
{
  const char *name;
  const char *const *steps;
  guint n_steps;
} ForeSchema;

const ForeSchema *fore_schema_get_run (void);
const ForeSchema *fore_schema_get_index (void);

gboolean fore_schema_check (ForeSql *sql, const ForeSchema *schema, GError **error);
gboolean fore_schema_needs_migration (
    ForeSql *sql, const ForeSchema *schema, gboolean *needed, gboolean *is_new, GError **error);
gboolean fore_schema_migrate (ForeSql *sql,
                              const ForeSchema *schema,
                              const char *backup_dir,
                              GError **error);
void fore_schema_prune_backups (const char *backup_dir);

G_END_DECLS
