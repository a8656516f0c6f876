/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib.h>
#include <string.h>

#include "text/fore-redact.h"
#include "text/fore-secrets.h"

#define MARK "[secret hidden]"
#define ALNUM "0123456789abcdefghijABCDEFGHIJklmnopqrst"

/* Put together, so that nobody who scans these sources takes them for real ones. */
static const char *const secrets[] = {
  "gh"
  "p_0123456789abcdefghijABCDEFGHIJklmnop",
  "github"
  "_pat_" ALNUM ALNUM,
  "AK"
  "IAABCDEFGHIJKLMNOP",
  "xo"
  "xb-123456789012-abcdef",
  "AI"
  "za"
  "0123456789abcdefghijABCDEFGHIJklmno",
  "sk"
  "_live_0123456789abcdefghijABCD",
  "sk-"
  "ant-api03-0123456789_abcdefghij",
  "sk-"
  "proj-0123456789_abcdefghij",
  "sk-"
  "0123456789abcdefghij",
  "gl"
  "pat-0123456789_abcdefghi",
  "ey"
  "Jhbgabcdefgh.eyJzdWIiOiIxMjM0.SflKxwRJSMeKKF2QT4fw",
  "Bearer 0123abcd.efgh/ij+k=",
  "-----BEGIN RSA "
  "PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\nabc=\n-----END RSA "
  "PRIVATE KEY-----",
};

static void
test_every_form (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (secrets); i++)
    {
      g_autofree char *text = g_strdup_printf ("one %s, \"%s\"\nthree=%s\n", secrets[i], secrets[i],
                                               secrets[i]);
      g_autofree char *masked = fore_secrets_mask (text, FALSE);

      g_assert_cmpstr (masked, ==, "one " MARK ", \"" MARK "\"\nthree=" MARK "\n");
    }
}

static void
test_named (void)
{
  static const char *const texts[][2] = {
    { "password=hunter2 x", "password=" MARK " x" },
    { "DB_PASSWORD: hunter2", "DB_PASSWORD: " MARK },
    { "{\"apiKey\": \"a b\", \"n\": 1}", "{\"apiKey\": \"" MARK "\", \"n\": 1}" },
    { "Authorization: Basic dXNlcjpwYXNz\nHost: x", "Authorization: " MARK "\nHost: x" },
    { "client-secret='q w', y", "client-secret='" MARK "', y" },
    { "clientSecret=q", "clientSecret=" MARK },
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *masked = fore_secrets_mask (texts[i][0], TRUE);
      g_autofree char *kept = fore_secrets_mask (texts[i][0], FALSE);

      g_assert_cmpstr (masked, ==, texts[i][1]);
      g_assert_cmpstr (kept, ==, texts[i][0]);
    }
}

static void
test_what_is_no_secret (void)
{
  static const char *const texts[] = {
    "prompt_tokens: 123",
    "input_tokens=5 output_tokens=6",
    "capitalize the words",
    "sk-"
    "abc",
    "risk-assessment-of-a-very-long-name-indeed",
    "the bearer of this letter",
    "Bearer authentication is used",
    "monkey: banana",
    "a key, a token and a secret walk into a bar",
    "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
    "-----BEGIN RSA "
    "PRIVATE KEY----- and no end",
    "eyJ.eyJ.x",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *masked = fore_secrets_mask (texts[i], TRUE);

      g_assert_cmpstr (masked, ==, texts[i]);
    }
}

static void
test_the_redactor_hides_them_too (void)
{
  g_autoptr (ForeRedactor) redactor = fore_redactor_new ();
  g_autofree char *text = g_strconcat ("key ", secrets[0], " value mine-12345", NULL);
  g_autofree char *clean = NULL;

  fore_redactor_add (redactor, "MINE", "mine-12345");
  clean = fore_redactor_apply (redactor, text);
  g_assert_cmpstr (clean, ==, "key " MARK " value [MINE hidden]");
}

/* What repeats beginnings without an end must not be searched again for each of them. */
static void
test_hostile_sizes (void)
{
  static const char *const parts[] = { "-----BEGIN A "
                                       "PRIVATE KEY-----\n",
                                       "eyJ",
                                       "eyJabcdefgh.",
                                       "sk-",
                                       "ghp_",
                                       "key=",
                                       "\"password\": \"",
                                       "Bearer 1",
                                       "-",
                                       "a",
                                       "token",
                                       "-----BEGIN \n" };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autofree char *masked = NULL;
      gint64 begun;

      while (text->len < 500 * 1000)
        g_string_append (text, parts[i]);
      begun = g_get_monotonic_time ();
      masked = fore_secrets_mask (text->str, TRUE);
      g_test_message ("%s: %" G_GINT64_FORMAT " us", parts[i], g_get_monotonic_time () - begun);
      g_assert_cmpint (g_get_monotonic_time () - begun, <, 20 * G_USEC_PER_SEC);
      g_assert_cmpuint (strlen (masked), <=, text->len * strlen (MARK));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/secrets/forms", test_every_form);
  g_test_add_func ("/secrets/named", test_named);
  g_test_add_func ("/secrets/none", test_what_is_no_secret);
  g_test_add_func ("/secrets/redactor", test_the_redactor_hides_them_too);
  g_test_add_func ("/secrets/sizes", test_hostile_sizes);

  return g_test_run ();
}
