# SPDX-License-Identifier: GPL-2.0-or-later
# JSON: reconnected inodes, with their old and new paths
# For tests/suite/reattached.
import json, sys
rows = [o for o in map(json.loads, open(sys.argv[1])) if o["type"] == "reattached"]
want = [(135, "/shortform/name-2-aa", "former", "/shortform/name-2-aa", "whole"),
	(154, None, "none", "/lost+found/154", "whole")]
got = [(r["ino"], r["old_path"], r["old_path_kind"], r["new_path"], r["new_path_kind"]) for r in rows]
if got != want:
	sys.exit(f"got {got}")
