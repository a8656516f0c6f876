/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-parser.h"

#include "model/fore-id.h"
#include "model/fore-quantity.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

static const ForeCtlOption common_options[] = {
  { "json", FORE_CTL_FLAG, NULL, N_ ("Answer as JSON") },
  { "no-colour", FORE_CTL_FLAG, NULL, N_ ("No colours, even on a terminal") },
  { "help", FORE_CTL_FLAG, NULL, N_ ("Show this help") },
  { NULL },
};

/**
 * fore_ctl_get_common_options:
 *
 * Returns: (transfer none): the options that every verb has
 */
const ForeCtlOption *
fore_ctl_get_common_options (void)
{
  return common_options;
}

static const ForeCtlOption *
find_in (const ForeCtlOption *options, const char *name)
{
  for (guint i = 0; options != NULL && options[i].name != NULL; i++)
    {
      if (strcmp (options[i].name, name) == 0)
        return &options[i];
    }

  return NULL;
}

static void
add_names (GPtrArray *names, const ForeCtlOption *options)
{
  for (guint i = 0; options != NULL && options[i].name != NULL; i++)
    g_ptr_array_add (names, (gpointer) options[i].name);
}

static void
set_unknown_option (ForeCtl *ctl, const char *name, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  const char *verb = ctl->verb != NULL ? ctl->verb->name : NULL;
  const char *nearest;

  add_names (names, common_options);
  add_names (names, ctl->verb != NULL ? ctl->verb->options : NULL);
  g_ptr_array_add (names, NULL);

  nearest = fore_id_find_nearest (name, (const char *const *) names->pdata, 3);
  if (nearest != NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                 _ ("There is no option --%s here; did you mean --%s?"), name, nearest);
  else if (verb != NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                 _ ("“%s” has no option --%s; see “foredeckctl %s --help”."), verb, name, verb);
  else
    g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                 _ ("There is no option --%s; see “foredeckctl --help”."), name);
}

static gboolean
check_choice (const ForeCtlOption *option, const char *value, GError **error)
{
  g_auto (GStrv) words = g_strsplit (option->value, "|", -1);
  const char *nearest;

  if (g_strv_contains ((const char *const *) words, value))
    return TRUE;

  nearest = fore_id_find_nearest (value, (const char *const *) words, 3);
  if (nearest != NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE, _ ("--%s cannot be “%s”; did you mean “%s”?"),
                 option->name, value, nearest);
  else
    g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE, _ ("--%s cannot be “%s”; it is one of %s."),
                 option->name, value, option->value);

  return FALSE;
}

/* A bare number would be milliseconds, which nobody who types one means. */
static gboolean
has_unit (const char *value)
{
  gsize length = strlen (value);

  return strcmp (value, "0") == 0 || (length > 0 && !g_ascii_isdigit (value[length - 1]));
}

static gboolean
check_value (const ForeCtlOption *option, const char *value, GError **error)
{
  guint64 number;
  gint64 ms;
  char *end;

  switch (option->type)
    {
    case FORE_CTL_CHOICE:
      return check_choice (option, value, error);

    case FORE_CTL_COUNT:
      if (g_ascii_string_to_unsigned (value, 10, 0, G_MAXINT, &number, NULL))
        return TRUE;
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE, _ ("--%s wants a whole number, not “%s”."),
                   option->name, value);
      return FALSE;

    case FORE_CTL_DURATION:
      if (has_unit (value) && fore_duration_parse (value, &ms))
        return TRUE;
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                   _ ("--%s wants a time such as “90 s” or “2 h”, not “%s”."), option->name, value);
      return FALSE;

    case FORE_CTL_COST:
      if (g_ascii_strtod (value, &end) >= 0 && end != value && *end == '\0'
          && isfinite (g_ascii_strtod (value, NULL)))
        return TRUE;
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                   _ ("--%s wants an amount in dollars such as 2.50, not “%s”."), option->name,
                   value);
      return FALSE;

    case FORE_CTL_FLAG:
    case FORE_CTL_TEXT:
    case FORE_CTL_TEXTS:
    default:
      return TRUE;
    }
}

/* One that may be given several times holds a line each. */
static void
put_option (ForeCtl *ctl, const ForeCtlOption *option, char *name, const char *value)
{
  const char *before = option->type == FORE_CTL_TEXTS ? g_hash_table_lookup (ctl->options, name)
                                                      : NULL;

  g_hash_table_replace (ctl->options, name,
                        before != NULL ? g_strconcat (before, "\n", value, NULL)
                                       : g_strdup (value));
}

/* The word after an option is its value, unless it is plainly the next option. */
static gboolean
is_option (ForeCtl *ctl, const char *word)
{
  g_autofree char *name = NULL;
  const char *equals;

  if (!g_str_has_prefix (word, "--") || word[2] == '\0')
    return FALSE;

  equals = strchr (word, '=');
  name = equals != NULL ? g_strndup (word + 2, equals - word - 2) : g_strdup (word + 2);

  return find_in (common_options, name) != NULL
         || (ctl->verb != NULL && find_in (ctl->verb->options, name) != NULL);
}

/* Takes an option that starts at argv[*i], and the word after it where it has a value there. */
static gboolean
take_option (ForeCtl *ctl, int argc, char *const *argv, int *i, GError **error)
{
  const char *text = argv[*i] + 2;
  const char *equals = strchr (text, '=');
  g_autofree char *name = equals != NULL ? g_strndup (text, equals - text) : g_strdup (text);
  const ForeCtlOption *option = find_in (common_options, name);
  const char *value = equals != NULL ? equals + 1 : NULL;

  if (option == NULL && ctl->verb != NULL)
    option = find_in (ctl->verb->options, name);
  if (option == NULL)
    {
      set_unknown_option (ctl, name, error);
      return FALSE;
    }

  if (option->type == FORE_CTL_FLAG && value != NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE, _ ("--%s takes no value."), name);
      return FALSE;
    }
  if (option->type != FORE_CTL_FLAG && value == NULL && *i + 1 < argc
      && !is_option (ctl, argv[*i + 1]))
    value = argv[++*i];
  if (option->type != FORE_CTL_FLAG && value == NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE, _ ("--%s wants a value: %s."), name,
                   option->value);
      return FALSE;
    }
  if (value != NULL && !g_utf8_validate (value, -1, NULL))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE, _ ("The value of --%s is not UTF-8."),
                   name);
      return FALSE;
    }
  if (value != NULL && !check_value (option, value, error))
    return FALSE;

  put_option (ctl, option, g_steal_pointer (&name), value);
  return TRUE;
}

static gboolean
take_verb (ForeCtl *ctl, const char *word, GError **error)
{
  const char *nearest;

  ctl->verb = fore_ctl_verbs_find (word);
  if (ctl->verb != NULL)
    return TRUE;

  fore_ctl_set_hint (ctl, _ ("“foredeckctl --help” lists the verbs."));
  nearest = fore_ctl_verbs_suggest (word);
  if (nearest != NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                 _ ("There is no verb “%s”; did you mean “%s”?"), word, nearest);
  else
    g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE, _ ("There is no verb “%s”."), word);

  return FALSE;
}

static gboolean
take_word (ForeCtl *ctl, const char *word, GError **error)
{
  if (!g_utf8_validate (word, -1, NULL))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE, _ ("An argument is not UTF-8."));
      return FALSE;
    }

  if (ctl->verb == NULL)
    return take_verb (ctl, word, error);

  g_ptr_array_add (ctl->words, g_strdup (word));
  return TRUE;
}

static gboolean
check_words (ForeCtl *ctl, GError **error)
{
  const ForeCtlVerb *verb = ctl->verb;
  g_autofree char *usage = NULL;

  if (verb == NULL || fore_ctl_has (ctl, "help"))
    return TRUE;

  usage = g_strdup_printf ("foredeckctl %s %s", verb->name, verb->synopsis);
  g_strchomp (usage);
  fore_ctl_set_hint (ctl, "%s", usage);
  if (ctl->words->len < verb->min_words)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE, _ ("Too few words: %s"), usage);
      return FALSE;
    }
  if (ctl->words->len > verb->max_words)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE, _ ("“%s” is one word too many: %s"),
                   (const char *) ctl->words->pdata[verb->max_words], usage);
      return FALSE;
    }

  g_clear_pointer (&ctl->hint, g_free);
  return TRUE;
}

/**
 * fore_ctl_parse:
 * @ctl: a new call
 * @argc: how many words
 * @argv: the words of the command line, the program's name first
 * @error: where to put an error
 *
 * Fills @ctl. It has no verb afterwards if none was given, which is fine with `--help` only.
 *
 * Returns: whether the command line is well-formed
 */
gboolean
fore_ctl_parse (ForeCtl *ctl, int argc, char *const *argv, GError **error)
{
  gboolean only_words = FALSE;

  g_return_val_if_fail (ctl != NULL, FALSE);

  for (int i = 1; i < argc; i++)
    {
      if (only_words || argv[i][0] != '-' || argv[i][1] == '\0')
        {
          if (!take_word (ctl, argv[i], error))
            return FALSE;
        }
      else if (strcmp (argv[i], "--") == 0)
        only_words = TRUE;
      else if (strcmp (argv[i], "-h") == 0)
        g_hash_table_replace (ctl->options, g_strdup ("help"), NULL);
      else if (ctl->verb == NULL && strcmp (argv[i], "--version") == 0)
        ctl->verb = fore_ctl_verbs_find ("version");
      else if (argv[i][1] != '-')
        {
          g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                       _ ("“%s” is no option; all are long ones, and “--” stands before words "
                          "that begin with a dash."),
                       argv[i]);
          return FALSE;
        }
      else if (!take_option (ctl, argc, argv, &i, error))
        return FALSE;
    }

  ctl->json = fore_ctl_has (ctl, "json");
  return check_words (ctl, error);
}
