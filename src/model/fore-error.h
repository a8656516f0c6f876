/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ForeErrorCode:
 * @FORE_ERROR_FAILED: the run, check or operation failed (exit code 1)
 * @FORE_ERROR_USAGE: wrong use: an unknown verb, option or value (2)
 * @FORE_ERROR_WAITING: waits for a person (3)
 * @FORE_ERROR_NOT_FOUND: no such run, task, request, file or name (4)
 * @FORE_ERROR_REFUSED: not allowed here (5)
 * @FORE_ERROR_STALE: the thing changed or was answered meanwhile (5)
 * @FORE_ERROR_BUSY: somebody else holds it; the message names the holder (5)
 * @FORE_ERROR_ENVIRONMENT: store, disk or machine cannot be used (6)
 * @FORE_ERROR_NEWER: the store was written by a newer version (6)
 * @FORE_ERROR_NO_SPACE: the disk is full (6)
 * @FORE_ERROR_INVALID: outside input is malformed (2)
 * @FORE_ERROR_LIMIT: outside input is larger or deeper than allowed (2)
 * @FORE_ERROR_CONFLICT: a merge has conflicts (1)
 * @FORE_ERROR_CANCELLED: cancelled (130)
 *
 * Why something did not work. One domain for the whole library: the code says which class of
 * failure it is (and with it the exit code of foredeckctl), the message is one sentence that tells
 * the person what to do.
 */
typedef enum
{
  FORE_ERROR_FAILED = 1,
  FORE_ERROR_USAGE,
  FORE_ERROR_WAITING,
  FORE_ERROR_NOT_FOUND,
  FORE_ERROR_REFUSED,
  FORE_ERROR_STALE,
  FORE_ERROR_BUSY,
  FORE_ERROR_ENVIRONMENT,
  FORE_ERROR_NEWER,
  FORE_ERROR_NO_SPACE,
  FORE_ERROR_INVALID,
  FORE_ERROR_LIMIT,
  FORE_ERROR_CONFLICT,
  FORE_ERROR_CANCELLED,
} ForeErrorCode;

#define FORE_ERROR (fore_error_quark ())

GQuark fore_error_quark (void);
const char *fore_error_code_to_string (int code);
int fore_error_get_exit_code (const GError *error);

G_END_DECLS
