/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-help.h"

#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-parser.h"

#include <glib/gi18n.h>
#include <string.h>

static JsonNode *
options_to_json (const ForeCtlOption *options)
{
  JsonNode *node = json_node_new (JSON_NODE_ARRAY);
  JsonArray *array = json_array_new ();

  for (guint i = 0; options != NULL && options[i].name != NULL; i++)
    {
      JsonObject *object = json_object_new ();

      json_object_set_string_member (object, "name", options[i].name);
      if (options[i].value != NULL)
        json_object_set_string_member (object, "value", options[i].value);
      json_object_set_string_member (object, "meaning", _ (options[i].meaning));
      json_array_add_object_element (array, object);
    }

  json_node_take_array (node, array);
  return node;
}

static JsonObject *
verb_to_json (const ForeCtlVerb *verb, gboolean with_options)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "verb", verb->name);
  json_object_set_string_member (object, "synopsis", verb->synopsis);
  json_object_set_string_member (object, "summary", _ (verb->summary));
  if (with_options)
    json_object_set_member (object, "options", options_to_json (verb->options));

  return object;
}

static void
print_verbs_json (ForeCtl *ctl)
{
  JsonObject *object = json_object_new ();
  JsonArray *array = json_array_new ();
  guint n_verbs;
  const ForeCtlVerb *verbs = fore_ctl_verbs_get (&n_verbs);

  for (guint i = 0; i < n_verbs; i++)
    json_array_add_object_element (array, verb_to_json (&verbs[i], FALSE));

  json_object_set_array_member (object, "verbs", array);
  fore_ctl_print_object (ctl, object);
}

static void
print_options (ForeCtl *ctl, const ForeCtlOption *options)
{
  for (guint i = 0; options != NULL && options[i].name != NULL; i++)
    {
      g_autofree char *left = options[i].value != NULL
                                  ? g_strdup_printf ("--%s %s", options[i].name, options[i].value)
                                  : g_strdup_printf ("--%s", options[i].name);

      if (strlen (left) > 26)
        fore_ctl_print (ctl, "  %s\n%30s%s\n", left, "", _ (options[i].meaning));
      else
        fore_ctl_print (ctl, "  %-26s  %s\n", left, _ (options[i].meaning));
    }
}

static void
print_verb (ForeCtl *ctl, const ForeCtlVerb *verb)
{
  fore_ctl_print (ctl, "%s%s %s%s%s\n\n%s\n\n", _ ("Usage: foredeckctl "), verb->name,
                  verb->synopsis, *verb->synopsis != '\0' ? " " : "", _ ("[OPTION…]"),
                  _ (verb->summary));
  fore_ctl_print_styled (ctl, FORE_CTL_BOLD, _ ("Options"));
  fore_ctl_write ("\n", 1);
  print_options (ctl, verb->options);
  print_options (ctl, fore_ctl_get_common_options ());
}

static void
print_verbs (ForeCtl *ctl)
{
  guint n_verbs;
  const ForeCtlVerb *verbs = fore_ctl_verbs_get (&n_verbs);

  fore_ctl_print (
      ctl, "%s\n\n%s\n\n", _ ("Usage: foredeckctl VERB [OPTION…] [WORD…]"),
      _ ("Directs crews of coding agents from the command line. Ids may be shortened."));
  for (guint i = 0; i < n_verbs; i++)
    {
      fore_ctl_write ("  ", 2);
      fore_ctl_print_styled (ctl, FORE_CTL_BOLD, verbs[i].name);
      fore_ctl_print (ctl, "%*s%s\n", (int) (14 - MIN (strlen (verbs[i].name), 13)), "",
                      _ (verbs[i].summary));
    }

  fore_ctl_print (
      ctl, "\n%s\n%s\n", _ ("“foredeckctl VERB --help” tells more about one of them."),
      _ ("Exit codes: 0 done, 1 failed, 2 wrong use, 3 waits for a person, 4 not found, "
         "5 refused, 6 store or machine unusable, 130 cancelled."));
}

/**
 * fore_ctl_print_help:
 * @ctl: a call
 * @verb: (nullable): the verb to explain, or %NULL for the list of all
 *
 * Prints help to standard output.
 */
void
fore_ctl_print_help (ForeCtl *ctl, const ForeCtlVerb *verb)
{
  if (ctl->json && verb != NULL)
    fore_ctl_print_object (ctl, verb_to_json (verb, TRUE));
  else if (ctl->json)
    print_verbs_json (ctl);
  else if (verb != NULL)
    print_verb (ctl, verb);
  else
    print_verbs (ctl);
}
