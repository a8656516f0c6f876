/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "text/fore-json.h"

G_BEGIN_DECLS

/**
 * ForeJsonSlice:
 * @text: where the value stands; a string without its quotes
 * @length: bytes of it
 * @kind: first token of it; %FORE_JSON_END if there is no value
 * @escaped: whether a string has escapes
 *
 * A value inside a document that stays in memory: nothing is copied until it is asked for. All
 * getters give their fallback for a value of another kind, so that a chain of them needs no checks.
 */
typedef struct
{
  const char *text;
  gsize length;
  ForeJsonToken kind;
  gboolean escaped;
} ForeJsonSlice;

/**
 * ForeJsonSliceIter:
 *
 * Walks over the elements of an array or the members of an object.
 */
typedef struct
{
  ForeJsonScanner scanner;
} ForeJsonSliceIter;

gboolean
fore_json_slice_read (ForeJsonSlice *slice, const char *text, gsize length, guint max_depth);
gboolean fore_json_slice_read_members (const char *text,
                                       gsize length,
                                       guint max_depth,
                                       const char *const *names,
                                       guint n_names,
                                       ForeJsonSlice *values);
void fore_json_slice_get_members (const ForeJsonSlice *object,
                                  const char *const *names,
                                  guint n_names,
                                  ForeJsonSlice *values);
void
fore_json_slice_get_member (const ForeJsonSlice *object, const char *name, ForeJsonSlice *value);

void fore_json_slice_iter_init (ForeJsonSliceIter *iter, const ForeJsonSlice *container);
gboolean
fore_json_slice_iter_next (ForeJsonSliceIter *iter, ForeJsonSlice *key, ForeJsonSlice *value);

gboolean fore_json_slice_exists (const ForeJsonSlice *slice);
gboolean fore_json_slice_equals (const ForeJsonSlice *slice, const char *text);
char *fore_json_slice_dup_string (const ForeJsonSlice *slice);
char *fore_json_slice_dup_json (const ForeJsonSlice *slice);
gint64 fore_json_slice_get_int (const ForeJsonSlice *slice, gint64 fallback);
double fore_json_slice_get_double (const ForeJsonSlice *slice, double fallback);
gboolean fore_json_slice_get_bool (const ForeJsonSlice *slice, gboolean fallback);

G_END_DECLS
