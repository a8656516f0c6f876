/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-chain.h"

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

static guint
count (GPtrArray *nodes)
{
  guint n = nodes->len;

  for (guint i = 0; i < nodes->len; i++)
    {
      const ForeChainNode *node = g_ptr_array_index (nodes, i);

      g_assert_cmpuint (node->times, >=, 1);
      g_assert_cmpuint (node->times, <=, FORE_CHAIN_MAX_TIMES);
      g_assert_true ((node->kind == FORE_CHAIN_PARALLEL) == (node->branches != NULL));
      g_assert_true ((node->kind != FORE_CHAIN_PARALLEL)
                     == (node->text != NULL && *node->text != '\0'));
      for (guint j = 0; node->branches != NULL && j < node->branches->len; j++)
        n += count (g_ptr_array_index (node->branches, j));
    }

  return n;
}

/* Whatever a person types, it is a chain within the limits or an error that says where. */
int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) nodes = fore_chain_parse (text, &error);

  g_assert_true ((nodes == NULL) == (error != NULL));
  if (nodes != NULL)
    {
      g_assert_cmpuint (nodes->len, >, 0);
      g_assert_cmpuint (count (nodes), <=, FORE_CHAIN_MAX_STEPS);
    }

  return 0;
}
