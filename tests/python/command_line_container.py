# SPDX-License-Identifier: GPL-2.0-or-later
# KIND DISK: makes the file look like a container of this kind
# For tests/suite/command_line.
import struct, sys, zlib
kind, path = sys.argv[1:]
disk = open(path, "r+b")
def put(offset, data):
    disk.seek(offset)
    disk.write(data)
if kind == "LVM2_member": # the label is in the second sector, and has a checksum of its own
    body = struct.pack("<L8s", 32, b"LVM2 001") + b"0123456789abcdefghijklmnopqrstuv" + bytes(448)
    crc = 0xf597a6cf
    for byte in body:
        crc ^= byte
        for bit in range(8):
            crc = crc >> 1 ^ (0xedb88320 if crc & 1 else 0)
    put(512, b"LABELONE" + struct.pack("<QL", 1, crc) + body)
elif kind == "linux_raid_member": # a superblock of version 1.2
    sb = bytearray(256)
    struct.pack_into("<LLLL", sb, 0, 0xa92b4efc, 1, 0, 0)
    struct.pack_into("<LLQLL", sb, 72, 1, 0, 400000, 0, 2) # level, layout, size, chunk, disks
    struct.pack_into("<QQQ", sb, 128, 2048, 400000, 8) # of data: first, how many; where this is
    total = sum(struct.unpack("<64L", sb))
    struct.pack_into("<L", sb, 216, (total & 0xffffffff) + (total >> 32) & 0xffffffff)
    put(4096, sb)
