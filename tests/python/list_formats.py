# SPDX-License-Identifier: GPL-2.0-or-later
# FOLDER: the forms of --list in it agree about paths and targets
# For tests/suite/list.
import csv, json, sys
work = sys.argv[1]
paths = open(work + "/paths0", "rb").read().split(b"\0")[:-1]
rows = list(csv.reader(open(work + "/list.csv", newline="", encoding="utf-8", errors="surrogateescape")))
assert rows[0] == ["path", "size", "target"], rows[0]
assert sorted(r[0].encode("utf-8", "surrogateescape") for r in rows[1:]) == paths
lines = [json.loads(line) for line in open(work + "/list.json")]
got = [bytes.fromhex(l["path"]["bytes"]) if isinstance(l["path"], dict) else l["path"].encode() for l in lines]
assert sorted(got) == paths
assert {l["target"] for l in lines if l["type"] == "l"} == {"nowhere", "%0900d" % 7}
assert {r[2] for r in rows[1:] if r[2]} == {"nowhere", "%0900d" % 7}
text = open(work + "/list.txt", "rb").read()
assert text.count(b"\n") == len(paths)
assert all(32 <= c < 127 or c == 10 or c >= 128 for c in text)
