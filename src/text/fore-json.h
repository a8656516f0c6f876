/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * ForeJsonLimits:
 * @max_depth: most brackets open at once
 * @max_bytes: largest document
 *
 * json-glib overflows the stack on deep nesting, wraps large numbers and accepts trailing garbage
 * (measured with 1.6.6), so every document is scanned before it sees it.
 */
typedef struct
{
  guint max_depth;
  gsize max_bytes;
} ForeJsonLimits;

#define FORE_JSON_DEFAULT_LIMITS ((ForeJsonLimits){ 64, 64 * 1024 * 1024 })

/**
 * ForeJsonScanner:
 *
 * Pull scanner over one JSON document in memory: checks syntax, depth, numbers and trailing garbage
 * in the same pass in which a caller picks values out. Allocates nothing; strings are decoded on
 * demand. The start, length and kind of each token are those in the text.
 */
typedef enum
{
  FORE_JSON_END,
  FORE_JSON_ERROR,
  FORE_JSON_OBJECT_START,
  FORE_JSON_OBJECT_END,
  FORE_JSON_ARRAY_START,
  FORE_JSON_ARRAY_END,
  FORE_JSON_KEY,
  FORE_JSON_STRING,
  FORE_JSON_NUMBER,
  FORE_JSON_TRUE,
  FORE_JSON_FALSE,
  FORE_JSON_NULL,
} ForeJsonToken;

#define FORE_JSON_MAX_DEPTH 256

typedef struct
{
  const char *text;
  gsize length;
  gsize position;
  guint depth;
  guint max_depth;
  ForeJsonToken token;
  gsize token_start;
  gsize token_length;
  gboolean token_escaped;
  const char *problem;
  guint8 state;
  guint8 stack[FORE_JSON_MAX_DEPTH / 8];
} ForeJsonScanner;

void
fore_json_scanner_init (ForeJsonScanner *scanner, const char *text, gssize length, guint max_depth);
ForeJsonToken fore_json_scanner_next (ForeJsonScanner *scanner);
gboolean fore_json_scanner_skip (ForeJsonScanner *scanner);
gboolean fore_json_scanner_equals (const ForeJsonScanner *scanner, const char *text);
char *fore_json_scanner_dup_string (const ForeJsonScanner *scanner);
gint64 fore_json_scanner_get_int (const ForeJsonScanner *scanner, gint64 fallback);
double fore_json_scanner_get_double (const ForeJsonScanner *scanner, double fallback);

/* Documents. */
JsonNode *
fore_json_parse (const char *text, gssize length, const ForeJsonLimits *limits, GError **error);
JsonNode *fore_json_load_file (const char *path, const ForeJsonLimits *limits, GError **error);
char *fore_json_to_string (JsonNode *node, gboolean pretty);
void fore_json_append_string (GString *out, const char *text);
void fore_json_set_text (JsonObject *object, const char *member, const char *text);

/* Tolerant getters: a missing member or one of another type gives the fallback. */
const char *fore_json_get_string (JsonObject *object, const char *member, const char *fallback);
gint64 fore_json_get_int (JsonObject *object, const char *member, gint64 fallback);
double fore_json_get_double (JsonObject *object, const char *member, double fallback);
gboolean fore_json_get_bool (JsonObject *object, const char *member, gboolean fallback);
JsonObject *fore_json_get_object (JsonObject *object, const char *member);
JsonArray *fore_json_get_array (JsonObject *object, const char *member);
GStrv fore_json_dup_strv (JsonObject *object, const char *member);

G_END_DECLS
