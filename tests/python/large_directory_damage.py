# SPDX-License-Identifier: GPL-2.0-or-later
# IMAGE BMAP AGBLOCKS: zeroes the data blocks of a directory but the first and the last
# For tests/suite/large_directory.
import re, sys
blocks = []
for line in open(sys.argv[2]):
    m = re.match(r"data offset (\d+) startblock \d+ \((\d+)/(\d+)\) count (\d+)", line)
    if m and int(m[1]) * 4096 < 32 << 30:
        blocks += [int(m[2]) * int(sys.argv[3]) + int(m[3]) + i for i in range(0, int(m[4]), 16)]
assert len(blocks) > 10, blocks
with open(sys.argv[1], "r+b") as image:
    for block in blocks[1:-1]:
        image.seek(block * 4096)
        image.write(bytes(65536))
