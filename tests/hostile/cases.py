#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""cases.py IMAGE CASE: makes a copy of tests/data/aged.img hostile: circles, children with a thousand parents, numbers
that no device is large enough for.  cases.py --list prints the cases, one a line, with findings they must give."""
import os
import struct
import sys

from image import *

CASES = {}


def case(*findings):
    """What the function below does must be found as that, at least; "a|b" is one of the two, "-" anything."""

    def add(function):
        CASES[function.__name__] = (function, findings)
        return function

    return add


# ---- btrees of an AG ----

# of each: magic, sector and offsets of root and level in the AG header, bytes of a key, entries of a node
TREES = {
    "bno": (b"AB3B", 1, 16, 28, 8, 336),
    "cnt": (b"AB3C", 1, 20, 32, 8, 336),
    "rmap": (b"RMB3", 1, 24, 36, 40, 91),
    "refcount": (b"R3FC", 1, 88, 92, 4, 505),
    "ino": (b"IAB3", 2, 20, 24, 4, 505),
    "fino": (b"FIB3", 2, 328, 332, 4, 505),
}
CRC_OF_SECTOR = {1: CRC_AGF, 2: CRC_AGI}


def plant(image, agno, name, root, level):
    """Make a block the root of a tree, which has so many levels."""
    _, sector, root_at, level_at, _, _ = TREES[name]
    header = image.header(agno, sector)
    image.put(header, root_at, 4, root)
    image.put(header, level_at, 4, level)
    image.seal(header, SECTOR, CRC_OF_SECTOR[sector])


def root_of(image, agno, name):
    _, sector, root_at, level_at, key_size, entries = TREES[name]
    header = image.header(agno, sector)
    return image.get(header, root_at, 4), image.get(header, level_at, 4)


def first_key(image, agno, name, agbno):
    """The key that a parent of this block would have for it."""
    key_size, entries = TREES[name][4:]
    leaf = image.leftmost(agno, agbno, 56 + entries * key_size)
    record = image.byte_of(image.fsbno(agno, leaf)) + 56
    if name == "rmap":
        low = image.map[record : record + 4] + image.map[record + 8 : record + 24]
        return low + low
    return image.map[record : record + key_size]


def later(key, n):
    """The same key, n blocks or inodes further on."""
    return struct.pack(">I", struct.unpack(">I", key[:4])[0] + n & NONE32) + key[4:]


def full_node(image, agno, name, level, agbno, children, key, rising=True, count=None):
    """A node with as many entries as fit, or so many, whose children repeat."""
    magic, _, _, _, key_size, entries = TREES[name]
    keys = b"".join(later(key, i) if rising else key for i in range(entries))
    pointers = b"".join(struct.pack(">I", children[i % len(children)]) for i in range(entries))
    image.short_block(agno, agbno, magic, level, keys + pointers, count=count or entries)


def one_child(image, name, levels, rising):
    """Nodes on top of the tree, each with one child, again and again."""
    for agno in range(image.agcount):
        root, height = root_of(image, agno, name)
        key = first_key(image, agno, name, root)
        for level in range(height, height + levels):
            block = image.take(agno)
            full_node(image, agno, name, level, block, [root], key, rising)
            root = block
        plant(image, agno, name, root, height + levels)


def make_tree_cases(name, finding):
    def one_child_a_thousand_times(image):
        one_child(image, name, 1, True)

    def one_child_with_equal_keys(image):
        one_child(image, name, 1, False)

    def thousand_children_each(image):
        one_child(image, name, 2, True)

    def nine_levels_of_one_child(image):
        """As many as the kernel allows a tree of an AG, without a contradiction in any of them."""
        for agno in range(image.agcount):
            root, height = root_of(image, agno, name)
            key = first_key(image, agno, name, root)
            for level in range(height, 9):
                block = image.take(agno)
                full_node(image, agno, name, level, block, [root], key, count=1)
                root = block
            plant(image, agno, name, root, 9)

    def child_is_itself(image):
        _, height = root_of(image, 1, name)
        key, block = first_key(image, 1, name, root_of(image, 1, name)[0]), image.take(1)
        full_node(image, 1, name, height, block, [block], key)
        plant(image, 1, name, block, height + 1)

    def two_nodes_in_a_circle(image):
        _, height = root_of(image, 1, name)
        key, a, b = first_key(image, 1, name, root_of(image, 1, name)[0]), image.take(1), image.take(1)
        full_node(image, 1, name, height + 1, a, [b], key)
        full_node(image, 1, name, height, b, [a, b], key)
        plant(image, 1, name, a, height + 2)

    def sibling_is_itself(image):
        pointers = 56 + TREES[name][5] * TREES[name][4]
        byte = image.byte_of(image.fsbno(1, image.leftmost(1, root_of(image, 1, name)[0], pointers)))
        image.put(byte, 12, 4, byte // BLOCK % image.agblocks)
        image.seal(byte, BLOCK, CRC_SHORT)

    def level_too_high(image):
        root, _ = root_of(image, 1, name)
        plant(image, 1, name, root, 0x80000001)

    for function in (
        one_child_a_thousand_times,
        one_child_with_equal_keys,
        thousand_children_each,
        nine_levels_of_one_child,
        child_is_itself,
        two_nodes_in_a_circle,
        sibling_is_itself,
        level_too_high,
    ):
        function.__name__ = name + "_" + function.__name__
        CASES[function.__name__] = (function, finding)


make_tree_cases("bno", ["-"])
make_tree_cases("cnt", ["-"])
make_tree_cases("rmap", ["-"])
make_tree_cases("refcount", ["-"])
make_tree_cases("ino", ["-"])
make_tree_cases("fino", ["-"])


def fill_inobt(image, agno, start):
    """A leaf full of the same chunk, or of chunks that overlap; start(i) is where record i begins."""
    root, _ = root_of(image, agno, "ino")
    byte = image.byte_of(image.fsbno(agno, image.leftmost(agno, root, 56 + 505 * 4)))
    first, rest = image.get(byte, 56, 4), image.map[byte + 60 : byte + 72]
    body = b"".join(struct.pack(">I", first + start(i)) + rest for i in range(252))
    image.put(byte, 6, 2, 252)
    image.map[byte + 56 : byte + 56 + len(body)] = body
    image.seal(byte, BLOCK, CRC_SHORT)


@case("btree.order")
def one_chunk_in_every_record(image):
    for agno in range(image.agcount):
        fill_inobt(image, agno, lambda i: 0)


@case("inobt.align")
def chunks_that_overlap(image):
    for agno in range(image.agcount):
        fill_inobt(image, agno, lambda i: 8 * i)


@case("inobt.too_many")
def one_chunk_in_every_record_of_many_leaves(image):
    one_chunk_in_every_record(image)
    one_child(image, "ino", 1, True)


@case("-")
def refcount_of_two_to_the_31(image):
    for agno in range(image.agcount):
        root, _ = root_of(image, agno, "refcount")
        byte = image.byte_of(image.fsbno(agno, image.leftmost(agno, root, 56 + 505 * 4)))
        body = b"".join(struct.pack(">III", 16 + 3 * i, 4000, 1 << 31) for i in range(336))
        image.short_block(agno, byte // BLOCK % image.agblocks, b"R3FC", 0, body, count=336)


# ---- extent maps ----

NODE_ENTRIES = 251


def map_node(image, fsbno, ino, level, child, count=NODE_ENTRIES):
    keys = b"".join(struct.pack(">Q", i) for i in range(NODE_ENTRIES))
    image.long_block(fsbno, ino, level, keys + struct.pack(">Q", child) * NODE_ENTRIES, count)


def map_root(image, ino, byte, level, child, count=None):
    """As many entries as fit into the inode, or so many."""
    start, size = image.fork(byte)
    entries = (size - 4) // 16
    image.map[start : start + size] = bytes(size)
    image.put(start, 0, 2, level)
    image.put(start, 2, 2, count or entries)
    for i in range(count or entries):
        image.put(start, 4 + 8 * i, 8, i)
        image.put(start, 4 + 8 * entries + 8 * i, 8, child)
    image.map[byte + 5] = FMT_BTREE
    image.put(byte, 64, 8, 1 << 62)
    image.put(byte, 24, 8, (1 << 48) - 1)
    image.seal_inode(byte)


def map_of_one_leaf(image, kind, levels, extent, entries=None):
    """A tall map in which every pointer of a level is the same, as many as fit or so many; extent(i): offset, start and
    length."""
    ino, byte = image.find(kind, FMT_EXTENTS)
    agno = 2
    child = image.fsbno(agno, image.take(agno))
    records = b"".join((o << 73 | s << 21 | n).to_bytes(16, "big") for o, s, n in map(extent, range(NODE_ENTRIES)))
    image.long_block(child, ino, 0, records, NODE_ENTRIES)
    for level in range(1, levels):
        node = image.fsbno(agno, image.take(agno))
        map_node(image, node, ino, level, child, entries or NODE_ENTRIES)
        child = node
    map_root(image, ino, byte, levels, child, entries)


@case("block.owner|btree.first_key|btree.too_large")
def map_with_one_leaf(image):
    map_of_one_leaf(image, REG, 4, lambda i: (4000 * i, image.fsbno(3, 16), 4000))


@case("inode.nextents.count")
def map_of_six_levels_of_one_child(image):
    map_of_one_leaf(image, REG, 6, lambda i: (4000 * i, image.fsbno(3, 16), 4000), 1)


@case("btree.first_key|btree.too_large")
def directory_map_with_one_leaf(image):
    map_of_one_leaf(image, DIR, 4, lambda i: (4000 * i, image.fsbno(3, 16), 4000))


@case("btree.first_key|btree.too_large")
def directory_map_of_the_same_block(image):
    map_of_one_leaf(image, DIR, 4, lambda i: (i, image.fsbno(3, 16), 1))


@case("btree.pointer", "btree.first_key")
def map_that_is_its_own_child(image):
    ino, byte = image.find(REG, FMT_EXTENTS)
    node = image.fsbno(2, image.take(2))
    map_node(image, node, ino, 1, node)
    map_root(image, ino, byte, 2, node)


@case("inode.nextents")
def extents_by_the_2_to_the_48(image):
    for _, byte in image.inodes():
        if image.map[byte + 5] in (FMT_EXTENTS, FMT_BTREE):
            image.put(byte, 24, 8, (1 << 48) - 1)
            image.seal_inode(byte)


@case("bmap.start|bmap.length")
def extents_that_lie_everywhere(image):
    """Every file has as many as fit, each as long as can be."""
    for _, byte in image.inodes():
        if image.get(byte, 2, 2) >> 12 == REG:
            count = image.fork(byte)[1] // 16
            image.put_extents(byte, [(EXTENT_MAX * i, 0, EXTENT_MAX) for i in range(count)])


@case("ag.space|space.claimed_twice")
def all_files_have_all_blocks(image):
    for _, byte in image.inodes():
        if image.get(byte, 2, 2) >> 12 == REG:
            count = image.fork(byte)[1] // 16
            image.put_extents(byte, [(4096 * i, image.fsbno(i % 4, 8), 4088) for i in range(count)])


@case("ag.space|space.claimed_twice")
def all_directories_have_all_blocks(image):
    for _, byte in image.inodes():
        if image.get(byte, 2, 2) >> 12 == DIR:
            count = image.fork(byte)[1] // 16
            image.put(byte, 64, 8, 1 << 40)
            image.put(byte, 56, 8, 1 << 35)
            image.put_extents(byte, [(4096 * i, image.fsbno(i % 4, 8), 4088) for i in range(count)])


@case("inode.size")
def links_have_all_blocks(image):
    for _, byte in image.inodes():
        if image.get(byte, 2, 2) >> 12 == LNK:
            image.put(byte, 64, 8, 1 << 40)
            image.put(byte, 56, 8, 1 << 35)
            image.put_extents(byte, [(4096 * i, image.fsbno(i % 4, 8), 4088) for i in range(8)])


@case("inode.size")
def sizes_of_2_to_the_63(image):
    for _, byte in image.inodes():
        image.put(byte, 56, 8, 1 << 63)
        image.put(byte, 64, 8, 1 << 63)
        image.seal_inode(byte)


# ---- directories ----


@case("tree.unreachable")
def directory_is_its_own_parent(image):
    ino, byte = image.find(DIR, FMT_LOCAL)
    image.put(image.fork(byte)[0], 2, 4, ino)
    image.seal_inode(byte)


@case("inodes.parents|dir.dotdot.parent|tree.unreachable")
def all_directories_in_a_circle(image):
    directories = [i for i in image.inodes() if image.get(i[1], 2, 2) >> 12 == DIR and image.map[i[1] + 5] == FMT_LOCAL]
    for i, (_, byte) in enumerate(directories):
        image.put(image.fork(byte)[0], 2, 4, directories[i - 1][0])
        image.seal_inode(byte)


@case("inodes.links|inode.nlink.count")
def every_entry_is_the_root(image):
    """In all directories of one block: what they contain is what they are in."""
    for byte in range(0, len(image.map), BLOCK):
        if image.map[byte : byte + 4] != b"XDB3":
            continue
        at = 64 + 16 + 16
        end = BLOCK - 8 - 8 * image.get(byte, BLOCK - 8, 4)
        while 0 < at < end:
            if image.get(byte, at, 2) == 0xFFFF:
                at += image.get(byte, at + 2, 2) or BLOCK
                continue
            image.put(byte, at, 8, image.root)
            at += (image.map[byte + at + 8] + 12 + 7) // 8 * 8
        image.seal(byte, BLOCK, CRC_DATA)


@case("dir.block.partly_mapped|dir.block.scattered")
def directory_of_pieces(image):
    """Directory blocks of 64 KiB, of which the one directory says to have very many, and each has only one block."""
    for agno in range(image.agcount):
        image.map[image.header(agno, 0) + 192] = 4
        image.seal(image.header(agno, 0), SECTOR, CRC_SB)
    ino, byte = image.find(DIR, FMT_EXTENTS)
    pieces, leaves = 16000, []
    for first in range(0, pieces, NODE_ENTRIES):
        agno = len(leaves) % image.agcount
        leaf = image.fsbno(agno, image.take(agno))
        last = min(first + NODE_ENTRIES, pieces)
        extents = [16 * i << 73 | image.fsbno(i % 4, 16 + i // 4) << 21 | 1 for i in range(first, last)]
        image.long_block(leaf, ino, 0, b"".join(e.to_bytes(16, "big") for e in extents), len(extents))
        leaves.append((16 * first, leaf))
    keys = b"".join(struct.pack(">Q", key) for key, _ in leaves).ljust(8 * NODE_ENTRIES, b"\0")
    node = image.fsbno(0, image.take(0))
    image.long_block(node, ino, 1, keys + b"".join(struct.pack(">Q", leaf) for _, leaf in leaves), len(leaves))
    start, size = image.fork(byte)
    image.map[start : start + size] = struct.pack(">HH", 2, 1).ljust(size, b"\0")
    image.put(start, 4 + (size - 4) // 16 * 8, 8, node)
    image.map[byte + 5] = FMT_BTREE
    image.put(byte, 56, 8, 16 * pieces * BLOCK)
    image.put(byte, 64, 8, pieces + len(leaves) + 1)
    image.put(byte, 24, 8, pieces)
    image.seal_inode(byte)


@case("dir.sf.count|dir.dotdot.ino")
def short_directory_of_255(image):
    for _, byte in image.inodes():
        if image.get(byte, 2, 2) >> 12 == DIR and image.map[byte + 5] == FMT_LOCAL:
            start, _ = image.fork(byte)
            image.map[start] = image.map[start + 1] = 255
            image.seal_inode(byte)


@case("attr.sf.count|attr.sf.entry")
def short_attributes_of_255(image):
    for _, byte in image.inodes():
        if image.map[byte + 82] and image.map[byte + 83] == FMT_LOCAL:
            start, _ = image.fork(byte, 1)
            image.map[start + 2] = 255
            image.seal_inode(byte)


def da_blocks(image, magic):
    for byte in range(0, len(image.map), BLOCK):
        if image.get(byte, 8, 2) == magic and image.get(byte, 16, 8) == byte // SECTOR:
            yield byte


@case("da.node.children")
def every_hash_leads_to_one_leaf(image):
    for byte in da_blocks(image, 0x3EBE):
        for i in range(504):
            image.put(byte, 64 + 8 * i, 4, i << 20)
            image.put(byte, 68 + 8 * i, 4, image.get(byte, 68, 4))
        image.put(byte, 56, 2, 504)
        image.seal(byte, BLOCK, CRC_DA)


@case("da.siblings")
def leaves_in_a_circle(image):
    for byte in da_blocks(image, 0x3DFF):
        image.put(byte, 0, 4, 0x800001)
        image.put(byte, 4, 4, 0x800001)
        image.seal(byte, BLOCK, CRC_DA)


@case("da.level")
def nodes_as_high_as_can_be(image):
    for byte in da_blocks(image, 0x3EBE):
        image.put(byte, 58, 2, 0xFFFF)
        image.seal(byte, BLOCK, CRC_DA)


@case("attr.remote.valueblk|attr.value.blocks|attr.name")
def every_value_has_64_kib(image):
    """Attributes whose values are somewhere else: all of them at the same place, as large as they may be."""
    for byte in da_blocks(image, 0x3BEE):
        for i in range(image.get(byte, 56, 2)):
            name = image.get(byte, 80 + 8 * i + 4, 2)
            image.map[byte + 80 + 8 * i + 6] &= 0xFE
            image.put(byte, name, 4, 1)
            image.put(byte, name + 4, 4, 65536)
        image.seal(byte, BLOCK, CRC_DA)


# ---- AG headers and superblock ----


@case("ag.unlinked.loop|ag.unlinked|agi.unlinked")
def deleted_inodes_in_a_circle(image):
    for agno in range(image.agcount):
        shift = image.agblock_log + image.inopb_log
        inodes = [i for i in image.inodes() if i[0] >> shift == agno][:64]
        if not inodes:
            continue
        mask = (1 << shift) - 1
        for i, (_, byte) in enumerate(inodes):
            image.put(byte, 16, 4, 0)
            image.put(byte, 96, 4, inodes[i - 1][0] & mask)
            image.seal_inode(byte)
        for bucket in range(64):
            image.put(image.agi(agno), 40 + 4 * bucket, 4, inodes[0][0] & mask)
        image.seal(image.agi(agno), SECTOR, CRC_AGI)


@case("agfl.duplicate|agfl.bno")
def free_list_of_one_block(image):
    for agno in range(image.agcount):
        list_, header = image.header(agno, 3), image.agf(agno)
        for i in range(119):
            image.put(list_, 36 + 4 * i, 4, 100)
        image.seal(list_, SECTOR, CRC_AGFL)
        image.put(header, 40, 4, 1)
        image.put(header, 44, 4, 0)
        image.put(header, 48, 4, 119)
        image.seal(header, SECTOR, CRC_AGF)


def geometry(image, dblocks, agblocks, agcount, agblock_log):
    """Another size of the file system, of which nothing is left that could contradict it."""
    for agno in range(1, image.agcount):
        image.map[image.header(agno, 0) : image.header(agno, 4)] = bytes(4 * SECTOR)
    image.put(0, 8, 8, dblocks)
    image.put(0, 84, 4, agblocks)
    image.put(0, 88, 4, agcount)
    image.map[124] = agblock_log
    image.seal(0, SECTOR, CRC_SB)
    for header, crc in (image.agf(0), CRC_AGF), (image.agi(0), CRC_AGI):
        image.put(header, 12, 4, min(agblocks, dblocks))
        image.seal(header, SECTOR, crc)


@case("io.short")
def groups_by_the_million(image):
    geometry(image, 4096 << 20, 4096, 1 << 20, 12)


@case("io.short")
def groups_by_the_2_to_the_31(image):
    geometry(image, 4096 << 31, 4096, 1 << 31, 12)


@case("io.short")
def groups_by_the_2_to_the_32(image):
    geometry(image, (4096 << 32) - 4096, 4096, (1 << 32) - 1, 12)


@case("sb.agblocks|sb.agcount|sb.dblocks")
def groups_of_one_block(image):
    geometry(image, 16384, 1, 16384, 0)


@case("io.short")
def a_pebibyte(image):
    geometry(image, 1 << 38, (1 << 28) - 1, (1 << 10) + 1, 28)


def a_giant(image):
    """A single huge AG, in which extents can be as long as they like."""
    geometry(image, (1 << 28) - 1, (1 << 28) - 1, 1, 28)
    image.agblock_log, image.agcount, image.agblocks = 28, 1, (1 << 28) - 1


@case("io.short")
def directories_of_a_giant(image):
    a_giant(image)
    for _, byte in image.inodes():
        if image.get(byte, 2, 2) >> 12 == DIR:
            count = image.fork(byte)[1] // 16
            image.put(byte, 64, 8, 1 << 40)
            image.put(byte, 56, 8, 1 << 35)
            image.put_extents(byte, [(EXTENT_MAX * i, 16, EXTENT_MAX) for i in range(count)])


@case("io.short")
def links_of_a_giant(image):
    a_giant(image)
    for _, byte in image.inodes():
        if image.get(byte, 2, 2) >> 12 == LNK:
            image.put(byte, 64, 8, 1 << 40)
            image.put_extents(byte, [(EXTENT_MAX * i, 16, EXTENT_MAX) for i in range(3)])


@case("io.short")
def attributes_of_a_giant(image):
    a_giant(image)
    for _, byte in image.inodes():
        start, size = image.fork(byte, 1)
        if image.map[byte + 82] and size >= 16:
            image.put(byte, 64, 8, 1 << 40)
            image.map[byte + 83] = FMT_EXTENTS
            image.put(byte, 76, 4, 1)
            image.put(start, 0, 16, 16 << 21 | EXTENT_MAX)
            image.seal_inode(byte)


@case("sb.logblocks|sb.logstart")
def a_log_larger_than_everything(image):
    image.put(0, 96, 4, NONE32)
    image.seal(0, SECTOR, CRC_SB)


@case("-")
def a_device_of_one_block(image):
    image.cut = BLOCK


@case("-")
def a_device_that_ends_in_a_header(image):
    image.cut = image.agf(1) + 100


def main():
    if sys.argv[1:] == ["--list"]:
        for name, (_, findings) in CASES.items():
            print(name, *findings)
        return
    path, name = sys.argv[1:]
    image = Image(path)
    image.cut = None
    CASES[name][0](image)
    image.map.flush()
    if image.cut is not None:
        os.truncate(path, image.cut)


main()
