/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-diff-doc.h"

#include "text/fore-text.h"

#include <stdlib.h>
#include <string.h>

#define MAX_LINE_CHARS 4000

/* A pair of lines is marked inside only when at least this much of the longer one is common. */
#define LEAST_COMMON_PERCENT 30

struct _ForeDiffDoc
{
  gatomicrefcount ref_count;
  GPtrArray *files;
  guint next_old;
  guint next_new;
};

G_DEFINE_BOXED_TYPE (ForeDiffDoc, fore_diff_doc, fore_diff_doc_ref, fore_diff_doc_unref)

static void
clear_line (gpointer data)
{
  ForeDiffDocLine *line = data;

  g_free (line->text);
}

static void
hunk_free (gpointer data)
{
  ForeDiffDocHunk *hunk = data;

  g_free (hunk->heading);
  g_array_unref (hunk->lines);
  g_free (hunk);
}

static void
file_free (gpointer data)
{
  ForeDiffDocFile *file = data;

  g_free (file->path);
  g_free (file->old_path);
  g_ptr_array_unref (file->hunks);
  g_free (file);
}

/**
 * fore_diff_doc_new:
 *
 * Returns: (transfer full): changes without any file
 */
ForeDiffDoc *
fore_diff_doc_new (void)
{
  ForeDiffDoc *self = g_new0 (ForeDiffDoc, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->files = g_ptr_array_new_with_free_func (file_free);

  return self;
}

ForeDiffDoc *
fore_diff_doc_ref (ForeDiffDoc *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
fore_diff_doc_unref (ForeDiffDoc *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_ptr_array_unref (self->files);
  g_free (self);
}

/**
 * fore_diff_doc_add_file:
 * @self: changes
 * @path: the path of the file now
 * @old_path: (nullable): its path before, if it was another
 * @state: what happened to it
 * @binary: whether there are no lines to show
 *
 * Begins a file; hunks that are added from now on are its.
 */
void
fore_diff_doc_add_file (ForeDiffDoc *self,
                        const char *path,
                        const char *old_path,
                        ForeDiffFileState state,
                        gboolean binary)
{
  ForeDiffDocFile *file;

  g_return_if_fail (self != NULL);
  g_return_if_fail (path != NULL);

  file = g_new0 (ForeDiffDocFile, 1);
  file->path = g_strdup (path);
  file->old_path = g_strdup (old_path);
  file->state = state;
  file->binary = binary;
  file->hunks = g_ptr_array_new_with_free_func (hunk_free);
  g_ptr_array_add (self->files, file);
}

static ForeDiffDocFile *
get_last_file (ForeDiffDoc *self)
{
  return self->files->len > 0 ? g_ptr_array_index (self->files, self->files->len - 1) : NULL;
}

/**
 * fore_diff_doc_set_too_large:
 * @self: changes with a file
 *
 * Says that the lines of the last file are there, and were not loaded.
 */
void
fore_diff_doc_set_too_large (ForeDiffDoc *self)
{
  g_return_if_fail (self != NULL && self->files->len > 0);

  get_last_file (self)->too_large = TRUE;
}

/**
 * fore_diff_doc_add_hunk:
 * @self: changes with a file
 * @old_start: number of its first line in the old file, from 1
 * @new_start: number of its first line in the new file, from 1
 * @heading: (nullable): what stands behind the numbers, as the name of a function
 *
 * Begins a hunk; lines that are added from now on are its.
 */
void
fore_diff_doc_add_hunk (ForeDiffDoc *self, guint old_start, guint new_start, const char *heading)
{
  ForeDiffDocFile *file;
  ForeDiffDocHunk *hunk;

  g_return_if_fail (self != NULL);
  file = get_last_file (self);
  g_return_if_fail (file != NULL);

  hunk = g_new0 (ForeDiffDocHunk, 1);
  hunk->old_start = old_start;
  hunk->new_start = new_start;
  hunk->heading = heading != NULL && *heading != '\0' ? fore_text_make_visible (heading) : NULL;
  hunk->lines = g_array_new (FALSE, FALSE, sizeof (ForeDiffDocLine));
  g_array_set_clear_func (hunk->lines, clear_line);
  g_ptr_array_add (file->hunks, hunk);
  self->next_old = old_start;
  self->next_new = new_start;
}

static gsize
count_common_prefix (const char *a, const char *b)
{
  gsize n = 0;

  while (a[n] != '\0' && a[n] == b[n])
    n++;
  while (n > 0 && ((guchar) a[n] & 0xc0) == 0x80)
    n--;

  return n;
}

static gsize
count_common_suffix (const char *a, gsize length_a, const char *b, gsize length_b)
{
  gsize n = 0;

  while (n < length_a && n < length_b && a[length_a - n - 1] == b[length_b - n - 1])
    n++;
  while (n > 0 && ((guchar) a[length_a - n] & 0xc0) == 0x80)
    n--;

  return n;
}

static void
mark_pair (ForeDiffDocLine *old, ForeDiffDocLine *new)
{
  gsize length_old = strlen (old->text);
  gsize length_new = strlen (new->text);
  gsize prefix = count_common_prefix (old->text, new->text);
  gsize suffix = count_common_suffix (old->text + prefix, length_old - prefix, new->text + prefix,
                                      length_new - prefix);

  if ((prefix + suffix) * 100 < MAX (length_old, length_new) * LEAST_COMMON_PERCENT)
    return;

  old->mark_start = new->mark_start = prefix;
  old->mark_end = length_old - suffix;
  new->mark_end = length_new - suffix;
}

/* When a line was added, its partner is the line at the same place among those that were removed
 * just before.
 */
static void
mark_last_line (ForeDiffDocHunk *hunk)
{
  guint n_added = 0;
  guint n_removed = 0;
  guint i = hunk->lines->len;

  while (i > 0 && g_array_index (hunk->lines, ForeDiffDocLine, i - 1).kind == FORE_DIFF_LINE_ADDED)
    i--, n_added++;
  while (i > 0
         && g_array_index (hunk->lines, ForeDiffDocLine, i - 1).kind == FORE_DIFF_LINE_REMOVED)
    i--, n_removed++;
  if (n_added > n_removed || n_removed > 200)
    return;

  mark_pair (&g_array_index (hunk->lines, ForeDiffDocLine, i + n_added - 1),
             &g_array_index (hunk->lines, ForeDiffDocLine, hunk->lines->len - 1));
}

static char *
prepare_text (const char *text, gssize length)
{
  g_autofree char *valid = fore_text_make_valid (text, length);
  g_autofree char *visible = fore_text_make_visible (valid);

  return fore_text_shorten (visible, MAX_LINE_CHARS);
}

/**
 * fore_diff_doc_add_line:
 * @self: changes with a hunk
 * @kind: what happened to the line
 * @text: the line without its sign and its end; any bytes
 * @length: bytes of @text, or -1 if a NUL ends it
 */
void
fore_diff_doc_add_line (ForeDiffDoc *self, ForeDiffLineKind kind, const char *text, gssize length)
{
  ForeDiffDocFile *file;
  ForeDiffDocHunk *hunk;
  ForeDiffDocLine line = { .kind = kind };

  g_return_if_fail (self != NULL);
  g_return_if_fail (text != NULL);
  file = get_last_file (self);
  g_return_if_fail (file != NULL && file->hunks->len > 0);

  hunk = g_ptr_array_index (file->hunks, file->hunks->len - 1);
  line.text = prepare_text (text, length);
  if (kind == FORE_DIFF_LINE_CONTEXT || kind == FORE_DIFF_LINE_REMOVED)
    line.old_number = self->next_old++;
  if (kind == FORE_DIFF_LINE_CONTEXT || kind == FORE_DIFF_LINE_ADDED)
    line.new_number = self->next_new++;
  file->n_added += kind == FORE_DIFF_LINE_ADDED;
  file->n_removed += kind == FORE_DIFF_LINE_REMOVED;
  g_array_append_val (hunk->lines, line);
  if (kind == FORE_DIFF_LINE_ADDED)
    mark_last_line (hunk);
}

/* How many lines of the hunk that is being read are still to come. */
typedef struct
{
  ForeDiffDoc *doc;
  char *old_path;
  guint old_left;
  guint new_left;
} PatchReader;

static guint
read_number (const char **p)
{
  char *end;
  guint64 number = g_ascii_strtoull (*p, &end, 10);

  *p = end;
  return MIN (number, G_MAXINT);
}

/* "@@ -115,3 +115,4 @@ heading" */
static gboolean
read_hunk_line (PatchReader *self, const char *line)
{
  const char *p = line + 4;
  guint old_start, old_count, new_start, new_count;
  const char *heading;

  if (!g_str_has_prefix (line, "@@ -") || get_last_file (self->doc) == NULL)
    return FALSE;

  old_start = read_number (&p);
  old_count = *p == ',' ? (p++, read_number (&p)) : 1;
  if (!g_str_has_prefix (p, " +"))
    return FALSE;
  p += 2;
  new_start = read_number (&p);
  new_count = *p == ',' ? (p++, read_number (&p)) : 1;

  self->old_left = old_count;
  self->new_left = new_count;
  heading = strstr (p, "@@ ");
  fore_diff_doc_add_hunk (self->doc, old_start, new_start, heading != NULL ? heading + 3 : NULL);
  return TRUE;
}

static char *
strip_path (const char *path)
{
  g_autofree char *copy = g_strndup (path, strcspn (path, "\t\r"));

  if (g_str_equal (copy, "/dev/null"))
    return NULL;
  if (g_str_has_prefix (copy, "a/") || g_str_has_prefix (copy, "b/"))
    return g_strdup (copy + 2);

  return g_steal_pointer (&copy);
}

static void
read_header_line (PatchReader *self, const char *line)
{
  if (g_str_has_prefix (line, "--- "))
    {
      g_free (self->old_path);
      self->old_path = strip_path (line + 4);
    }
  else if (g_str_has_prefix (line, "+++ "))
    {
      g_autofree char *path = strip_path (line + 4);
      ForeDiffFileState state = FORE_DIFF_FILE_MODIFIED;

      if (path == NULL)
        state = FORE_DIFF_FILE_REMOVED;
      else if (self->old_path == NULL)
        state = FORE_DIFF_FILE_ADDED;
      else if (!g_str_equal (path, self->old_path))
        state = FORE_DIFF_FILE_RENAMED;
      if (path != NULL || self->old_path != NULL)
        fore_diff_doc_add_file (self->doc, path != NULL ? path : self->old_path,
                                state == FORE_DIFF_FILE_RENAMED ? self->old_path : NULL, state,
                                FALSE);
    }
}

static void
read_body_line (PatchReader *self, const char *line)
{
  switch (line[0])
    {
    case '+':
      fore_diff_doc_add_line (self->doc, FORE_DIFF_LINE_ADDED, line + 1, -1);
      self->new_left -= self->new_left > 0;
      break;
    case '-':
      fore_diff_doc_add_line (self->doc, FORE_DIFF_LINE_REMOVED, line + 1, -1);
      self->old_left -= self->old_left > 0;
      break;
    case '\\':
      fore_diff_doc_add_line (self->doc, FORE_DIFF_LINE_NOTE, line + 1, -1);
      break;
    default:
      fore_diff_doc_add_line (self->doc, FORE_DIFF_LINE_CONTEXT, line + (line[0] == ' '), -1);
      self->old_left -= self->old_left > 0;
      self->new_left -= self->new_left > 0;
      break;
    }
}

/**
 * fore_diff_doc_new_from_patch:
 * @patch: the text of a unified diff, from anywhere
 * @length: bytes of @patch, or -1 if a NUL ends it
 *
 * Reads what it can; what is no diff is left out.
 *
 * Returns: (transfer full): the changes
 */
ForeDiffDoc *
fore_diff_doc_new_from_patch (const char *patch, gssize length)
{
  PatchReader reader = { .doc = fore_diff_doc_new () };
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_return_val_if_fail (patch != NULL, NULL);

  text = fore_text_make_valid (patch, length);
  lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    {
      gboolean inside = reader.old_left > 0 || reader.new_left > 0;

      if (line[1] == NULL && **line == '\0')
        break;
      if (inside
          || (**line == '\\' && get_last_file (reader.doc) != NULL
              && get_last_file (reader.doc)->hunks->len > 0))
        read_body_line (&reader, *line);
      else if (!read_hunk_line (&reader, *line))
        read_header_line (&reader, *line);
    }
  g_free (reader.old_path);

  return reader.doc;
}

guint
fore_diff_doc_get_n_files (const ForeDiffDoc *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->files->len;
}

/**
 * fore_diff_doc_get_file:
 * @self: changes
 * @index: the number of a file, from 0
 *
 * Returns: (transfer none): the file
 */
const ForeDiffDocFile *
fore_diff_doc_get_file (const ForeDiffDoc *self, guint index)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (index < self->files->len, NULL);

  return g_ptr_array_index (self->files, index);
}

/**
 * fore_diff_doc_find_file:
 * @self: changes
 * @path: the path of a file
 *
 * Returns: (transfer none) (nullable): the file of that path
 */
const ForeDiffDocFile *
fore_diff_doc_find_file (const ForeDiffDoc *self, const char *path)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (path != NULL, NULL);

  for (guint i = 0; i < self->files->len; i++)
    {
      const ForeDiffDocFile *file = g_ptr_array_index (self->files, i);

      if (g_str_equal (file->path, path))
        return file;
    }

  return NULL;
}

void
fore_diff_doc_get_totals (const ForeDiffDoc *self, guint *n_added, guint *n_removed)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (n_added != NULL && n_removed != NULL);

  *n_added = *n_removed = 0;
  for (guint i = 0; i < self->files->len; i++)
    {
      const ForeDiffDocFile *file = g_ptr_array_index (self->files, i);

      *n_added += file->n_added;
      *n_removed += file->n_removed;
    }
}
