/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib.h>

#include "engine/fore-prompt.h"

static void
add (GPtrArray *blocks, const char *name, const char *text)
{
  ForePromptBlock *block = g_new0 (ForePromptBlock, 1);

  block->name = g_strdup (name);
  block->text = g_strdup (text);
  g_ptr_array_add (blocks, block);
}

static void
block_free (gpointer data)
{
  ForePromptBlock *block = data;

  g_free (block->name);
  g_free (block->text);
  g_free (block);
}

/* A text that holds headings of blocks, wherever in it, is not taken for those blocks. */
static void
test_headings_in_a_text (void)
{
  static const char *const texts[] = {
    "# Goal\nis what this file begins with",
    "one\n# Goal\ntwo\n# Results\n\n# Goal",
    "## Goal\n#Goal\n # Goal\n# Goals\n# goal\n# another",
    "\n\n# Goal\n",
    "no heading",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GPtrArray) blocks = g_ptr_array_new_with_free_func (block_free);
      g_autoptr (GPtrArray) apart = NULL;
      g_autofree char *prompt = NULL;

      add (blocks, "results", texts[i]);
      add (blocks, "contract", "End.");
      prompt = fore_prompt_join (blocks);
      apart = fore_prompt_split (prompt);

      g_assert_cmpuint (apart->len, ==, 2);
      g_assert_cmpstr (((ForePromptBlock *) g_ptr_array_index (apart, 0))->name, ==, "results");
      g_assert_cmpstr (((ForePromptBlock *) g_ptr_array_index (apart, 1))->name, ==, "contract");
      g_assert_cmpstr (((ForePromptBlock *) g_ptr_array_index (apart, 1))->text, ==,
                       "# Contract\n\nEnd.\n\n");
    }
}

/* Only those headings are marked, and nothing else of the text is changed. */
static void
test_rest_of_a_text (void)
{
  g_autoptr (GPtrArray) blocks = g_ptr_array_new_with_free_func (block_free);
  g_autofree char *prompt = NULL;

  add (blocks, "goal", "# Goal\na # b\n# Another\n\n# Files\nc\n\n");
  prompt = fore_prompt_join (blocks);
  g_assert_cmpstr (prompt, ==, "# Goal\n\n\\# Goal\na # b\n# Another\n\n\\# Files\nc\n\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/prompt/headings-in-a-text", test_headings_in_a_text);
  g_test_add_func ("/prompt/rest-of-a-text", test_rest_of_a_text);

  return g_test_run ();
}
