# SPDX-License-Identifier: GPL-2.0-or-later
# JSON IMAGE: sums of --summary are those of all inodes, as xfs_db prints them
# For tests/suite/summary.
import collections, json, re, stat, subprocess, sys

def db(*commands):
    words = [word for command in commands for word in ("-c", command)]
    return subprocess.run(["xfs_db", "-r", *words, sys.argv[2]], capture_output=True).stdout.decode(errors="replace")

lines = [json.loads(line) for line in open(sys.argv[1])]
named = {int(found) for found in re.findall(r"^ *(\d+) ", db("blockget -n", "ncheck"), re.M)}
sb = dict(re.findall(r"(\w+) = (\w+)", db("sb 0", "print rootino blocksize")))
named.add(int(sb["rootino"]))
commands = "".join(f"inode {ino}\nprint core.mode core.uid core.gid core.size core.nblocks\n" for ino in sorted(named))
out = subprocess.run(["xfs_db", "-r", sys.argv[2]], input=commands, capture_output=True, text=True).stdout
types = {stat.S_IFREG: "regular files", stat.S_IFDIR: "directories", stat.S_IFLNK: "symbolic links"}
sums = collections.defaultdict(lambda: [0, 0, 0])
for part in re.split(r"(?=core\.mode)", out)[1:]:
    core = dict(re.findall(r"core\.(\w+) = (\d+)", part))
    kind = stat.S_IFMT(int(core["mode"], 8))
    apparent = int(core["size"]) if kind in (stat.S_IFREG, stat.S_IFLNK) else 0
    for by in (("type", types.get(kind, "other")), ("user", int(core["uid"])), ("group", int(core["gid"]))):
        for i, n in enumerate((1, apparent, int(core["nblocks"]) * int(sb["blocksize"]))):
            sums[by][i] += n
ours = {(line["by"], line["id"]): [line["files"], line["size"], line["used"]] for line in lines
        if line["type"] == "usage" and line["by"] in ("type", "user", "group") and line["files"]}
if ours != dict(sums) or not sums:
    print(ours, "should be", dict(sums))
    sys.exit(1)
