# SPDX-License-Identifier: GPL-3.0-or-later
"""The shim from the side of the tests: what it is told, and what a power cut takes back."""

import mmap
import os
import random
import struct
import uuid

(MODE, AT, ERRNO, PROGRAMS, LASTING, COUNTER, DEAD, JOURNAL, FIRED, TRACE, CLOCK, NO_SYNC, N_WORDS) = range(13)
CTL, RUNNER, GUARD, APP = 1, 2, 4, 8
PROGRAM_NAMES = {CTL: "ctl", RUNNER: "runner", GUARD: "guard", APP: "app"}
COUNT, FAIL, SHORT, KILL_BEFORE, KILL_AFTER, KILL_MIDDLE, POWER = range(7)
WRITE, TRUNCATE, CREATE, RENAME, UNLINK, SYNC, SYNC_FAILED = range(1, 8)
RECORD = struct.Struct("=IIIIQQQ")


class Faults:
    """$HOME/faults of one test."""

    def __init__(self, home):
        self.folder = os.path.join(home, "faults")
        os.makedirs(os.path.join(self.folder, "saved"))
        path = os.path.join(self.folder, "control")
        with open(path, "wb") as file:
            file.write(bytes(8 * N_WORDS))
        with open(path, "r+b") as file:
            self.map = mmap.mmap(file.fileno(), 8 * N_WORDS)
        self[LASTING] = 1
        self[PROGRAMS] = CTL | RUNNER | GUARD
        self[NO_SYNC] = 1

    def __getitem__(self, word):
        return struct.unpack_from("=q", self.map, 8 * word)[0]

    def __setitem__(self, word, value):
        struct.pack_into("=q", self.map, 8 * word, value)

    def close(self):
        self.map.close()

    def arm(self, mode, at, programs=CTL | RUNNER | GUARD, error=0, lasting=1):
        self[AT] = 0
        self[MODE], self[ERRNO], self[PROGRAMS], self[LASTING] = mode, error, programs, lasting
        self[COUNTER] = self[FIRED] = 0
        self[JOURNAL] = 1 if mode == POWER else 0
        self[AT] = at

    def match(self, call, part):
        """Counts such calls only, in programs that start from now on."""
        with open(os.path.join(self.folder, "match"), "w", encoding="utf-8") as file:
            file.write(f"{call} {part}\n")

    def disarm(self):
        self[AT] = 0
        self[JOURNAL] = 0
        self[DEAD] = 0

    def read_trace(self):
        """What was counted: (program, call, path below the home folder)."""
        with open(os.path.join(self.folder, "trace"), encoding="utf-8", errors="replace") as file:
            rows = [line.rstrip("\n").split(" ", 3) for line in file]
        return [(int(program), call, path) for _, program, call, path in rows]

    def change_boot(self):
        path = os.path.join(self.folder, "boot_id")
        with open(path, "w", encoding="ascii") as file:
            file.write(f"{uuid.uuid4()}\n")

    # The power cut

    def read_journal(self):
        path = os.path.join(self.folder, "journal")
        if not os.path.exists(path):
            return []
        with open(path, "rb") as file:
            data = file.read()
        records = []
        at = 0
        while at + RECORD.size <= len(data):
            kind, n_path, n_other, n_bytes, inode, offset, size = RECORD.unpack_from(data, at)
            at += RECORD.size
            path = os.fsdecode(data[at : at + n_path])
            other = os.fsdecode(data[at + n_path : at + n_path + n_other])
            before = data[at + n_path + n_other : at + n_path + n_other + n_bytes]
            at += n_path + n_other + n_bytes
            records.append(Record(kind, path, other, before, inode, offset, size))
        return records

    def cut_power(self, how, rng):
        """Takes back what was on its way to the disk; everybody is dead already.

        how: "all" of it, or "some": whatever the disk had not come to yet.
        """
        records = self.read_journal()
        mark_durable(records)
        later = {}
        undone = 0
        for record in reversed(records):
            if record.kind in (SYNC, SYNC_FAILED):
                continue
            lost = not record.durable and (how == "all" or rng.random() < 0.5)
            if not lost:
                if record.kind in (WRITE, TRUNCATE):
                    later.setdefault(record.inode, []).append((record.offset, record.offset + record.length))
                continue
            undone += self.undo(record, later.get(record.inode))
        os.unlink(os.path.join(self.folder, "journal"))
        self.change_boot()
        return undone

    def undo(self, record, kept):
        if record.kind in (WRITE, TRUNCATE):
            return record.restore(kept)
        if record.kind == CREATE:
            return remove(record.path, record.inode)
        if record.kind == RENAME:
            if inode_of(record.other) != record.inode or os.path.exists(record.path):
                return 0
            os.rename(record.other, record.path)
            if record.before:
                os.link(os.path.join(self.folder, "saved", os.fsdecode(record.before)), record.other)
            return 1
        saved = os.path.join(self.folder, "saved", record.other)
        # a folder is removed after what was in it
        if not record.other or os.path.exists(record.path) or not os.path.isdir(os.path.dirname(record.path)):
            return 0
        os.link(saved, record.path)
        return 1


def inode_of(path):
    try:
        return os.lstat(path).st_ino
    except OSError:
        return None


def remove(path, inode):
    if inode_of(path) != inode:
        return 0
    os.unlink(path)
    return 1


class Record:
    def __init__(self, kind, path, other, before, inode, offset, size):
        self.kind, self.path, self.other, self.before = kind, path, other, before
        self.inode, self.offset, self.size = inode, offset, size
        self.durable = False
        self.length = len(before) if kind == TRUNCATE else 1 << 62

    def restore(self, kept):
        if inode_of(self.path) != self.inode:
            return 0
        with open(self.path, "r+b") as file:
            for start, end in self.list_parts(kept or []):
                file.seek(start)
                file.write(self.before[start - self.offset : end - self.offset])
            if not kept:
                file.truncate(self.size)
        return 1

    def list_parts(self, kept):
        """What of the bytes before nobody has written durably since."""
        parts = [(self.offset, self.offset + len(self.before))]
        for start, end in kept:
            parts = [piece for part in parts for piece in ((part[0], min(part[1], start)), (max(part[0], end), part[1]))
                     if piece[0] < piece[1]]
        return parts


def mark_durable(records):
    """A sync of a file holds its bytes and its name, one of a folder the names in it."""
    pending = {}
    names = []
    for record in records:
        if record.kind in (WRITE, TRUNCATE):
            pending.setdefault(record.inode, []).append(record)
        elif record.kind in (CREATE, RENAME, UNLINK):
            names.append(record)
        elif record.kind == SYNC_FAILED:
            pending.pop(record.inode, None)
        else:
            for change in pending.pop(record.inode, []):
                change.durable = True
            rest = []
            for name in names:
                place = name.other if name.kind == RENAME else name.path
                if os.path.dirname(place) == record.path or (name.kind != UNLINK and name.inode == record.inode):
                    name.durable = True
                else:
                    rest.append(name)
            names = rest


def make_rng(name, default=None):
    """A generator whose seed is printed, and can be given."""
    seed = int(os.environ.get("FORE_FAULT_SEED") or default or random.SystemRandom().randrange(1 << 32))
    print(f"# {name}: FORE_FAULT_SEED={seed}", flush=True)
    return random.Random(seed)
