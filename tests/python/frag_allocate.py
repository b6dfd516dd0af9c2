# SPDX-License-Identifier: GPL-2.0-or-later
# JSON FILE: of about the blocks that --frag calls usable, the kernel makes a file in one piece; of more, it does not
# For tests/suite/frag.
import fcntl, json, os, struct, sys
with open(sys.argv[1]) as file:
    usable = [line for line in map(json.loads, file) if line["type"] == "free_space"][0]["usable"]
block = os.statvfs(os.path.dirname(sys.argv[2])).f_frsize

def pieces(blocks):
    fd = os.open(sys.argv[2], os.O_RDWR | os.O_CREAT)
    try:
        os.posix_fallocate(fd, 0, blocks * block)
        found = bytearray(struct.pack("=QQIIII", 0, 2**63, 1, 0, 10, 0) + bytes(560))
        fcntl.ioctl(fd, 0xC020660B, found) # FIEMAP
        return struct.unpack_from("=I", found, 20)[0]
    finally:
        os.close(fd)
        os.unlink(sys.argv[2])

below = [pieces(usable - n) for n in (0, 1, 2, 3, 5, 10, 16)]
above = [pieces(usable + n) for n in (16, 100)]
print(f"{usable} blocks: {below}, more: {above}")
sys.exit(1 not in below or 1 in above)
