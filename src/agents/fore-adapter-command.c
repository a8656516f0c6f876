/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-adapter-private.h"
#include "agents/fore-decoder-private.h"
#include "model/fore-error.h"
#include "text/fore-line-reader.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define ANSWER_KEPT (128 * 1024)
/* All of it is in the capture; of a hundred that talk without end memory must hold each. */
#define HELD (4 * 1024)
#define ARGUMENT_LIMIT (100 * 1000)

/* Any program: what it prints is the answer. Of a long one the last part is kept. */
typedef struct
{
  ForeDecoder parent;
  GString *answer;
  gboolean cut;
} CommandDecoder;

static void
keep_answer (CommandDecoder *self, const char *text)
{
  g_string_append (self->answer, text);
  if (self->answer->len > 2 * HELD)
    {
      const char *start = self->answer->str + self->answer->len - HELD;

      while ((*start & 0xc0) == 0x80)
        start++;
      g_string_erase (self->answer, 0, start - self->answer->str);
      self->cut = TRUE;
    }
}

/* A name tells what a program printed from what an agent wrote to be read as prose. */
static void
emit_output (ForeDecoder *decoder, const char *text, ForeEntryState state)
{
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_TEXT);

  entry.id = (char *) "output";
  entry.name = (char *) "stdout";
  entry.text = (char *) text;
  entry.append = TRUE;
  entry.state = state;
  decoder->summary.answered = TRUE;
  fore_decoder_emit (decoder, &entry);
}

static void
command_line (ForeDecoder *decoder, const char *line, gsize length, gboolean truncated)
{
  CommandDecoder *self = (CommandDecoder *) decoder;
  g_autofree char *valid = fore_text_make_valid (line, length);
  g_autofree char *text = g_strconcat (valid, "\n", NULL);

  if (self->answer == NULL)
    self->answer = g_string_new (NULL);

  keep_answer (self, text);
  emit_output (decoder, text, FORE_ENTRY_RUNNING);
}

static void
take_answer (CommandDecoder *self)
{
  while (self->answer->len > 0 && self->answer->str[self->answer->len - 1] == '\n')
    g_string_truncate (self->answer, self->answer->len - 1);
  fore_decoder_take_final_text (&self->parent, g_string_free (self->answer, FALSE));
  self->answer = NULL;
}

/* The stream has no event that ends it: its end is the end, and the exit code decides. */
static void
command_finish (ForeDecoder *decoder)
{
  CommandDecoder *self = (CommandDecoder *) decoder;

  if (self->answer != NULL)
    {
      emit_output (decoder, "", FORE_ENTRY_DONE);
      take_answer (self);
      decoder->output_wanted = self->cut ? ANSWER_KEPT : 0;
    }

  fore_decoder_complete (decoder);
}

static void
add_line (const char *line, gsize length, gint64 offset, gboolean truncated, gpointer user_data)
{
  CommandDecoder *self = user_data;
  g_autofree char *valid = fore_text_make_valid (line, length);

  g_string_append (self->answer, valid);
  g_string_append_c (self->answer, '\n');
}

/* What was cut off begins in the middle of a line, and perhaps of a character. */
static void
command_take_output (ForeDecoder *decoder, const char *text, gsize length)
{
  CommandDecoder *self = (CommandDecoder *) decoder;
  g_autoptr (ForeLineReader) reader = fore_line_reader_new (FORE_LINE_FOLD);

  while (length > 0 && (*text & 0xc0) == 0x80)
    {
      text++;
      length--;
    }
  self->answer = g_string_new (NULL);
  fore_line_reader_feed (reader, text, length, add_line, self);
  fore_line_reader_finish (reader, add_line, self);
  take_answer (self);
}

static void
command_clear (ForeDecoder *decoder)
{
  CommandDecoder *self = (CommandDecoder *) decoder;

  if (self->answer != NULL)
    g_string_free (self->answer, TRUE);
}

static const ForeDecoderClass command_decoder_class = {
  .instance_size = sizeof (CommandDecoder),
  .blank_lines = TRUE,
  .line = command_line,
  .finish = command_finish,
  .take_output = command_take_output,
  .clear = command_clear,
};

static ForeAgentFound *
command_find (const char *program, GCancellable *cancellable)
{
  ForeAgentFound *found = g_new0 (ForeAgentFound, 1);

  found->path = g_strdup (program);
  found->usable = TRUE;

  return found;
}

static gboolean
has_template (const ForeLaunchRequest *request)
{
  for (guint i = 0; request->command[i] != NULL; i++)
    {
      if (strstr (request->command[i], "{prompt}") != NULL
          || strstr (request->command[i], "{prompt-file}") != NULL
          || strstr (request->command[i], "{goal}") != NULL)
        return TRUE;
    }

  return FALSE;
}

/* Fills in the templates of a word; what is put in is not looked at again. */
static char *
expand (const ForeLaunchRequest *request, const char *word)
{
  const struct
  {
    const char *name;
    const char *value;
  } templates[] = {
    { "{prompt}", request->prompt },
    { "{prompt-file}", request->prompt_path },
    { "{goal}", request->goal },
  };
  GString *text = g_string_new (NULL);

  while (*word != '\0')
    {
      guint i;

      for (i = 0; i < G_N_ELEMENTS (templates); i++)
        {
          if (g_str_has_prefix (word, templates[i].name))
            break;
        }

      if (i == G_N_ELEMENTS (templates))
        {
          g_string_append_c (text, *word++);
          continue;
        }

      if (templates[i].value != NULL)
        g_string_append (text, templates[i].value);
      word += strlen (templates[i].name);
    }

  return g_string_free (text, FALSE);
}

/* A word with a slash is a path from the folder that the command works in. */
static char *
resolve_program (const ForeLaunchRequest *request, const char *word, GError **error)
{
  g_autofree char *path = NULL;

  if (strchr (word, '/') != NULL)
    {
      path = g_canonicalize_filename (word, request->cwd);
      if (g_file_test (path, G_FILE_TEST_EXISTS)
          && (g_file_test (path, G_FILE_TEST_IS_DIR)
              || !g_file_test (path, G_FILE_TEST_IS_EXECUTABLE)))
        {
          g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID,
                       _ ("“%s” of this step cannot be executed; make it executable (chmod +x) or "
                          "correct the step’s command"),
                       word);
          return NULL;
        }
      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        g_clear_pointer (&path, g_free);
    }
  else
    {
      path = g_find_program_in_path (word);
    }

  if (path == NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                 _ ("The program “%s” of this step was not found; install it or correct the step’s "
                    "command"),
                 word);

  return g_steal_pointer (&path);
}

static gboolean
add_words (GPtrArray *argv, const ForeLaunchRequest *request, GError **error)
{
  char *program = resolve_program (request, request->command[0], error);

  if (program == NULL)
    return FALSE;

  g_ptr_array_add (argv, program);
  for (guint i = 1; request->command[i] != NULL; i++)
    {
      char *word = expand (request, request->command[i]);

      g_ptr_array_add (argv, word);
      if (strlen (word) > ARGUMENT_LIMIT)
        {
          g_set_error (error, FORE_ERROR, FORE_ERROR_LIMIT,
                       _ ("The prompt is too long for an argument of this step’s command; use "
                          "{prompt-file} or no template"));
          return FALSE;
        }
    }

  return TRUE;
}

ForeLaunch *
fore_command_launch (const ForeLaunchRequest *request, GError **error)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  ForeLaunch *launch;

  if (request->command == NULL || request->command[0] == NULL)
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_USAGE,
                           _ ("This step has the CLI “command” and no command; write one into the "
                              "step"));
      return NULL;
    }

  if (!add_words (argv, request, error))
    return NULL;

  g_ptr_array_add (argv, NULL);
  launch = g_new0 (ForeLaunch, 1);
  launch->argv = (GStrv) g_ptr_array_steal (argv, NULL);
  launch->stdin_mode = has_template (request) ? FORE_STDIN_NULL : FORE_STDIN_FILE;
  /* A command may open /dev/stdout anew, and cut what it and others wrote there. */
  launch->pipe_output = TRUE;

  return launch;
}

const ForeAdapter fore_adapter_command = {
  .name = "command",
  .title = "Command",
  .one_shot = TRUE,
  .decoder_class = &command_decoder_class,
  .find = command_find,
  .launch = fore_command_launch,
};
