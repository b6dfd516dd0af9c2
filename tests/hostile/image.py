# SPDX-License-Identifier: GPL-2.0-or-later
"""An image of tests/data, version 5 with blocks of 4 KiB, for being made hostile: where things are in it, and how they
are changed with checksums that stay right."""
import mmap
import struct

NONE32 = 0xFFFFFFFF
NONE64 = 0xFFFFFFFFFFFFFFFF
BLOCK = 4096
SECTOR = 512

# offsets of the checksum
CRC_SB, CRC_AGF, CRC_AGI, CRC_AGFL, CRC_INODE = 224, 216, 312, 32, 100
CRC_SHORT, CRC_LONG, CRC_DATA, CRC_DA, CRC_REMOTE = 52, 64, 4, 12, 12

FMT_LOCAL, FMT_EXTENTS, FMT_BTREE = 1, 2, 3
DIR, REG, LNK = 4, 8, 10
EXTENT_MAX = (1 << 21) - 1


def _table():
    table = []
    for n in range(256):
        for _ in range(8):
            n = n >> 1 ^ (0x82F63B78 if n & 1 else 0)
        table.append(n)
    return table


_CRC = _table()


def crc32c(data):
    crc = NONE32
    for byte in data:
        crc = crc >> 8 ^ _CRC[(crc ^ byte) & 0xFF]
    return crc ^ NONE32


class Image:
    def __init__(self, path):
        self.file = open(path, "r+b")
        self.map = mmap.mmap(self.file.fileno(), 0)
        self.agblocks = self.get(0, 84, 4)
        self.agcount = self.get(0, 88, 4)
        self.inode_size = self.get(0, 104, 2)
        self.agblock_log = self.map[124]
        self.inopb_log = self.map[123]
        self.root = self.get(0, 56, 8)
        self.uuid = bytes(self.map[32:48])
        self.taken = [0] * self.agcount

    # ---- numbers ----

    def get(self, start, offset, size):
        return int.from_bytes(self.map[start + offset : start + offset + size], "big")

    def put(self, start, offset, size, value):
        self.map[start + offset : start + offset + size] = (value & (1 << 8 * size) - 1).to_bytes(size, "big")

    def seal(self, start, length, crc):
        """Make a checksum right."""
        self.map[start + crc : start + crc + 4] = bytes(4)
        self.map[start + crc : start + crc + 4] = struct.pack("<I", crc32c(self.map[start : start + length]))

    # ---- places ----

    def byte_of(self, fsbno):
        agno, agbno = fsbno >> self.agblock_log, fsbno & (1 << self.agblock_log) - 1
        return (agno * self.agblocks + agbno) * BLOCK

    def fsbno(self, agno, agbno):
        return agno << self.agblock_log | agbno

    def inode(self, ino):
        slots = 1 << self.inopb_log
        return self.byte_of(ino >> self.inopb_log) + ino % slots * self.inode_size

    def header(self, agno, sector):
        return agno * self.agblocks * BLOCK + sector * SECTOR

    def agf(self, agno):
        return self.header(agno, 1)

    def agi(self, agno):
        return self.header(agno, 2)

    def leftmost(self, agno, agbno, pointers):
        """The first leaf below a block of an AG's btree, whose nodes have their pointers there."""
        byte = self.byte_of(self.fsbno(agno, agbno))
        while self.get(byte, 4, 2) > 0:
            agbno = self.get(byte, pointers, 4)
            byte = self.byte_of(self.fsbno(agno, agbno))
        return agbno

    def take(self, agno, count=1):
        """Blocks at the end of an AG's longest free extent, which is where nothing of the file system is."""
        leaf, records = self.leftmost(agno, self.get(self.agf(agno), 16, 4), 56 + 336 * 8), []
        while leaf != NONE32:
            byte = self.byte_of(self.fsbno(agno, leaf))
            for i in range(self.get(byte, 6, 2)):
                records.append((self.get(byte, 56 + 8 * i + 4, 4), self.get(byte, 56 + 8 * i, 4)))
            leaf = self.get(byte, 12, 4)
        length, start = max(records)
        self.taken[agno] += count
        if self.taken[agno] > length:
            raise SystemExit("no free space is left in AG %d" % agno)
        return start + length - self.taken[agno]

    # ---- inodes ----

    def inodes(self):
        """All inodes in use, as (number, byte)."""
        for agno in range(self.agcount):
            tree = self.byte_of(self.fsbno(agno, self.leftmost(agno, self.get(self.agi(agno), 20, 4), 56 + 505 * 4)))
            for i in range(self.get(tree, 6, 2)):
                first = self.get(tree, 56 + 16 * i, 4)
                holes, free = self.get(tree, 56 + 16 * i + 4, 2), self.get(tree, 56 + 16 * i + 8, 8)
                for slot in range(64):
                    if not (holes >> slot // 4 | free >> slot) & 1:
                        ino = agno << self.agblock_log + self.inopb_log | first + slot
                        yield ino, self.inode(ino)

    def find(self, kind, fmt, more=lambda byte: True, fork=0):
        """The first inode of a kind whose data fork (or with fork=1, its attribute fork) has a format."""
        for ino, byte in self.inodes():
            if self.get(byte, 2, 2) >> 12 == kind and self.map[byte + (83 if fork else 5)] == fmt and ino != self.root:
                if (not fork or self.map[byte + 82]) and more(byte):
                    return ino, byte
        raise SystemExit("the image has no such inode")

    def fork(self, byte, fork=0):
        """Where a fork starts, and its size."""
        room, forkoff = self.inode_size - 176, self.map[byte + 82] * 8
        if fork:
            return byte + 176 + forkoff, room - forkoff
        return byte + 176, forkoff or room

    def seal_inode(self, byte):
        self.seal(byte, self.inode_size, CRC_INODE)

    def put_extents(self, byte, extents):
        """A data fork of these (offset, fsbno, length)."""
        start, _ = self.fork(byte)
        for i, (offset, fsbno, length) in enumerate(extents):
            self.put(start, 16 * i, 16, offset << 73 | fsbno << 21 | length)
        self.map[byte + 5] = FMT_EXTENTS
        self.put(byte, 24, 8, len(extents))
        self.seal_inode(byte)

    def extents(self, byte, fork=0):
        """Those of a fork in extents format."""
        start, _ = self.fork(byte, fork)
        count = self.get(byte, 76, 4) if fork else self.get(byte, 24, 8)
        values = [self.get(start, 16 * i, 16) for i in range(count)]
        return [(v >> 73 & (1 << 54) - 1, v >> 21 & (1 << 52) - 1, v & EXTENT_MAX) for v in values]

    # ---- blocks ----

    def short_block(self, agno, agbno, magic, level, body, left=NONE32, right=NONE32, count=0):
        """A block of an AG's btree: body is what follows the header."""
        byte = self.byte_of(self.fsbno(agno, agbno))
        header = struct.pack(">4sHHIIQQ16sI4x", magic, level, count, left, right, byte // SECTOR, 0, self.uuid, agno)
        self.map[byte : byte + BLOCK] = (header + body).ljust(BLOCK, b"\0")
        self.seal(byte, BLOCK, CRC_SHORT)
        return byte

    def long_block(self, fsbno, ino, level, body, count=0):
        """A block of a file's extent map."""
        byte = self.byte_of(fsbno)
        siblings = (NONE64, NONE64)
        header = struct.pack(">4sHHQQQQ16sQ8x", b"BMA3", level, count, *siblings, byte // SECTOR, 0, self.uuid, ino)
        self.map[byte : byte + BLOCK] = (header + body).ljust(BLOCK, b"\0")
        self.seal(byte, BLOCK, CRC_LONG)
        return byte
