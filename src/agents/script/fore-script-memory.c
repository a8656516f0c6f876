/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/script/fore-script-memory.h"

#include "model/fore-error.h"
#include "platform/fore-files.h"
#include "text/fore-json.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

struct _ForeScriptMemory
{
  char *path;
  int fd;
  GQueue answers;
};

/**
 * fore_script_answer_free:
 * @answer: (nullable): an answer
 */
void
fore_script_answer_free (ForeScriptAnswer *answer)
{
  if (answer == NULL)
    return;

  g_free (answer->path);
  g_free (answer->hash);
  g_free (answer->reply);
  g_free (answer);
}

static JsonObject *
get_object (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static ForeScriptAnswer *
read_answer (JsonObject *object)
{
  g_autoptr (ForeScriptAnswer) answer = g_new0 (ForeScriptAnswer, 1);

  answer->path = g_strdup (fore_json_get_string (object, "path", NULL));
  answer->hash = g_strdup (fore_json_get_string (object, "hash", NULL));
  answer->reply = g_strdup (fore_json_get_string (object, "reply", NULL));
  answer->refused = fore_json_get_bool (object, "refused", FALSE);
  answer->time = fore_json_get_int (object, "time", 0);

  return answer->path != NULL && answer->hash != NULL && answer->reply != NULL
             ? g_steal_pointer (&answer)
             : NULL;
}

/* From the answer of the call that failed on, everything is done again. */
static void
forget_from (ForeScriptMemory *self, const char *path)
{
  for (GList *link = self->answers.head; link != NULL; link = link->next)
    {
      if (strcmp (((const ForeScriptAnswer *) link->data)->path, path) != 0)
        continue;

      while (g_queue_peek_tail_link (&self->answers) != link)
        fore_script_answer_free (g_queue_pop_tail (&self->answers));
      fore_script_answer_free (g_queue_pop_tail (&self->answers));
      return;
    }
}

static gboolean
read_line (ForeScriptMemory *self, const char *line, gsize length)
{
  g_autoptr (JsonNode) node = fore_json_parse (line, (gssize) length, NULL, NULL);
  JsonObject *object = get_object (node);
  const char *failed = object != NULL ? fore_json_get_string (object, "failed", NULL) : NULL;
  ForeScriptAnswer *answer;

  if (failed != NULL)
    {
      forget_from (self, failed);
      return TRUE;
    }

  answer = object != NULL ? read_answer (object) : NULL;
  if (answer != NULL)
    g_queue_push_tail (&self->answers, answer);

  return answer != NULL;
}

/* What was being written when the machine went down is no line. Returns how much is good. */
static gsize
read_lines (ForeScriptMemory *self, const char *text, gsize length)
{
  gsize good = 0;

  for (const char *end = memchr (text, '\n', length); end != NULL;
       end = memchr (text + good, '\n', length - good))
    {
      if (!read_line (self, text + good, (gsize) (end - text) - good))
        break;

      good = (gsize) (end - text) + 1;
    }

  return good;
}

static gboolean
fail (ForeScriptMemory *self, int code, GError **error)
{
  g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
               _ ("What the script was answered cannot be kept in %s (%s); check the disk"),
               self->path, g_strerror (code));
  return FALSE;
}

/**
 * fore_script_memory_open:
 * @path: its file, which need not be there
 * @error: return location for an error
 *
 * Returns: (transfer full): the memory, or %NULL
 */
ForeScriptMemory *
fore_script_memory_open (const char *path, GError **error)
{
  g_autoptr (ForeScriptMemory) self = g_new0 (ForeScriptMemory, 1);
  g_autofree char *text = NULL;
  gsize length = 0;
  gsize good = 0;

  g_return_val_if_fail (path != NULL, NULL);

  self->path = g_strdup (path);
  self->fd = g_open (path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (self->fd < 0)
    {
      fail (self, errno, error);
      return NULL;
    }

  if (g_file_get_contents (path, &text, &length, NULL))
    good = read_lines (self, text, length);
  if (good < length && ftruncate (self->fd, (off_t) good) != 0)
    {
      fail (self, errno, error);
      return NULL;
    }

  return g_steal_pointer (&self);
}

/**
 * fore_script_memory_free:
 * @self: (nullable): a memory
 */
void
fore_script_memory_free (ForeScriptMemory *self)
{
  if (self == NULL)
    return;

  if (self->fd >= 0)
    g_close (self->fd, NULL);
  g_queue_clear_full (&self->answers, (GDestroyNotify) fore_script_answer_free);
  g_free (self->path);
  g_free (self);
}

/**
 * fore_script_memory_take:
 * @self: a memory
 *
 * Returns: (transfer full) (nullable): the answer that comes next, or %NULL where no process of the
 *   script has been before
 */
ForeScriptAnswer *
fore_script_memory_take (ForeScriptMemory *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_queue_pop_head (&self->answers);
}

static gboolean
append (int fd, const char *text, gsize length)
{
  while (length > 0)
    {
      gssize done = write (fd, text, length);

      if (done < 0 && errno != EINTR)
        return FALSE;
      text += MAX (done, 0);
      length -= (gsize) MAX (done, 0);
    }

  return g_fsync (fd) == 0;
}

static gboolean
write_line (ForeScriptMemory *self, JsonObject *object)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);
  g_autofree char *json = fore_json_to_string (node, FALSE);
  g_autofree char *line = g_strconcat (json, "\n", NULL);

  json_object_unref (object);

  return append (self->fd, line, strlen (line));
}

/**
 * fore_script_memory_keep:
 * @self: a memory from which everything was taken
 * @answer: an answer that is new
 * @error: return location for an error
 *
 * Returns: whether it is on the disk
 */
gboolean
fore_script_memory_keep (ForeScriptMemory *self, const ForeScriptAnswer *answer, GError **error)
{
  JsonObject *object;

  g_return_val_if_fail (self != NULL && answer != NULL, FALSE);

  object = json_object_new ();
  json_object_set_string_member (object, "path", answer->path);
  json_object_set_string_member (object, "hash", answer->hash);
  json_object_set_int_member (object, "time", answer->time);
  json_object_set_boolean_member (object, "refused", answer->refused);
  json_object_set_string_member (object, "reply", answer->reply);

  return write_line (self, object) || fail (self, errno, error);
}

/**
 * fore_script_memory_give_up:
 * @self: a memory
 * @path: a call that the script has failed for
 *
 * The next process of the script goes the known way up to that call only.
 */
void
fore_script_memory_give_up (ForeScriptMemory *self, const char *path)
{
  JsonObject *object;

  g_return_if_fail (self != NULL && path != NULL);

  object = json_object_new ();
  json_object_set_string_member (object, "failed", path);
  if (!write_line (self, object))
    g_warning ("What failed cannot be kept in %s", self->path);
}
