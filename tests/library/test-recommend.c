/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library-fixture.h"
#include "library/fore-recommend.h"

static const struct
{
  const char *goal;
  const char *team;
  ForeConfidence confidence;
} goals[] = {
  { "Fix a typo in the README", "fast-fix", FORE_CONFIDENCE_MEDIUM },
  { "The second page is broken", "fast-fix", FORE_CONFIDENCE_MEDIUM },
  { "Security review of the diff", "review", FORE_CONFIDENCE_HIGH },
  { "Please review the last commit", "review", FORE_CONFIDENCE_HIGH },
  { "Audit the login for vulnerabilities", "review", FORE_CONFIDENCE_HIGH },
  { "Research HTTP clients and compare sources", "research", FORE_CONFIDENCE_MEDIUM },
  { "Why does it start so slowly?", "research", FORE_CONFIDENCE_MEDIUM },
  { "Deep research over the whole codebase", "parallel-research", FORE_CONFIDENCE_HIGH },
  { "- add an export\n- write its tests\n- document it", "implementation", FORE_CONFIDENCE_HIGH },
  { "1. fix the parser\n2) speed up\n3. tidy", "implementation", FORE_CONFIDENCE_HIGH },
  { "Implement an export to CSV", "implementation", FORE_CONFIDENCE_MEDIUM },
  { "Research a library and add it", "implementation", FORE_CONFIDENCE_MEDIUM },
  { "Make it better", "default", FORE_CONFIDENCE_LOW },
  { "prefixes and additions", "default", FORE_CONFIDENCE_LOW },
  { "", "default", FORE_CONFIDENCE_LOW },
};

static void
test_goals (void)
{
  g_autoptr (ForeLibrary) library = fore_library_load (NULL, NULL, FALSE, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (goals); i++)
    {
      g_autoptr (ForeRecommendation) found = fore_recommend (library, goals[i].goal);

      if (g_strcmp0 (found->team, goals[i].team) != 0 || found->confidence != goals[i].confidence)
        g_error ("“%s” goes to %s (%s): %s", goals[i].goal, found->team,
                 fore_confidence_to_string (found->confidence), found->reason);
      g_assert_nonnull (fore_library_get_workflow (library, found->workflow));
      g_assert_cmpstr (found->reason, !=, "");
    }
}

static void
test_parts (void)
{
  g_autoptr (ForeLibrary) library = fore_library_load (NULL, NULL, FALSE, NULL);
  g_autoptr (ForeRecommendation) found = fore_recommend (
      library, "For the export:\n- add a button\n  * write a test of it\n3. document it\n-no item");
  const ForeRecommendedPart *const *parts
      = (const ForeRecommendedPart *const *) found->parts->pdata;

  g_assert_cmpuint (found->parts->len, ==, 3);
  g_assert_cmpstr (parts[0]->title, ==, "add a button");
  g_assert_cmpstr (parts[0]->role, ==, "executor");
  g_assert_cmpstr (parts[1]->role, ==, "test-engineer");
  g_assert_cmpstr (parts[2]->role, ==, "writer");
}

static void
test_teams_of_the_person_come_first (LibraryFixture *fixture, gconstpointer data)
{
  g_autofree char *path = library_fixture_write (
      fixture->user, "teams/tax.team.md",
      "---\nname: tax\ntriggers: Steuer, tax report\navoidWhen: typo\n---\n"
      "## Roles\n- executor: agent=executor\n",
      -1);
  g_autoptr (ForeLibrary) library = fore_library_load (fixture->user, NULL, FALSE, NULL);
  g_autoptr (ForeRecommendation) own = fore_recommend (library, "Fix the STEUER of May");
  g_autoptr (ForeRecommendation) avoided = fore_recommend (library, "A typo in the tax report");

  g_assert_cmpstr (own->team, ==, "tax");
  g_assert_cmpint (own->confidence, ==, FORE_CONFIDENCE_HIGH);
  g_assert_cmpstr (avoided->team, ==, "fast-fix");
  g_assert_nonnull (path);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/recommend/goals", test_goals);
  g_test_add_func ("/recommend/parts", test_parts);
  library_test ("/recommend/own-teams", test_teams_of_the_person_come_first);

  return g_test_run ();
}
