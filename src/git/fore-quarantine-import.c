/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Bringing home what was written in a sandbox. Everything below the folder may be a trap: nothing
 * is followed, and nothing is believed but the hash of what was read.
 */

#include "config.h"

#include "git/fore-quarantine-private.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "git/fore-folder.h"
#include "git/fore-object-pack.h"
#include "git/fore-repository-private.h"
#include "platform/fore-files.h"

#define CHUNK 65536
#define HEADER_MAX 32
#define PACK_FOLDER "pack"

/* More than so many objects come in one pack, but for large ones. */
#define MANY 50
#define LARGE (1024 * 1024)

/* Broken is what nobody could read in the sandbox either: it is left out. */
typedef enum
{
  TAKEN,
  BROKEN,
  FAILED,
  UNWRITTEN, /* and the error is set */
} Outcome;

typedef struct
{
  char *place;
  char *objects;
  char *common_dir;
  char *branch;
  git_repository *git;
  git_odb *odb;
  ForeObjectPack *pack; /* (nullable) of many small objects */
  gint64 since;         /* folders that were written before it are known; 0: everything is taken */
  GHashTable *refs;     /* name → id, as they were before the objects were looked at */
} Job;

static void
job_clear (Job *job)
{
  g_free (job->place);
  g_free (job->objects);
  g_free (job->common_dir);
  g_free (job->branch);
  fore_object_pack_free (job->pack);
  git_odb_free (job->odb);
  git_repository_free (job->git);
  g_clear_pointer (&job->refs, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)

/* A loose object while it is read. */
typedef struct
{
  Job *job;
  git_odb_stream *stream;
  GChecksum *sum;
  guint64 size;
  guint64 taken;
  gboolean packed;
  int result;  /* of libgit2 */
  int trouble; /* errno of what could not be read */
} Loose;

static git_odb *
choose_odb (Loose *loose)
{
  git_odb *odb = NULL;

  if (loose->job->pack != NULL && loose->size < LARGE)
    odb = fore_object_pack_open (loose->job->pack, NULL);
  loose->packed = odb != NULL;

  return odb != NULL ? odb : loose->job->odb;
}

static gboolean
begin_object (Loose *loose, const char *bytes, gsize length, gsize *header)
{
  const char *end = memchr (bytes, '\0', MIN (length, HEADER_MAX));
  const char *space = end != NULL ? memchr (bytes, ' ', (gsize) (end - bytes)) : NULL;
  g_autofree char *type = space != NULL ? g_strndup (bytes, (gsize) (space - bytes)) : NULL;
  git_object_t kind = type != NULL ? git_object_string2type (type) : GIT_OBJECT_INVALID;

  if (!git_object_typeisloose (kind)
      || !g_ascii_string_to_unsigned (space + 1, 10, 0, G_MAXINT64, &loose->size, NULL))
    return FALSE;

  *header = (gsize) (end - bytes) + 1;
  loose->result = git_odb_open_wstream (&loose->stream, choose_odb (loose), loose->size, kind);

  return loose->result == 0;
}

static gboolean
take_bytes (Loose *loose, const char *bytes, gsize length)
{
  gsize header = 0;

  g_checksum_update (loose->sum, (const guchar *) bytes, (gssize) length);
  if (loose->stream == NULL && !begin_object (loose, bytes, length, &header))
    return FALSE;

  loose->taken += length - header;
  if (loose->taken > loose->size)
    return FALSE;

  loose->result = git_odb_stream_write (loose->stream, bytes + header, length - header);
  return loose->result == 0;
}

/* Unpacks a file of zlib; whether all of it could be read. */
static gboolean
unpack (Loose *loose, int fd)
{
  g_autoptr (GZlibDecompressor) zlib = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB);
  g_autofree char *in = g_malloc (CHUNK);
  g_autofree char *out = g_malloc (CHUNK);
  GConverterResult state = G_CONVERTER_CONVERTED;
  gsize held = 0;

  while (state != G_CONVERTER_FINISHED)
    {
      gssize more = read (fd, in + held, CHUNK - held);
      gsize used = 0, made = 0;

      if (more < 0)
        {
          loose->trouble = errno;
          return FALSE;
        }
      held += (gsize) more;
      state = g_converter_convert (G_CONVERTER (zlib), in, held, out, CHUNK,
                                   more == 0 ? G_CONVERTER_INPUT_AT_END : 0, &used, &made, NULL);
      if (state == G_CONVERTER_ERROR || (used == 0 && made == 0 && state != G_CONVERTER_FINISHED)
          || (made > 0 && !take_bytes (loose, out, made)))
        return FALSE;
      held -= used;
      memmove (in, in + used, held);
    }

  return TRUE;
}

static Outcome
finish_object (Loose *loose, const char *name)
{
  git_oid oid;

  if (loose->stream == NULL || loose->taken != loose->size
      || strcmp (g_checksum_get_string (loose->sum), name) != 0)
    return BROKEN;

  loose->result = git_odb_stream_finalize_write (&oid, loose->stream);

  return loose->result == 0 ? TAKEN : FAILED;
}

static Outcome
read_object (Loose *loose, int fd, const char *name)
{
  if (unpack (loose, fd))
    return finish_object (loose, name);

  return loose->result < 0 ? FAILED : BROKEN;
}

/* Whether it is called as an object is that the repository does not have. */
static gboolean
is_wanted (Job *job, const char *name, git_oid *oid)
{
  return strlen (name) == GIT_OID_HEXSZ && git_oid_fromstr (oid, name) == 0
         && !git_odb_exists (job->odb, oid);
}

static gboolean
import_object (Job *job, const char *folder, const char *file, GError **error)
{
  g_autofree char *name = g_strconcat (folder, file, NULL);
  g_autofree char *path = g_build_filename (folder, file, NULL);
  Loose loose = { job };
  Outcome outcome;
  git_oid oid;
  int fd;

  if (!is_wanted (job, name, &oid))
    return TRUE;
  if (!fore_quarantine_open (job->objects, path, &fd, error))
    return FALSE;
  if (fd < 0)
    return TRUE;

  loose.sum = g_checksum_new (G_CHECKSUM_SHA1);
  outcome = read_object (&loose, fd, name);
  g_clear_pointer (&loose.stream, git_odb_stream_free);
  if (outcome == TAKEN && loose.packed
      && !fore_object_pack_add (job->pack, &oid, loose.size, error))
    outcome = UNWRITTEN;
  if (outcome == BROKEN && !fore_quarantine_fail_read (loose.trouble, path, error))
    outcome = UNWRITTEN;
  if (outcome == FAILED)
    fore_git_fail (error, loose.result, _ ("What was committed could not be taken over"));
  if (outcome == BROKEN)
    g_message ("The object %s of a sandbox is broken and was left out", name);

  g_close (fd, NULL);
  g_checksum_free (loose.sum);

  return outcome == TAKEN || outcome == BROKEN;
}

static gboolean
is_new (Job *job, const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  GStatBuf status;

  return job->since == 0 || (g_stat (path, &status) == 0 && status.st_mtime >= job->since);
}

/* What stands in a folder of objects; nothing where it is known. */
static gboolean
list_loose (Job *job, const char *folder, GPtrArray **names, GError **error)
{
  g_autofree char *path = g_build_filename (job->objects, folder, NULL);

  if (is_new (job, job->objects, folder))
    return fore_quarantine_list (path, names, error);

  *names = g_ptr_array_new ();
  return TRUE;
}

static gboolean
import_loose (Job *job, const char *folder, GError **error)
{
  g_autoptr (GPtrArray) names = NULL;

  if (!list_loose (job, folder, &names, error))
    return FALSE;

  for (guint i = 0; i < names->len; i++)
    {
      if (!import_object (job, folder, g_ptr_array_index (names, i), error))
        return FALSE;
    }

  return TRUE;
}

/* Packs */

static int
write_pack (git_odb_writepack *pack, int fd, int *trouble)
{
  g_autofree char *buffer = g_malloc (CHUNK);
  git_indexer_progress progress = { 0 };
  gssize length;
  int result = 0;

  while (result == 0 && (length = read (fd, buffer, CHUNK)) > 0)
    result = pack->append (pack, buffer, (gsize) length, &progress);
  if (result == 0 && length < 0)
    *trouble = errno;

  return result == 0 && length == 0 ? pack->commit (pack, &progress) : result;
}

static gboolean
import_pack (Job *job, const char *name, GError **error)
{
  g_autofree char *path = g_build_filename (PACK_FOLDER, name, NULL);
  git_odb_writepack *pack = NULL;
  gboolean done = TRUE;
  int trouble = 0;
  int result;
  int fd;

  if (!fore_quarantine_open (job->objects, path, &fd, error))
    return FALSE;
  if (fd < 0)
    return TRUE;

  result = git_odb_write_pack (&pack, job->odb, NULL, NULL);
  if (result == 0)
    result = write_pack (pack, fd, &trouble);
  if (trouble != 0)
    done = fore_quarantine_fail_read (trouble, path, error);
  else if (result < 0 && fore_quarantine_is_ours ())
    done = fore_git_fail (error, result, _ ("What was committed could not be taken over"));
  else if (result < 0)
    g_message ("The pack %s of a sandbox is broken and was left out", name);

  if (pack != NULL)
    pack->free (pack);
  g_close (fd, NULL);

  return done;
}

static gboolean
import_packs (Job *job, GError **error)
{
  g_autofree char *path = g_build_filename (job->objects, PACK_FOLDER, NULL);
  g_autoptr (GPtrArray) names = NULL;

  if (!fore_quarantine_list (path, &names, error))
    return FALSE;

  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);

      if (g_str_has_suffix (name, ".pack") && !import_pack (job, name, error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
count_wanted (Job *job, const char *folder, guint *n, GError **error)
{
  g_autoptr (GPtrArray) names = NULL;
  git_oid oid;

  if (!list_loose (job, folder, &names, error))
    return FALSE;

  for (guint i = 0; i < names->len && *n <= MANY; i++)
    {
      g_autofree char *whole = g_strconcat (folder, (const char *) g_ptr_array_index (names, i),
                                            NULL);

      *n += is_wanted (job, whole, &oid);
    }

  return TRUE;
}

static gboolean
count_all (Job *job, GPtrArray *folders, guint *n_wanted, GError **error)
{
  for (guint i = 0; i < folders->len && *n_wanted <= MANY; i++)
    {
      const char *name = g_ptr_array_index (folders, i);

      if (strlen (name) == 2 && !count_wanted (job, name, n_wanted, error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
import_objects (Job *job, GError **error)
{
  guint n_wanted = 0;
  g_autoptr (GPtrArray) folders = NULL;

  if (!fore_quarantine_list (job->objects, &folders, error)
      || !count_all (job, folders, &n_wanted, error))
    return FALSE;

  if (n_wanted > MANY)
    job->pack = fore_object_pack_new (job->common_dir);
  for (guint i = 0; i < folders->len; i++)
    {
      const char *name = g_ptr_array_index (folders, i);

      if (strlen (name) == 2 && !import_loose (job, name, error))
        return FALSE;
    }
  if (job->pack != NULL && !fore_object_pack_write (job->pack, error))
    return FALSE;

  return job->since > 0 || import_packs (job, error);
}

/* All of it */

static gboolean
open_job (Job *job, GError **error)
{
  int result;

  if (!fore_quarantine_read_text (job->place, FORE_QUARANTINE_REPOSITORY, &job->common_dir, error)
      || !fore_quarantine_read_text (job->place, FORE_QUARANTINE_BRANCH, &job->branch, error))
    return FALSE;
  if (job->common_dir == NULL || job->branch == NULL)
    return TRUE;

  result = git_repository_open_bare (&job->git, job->common_dir);
  if (result == 0)
    result = git_repository_odb (&job->odb, job->git);

  return result == 0
         || fore_git_fail (error, result, _ ("The repository of a sandbox could not be opened"));
}

static gboolean
has_news (Job *job)
{
  g_autoptr (GDir) dir = g_dir_open (job->objects, 0, NULL);
  const char *name;

  if (is_new (job, job->place, FORE_QUARANTINE_REFS))
    return TRUE;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      if (strlen (name) == 2 && is_new (job, job->objects, name))
        return TRUE;
    }

  return FALSE;
}

/* One that nobody has worked in yet may not be complete. */
static gboolean
import_place (const char *folder, const char *name, gint64 since, GError **error)
{
  g_auto (Job) job = { 0 };
  g_autofree char *keeper = NULL;

  job.since = since;
  job.place = g_build_filename (folder, name, NULL);
  job.objects = g_build_filename (job.place, FORE_QUARANTINE_OBJECTS, NULL);
  if (!has_news (&job))
    return TRUE;
  if (!open_job (&job, error))
    return FALSE;
  if (job.git == NULL)
    return TRUE;

  if (!fore_quarantine_read_refs (job.place, &job.refs, error) || !import_objects (&job, error)
      || !fore_quarantine_import_refs (job.git, job.branch, job.refs, error))
    return FALSE;

  keeper = fore_quarantine_dup_keeper (job.common_dir, job.branch);
  if (since == 0)
    g_unlink (keeper);

  return TRUE;
}

static gboolean
import_all (const char *folder, gint64 since, GError **error)
{
  g_autoptr (GPtrArray) names = NULL;

  fore_git_init ();
  if (!fore_quarantine_list (folder, &names, error))
    return FALSE;

  for (guint i = 0; i < names->len; i++)
    {
      if (!import_place (folder, g_ptr_array_index (names, i), since, error))
        return FALSE;
    }

  return TRUE;
}

/* Who copies while somebody works must not move a branch that has been brought home since. */
static GMutex *
find_mutex (const char *folder)
{
  static GMutex mutexes[16];

  return &mutexes[g_str_hash (folder) % G_N_ELEMENTS (mutexes)];
}

/**
 * fore_quarantine_copy:
 * @folder: of fore_quarantine_add(); somebody may write there
 * @since: seconds since 1970; what was written before it has been copied already
 * @error: return location for an error
 *
 * Brings to the repositories what has been committed in the sandbox so far, but for packs.
 * Blocking; any thread.
 *
 * Returns: whether it is there
 */
gboolean
fore_quarantine_copy (const char *folder, gint64 since, GError **error)
{
  g_autoptr (GMutexLocker) locker = NULL;

  g_return_val_if_fail (folder != NULL && since > 0, FALSE);

  locker = g_mutex_locker_new (find_mutex (folder));

  return import_all (folder, since, error);
}

/**
 * fore_quarantine_import:
 * @folder: of fore_quarantine_add(); nobody writes there any more
 * @error: return location for an error
 *
 * Brings everything that was written in the sandbox to the repositories, synced to the disk, and
 * removes @folder. Each object is taken under the hash of what was read. One that was cut short can
 * be called again. Blocking; any thread.
 *
 * Returns: whether nothing is left there; also where there was no such folder
 */
gboolean
fore_quarantine_import (const char *folder, GError **error)
{
  g_autoptr (GMutexLocker) locker = NULL;
  g_autoptr (GError) problem = NULL;

  g_return_val_if_fail (folder != NULL, FALSE);

  locker = g_mutex_locker_new (find_mutex (folder));
  if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
    return TRUE;
  if (!import_all (folder, 0, error))
    return FALSE;

  if (!fore_folder_remove (folder, &problem))
    g_message ("%s", problem->message);

  return TRUE;
}
