/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "model/fore-usage.h"

static void
add_field (gint64 *sum, gint64 value)
{
  if (value < 0)
    return;

  if (*sum < 0)
    *sum = 0;

  *sum = *sum > G_MAXINT64 - value ? G_MAXINT64 : *sum + value;
}

/**
 * fore_usage_add:
 * @usage: the sum so far
 * @other: what to add
 *
 * Adds what is known of @other to @usage; unknown fields of @other change nothing. Sums stop at
 * %G_MAXINT64 instead of wrapping.
 */
void
fore_usage_add (ForeUsage *usage, const ForeUsage *other)
{
  g_return_if_fail (usage != NULL);
  g_return_if_fail (other != NULL);

  add_field (&usage->input, other->input);
  add_field (&usage->output, other->output);
  add_field (&usage->cache_read, other->cache_read);
  add_field (&usage->cache_write, other->cache_write);
  add_field (&usage->cost, other->cost);
  usage->estimated |= other->estimated;
}

static void
replace_field (gint64 *sum, gint64 before, gint64 now)
{
  if (before > 0 && *sum >= before)
    *sum -= before;

  add_field (sum, now);
}

/**
 * fore_usage_replace:
 * @sum: a sum that @before is part of
 * @before: the figure until now
 * @now: the figure from now on, with all that was known of @before
 *
 * Makes @now part of @sum in the place of @before. What was an estimate stays one in @sum.
 */
void
fore_usage_replace (ForeUsage *sum, const ForeUsage *before, const ForeUsage *now)
{
  g_return_if_fail (sum != NULL);
  g_return_if_fail (before != NULL && now != NULL);

  replace_field (&sum->input, before->input, now->input);
  replace_field (&sum->output, before->output, now->output);
  replace_field (&sum->cache_read, before->cache_read, now->cache_read);
  replace_field (&sum->cache_write, before->cache_write, now->cache_write);
  replace_field (&sum->cost, before->cost, now->cost);
  sum->estimated |= now->estimated;
}

/**
 * fore_usage_raise:
 * @usage: the figure so far
 * @other: a later figure of the same thing
 *
 * Raises each field to the one of @other where that is larger: for programs that report a running
 * total more than once.
 */
void
fore_usage_raise (ForeUsage *usage, const ForeUsage *other)
{
  g_return_if_fail (usage != NULL);
  g_return_if_fail (other != NULL);

  usage->input = MAX (usage->input, other->input);
  usage->output = MAX (usage->output, other->output);
  usage->cache_read = MAX (usage->cache_read, other->cache_read);
  usage->cache_write = MAX (usage->cache_write, other->cache_write);
  usage->cost = MAX (usage->cost, other->cost);
  usage->estimated |= other->estimated;
}

/**
 * fore_usage_get_tokens:
 * @usage: a usage
 *
 * Returns: all known tokens of @usage together, or %FORE_USAGE_UNKNOWN if none is known
 */
gint64
fore_usage_get_tokens (const ForeUsage *usage)
{
  gint64 sum = FORE_USAGE_UNKNOWN;

  g_return_val_if_fail (usage != NULL, FORE_USAGE_UNKNOWN);

  add_field (&sum, usage->input);
  add_field (&sum, usage->output);
  add_field (&sum, usage->cache_read);
  add_field (&sum, usage->cache_write);

  return sum;
}

/**
 * fore_usage_is_known:
 * @usage: a usage
 *
 * Returns: whether anything of @usage is known
 */
gboolean
fore_usage_is_known (const ForeUsage *usage)
{
  g_return_val_if_fail (usage != NULL, FALSE);

  return fore_usage_get_tokens (usage) >= 0 || usage->cost >= 0;
}

/**
 * fore_usage_equal:
 * @a: a usage
 * @b: another
 *
 * Returns: whether both say the same
 */
gboolean
fore_usage_equal (const ForeUsage *a, const ForeUsage *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  return a->input == b->input && a->output == b->output && a->cache_read == b->cache_read
         && a->cache_write == b->cache_write && a->cost == b->cost && a->estimated == b->estimated;
}
