/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "text/fore-sanitise.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Coded data of this length is no word, path or hash. */
#define MIN_BLOB 200
/* `SYSTEM:` */
#define SHORTEST 7

typedef struct
{
  ForeSanitiseLevel level;
  ForeSanitiseFunc report;
  gpointer user_data;
  guint line;
  ForeSanitiseKind last_kind;
  guint last_line;
} Sanitiser;

static void
say (Sanitiser *self, ForeSanitiseKind kind)
{
  if (self->report == NULL || (self->last_line == self->line && self->last_kind == kind))
    return;

  self->last_line = self->line;
  self->last_kind = kind;
  self->report (self->line, kind, self->user_data);
}

/* Zero width, direction, invisible operators, tags; a soft hyphen hides inside a word as well. */
static gboolean
is_hidden (gunichar c)
{
  return c == 0xad || (c >= 0x200b && c <= 0x200f) || (c >= 0x202a && c <= 0x202e)
         || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xe0000 && c <= 0xe007f)
         || (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
}

static char *
remove_hidden (Sanitiser *self, const char *text)
{
  GString *result = g_string_sized_new (strlen (text));

  self->line = 1;
  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    {
      gunichar letter = g_utf8_get_char (c);

      if (is_hidden (letter))
        say (self, FORE_SANITISE_HIDDEN);
      else
        g_string_append_len (result, c, g_utf8_next_char (c) - c);
      self->line += letter == '\n';
    }

  return g_string_free (result, FALSE);
}

static gboolean
starts_with (const char *text, const char *word)
{
  return g_ascii_strncasecmp (text, word, strlen (word)) == 0;
}

/* Length of the comment or script at @text, 0 if there is none. One without an end hides the rest.
 */
static gsize
measure_comment (const char *text)
{
  const char *end, *mark;

  if (starts_with (text, "<!--"))
    mark = "-->";
  else if (starts_with (text, "<script"))
    mark = "</script>";
  else
    return 0;

  for (end = text; *end != '\0'; end++)
    {
      if (starts_with (end, mark))
        return (gsize) (end - text) + strlen (mark);
    }

  return strlen (text);
}

/* Line feeds stay, so that what is below keeps its line. */
static char *
remove_comments (Sanitiser *self, const char *text)
{
  GString *result = g_string_sized_new (strlen (text));

  self->line = 1;
  while (*text != '\0')
    {
      gsize length = *text == '<' ? measure_comment (text) : 0;

      if (length == 0)
        {
          self->line += *text == '\n';
          g_string_append_c (result, *text++);
          continue;
        }

      say (self, FORE_SANITISE_COMMENT);
      for (gsize i = 0; i < length; i++, text++)
        {
          if (*text != '\n')
            continue;
          self->line++;
          g_string_append_c (result, '\n');
        }
    }

  return g_string_free (result, FALSE);
}

static gboolean
contains_one (const char *text, const char *const *words)
{
  gboolean starts[256] = { FALSE };

  for (guint i = 0; words[i] != NULL; i++)
    starts[(guchar) words[i][0]] = TRUE;

  for (; *text != '\0'; text++)
    {
      for (guint i = 0; starts[(guchar) *text] && words[i] != NULL; i++)
        {
          if (*text == words[i][0] && strncmp (text, words[i], strlen (words[i])) == 0)
            return TRUE;
        }
    }

  return FALSE;
}

/* A line such as `SYSTEM: …`, `[system] …`, `<instructions>`, or one that wants all else ignored.
 */
static gboolean
poses_as_order (const char *line, const char *lower)
{
  static const char *const heads[] = { "SYSTEM", "INSTRUCTION", "OVERRIDE", "IGNORE", "DEVELOPER" };
  static const char *const wishes[] = { "ignore previous instructions",
                                        "ignore all previous",
                                        "ignore all prior",
                                        "ignore the instructions above",
                                        "disregard previous",
                                        "disregard all previous",
                                        "forget your previous instructions",
                                        NULL };
  static const char *const fences[] = { "```system", "~~~system", "```instruction", NULL };
  gboolean bracketed;

  while (*line == ' ' || *line == '\t' || *line == '>' || *line == '*' || *line == '#')
    line++;
  bracketed = *line == '[' || *line == '<' || *line == '(';
  line += bracketed + (bracketed && line[1] == '/');

  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    {
      gsize length = strlen (heads[i]);

      if ((bracketed ? g_ascii_strncasecmp (line, heads[i], length)
                     : strncmp (line, heads[i], length))
          != 0)
        continue;
      length += line[length] == 'S' || line[length] == 's';
      if (strchr (bracketed ? ":]>)" : ":", line[length]) != NULL && line[length] != '\0')
        return TRUE;
    }

  return contains_one (lower, wishes) || contains_one (lower, fences);
}

static gboolean
has_blob (const char *line, const char *lower)
{
  static const char *const runs[] = { "eval(", "exec(", "eval (", "exec (", NULL };
  static const char *const decodes[] = { "base64", "atob", "decode", "fromhex", NULL };
  gsize length = 0;

  if (contains_one (lower, runs) && contains_one (lower, decodes))
    return TRUE;

  for (; *line != '\0'; line++)
    {
      length = g_ascii_isalnum (*line) || strchr ("+/=_-", *line) != NULL ? length + 1 : 0;
      if (length >= MIN_BLOB)
        return TRUE;
    }

  return FALSE;
}

/* A line that wants a secret to be sent, unless it forbids it. */
static gboolean
asks_for_secrets (const char *lower)
{
  static const char *const secrets[] = { "secret",  "token",   "password", "credential",
                                         "api key", "api_key", "apikey",   "private key",
                                         ".env",    "id_rsa",  ".ssh",     ".netrc",
                                         NULL };
  static const char *const sends[] = { "curl ", "wget ", "fetch(",     "http post", "netcat",
                                       "nc -",  "scp ",  "exfiltrate", "upload ",   "send ",
                                       "post ", "leak",  NULL };
  static const char *const forbids[] = { "never",   "not ",    "n't ",     "no ", "avoid",
                                         "without", "whether", "must not", NULL };
  static const char *const poses[]
      = { "role=", "persona=", "behavior=", "behaviour=", "directive=", NULL };

  for (guint i = 0; poses[i] != NULL; i++)
    {
      if (g_str_has_prefix (lower + strspn (lower, " \t"), poses[i]))
        return TRUE;
    }

  return contains_one (lower, secrets) && contains_one (lower, sends)
         && !contains_one (lower, forbids);
}

/* What is wrong with a line as a whole, or %FORE_SANITISE_N_KINDS. */
static ForeSanitiseKind
judge_line (Sanitiser *self, const char *line)
{
  g_autofree char *lower = NULL;

  /* Most lines of long files: none of our words has room. */
  if (line[0] == '\0' || line[1] == '\0' || strlen (line) < SHORTEST)
    return FORE_SANITISE_N_KINDS;

  lower = g_ascii_strdown (line, -1);

  if (poses_as_order (line, lower))
    return FORE_SANITISE_ORDERS;
  if (has_blob (line, lower))
    return FORE_SANITISE_BLOB;
  if (self->level == FORE_SANITISE_FOREIGN && asks_for_secrets (lower))
    return FORE_SANITISE_SECRETS;

  return FORE_SANITISE_N_KINDS;
}

/**
 * fore_sanitise:
 * @text: UTF-8 that is to be put before an agent
 * @level: how much it is trusted
 * @report: (nullable) (scope call): told of each line from which something was taken
 * @user_data: data for @report
 *
 * Takes out of a text what is meant for an agent and not for the person who reads it. A line that
 * is no good as a whole becomes `[removed]`; lines keep their numbers.
 *
 * Returns: (transfer full): the text without it
 */
char *
fore_sanitise (const char *text,
               ForeSanitiseLevel level,
               ForeSanitiseFunc report,
               gpointer user_data)
{
  Sanitiser self = { level, report, user_data, 1, FORE_SANITISE_N_KINDS, 0 };
  g_autofree char *visible = NULL;
  g_autofree char *plain = NULL;
  g_auto (GStrv) lines = NULL;

  g_return_val_if_fail (text != NULL, NULL);

  visible = remove_hidden (&self, text);
  plain = remove_comments (&self, visible);
  /* not g_strsplit(), which looks at all that is left for each line */
  lines = g_strsplit_set (plain, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      ForeSanitiseKind kind = judge_line (&self, lines[i]);

      if (kind == FORE_SANITISE_N_KINDS)
        continue;
      self.line = i + 1;
      say (&self, kind);
      g_free (lines[i]);
      lines[i] = g_strdup ("[removed]");
    }

  return g_strjoinv ("\n", lines);
}

/**
 * fore_sanitise_describe:
 * @kind: what was taken out
 *
 * Returns: (transfer none): a sentence that says so
 */
const char *
fore_sanitise_describe (ForeSanitiseKind kind)
{
  static const char *const sentences[FORE_SANITISE_N_KINDS] = {
    [FORE_SANITISE_HIDDEN] = N_ ("Characters that nobody sees were taken out of this line."),
    [FORE_SANITISE_COMMENT] = N_ ("A comment or script that nobody sees was taken out."),
    [FORE_SANITISE_ORDERS] = N_ ("This line poses as an order of the system and was taken out."),
    [FORE_SANITISE_BLOB] = N_ ("Coded data, or a call that runs it, was taken out."),
    [FORE_SANITISE_SECRETS] = N_ (
        "This line wants secrets sent or a role taken; it was taken out."),
  };

  g_return_val_if_fail ((guint) kind < FORE_SANITISE_N_KINDS, "");

  return _ (sentences[kind]);
}
