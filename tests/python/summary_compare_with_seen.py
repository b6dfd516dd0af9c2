# SPDX-License-Identifier: GPL-2.0-or-later
# JSON SEEN IMAGE DEPTH: sums of --summary are those of summary_look.py
# For tests/suite/summary.
import collections, json, re, stat, subprocess, sys, time

lines = [json.loads(line) for line in open(sys.argv[1])]
seen = json.load(open(sys.argv[2]))
amiss = False
def same(what, ours, theirs):
    global amiss
    if ours != theirs:
        amiss = True
        if isinstance(ours, dict) and isinstance(theirs, dict):
            keys = [k for k in set(ours) | set(theirs) if ours.get(k) != theirs.get(k)][:3]
            ours, theirs = {k: ours.get(k) for k in keys}, {k: theirs.get(k) for k in keys}
        print(f"{what}: {ours}, should be {theirs}")

usage = [line for line in lines if line["type"] == "usage"]
contents = [line for line in lines if line["type"] == "contents"][0]
triple = lambda line: [line["files"], line["size"], line["used"]]
def sums(key):
    found = collections.defaultdict(lambda: [0, 0, 0])
    for ino, kind, uid, gid, apparent, used, mtime in seen["files"]:
        k = key(ino, kind, uid, gid, apparent, used, mtime)
        if k is not None:
            for i, n in enumerate((1, apparent, used)):
                found[k][i] += n
    return dict(found)
types = {stat.S_IFREG: "regular files", stat.S_IFDIR: "directories", stat.S_IFLNK: "symbolic links"}
by = lambda what: {line["id"]: triple(line) for line in usage if line["by"] == what and line["files"]}
same("types", by("type"), sums(lambda i, kind, *rest: types.get(kind, "other")))
same("users", by("user"), sums(lambda i, k, uid, *rest: uid))
same("groups", by("group"), sums(lambda i, k, u, gid, *rest: gid))
same("all", triple([line for line in usage if line["by"] == "all"][0]), sums(lambda *rest: 0)[0])

# directories: by the rule of the manual page, and where that makes no difference, like du
name = lambda path: path["text"] if isinstance(path, dict) else path
raw = lambda path: bytes.fromhex(path["bytes"]).decode("utf-8", "surrogateescape") if isinstance(path, dict) else path
depth = int(sys.argv[4])
level = lambda path: 0 if path == "/" else path.count("/")
trees = {raw(line["path"]): triple(line) for line in usage if line["by"] == "directory"}
same("trees", trees, {path: s for path, s in seen["tree"].items() if level(path) <= depth})
for path, s in trees.items():
    if path == "/" or not seen["crossed"]:
        same(f"du {path}", s[2], seen["du"]["used"][path])
root_size = trees["/"][1]
if seen["du"]["size"]["/"] not in (root_size, root_size + seen["dirs"]): # du of old counts those of directories
    same("du --apparent-size", root_size, seen["du"]["size"]["/"])

regular = [f for f in seen["files"] if f[1] == stat.S_IFREG]
sizes = collections.Counter(f[4].bit_length() for f in regular)
same("sizes", {c["from"].bit_length(): c["files"] for c in contents["by_size"]}, dict(sizes))
now = time.time()
classes = [(1, "up to a day"), (7, "up to a week"), (30, "up to 30 days"), (90, "up to 90 days"), (365, "up to a year"),
           (730, "up to 2 years"), (1825, "up to 5 years"), (3650, "up to 10 years"), (float("inf"), "longer")]
age = lambda mtime: "in the future" if mtime > now else [text for days, text in classes if now - mtime <= days * 86400][0]
same("ages", {c["modified"]: triple(c) for c in contents["by_age"]},
     sums(lambda i, kind, u, g, a, b, mtime: age(mtime) if kind == stat.S_IFREG else None))

largest = sorted((-f[5], f[0]) for f in regular)[:10]
same("largest files", [(-f["used"], f["ino"]) for f in contents["largest_files"]], largest)
for item in contents["largest_files"]:
    if str(item["ino"]) in seen["paths"]:
        same("path", raw(item["path"]), seen["paths"][str(item["ino"])])
same("largest directories", [f["used"] for f in contents["largest_directories"]],
     sorted((n for n in seen["direct"].values() if n), reverse=True)[:10])
same("longest directories", [f["names"] for f in contents["longest_directories"]], sorted(seen["names"].values(), reverse=True)[:10])
for item in contents["longest_directories"]:
    same("names of " + raw(item["path"]), item["names"], seen["names"][raw(item["path"])])

for how in "sparse", "beyond", "unwritten":
    same(how, [contents["stored"][how]["files"], contents["stored"][how]["bytes"]], seen["stored"].get(how, [0, 0]))
same("shared", (contents["shared"], contents["saved"]), (seen["shared"], seen["saved"]))

commands = "".join(f"inode {f[0]}\nprint core.format core.forkoff core.aformat core.naextents\n" for f in seen["files"])
out = subprocess.run(["xfs_db", "-r", sys.argv[3]], input=commands, capture_output=True, text=True).stdout
fields = [dict(re.findall(r"core\.(\w+) = (\d+)", part)) for part in re.split(r"(?=core\.format)", out)[1:]]
formats = collections.Counter()
short = {"1": "inline", "2": "extents", "3": "btree"}
for f, core in zip(seen["files"], fields):
    kind = {stat.S_IFREG: "file", stat.S_IFDIR: "directory", stat.S_IFLNK: "link"}.get(f[1])
    if kind:
        formats[f"{kind}_{short[core['format']]}"] += 1
    if core["forkoff"] != "0" and (core["aformat"] != "2" or core["naextents"] != "0"):
        formats[f"attributes_{short[core['aformat']]}"] += 1
same("inodes of xfs_db", len(fields), len(seen["files"]))
ours = {how: s["files"] for how, s in contents["stored"].items() if s["files"] and how.split("_")[0] in ("file", "directory", "link", "attributes")}
same("formats", ours, dict(formats))
sys.exit(amiss)
