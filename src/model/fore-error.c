/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "model/fore-error.h"

/* The name is no subtraction, and the table has a line for each code. */
/* clang-format off */
G_DEFINE_QUARK (fore-error-quark, fore_error)

static const struct
{
  const char *name;
  int exit_code;
} codes[] = {
  [FORE_ERROR_FAILED] = { "failed", 1 },
  [FORE_ERROR_USAGE] = { "usage", 2 },
  [FORE_ERROR_WAITING] = { "waiting", 3 },
  [FORE_ERROR_NOT_FOUND] = { "not-found", 4 },
  [FORE_ERROR_REFUSED] = { "refused", 5 },
  [FORE_ERROR_STALE] = { "stale", 5 },
  [FORE_ERROR_BUSY] = { "busy", 5 },
  [FORE_ERROR_ENVIRONMENT] = { "environment", 6 },
  [FORE_ERROR_NEWER] = { "newer", 6 },
  [FORE_ERROR_NO_SPACE] = { "no-space", 6 },
  [FORE_ERROR_INVALID] = { "invalid", 2 },
  [FORE_ERROR_LIMIT] = { "limit", 2 },
  [FORE_ERROR_CONFLICT] = { "conflict", 5 },
  [FORE_ERROR_CANCELLED] = { "cancelled", 130 },
};
/* clang-format on */

/**
 * fore_error_code_to_string:
 * @code: a #ForeErrorCode
 *
 * Gets the word that stands for @code in JSON.
 *
 * Returns: (transfer none): a static string, "failed" for an unknown code
 */
const char *
fore_error_code_to_string (int code)
{
  if (code < FORE_ERROR_FAILED || code >= (int) G_N_ELEMENTS (codes))
    return "failed";

  return codes[code].name;
}

/**
 * fore_error_get_exit_code:
 * @error: an error of any domain
 *
 * Gets the exit code that foredeckctl leaves with because of @error.
 *
 * Returns: 1 to 6, or 130
 */
int
fore_error_get_exit_code (const GError *error)
{
  g_return_val_if_fail (error != NULL, 1);

  if (error->domain == FORE_ERROR && error->code >= FORE_ERROR_FAILED
      && error->code < (int) G_N_ELEMENTS (codes))
    return codes[error->code].exit_code;

  return 1;
}
