/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-alarm.h"

#include <string.h>

#define AT (G_GINT64_CONSTANT (1796119200) * G_USEC_PER_SEC)
#define HOME "/home/a \"b\" 100%/$d/<c>"
#define PROGRAM "/opt/fore $deck/foredeckctl"

static void
test_systemd_is_told (void)
{
  g_autofree char *service = fore_alarm_build_systemd_service (HOME, PROGRAM);
  g_autofree char *timer = fore_alarm_build_systemd_timer (AT);

  g_assert_nonnull (
      strstr (service, "Environment=\"FOREDECK_HOME=/home/a \\\"b\\\" 100%%/$d/<c>\"\n"));
  g_assert_nonnull (strstr (service, "ExecStart=\"/opt/fore $$deck/foredeckctl\" schedule tick\n"));
  g_assert_nonnull (strstr (timer, "OnCalendar=2026-12-01 10:00:00 UTC\n"));
}

/* What stands in XML can be read as XML and says the same. */

typedef struct
{
  GString *text;
} Read;

static void
on_text (
    GMarkupParseContext *context, const char *text, gsize length, gpointer data, GError **error)
{
  g_string_append_len (((Read *) data)->text, text, (gssize) length);
}

static void
test_xml_is_right (void)
{
  static const GMarkupParser parser = { .text = on_text };
  char *const texts[] = { fore_alarm_build_launchd (HOME, PROGRAM),
                          fore_alarm_build_task (HOME, PROGRAM, AT) };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      Read read = { g_string_new (NULL) };
      g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, &read,
                                                                            NULL);
      g_autoptr (GError) error = NULL;

      g_markup_parse_context_parse (context, texts[i], -1, &error);
      g_assert_no_error (error);
      g_markup_parse_context_end_parse (context, &error);
      g_assert_no_error (error);
      g_assert_nonnull (strstr (read.text->str, HOME));
      g_assert_nonnull (strstr (read.text->str, PROGRAM));
      g_string_free (read.text, TRUE);
      g_free (texts[i]);
    }
}

static void
test_each_home_has_its_own (void)
{
  g_autofree char *one = fore_alarm_dup_name ("/home/a");
  g_autofree char *other = fore_alarm_dup_name ("/home/b");

  g_assert_cmpstr (one, !=, other);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/alarm/systemd-is-told", test_systemd_is_told);
  g_test_add_func ("/alarm/xml-is-right", test_xml_is_right);
  g_test_add_func ("/alarm/each-home-has-its-own", test_each_home_has_its_own);

  return g_test_run ();
}
