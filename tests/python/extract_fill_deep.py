# SPDX-License-Identifier: GPL-2.0-or-later
# FOLDER LEVELS NAME: makes folders below each other, and a file in the last
# For tests/suite/extract.
import os, sys
at = os.open(sys.argv[1], os.O_RDONLY)
for level in range(int(sys.argv[2])):
    os.mkdir(sys.argv[3], 0o750, dir_fd=at)
    below = os.open(sys.argv[3], os.O_RDONLY, dir_fd=at)
    os.close(at)
    at = below
os.close(os.open("file", os.O_CREAT | os.O_WRONLY, 0o640, dir_fd=at))
