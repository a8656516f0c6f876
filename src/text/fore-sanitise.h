/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ForeSanitiseLevel:
 * @FORE_SANITISE_OWN: text of the person: what nobody sees and what poses as orders from above
 * @FORE_SANITISE_FOREIGN: text of a repository: what asks for secrets besides
 *
 * How much a text for agents is trusted.
 */
typedef enum
{
  FORE_SANITISE_OWN,
  FORE_SANITISE_FOREIGN,
} ForeSanitiseLevel;

/**
 * ForeSanitiseKind:
 * @FORE_SANITISE_HIDDEN: characters that nobody sees, or that turn the direction of text
 * @FORE_SANITISE_COMMENT: HTML comments and scripts
 * @FORE_SANITISE_ORDERS: lines that pose as orders of the system
 * @FORE_SANITISE_BLOB: long coded data, or a call that runs decoded data
 * @FORE_SANITISE_SECRETS: lines that ask to send secrets somewhere
 *
 * What was taken out.
 */
typedef enum
{
  FORE_SANITISE_HIDDEN,
  FORE_SANITISE_COMMENT,
  FORE_SANITISE_ORDERS,
  FORE_SANITISE_BLOB,
  FORE_SANITISE_SECRETS,
  FORE_SANITISE_N_KINDS
} ForeSanitiseKind;

/* @line counts from 1. */
typedef void (*ForeSanitiseFunc) (guint line, ForeSanitiseKind kind, gpointer user_data);

char *fore_sanitise (const char *text,
                     ForeSanitiseLevel level,
                     ForeSanitiseFunc report,
                     gpointer user_data);
const char *fore_sanitise_describe (ForeSanitiseKind kind);

G_END_DECLS
