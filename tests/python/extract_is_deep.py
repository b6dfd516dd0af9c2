# SPDX-License-Identifier: GPL-2.0-or-later
# FOLDER LEVELS NAME: what extract_fill_deep.py made is there, with its modes
# For tests/suite/extract.
import os, stat, sys
at = os.open(sys.argv[1], os.O_RDONLY)
for level in range(int(sys.argv[2])):
    below = os.open(sys.argv[3], os.O_RDONLY, dir_fd=at)
    os.close(at)
    at = below
    mode = stat.S_IMODE(os.fstat(at).st_mode)
    assert mode == 0o750, "mode %o at level %d" % (mode, level)
assert stat.S_IMODE(os.stat("file", dir_fd=at).st_mode) == 0o640
