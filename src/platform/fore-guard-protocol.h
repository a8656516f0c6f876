/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

/* What a guard and a runner know of each other: the records of `exits`, the guard's command line
 * and the lines of its socket. Plain C, as the guard has nothing but libc.
 *
 * Command line (long options with a value each, in any order):
 *
 *   foredeck-guard --run ID --task KEY --attempt N
 *     --exits PATH        file that records are appended to
 *     --base PATH         attempts/<task>.<n>; .out, .err and .in are added to it
 *     --cwd PATH          folder of the agent
 *     --stdin MODE        null | file (the agent reads BASE.in) | live (pipe, fed by the socket)
 *     --capture MODE      file (the agent's stdout IS the file) | pipe (the guard copies)
 *     --limit BYTES       of stdout and stderr together; 0: none
 *     --wall MS           0: none; counted on the boot clock
 *     --grace MS          between two steps of the ladder
 *     --orphan MS         how long the tree lives on without an owner; 0: for ever
 *     --owner PATH        owner.lock of the run
 *     --owner-pid PID     who starts the guard, its parent
 *     --socket PATH       where to listen; made 0600, removed at the end
 *     --slots N           descriptors 3 … 3+N-1 are slots: held, never passed on
 *     -- ARGV…            the agent; ARGV[0] is an absolute path or is looked up in PATH
 *
 * The environment of the guard is the agent's. Exit status: 0 if the EXIT record was written,
 * 64 wrong use, 71 its parent was gone before it began and nothing was started, 74 the record could
 * not be written.
 *
 * Socket, from a client (any number one after the other, a few at once), each answered with one
 * line, `ok…` or `error WORD`:
 *
 *   hello               -> ok 1 STATE LAST PID   STATE: running | ending; LAST: highest message id
 *                          that was delivered, PID: the agent's
 *   in LEN ID\n<bytes>  -> ok ID once all bytes are in the agent's stdin; an ID that is not above
 *                          LAST was delivered before, and is answered ok without doing it again;
 *                          0 is always delivered. error closed | too-long
 *   close-stdin         -> ok
 *   interrupt           -> ok, SIGINT to the agent's process group
 *   end                 -> ok, starts the ladder
 *   kill                -> ok, KILL now
 *   limits LIMIT WALL   -> ok, new values of --limit and --wall, 0 for none
 *   free-slots          -> ok, the slots are others' to take
 *   slot                -> ok, the descriptor that came with the line (SCM_RIGHTS) is a slot: held
 *                          until the end, or until free-slots. error usage if none came
 *
 * A file `cancelled` beside --owner says that nobody wants the attempt any more: without an owner
 * the guard ends the tree at once.
 */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FORE_GUARD_MAGIC 0x44475246u /* FRGD */
#define FORE_GUARD_VERSION 1
#define FORE_GUARD_TASK_SIZE 40
#define FORE_GUARD_MAX_MESSAGE (64u * 1024 * 1024)
#define FORE_GUARD_FIRST_SLOT_FD 3
#define FORE_GUARD_CANCELLED "cancelled"
#define FORE_GUARD_EXIT_USAGE 64
#define FORE_GUARD_EXIT_ORPHAN 71
#define FORE_GUARD_EXIT_RECORD 74

enum
{
  FORE_GUARD_START = 1,
  FORE_GUARD_EXIT = 2,
};

typedef enum
{
  FORE_GUARD_REASON_NONE = 0,     /* START record */
  FORE_GUARD_REASON_EXITED,       /* by itself, with exit_code */
  FORE_GUARD_REASON_SIGNALLED,    /* by a signal that we did not send */
  FORE_GUARD_REASON_OUTPUT_LIMIT, /* --limit passed, we ended it */
  FORE_GUARD_REASON_WALL_LIMIT,   /* --wall passed, we ended it */
  FORE_GUARD_REASON_TOLD_END,     /* by `end` or SIGTERM to the guard */
  FORE_GUARD_REASON_TOLD_KILL,    /* by `kill` */
  FORE_GUARD_REASON_ORPHANED,     /* no owner for --orphan */
  FORE_GUARD_REASON_EXEC_FAILED,  /* error says why */
  FORE_GUARD_REASON_LOST,         /* made up by a reader: the guard died without a record */
  FORE_GUARD_REASON_CANCELLED,    /* its run was cancelled and has no owner */
  FORE_GUARD_N_REASONS
} ForeGuardReason;

enum
{
  FORE_GUARD_FLAG_SHRUNK = 1 << 0,       /* a capture file got shorter while it was written */
  FORE_GUARD_FLAG_WRITE_FAILED = 1 << 1, /* bytes of a pipe could not be stored; error says why */
  FORE_GUARD_FLAG_SURVIVORS = 1 << 2, /* something could not be killed, e.g. stuck in the kernel */
  FORE_GUARD_FLAG_TERM = 1 << 3,      /* the ladder had to send TERM */
  FORE_GUARD_FLAG_KILL = 1 << 4,      /* the ladder had to send KILL */
};

/* One record of `exits`: native byte order (the file never leaves its machine), fixed size, written
 * by one write() with O_APPEND.
 */
typedef struct
{
  uint32_t magic;
  uint16_t version;
  uint16_t kind;
  char task[FORE_GUARD_TASK_SIZE]; /* padded with NULs, no NUL at the end if it fills it */
  uint32_t attempt;
  uint32_t reason;
  int32_t guard_pid;
  int32_t agent_pid;
  uint64_t guard_start; /* ticks, as in ForeProcessId */
  uint64_t agent_start;
  uint8_t boot_id[16];
  int32_t exit_code;   /* -1: none */
  int32_t term_signal; /* 0: none */
  int32_t error;       /* errno */
  uint32_t survivors;  /* background processes that were left and had to be ended */
  uint64_t user_us;    /* of the whole tree, as far as it was reaped */
  uint64_t system_us;
  uint64_t max_rss_kb;
  int64_t start_wall_us; /* since the epoch */
  int64_t start_boot_us;
  int64_t end_wall_us;
  int64_t end_boot_us;
  uint64_t out_bytes; /* final size of the captures */
  uint64_t err_bytes;
  uint32_t flags;
  uint8_t reserved[64];
  uint32_t crc; /* CRC-32 (IEEE) of all bytes before it */
} ForeGuardRecord;

_Static_assert(sizeof (ForeGuardRecord) == 256, "the size of a record is part of the format");

static inline uint32_t
fore_guard_crc32 (const void *data, size_t length)
{
  static const uint32_t table[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
  };
  const uint8_t *bytes = (const uint8_t *) data;
  uint32_t crc = 0xffffffffu;

  for (size_t i = 0; i < length; i++)
    {
      crc = (crc >> 4) ^ table[(crc ^ bytes[i]) & 15];
      crc = (crc >> 4) ^ table[(crc ^ (uint32_t) (bytes[i] >> 4)) & 15];
    }

  return ~crc;
}

static inline void
fore_guard_record_seal (ForeGuardRecord *record)
{
  record->magic = FORE_GUARD_MAGIC;
  record->version = FORE_GUARD_VERSION;
  record->crc = fore_guard_crc32 (record, offsetof (ForeGuardRecord, crc));
}

/* Whether all of the record is there and meant for this version. */
static inline int
fore_guard_record_is_valid (const ForeGuardRecord *record)
{
  return record->magic == FORE_GUARD_MAGIC && record->version == FORE_GUARD_VERSION
         && (record->kind == FORE_GUARD_START || record->kind == FORE_GUARD_EXIT)
         && record->reason < FORE_GUARD_N_REASONS
         && record->crc == fore_guard_crc32 (record, offsetof (ForeGuardRecord, crc));
}
