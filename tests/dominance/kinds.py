# SPDX-License-Identifier: GPL-2.0-or-later
"""The kinds of damage, as disks, controllers, volumes and people do it: one short function each, and KINDS, the table.
Which bytes are hit follows from the random numbers alone, so a case is the same each time on the same base."""
import os
import struct

import bases

KIB, MIB = 1 << 10, 1 << 20
SECTOR = 512
SB_CRC = 224


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


class Target:
    """A copy of a base that is being damaged; others: the images of other bases."""

    def __init__(self, base, others, path, rng, mounts, tools):
        self.base, self.others, self.path, self.rng = base, others, path, rng
        self.mounts, self.tools = mounts, tools
        self.sb = bases.superblock(base.image)
        self.file = open(path, "r+b", buffering=0)
        self.size = os.path.getsize(path)

    def read(self, at, length):
        return os.pread(self.file.fileno(), length, at)

    def write(self, at, data):
        os.pwrite(self.file.fileno(), data, at)

    def spot(self, unit):
        """An aligned area of this size that holds metadata."""
        return self.rng.choice(self.base.metadata) // unit * unit

    def areas(self, unit, share):
        """Such areas, each with this probability."""
        return [at for at in sorted({m // unit * unit for m in self.base.metadata}) if self.rng.random() < share]

    def earlier(self, age=None):
        """The base as it was earlier, or just before its last age."""
        return open(self.rng.choice(self.base.older) if age is None else self.base.older[age], "rb", buffering=0)

    def changed(self, old):
        """Blocks of metadata, of this base, that were different then."""
        size = self.sb.block_size
        return [at for at in self.base.metadata if os.pread(old.fileno(), size, at) != self.read(at, size)]

    def put_sb(self, sector):
        """Write a primary superblock, with the checksum made right."""
        sector = bytearray(sector)
        sector[SB_CRC : SB_CRC + 4] = bytes(4)
        sector[SB_CRC : SB_CRC + 4] = struct.pack("<I", crc32c(sector))
        self.write(0, bytes(sector))


# ---- areas that something else was written over ----


def zeroes(target, size):
    return bytes(size)


def noise(target, size):
    return target.rng.randbytes(size)


def own(target, size):
    """Another part of the same file system."""
    return target.read(target.spot(size), size)


def foreign(target, size):
    """What lies there, or elsewhere, in another XFS."""
    if not target.others:
        return noise(target, size)
    with open(target.rng.choice(target.others), "rb") as file:
        return os.pread(file.fileno(), size, target.spot(size)).ljust(size, b"\0")


def overwrite(target, count, size, what):
    for _ in range(count):
        target.write(target.spot(size), what(target, size))


def head(target, size, what):
    """The device's beginning, where boot loaders and partition tables go."""
    target.write(0, what(target, size))


def other_mkfs(target, spared):
    """mkfs.ext4, but for so many bytes at the beginning."""
    path, start = target.path + ".ext4", target.read(0, spared)
    with open(path, "wb") as file:
        file.truncate(target.size)
    bases.subprocess.run(["mke2fs", "-q", "-F", "-t", "ext4", "-E", "nodiscard", path], check=True)
    with open(path, "rb") as file:
        for at, end in bases.data_ranges(file.fileno()):
            target.write(at, os.pread(file.fileno(), end - at, at))
    os.unlink(path)
    target.write(0, start)


# ---- what was not written, or not all of it ----


def stale(target, count, size):
    """Areas are as they were earlier: a chunk that a RAID forgot, a cache that lost power."""
    with target.earlier() as old:
        for _ in range(count):
            at = target.spot(size)
            target.write(at, os.pread(old.fileno(), size, at))


def stale_head(target, size):
    """The beginning of a group is as it was earlier: its headers and the roots behind them are sound, and know less."""
    at = target.sb.group(target.rng.randrange(target.sb.groups))
    with target.earlier() as old:
        target.write(at, os.pread(old.fileno(), size, at))


def stale_kind(target, *magics):
    """All blocks, or header sectors, of a kind are as they were earlier."""
    with target.earlier() as old:
        for block in target.changed(old):
            headers = target.read(block, 4) in (b"XFSB", b"XAGF", b"XAGI", b"XAFL")
            for at in range(block, block + target.sb.block_size, SECTOR):
                if target.read(at, 4) in magics and (headers or at == block):
                    size = SECTOR if headers else target.sb.block_size
                    target.write(at, os.pread(old.fileno(), size, at))


def lost_writes(target, share):
    with target.earlier(-1) as old:
        for at in target.changed(old):
            if target.rng.random() < share:
                target.write(at, os.pread(old.fileno(), target.sb.block_size, at))


def torn(target, share):
    """Of some writes, only the sectors at one end arrived."""
    size = target.sb.block_size
    with target.earlier(-1) as old:
        for at in target.changed(old):
            if target.rng.random() < share:
                cut = target.rng.randrange(0, size, SECTOR)
                start, end = target.rng.choice([(0, cut), (cut, size)])
                target.write(at + start, os.pread(old.fileno(), end - start, at + start))


def stale_one(target, *magics):
    """A single block is as it was earlier, such as a root."""
    with target.earlier() as old:
        found = [at for at in target.changed(old) if target.read(at, 4)[: len(magics[0])] in magics]
        if found:
            at = target.rng.choice(found)
            target.write(at, os.pread(old.fileno(), target.sb.block_size, at))


def stale_log(target):
    """The log is as it was earlier, and metadata is newer than that."""
    start, end = target.sb.log()
    with target.earlier() as old:
        target.write(start, os.pread(old.fileno(), end - start, start))


def stale_log_end(target):
    """The log's last writes are lost: what was written last is as it was before the last age."""
    start, end = target.sb.log()
    with target.earlier(-1) as old:
        new, was = target.read(start, end - start), os.pread(old.fileno(), end - start, start)
    changed = [at for at in range(0, end - start, SECTOR) if new[at : at + SECTOR] != was[at : at + SECTOR]]
    for at in changed[target.rng.randrange(len(changed) + 1) :]:
        target.write(start + at, was[at : at + SECTOR])


def directory_blocks(target, count, what):
    """Blocks of directories, each as large as they are here, are overwritten."""
    size = target.sb.directory_size
    found = [at for at in target.base.metadata if target.read(at, 4) in (b"XDB3", b"XDD3", b"XDF3")]
    for at in target.rng.sample(found, min(count, len(found))):
        target.write(at, what(target, size))


# ---- small things ----


def flip(target, rate):
    """Bits of metadata, this share of them."""
    size = target.sb.block_size
    for _ in range(max(1, int(len(target.base.metadata) * size * 8 * rate))):
        at = target.rng.choice(target.base.metadata) + target.rng.randrange(size)
        target.write(at, bytes([target.read(at, 1)[0] ^ 1 << target.rng.randrange(8)]))


LSNS = {b"XDB3": 16, b"XDD3": 16, b"XDF3": 16, b"BMA3": 24, b"AB3B": 24, b"AB3C": 24, b"RMB3": 24, b"IAB3": 24, b"FIB3": 24}


def dates(target, count):
    """Two bits of a block are wrong: one that makes its log sequence number a later one, and one behind its header."""
    found = [at for at in target.base.metadata if target.read(at, 4) in LSNS]
    for at in target.rng.sample(found, min(count, len(found))):
        for byte in (LSNS[target.read(at, 4)] + target.rng.randrange(1, 6), 100 + target.rng.randrange(200)):
            target.write(at + byte, bytes([target.read(at + byte, 1)[0] | 1 << target.rng.randrange(6)]))


def scribble(target, count, size):
    for _ in range(count):
        at = target.rng.choice(target.base.metadata) + target.rng.randrange(target.sb.block_size - size + 1)
        target.write(at, target.rng.randbytes(size))


def sectors(target, share, what):
    for at in target.areas(SECTOR, 1):
        for sector in range(at, at + target.sb.block_size, SECTOR):
            if target.rng.random() < share:
                target.write(sector, what(target, SECTOR))


# ---- what lies in the wrong place ----


def swap(target, count, size, neighbours=False):
    """Pairs of areas are exchanged: a volume put together wrongly."""
    for _ in range(count):
        one = target.spot(2 * size) if neighbours else target.spot(size)
        two = one + size if neighbours else target.spot(size)
        first, second = target.read(one, size), target.read(two, size)
        target.write(one, second)
        target.write(two, first)


def swap_groups(target, share):
    """The beginnings of two groups, or halves of them, are exchanged."""
    one, two = (target.sb.group(group) for group in target.rng.sample(range(target.sb.groups), 2))
    size = int(share * target.sb.group_blocks) * target.sb.block_size
    first, second = target.read(one, size), target.read(two, size)
    target.write(one, second)
    target.write(two, first)


def shift(target, count, by):
    """What lies in an area lies a sector, or more, behind its place."""
    for _ in range(count):
        at = target.spot(64 * KIB)
        target.write(at, bytes(by) + target.read(at, 64 * KIB - by))


# ---- what can't be read ----


def unreadable(target, share, size):
    """What programs that rescue a disk leave: zeroes where it could not be read."""
    for at in target.areas(size, share):
        target.write(at, bytes(size))


def truncated(target, share):
    """A copy that ended early."""
    os.ftruncate(target.file.fileno(), int(target.size * share) // 4096 * 4096)


# ---- superblocks ----

# offset and bytes: blocks, log, root, realtime extent, groups, log size, versions, logarithms, alignment, units, features
SB_FIELDS = [(8, 8), (48, 8), (56, 8), (80, 4), (84, 4), (88, 4), (96, 4), (100, 2), (124, 1), (127, 1), (180, 4)]
SB_FIELDS += [(184, 4), (188, 4), (192, 1), (208, 4), (212, 4), (216, 4)]


def sb_fields(target, count):
    """Fields of the primary are wrong, and its checksum is right."""
    sector = bytearray(target.read(0, SECTOR))
    for _ in range(count):
        at, size = target.rng.choice(SB_FIELDS)
        value, bits = int.from_bytes(sector[at : at + size], "big"), 8 * size
        flipped = value ^ 1 << target.rng.randrange(bits)
        value = target.rng.choice([value * 2, value // 2, value + 1, value + 64, flipped]) & (1 << bits) - 1
        sector[at : at + size] = value.to_bytes(size, "big")
    target.put_sb(sector)


def used(target):
    """Use what is still sound; returns what it holds then."""
    with target.mounts.mounted(target.path) as root:
        bases.Life(root, target.rng, "u").live(300)
    with target.mounts.mounted(target.path, "loop,ro") as root:
        return bases.content.Content(bases.content.manifest(root, target.tools))


def cut_in_use(target, function=None, *arguments):
    """The power is lost while the file system is in use; function: what damages it then, if anything."""
    cut = target.path + ".cut"
    with target.mounts.mounted(target.path) as root:
        bases.Life(root, target.rng, "u").live(300)
        bases.subprocess.run(["sync", "-f", root], check=True)
        bases.copy(target.path, cut)
        truth = bases.content.Content(bases.content.manifest(root, target.tools))
    os.replace(cut, target.path)
    target.file.close()
    target.file = open(target.path, "r+b", buffering=0)
    if function:
        function(target, *arguments)
    return truth


def upgraded(target):
    """An xfs_admin of before 5.18 has added a feature to the primary alone, and the file system was in use with it."""
    sector = bytearray(target.read(0, SECTOR))
    features = struct.unpack_from(">I", sector, 216)[0]
    missing = [bit for bit in (0x8, 0x20) if not features & bit]  # large timestamps, large counters
    if not missing:
        return None
    struct.pack_into(">I", sector, 216, features | target.rng.choice(missing))
    target.put_sb(sector)
    return used(target) if target.mounts.can_mount(target.path) else None


def log_not_written(target):
    """The file system was in use once more, and of what was written to the log nothing has arrived: most metadata has the
    sequence number that the next record of the log will get."""
    start, end = target.sb.log()
    log = target.read(start, end - start)
    truth = used(target)
    target.write(start, log)
    return truth


INODES, SPACE = (b"IAB3", b"FIB3", b"XAGI"), (b"AB3B", b"AB3C", b"XAGF", b"XAFL")

# Of each kind the function, and what it is called with. What a function returns, if anything, is what the file system
# now holds.
KINDS = {
    "zeroed-area": (overwrite, 1, MIB, zeroes),
    "noise-areas": (overwrite, 3, MIB, noise),
    "own-areas": (overwrite, 2, MIB, own),
    "foreign-areas": (overwrite, 2, MIB, foreign),
    "foreign-chunks": (overwrite, 8, 64 * KIB, foreign),
    "head": (head, 64 * KIB, noise),
    "head-large": (head, 2 * MIB, noise),
    "other-mkfs": (other_mkfs, 0),
    "other-mkfs-spared": (other_mkfs, 128 * KIB),
    "stale-chunk": (stale, 1, 64 * KIB),
    "stale-chunks": (stale, 20, 64 * KIB),
    "stale-areas": (stale, 3, MIB),
    "stale-part": (stale, 1, 16 * MIB),
    "stale-head": (stale_head, 64 * KIB),
    "stale-head-large": (stale_head, MIB),
    "stale-inobt": (stale_kind, *INODES),
    "stale-space": (stale_kind, *SPACE),
    "stale-rmap": (stale_kind, b"RMB3", b"R3FC"),
    "stale-directories": (stale_kind, b"XDB3", b"XDD3", b"XDF3"),
    "stale-maps": (stale_kind, b"BMA3"),
    "stale-superblocks": (stale_kind, b"XFSB"),
    "stale-bnobt-block": (stale_one, b"AB3B"),
    "stale-inodes": (stale_one, b"IN"),
    "stale-log": (stale_log,),
    "stale-log-end": (stale_log_end,),
    "log-not-written": (log_not_written,),
    "directory-blocks": (directory_blocks, 4, zeroes),
    "directory-blocks-noise": (directory_blocks, 4, noise),
    "cut": (cut_in_use,),
    "cut-bits": (cut_in_use, flip, 1e-5),
    "cut-stale-chunks": (cut_in_use, stale, 20, 64 * KIB),
    "cut-scribbles": (cut_in_use, scribble, 40, 16),
    "lost-writes": (lost_writes, 0.01),
    "lost-writes-many": (lost_writes, 0.05),
    "lost-writes-most": (lost_writes, 0.3),
    "torn-writes": (torn, 0.03),
    "torn-writes-many": (torn, 0.2),
    "bits": (flip, 1e-6),
    "bits-more": (flip, 1e-5),
    "bits-many": (flip, 1e-4),
    "dates": (dates, 30),
    "bytes": (scribble, 200, 1),
    "scribbles": (scribble, 40, 16),
    "sectors-zeroed": (sectors, 0.003, zeroes),
    "sectors-noise": (sectors, 0.003, noise),
    "swapped-chunks": (swap, 4, 64 * KIB),
    "swapped-areas": (swap, 3, MIB),
    "swapped-neighbours": (swap, 4, 64 * KIB, True),
    "swapped-heads": (swap_groups, 0.02),
    "swapped-halves": (swap_groups, 0.5),
    "shifted": (shift, 5, SECTOR),
    "unreadable-chunks": (unreadable, 0.03, 64 * KIB),
    "unreadable-areas": (unreadable, 0.01, 256 * KIB),
    "superblock-field": (sb_fields, 1),
    "superblock-fields": (sb_fields, 3),
    "feature-added": (upgraded,),
    "truncated": (truncated, 0.9),
}
IN_USE = {kind for kind, (function, *_) in KINDS.items() if function in (cut_in_use, log_not_written, upgraded)}


def damage(kind, target):
    """Damage the target; returns what the file system should hold."""
    function, *arguments = KINDS[kind]
    truth = function(target, *arguments)
    target.file.close()
    return truth or target.base.truth
