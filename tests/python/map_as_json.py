# SPDX-License-Identifier: GPL-2.0-or-later
# JSON BLOCKSIZE: prints the extents that --map reports
# For tests/suite/map.
import json, sys
lines, size = [json.loads(line) for line in open(sys.argv[1])], int(sys.argv[2])
extents = [line for line in lines if line["type"] == "extent"]
at = 0
for one in extents:
    assert one["offset"] == at, f"a gap before {one}"
    at += one["bytes"]
    if not one["hole"]:
        print(one["offset"] // size, one["agno"], one["agbno"], one["bytes"] // size, int(one["unwritten"]))
[told] = [line for line in lines if line["type"] == "map"]
assert told["ino"] == 136 and told["extents"] == len(extents), told
