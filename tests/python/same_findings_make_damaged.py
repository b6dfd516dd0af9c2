# SPDX-License-Identifier: GPL-2.0-or-later
# IMAGE: flips a bit in one of 25 blocks of metadata
# For tests/suite/same_findings.
import os, random, sys
fd = os.open(sys.argv[1], os.O_RDWR)
size = os.fstat(fd).st_size
blocks = []
pos = 0
while pos < size:
    try:
        start = os.lseek(fd, pos, os.SEEK_DATA)
    except OSError:
        break
    pos = os.lseek(fd, start, os.SEEK_HOLE)
    blocks += range((start + 4095) // 4096, pos // 4096)
r = random.Random(11)
for b in r.sample([b for b in blocks if b > 8], len(blocks) // 25):
    offset = b * 4096 + r.randrange(4096)
    byte = os.pread(fd, 1, offset)[0]
    os.pwrite(fd, bytes([byte ^ 1 << r.randrange(8)]), offset)
