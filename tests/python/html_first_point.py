# SPDX-License-Identifier: GPL-2.0-or-later
# PICTURE: prints the colour of the first pixel of a PNG
# For tests/suite/html.
import sys, zlib
png = open(sys.argv[1], "rb").read()
at, data, width = 8, b"", int.from_bytes(png[16:20], "big")
while at < len(png):
    length = int.from_bytes(png[at:at + 4], "big")
    if png[at + 4:at + 8] == b"IDAT":
        data += png[at + 8:at + 8 + length]
    at += length + 12
print(width, zlib.decompress(data)[1:4].hex())
