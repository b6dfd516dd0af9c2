# SPDX-License-Identifier: GPL-2.0-or-later
# MANIFEST JSON: each inode has a finding with its smallest path
# For tests/suite/paths.
import json, sys
want = {}
for line in open(sys.argv[1], "rb").read().split(b"\0")[:-1]:
    ino, path = line.split(b" ", 1)
    want.setdefault(int(ino), []).append(b"/" + path)
seen = set()
amiss = 0
for line in open(sys.argv[2]):
    f = json.loads(line)
    if f["type"] != "finding" or f["id"] != "block.crc":
        continue
    place = f["place"]
    path = place["path"]
    got = bytes.fromhex(path["bytes"]) if isinstance(path, dict) else path.encode() if path else path
    seen.add(place["ino"])
    if place["path_kind"] != "whole" or got != min(want[place["ino"]]):
        print(place["ino"], "is", got, place["path_kind"], "and not", min(want[place["ino"]]))
        amiss = 1
for ino in set(want) - seen:
    print(ino, "has no finding")
    amiss = 1
sys.exit(amiss)
