# SPDX-License-Identifier: GPL-2.0-or-later
# JSON: how certain each fix is
# For tests/suite/sure.
import collections, json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
fixes = [r for r in rows if r["type"] == "fix"]
sure = {(f["id"], f["place"]["ino"] or f["place"]["agno"]): f["sure"] for f in fixes}
want = {("agf.freeblks.count", 1): "certain", ("inode.orphan", 135): "likely", ("inode.orphan", 154): "guess"}
for key, word in want.items():
	if sure.get(key) != word:
		sys.exit(f"{key}: {sure.get(key)}, not {word}")
counts = collections.Counter(f["sure"] for f in fixes)
for row in rows:
	if row["type"] in ("mended", "summary") and (row["fixes"] != len(fixes) or row["sure"] != counts):
		sys.exit(f"{row['type']}: {row['fixes']}, {row['sure']}, not {counts}")
