# SPDX-License-Identifier: GPL-2.0-or-later
# JSON MOUNT: paths that --frag prints lead to the inodes beside them
# For tests/suite/frag.
import json, os, sys
with open(sys.argv[1]) as file:
    frag = [line for line in map(json.loads, file) if line["type"] == "frag"][0]
found = frag["worst_files"] + frag["worst_directories"]
sys.exit(not found or any(os.lstat(sys.argv[2] + item["path"]).st_ino != item["ino"] for item in found))
