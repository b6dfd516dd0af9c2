#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""names.py IMAGE SEED CANARY: changes names, targets of symbolic links, types and inode numbers of a copy of an image of
tests/data, with checksums that stay right, so that whoever copies files out of it is led elsewhere: to the folder CANARY,
upwards, through a link that has the name of a folder, to names that collide, to device nodes."""
import random
import sys

from image import *

DATA_HEADER = 64  # of a directory block in one piece
LOCAL_HEADER = 4  # of a directory in the inode, with inode numbers of four bytes


def entries_of_block(image, start):
    """Places of the names in a block, (byte, length, byte of the inode number)."""
    count = image.get(start, BLOCK - 8, 4)
    at, end = DATA_HEADER, BLOCK - 8 - 8 * count
    while 0 < at < end:
        if image.get(start, at, 2) == 0xFFFF:
            length = image.get(start, at + 2, 2)
            if length < 8:
                return
            at += length
            continue
        length = image.map[start + at + 8]
        name = bytes(image.map[start + at + 9 : start + at + 9 + length])
        if name not in (b".", b"..") and length:
            yield start + at + 9, length, start + at
        at += (8 + 1 + length + 1 + 2 + 7) // 8 * 8


def entries_of_inode(image, byte):
    """The same of a directory in its inode; inode numbers of four bytes only."""
    start, room = image.fork(byte)
    count, wide = image.map[start], image.map[start + 1]
    at = start + 2 + 4
    for _ in range(0 if wide else count):
        length = image.map[at]
        if not length or at + 3 + length + 1 + 4 > start + room:
            return
        yield at + 3, length, at + 3 + length + 1
        at += 3 + length + 1 + 4


class Traps:
    def __init__(self, image, seed, canary):
        self.image, self.random, self.canary = image, random.Random(seed), canary.encode()
        self.links, self.others, self.groups = [], [], []
        for _, byte in image.inodes():
            kind = image.get(byte, 2, 2) >> 12
            if kind == LNK and image.map[byte + 5] == FMT_LOCAL:
                self.links.append(byte)
            if kind == REG and image.get(byte, 16, 4) == 1:
                self.others.append(byte)
            if kind == DIR and image.map[byte + 5] == FMT_LOCAL:
                self.groups.append((lambda b=byte: image.seal_inode(b), list(entries_of_inode(image, byte))))
        for start in range(0, len(image.map) - BLOCK + 1, BLOCK):
            if image.map[start : start + 4] == b"XDB3":
                self.groups.append((lambda s=start: image.seal(s, BLOCK, CRC_DATA), list(entries_of_block(image, start))))
        self.groups = [g for g in self.groups if g[1]]

    def cut(self, text, length):
        """Exactly that long."""
        return (text * (length // len(text) + 1))[:length]

    def write(self, byte, text):
        self.image.map[byte : byte + len(text)] = text

    def name(self):
        """One that leads somewhere."""
        seal, entries = self.random.choice(self.groups)
        byte, length, _ = self.random.choice(entries)
        how = self.random.choice([b"../", b"/", self.canary + b"/", b"..\0", b".", b"\n\x1b[2J", b".xfsck-extract\0"])
        self.write(byte, self.cut(how, length))
        seal()

    def twin(self):
        """Two of the same name, of those that are equally long; or the same but for the case of letters."""
        seal, entries = self.random.choice(self.groups)
        byte, length, _ = self.random.choice(entries)
        same = [e for e in entries if e[1] == length and e[0] != byte]
        if same:
            text = bytes(self.image.map[byte : byte + length])
            self.write(self.random.choice(same)[0], text.swapcase() if self.random.random() < 0.3 else text)
            seal()

    def link(self):
        if self.links:
            byte = self.random.choice(self.links)
            start, _ = self.image.fork(byte)
            length = self.image.get(byte, 56, 8)
            if 0 < length <= 300:
                way = self.random.choice([self.canary, b"../../../../canary", b"/etc", b"..", b"."])
                self.write(start, self.cut(b"/", length - len(way)) + way if length > len(way) else way[:length])
                self.image.seal_inode(byte)

    def node(self):
        """A device that has the name of a file."""
        if self.others:
            byte = self.random.choice(self.others)
            self.image.put(byte, 2, 2, self.random.choice([0x2000, 0x6000, 0x1000, 0xC000]) | 0o6777)
            self.image.map[byte + 5] = 0
            for at, size in ((24, 8), (56, 8), (64, 8), (72, 4)):
                self.image.put(byte, at, size, 0)
            self.image.put(self.image.fork(byte)[0], 0, 4, self.random.choice([8 << 18, 1 << 18 | 3, 259 << 18 | 7]))
            self.image.seal_inode(byte)

    def circle(self):
        """A name that leads to what another one leads to, often a folder further up."""
        seal, entries = self.random.choice(self.groups)
        _, _, to = self.random.choice(entries)
        _, others = self.random.choice(self.groups)
        _, _, of = self.random.choice(others)
        size = 8 if len(entries) and to % 8 == 0 and of % 8 == 0 else 4
        self.image.map[to : to + size] = self.image.map[of : of + size]
        seal()

    def link_over_folder(self):
        """A link that leads away has the name of a folder beside it, or of anything else."""
        self.link()
        self.twin()

    def spring(self):
        kinds = [self.name, self.twin, self.link, self.node, self.circle, self.link_over_folder]
        for _ in range(self.random.choice([1, 3, 10, 40])):
            self.random.choice(kinds)()


def main():
    with open(sys.argv[1], "rb") as file:
        if int.from_bytes(file.read(92)[88:], "big") > 64:
            return  # damage has made groups that are not there: nothing can be found
    image = Image(sys.argv[1])
    Traps(image, int(sys.argv[2]), sys.argv[3]).spring()
    image.map.flush()


main()
