# SPDX-License-Identifier: GPL-2.0-or-later
# MANIFEST NUMBERS TEXT JSON: the paths of these inodes are those of the manifest
# For tests/suite/name_of.
import collections, json, sys
want = collections.defaultdict(set)
for one in open(sys.argv[1], "rb").read().split(b"\0")[:-1]:
    ino, path = one.split(b" ", 1)
    want[int(ino)].add(b"/" + path)
asked = [int(word, 0) for word in open(sys.argv[2]).read().split()]

def shown(path):
    """As a terminal may show it."""
    def visible(c):
        return c.isprintable() and not 0xdc80 <= ord(c) <= 0xdcff
    return "".join("\\" + c if c in '"\\' else c if visible(c) else
                   "".join("\\x%02x" % b for b in c.encode("utf-8", "surrogateescape"))
                   for c in path.decode("utf-8", "surrogateescape"))

def raw(path):
    return bytes.fromhex(path["bytes"]) if isinstance(path, dict) else path.encode()

answers = [line for line in map(json.loads, open(sys.argv[4])) if line["type"] == "name"]
assert [a["ino"] for a in answers] == asked, "other numbers, or in another order"
for a in answers:
    paths = [raw(p["path"]) for p in a["paths"]]
    assert paths == sorted(want[a["ino"]]), (a, want[a["ino"]])
    assert a["state"] == "in_use" and a["left_out"] == 0
    assert all(p["path_kind"] == "whole" for p in a["paths"]), a
lines = ["%d\t%s" % (ino, shown(path)) for ino in asked for path in sorted(want[ino])]
text = open(sys.argv[3], encoding="utf-8").read().split("\n")[:-1]
for got, expected in zip(text, lines):
    assert got == expected, (got, expected)
assert len(text) == len(lines), (len(text), len(lines))
