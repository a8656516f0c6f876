/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "text/fore-secrets.h"

#include <string.h>

#define MARK "[secret hidden]"
/* Longer than any key; what has no end before is no key. */
#define MAX_KEY_BLOCK (16 * 1024)

typedef gboolean (*IsPart) (char c);

/* Forms as their issuers document them: a beginning, and at least so many characters after it. */
typedef struct
{
  const char *prefix;
  guint min;
  IsPart is_part;
} Form;

static gboolean
is_alnum (char c)
{
  return g_ascii_isalnum (c);
}

static gboolean
is_upper (char c)
{
  return g_ascii_isupper (c) || g_ascii_isdigit (c);
}

static gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '-';
}

static const Form forms[] = {
  { "ghp_", 36, is_alnum },     { "gho_", 36, is_alnum },   { "ghu_", 36, is_alnum },
  { "ghs_", 36, is_alnum },     { "ghr_", 36, is_alnum },   { "github_pat_", 40, is_word },
  { "AKIA", 16, is_upper },     { "ASIA", 16, is_upper },   { "xoxb-", 10, is_word },
  { "xoxa-", 10, is_word },     { "xoxp-", 10, is_word },   { "xoxr-", 10, is_word },
  { "xoxs-", 10, is_word },     { "AIza", 35, is_word },    { "sk_live_", 24, is_alnum },
  { "rk_live_", 24, is_alnum }, { "sk-ant-", 20, is_word }, { "sk-proj-", 20, is_word },
  { "sk-or-v1-", 20, is_word }, { "sk-", 20, is_alnum },    { "glpat-", 20, is_word },
  { "npm_", 36, is_alnum },     { "hf_", 30, is_alnum },
};

static gsize
count_parts (const char *text, IsPart is_part)
{
  gsize n = 0;

  while (is_part (text[n]))
    n++;

  return n;
}

static gsize
match_form (const char *text)
{
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      gsize prefix = strlen (forms[i].prefix);
      gsize n;

      if (strncmp (text, forms[i].prefix, prefix) != 0)
        continue;

      n = count_parts (text + prefix, forms[i].is_part);
      if (n >= forms[i].min)
        return prefix + n;
    }

  return 0;
}

/* A JSON Web Token (RFC 7519): three parts in base64url, of which the first two begin an object. */
static gsize
match_jwt (const char *text)
{
  gsize length = 0;

  for (guint i = 0; i < 3; i++)
    {
      gsize n = count_parts (text + length, is_word);

      if (n < 8 || (i < 2 && (strncmp (text + length, "eyJ", 3) != 0 || text[length + n] != '.')))
        return 0;
      length += n + (i < 2);
    }

  return length;
}

/* The place of the key's end is looked for once for all beginnings before it. */
static gsize
match_key_block (const char *text, const char **end)
{
  const char *line = text + strcspn (text, "\n");
  const char *begin = g_strstr_len (text, line - text, "PRIVATE KEY-----");

  if (begin == NULL)
    return 0;

  begin += strlen ("PRIVATE KEY-----");
  if (*end == NULL || *end < begin)
    *end = strstr (begin, "-----END ");
  if (*end == NULL)
    {
      *end = text + strlen (text);
      return 0;
    }
  if (**end == '\0' || *end - text > MAX_KEY_BLOCK)
    return 0;

  line = *end + strlen ("-----END ");
  begin = g_strstr_len (line, (gssize) strcspn (line, "\n"), "-----");

  return begin != NULL ? (gsize) (begin + strlen ("-----") - text) : 0;
}

static gboolean
is_token (char c)
{
  return is_word (c) || strchr ("._~+/=", c) != NULL;
}

/* `Bearer` is also a word of prose, which has no digits in it. */
static gsize
match_bearer (const char *text)
{
  gsize prefix = strlen ("Bearer ");
  gsize n = 0;
  gboolean digit = FALSE;

  if (g_ascii_strncasecmp (text, "Bearer ", prefix) != 0)
    return 0;

  while (text[prefix + n] != '\0' && is_token (text[prefix + n]))
    digit |= g_ascii_isdigit (text[prefix + n++]) != 0;

  return n >= 8 && digit ? prefix + n : 0;
}

static const char *const secret_words[] = { "token",   "apikey",     "api_key",       "api-key",
                                            "key",     "password",   "passwd",        "secret",
                                            "private", "credential", "authorization", NULL };

static gboolean
ends_with_secret_word (const char *name, gsize length)
{
  for (guint i = 0; secret_words[i] != NULL; i++)
    {
      gsize n = strlen (secret_words[i]);
      const char *word = name + length - n;
      gboolean starts;

      if (length < n || g_ascii_strncasecmp (word, secret_words[i], n) != 0)
        continue;

      starts = length == n || !g_ascii_isalnum (word[-1])
               || (g_ascii_islower (word[-1]) && g_ascii_isupper (word[0]));
      if (starts)
        return TRUE;
    }

  return FALSE;
}

/* The value of a name that sounds secret: `name=value`, `name: value`, `"name": "value"`. Gives
 * what stays in @kept.
 */
static gsize
match_named (const char *text, gsize *kept)
{
  gsize name = count_parts (text, is_word);
  gsize place = name;
  gsize value;
  gboolean whole_line;

  if (name == 0 || !ends_with_secret_word (text, name))
    return 0;

  whole_line = name >= 13 && g_ascii_strncasecmp (text + name - 13, "authorization", 13) == 0;
  place += text[place] == '"' || text[place] == '\'';
  place += strspn (text + place, " \t");
  if (text[place] != '=' && text[place] != ':')
    return 0;

  place += 1 + strspn (text + place + 1, " \t");
  if (text[place] == '"' || text[place] == '\'')
    {
      value = strcspn (text + place + 1, text[place] == '"' ? "\"\n" : "'\n");
      place++;
    }
  else
    value = strcspn (text + place, whole_line ? "\r\n" : " \t\r\n,;)}]");

  *kept = place;

  return value > 0 ? place + value : 0;
}

typedef struct
{
  const char *key_end; /* of the next private key */
  gboolean named;
} Search;

/* A name is looked at once, from where it begins. */
static gsize
match (Search *search, const char *text, char before, gsize *kept)
{
  gsize length = 0;

  *kept = 0;
  if (text[0] == '-' && strncmp (text, "-----BEGIN ", 11) == 0)
    length = match_key_block (text, &search->key_end);
  if (length > 0 || is_word (before))
    return length;

  if (text[0] == 'e' && strncmp (text, "eyJ", 3) == 0)
    length = match_jwt (text);
  else if (strchr ("gAxsrnh", text[0]) != NULL)
    length = match_form (text);
  if (length == 0 && (text[0] == 'B' || text[0] == 'b'))
    length = match_bearer (text);
  if (length == 0 && search->named)
    length = match_named (text, kept);

  return length;
}

/**
 * fore_secrets_mask:
 * @text: a text
 * @named: whether values are also hidden that only their name makes secret, as in `password=`; for
 *   what leaves the machine, not for what is still to be worked with
 *
 * Hides private keys, JSON Web Tokens, `Bearer` tokens and the keys of well-known services, by the
 * forms that these document. What is encoded in another way is not found. Time is linear.
 *
 * Returns: (transfer full): @text with a mark in place of each
 */
char *
fore_secrets_mask (const char *text, gboolean named)
{
  Search search = { NULL, named };
  GString *masked;
  char before = '\0';

  g_return_val_if_fail (text != NULL, NULL);

  masked = g_string_sized_new (strlen (text));
  while (*text != '\0')
    {
      gsize kept = 0;
      gsize length = match (&search, text, before, &kept);

      if (length == 0)
        {
          before = *text;
          g_string_append_c (masked, *text++);
          continue;
        }

      g_string_append_len (masked, text, kept);
      g_string_append (masked, MARK);
      text += length;
      before = text[-1];
    }

  return g_string_free (masked, FALSE);
}
