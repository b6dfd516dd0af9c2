# SPDX-License-Identifier: GPL-2.0-or-later
# JSON DEEPEST SHORT: only the path of the first inode is marked as shortened
# For tests/suite/paths.
import json, sys
places = [json.loads(line).get("place") for line in open(sys.argv[1]) if '"block.crc"' in line]
marked = {p["ino"]: (p.get("path_shortened", False), len(p["path"])) for p in places if p}
assert marked[int(sys.argv[3])] == (False, len("/short")), marked
assert marked[int(sys.argv[2])][0] is True and 3000 < marked[int(sys.argv[2])][1] <= 4096, marked
