#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes the image of a whole disk: disk.py DISK dos|gpt SECTOR-BYTES START=IMAGE[+BYTES] ...

Each image becomes a partition that begins at this byte, and is as long as the image, or as it is said.  Holes stay holes.
"""
import os
import struct
import sys
import zlib

MIB = 1 << 20


def copy(image, disk, at):
    with open(image, "rb") as source:
        end, offset = os.fstat(source.fileno()).st_size, 0
        while offset < end:
            try:
                offset = os.lseek(source.fileno(), offset, os.SEEK_DATA)
            except OSError:
                return
            hole = os.lseek(source.fileno(), offset, os.SEEK_HOLE)
            source.seek(offset)
            data = source.read(min(hole - offset, MIB))
            disk.seek(at + offset)
            disk.write(data)
            offset += len(data)


def main():
    path, kind, sector = sys.argv[1], sys.argv[2], int(sys.argv[3])
    places = []
    for argument in sys.argv[4:]:
        start, image = argument.split("=")
        image, _, length = image.partition("+")
        places.append((int(start), int(length or os.path.getsize(image)), image))
    end = max(start + length for start, length, _ in places) // sector + 128
    with open(path, "w+b") as disk:
        def put(number, data):
            disk.seek(number * sector)
            disk.write(data)

        disk.truncate(end * sector)
        table = bytearray(512)
        table[510:] = b"\x55\xaa"
        if kind == "dos":
            for i, (start, length, _) in enumerate(places):
                struct.pack_into("<8sLL", table, 446 + 16 * i, b"\0\0\0\0\x83\0\0\0", start // sector, length // sector)
        else:
            struct.pack_into("<8sLL", table, 446, b"\0\0\2\0\xee\xff\xff\xff", 1, end - 1)
            linux = bytes.fromhex("af3dc60f838472478e793d69d8477de4")
            entries = b"".join(linux + bytes([i] * 16) +
                               struct.pack("<QQQ72s", start // sector, (start + length) // sector - 1, 0, b"")
                               for i, (start, length, _) in enumerate(places)).ljust(128 * 128, b"\0")
            size = len(entries) // sector
            for here, other, at in ((1, end - 1, 2), (end - 1, 1, end - 1 - size)):
                head = bytearray(struct.pack("<8sLLLLQQQQ16sQLLL", b"EFI PART", 0x10000, 92, 0, 0, here, other, 2 + size,
                                             end - 2 - size, b"0123456789abcdef", at, 128, 128, zlib.crc32(entries)))
                struct.pack_into("<L", head, 16, zlib.crc32(bytes(head)))
                put(at, entries)
                put(here, bytes(head))
        put(0, bytes(table))
        for start, _, image in places:
            copy(image, disk, start)


main()
