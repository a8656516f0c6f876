/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

/* What the shim and the tests in Python know of each other: $HOME/faults/control is an array of
 * 64-bit numbers in native byte order, shared by all programs of one test. Calls are counted that
 * change what lies below $HOME. Beside it:
 *
 *   journal    what a power cut would take back: records of FaultRecord, each followed by its
 *              path, its second path and the bytes that were there before
 *   saved/N    what was replaced or removed, as a link
 *   trace      a line a counted call, when wanted
 *   match      a call and a part of a path: only such calls are counted, when there
 *   boot_id    read instead of the system's, when there
 */

#include <stdint.h>

enum
{
  FAULT_MODE,     /* FaultMode */
  FAULT_AT,       /* the call that is meant, from 1; 0: none */
  FAULT_ERRNO,    /* for FAULT_FAIL */
  FAULT_PROGRAMS, /* sum of FAULT_CTL and so on: whose calls are counted */
  FAULT_LASTING,  /* how many calls fail from there on */
  FAULT_COUNTER,  /* calls so far */
  FAULT_DEAD,     /* 1: the power is cut, nobody does anything any more */
  FAULT_JOURNAL,  /* 1: keep the journal */
  FAULT_FIRED,    /* how often it came to that */
  FAULT_TRACE,    /* 1: keep the trace */
  FAULT_CLOCK,    /* µs that the wall clock is ahead, may be negative */
  FAULT_NO_SYNC,  /* 1: syncs are noted, not done */
  FAULT_N_WORDS
};

enum
{
  FAULT_CTL = 1,
  FAULT_RUNNER = 2,
  FAULT_GUARD = 4,
  FAULT_APP = 8,
};

typedef enum
{
  FAULT_COUNT,
  FAULT_FAIL,
  FAULT_SHORT, /* half of a write is done, and said so */
  FAULT_KILL_BEFORE,
  FAULT_KILL_AFTER,
  FAULT_KILL_MIDDLE, /* half of a write is done */
  FAULT_POWER,       /* FAULT_DEAD before it */
} FaultMode;

enum
{
  FAULT_WRITE = 1,
  FAULT_TRUNCATE,
  FAULT_CREATE,
  FAULT_RENAME,
  FAULT_UNLINK,
  FAULT_SYNC,
  FAULT_SYNC_FAILED, /* as with Linux, no later sync takes up what was written before it */
};

typedef struct
{
  uint32_t kind;
  uint32_t path_length;
  uint32_t other_length; /* of the new path, or of the name in saved/ */
  uint32_t data_length;
  uint64_t inode;
  uint64_t offset; /* where it was written */
  uint64_t size;   /* of the file before */
} FaultRecord;
