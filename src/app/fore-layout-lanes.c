/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-layout-lanes.h"

#include <math.h>

/* Above this many nets in a gap no pairs are compared. */
#define MAX_COMPARED 256u
#define MAX_ORDERED 2000u
#define TOUCH 0.5

/* Two lines that would lie on each other are worse than any number of crossings. */
#define OVERLAP_COST 1000

ForeLayoutNet *
fore_layout_net_new (void)
{
  ForeLayoutNet *self = g_new0 (ForeLayoutNet, 1);

  self->min = INFINITY;
  self->max = -INFINITY;
  self->upper = g_array_new (FALSE, FALSE, sizeof (double));
  self->lower = g_array_new (FALSE, FALSE, sizeof (double));

  return self;
}

void
fore_layout_net_free (ForeLayoutNet *self)
{
  g_array_unref (self->upper);
  g_array_unref (self->lower);
  g_free (self);
}

void
fore_layout_net_add (ForeLayoutNet *self, gboolean upper, double x)
{
  GArray *ends = upper ? self->upper : self->lower;

  g_array_append_val (ends, x);
  self->min = MIN (self->min, x);
  self->max = MAX (self->max, x);
}

gboolean
fore_layout_net_is_straight (const ForeLayoutNet *self)
{
  return self->max - self->min < TOUCH;
}

static gboolean
nets_overlap (const ForeLayoutNet *a, const ForeLayoutNet *b)
{
  return a->min <= b->max + TOUCH && b->min <= a->max + TOUCH;
}

static int
count_inside (const GArray *ends, const ForeLayoutNet *net)
{
  int n = 0;

  for (guint i = 0; i < ends->len; i++)
    {
      double x = g_array_index (ends, double, i);

      n += x > net->min - TOUCH && x < net->max + TOUCH;
    }

  return n;
}

static int
count_equal (const GArray *a, const GArray *b)
{
  int n = 0;

  for (guint i = 0; i < a->len; i++)
    for (guint k = 0; k < b->len; k++)
      n += fabs (g_array_index (a, double, i) - g_array_index (b, double, k)) < TOUCH;

  return n;
}

/* What it costs that @above lies over @below. */
static int
get_cost (const ForeLayoutNet *above, const ForeLayoutNet *below)
{
  return count_inside (above->lower, below) + count_inside (below->upper, above)
         + OVERLAP_COST * count_equal (above->lower, below->upper);
}

static double
get_mean (const GArray *ends)
{
  double sum = 0;

  for (guint i = 0; i < ends->len; i++)
    sum += g_array_index (ends, double, i);

  return ends->len > 0 ? sum / ends->len : 0;
}

static int
compare_numbers (double a, double b)
{
  return a < b ? -1 : a > b;
}

/* Of lines that go to the right, the rightmost belongs on top; of those that go left, the leftmost:
 * so parallel lines do not cross.
 */
static int
compare_direction (gconstpointer a, gconstpointer b)
{
  const ForeLayoutNet *left = *(ForeLayoutNet *const *) a;
  const ForeLayoutNet *right = *(ForeLayoutNet *const *) b;
  gboolean left_goes_right = get_mean (left->lower) >= get_mean (left->upper);
  gboolean right_goes_right = get_mean (right->lower) >= get_mean (right->upper);

  if (left_goes_right != right_goes_right)
    return left_goes_right ? -1 : 1;
  if (left_goes_right)
    return compare_numbers (right->min, left->min);

  return compare_numbers (left->max, right->max);
}

static int
compare_begin (gconstpointer a, gconstpointer b)
{
  return compare_numbers ((*(ForeLayoutNet *const *) a)->min, (*(ForeLayoutNet *const *) b)->min);
}

/* Takes, one after the other, the net that costs least above all that are left. */
static void
order_by_cost (GPtrArray *nets)
{
  guint n = nets->len;
  g_autofree int *cost = g_new0 (int, n);

  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < n; k++)
      if (i != k && nets_overlap (nets->pdata[i], nets->pdata[k]))
        cost[i] += get_cost (nets->pdata[i], nets->pdata[k])
                   - get_cost (nets->pdata[k], nets->pdata[i]);

  for (guint i = 0; i < n; i++)
    {
      guint best = i;
      gpointer net;

      for (guint k = i + 1; k < n; k++)
        if (cost[k] < cost[best])
          best = k;
      net = nets->pdata[best];
      memmove (nets->pdata + i + 1, nets->pdata + i, (best - i) * sizeof (gpointer));
      memmove (cost + i + 1, cost + i, (best - i) * sizeof (int));
      nets->pdata[i] = net;
      for (guint k = i + 1; k < n; k++)
        if (nets_overlap (net, nets->pdata[k]))
          cost[k] -= get_cost (nets->pdata[k], net) - get_cost (net, nets->pdata[k]);
    }
}

static guint
assign_in_order (GPtrArray *nets)
{
  guint n_slots = 0;

  for (guint i = 0; i < nets->len; i++)
    {
      ForeLayoutNet *net = nets->pdata[i];

      net->slot = 0;
      for (guint k = 0; k < i; k++)
        {
          const ForeLayoutNet *other = nets->pdata[k];

          if (other->slot >= net->slot && nets_overlap (net, other))
            net->slot = other->slot + 1;
        }
      n_slots = MAX (n_slots, net->slot + 1);
    }

  return n_slots;
}

/* So many nets cannot be followed by eye: they only get lanes of their own. */
static guint
assign_first_fit (GPtrArray *nets)
{
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (double));

  g_ptr_array_sort (nets, compare_begin);
  for (guint i = 0; i < nets->len; i++)
    {
      ForeLayoutNet *net = nets->pdata[i];
      guint slot = 0;

      while (slot < ends->len && g_array_index (ends, double, slot) + TOUCH >= net->min)
        slot++;
      net->slot = slot;
      if (slot == ends->len)
        g_array_append_val (ends, net->max);
      else
        g_array_index (ends, double, slot) = net->max;
    }

  return ends->len;
}

/* Gives each net of a gap its lane, so that no two lie on each other and few cross. Reorders
 * @nets. Returns how many lanes are needed.
 */
guint
fore_layout_lanes_assign (GPtrArray *nets)
{
  if (nets->len > MAX_ORDERED)
    return assign_first_fit (nets);

  g_ptr_array_sort (nets, compare_direction);
  if (nets->len > 1 && nets->len <= MAX_COMPARED)
    order_by_cost (nets);

  return assign_in_order (nets);
}
