#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes a metadump of all that is not zero in an image: metadump.py IMAGE OUT 1|2 [WORD ...]

Words: log=IMAGE, rt=IMAGE: also these devices (version 2); obfuscated: say that it is; shuffled: in another order;
twice: each block first with other contents; exact: in version 1, with an empty list at the end.
"""
import os
import random
import struct
import sys

BLOCK = 4096


def blocks(path):
    """All blocks that are not zero, as (sector, bytes)."""
    with open(path, "rb") as image:
        end, at = os.fstat(image.fileno()).st_size, 0
        while at < end:
            try:
                at = os.lseek(image.fileno(), at, os.SEEK_DATA) // BLOCK * BLOCK
            except OSError:
                return
            image.seek(at)
            data = image.read(BLOCK)
            if data.strip(b"\0"):
                yield at // 512, data
            at += BLOCK


def main():
    path, out, version, *words = sys.argv[1:]
    devices = [path] + [next((w[len(kind) + 1:] for w in words if w.startswith(kind + "=")), None) for kind in ("log", "rt")]
    dump = [(device, sector, data) for device, name in enumerate(devices) if name for sector, data in blocks(name)]
    first, rest = dump[0], dump[1:]
    first, rest = (0, 0, first[2][:512]), [(0, 1, first[2][512:])] + rest  # the superblock is an extent of its own
    if "shuffled" in words:
        random.Random(1).shuffle(rest)
    if "twice" in words:
        rest = [(device, sector, bytes(255 - byte for byte in data)) for device, sector, data in rest] + rest
    with open(out, "wb") as f:
        if version == "2":
            compat = ("obfuscated" in words) | (8 if devices[1] else 0)
            f.write(struct.pack(">4sLLLQ", b"XMD2", 2, compat, 1 if devices[2] else 0, 0))
            for device, sector, data in [first] + rest:
                f.write(struct.pack(">QL", device << 54 | sector, len(data) // 512) + data)
            return
        sectors = [(sector + i, data[512 * i:][:512]) for _, sector, data in [first] + rest for i in range(len(data) // 512)]
        if "exact" in words:
            sectors += [sectors[-1]] * (-len(sectors) % 63)
        for at in range(0, len(sectors) + 1, 63):
            part = sectors[at:at + 63]
            f.write(struct.pack(">4sHBB504s", b"XFSM", len(part), 9, 1 | 2 * ("obfuscated" in words),
                                b"".join(struct.pack(">Q", sector) for sector, _ in part)))
            f.write(b"".join(data for _, data in part))


main()
