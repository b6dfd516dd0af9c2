# SPDX-License-Identifier: GPL-2.0-or-later
# JSON IMAGE: figures of --frag are those of xfs_db
# For tests/suite/frag.
import collections, json, re, subprocess, sys

def db(*commands):
    options = [option for command in commands for option in ("-c", command)]
    return subprocess.run(["xfs_db", "-r", *options, sys.argv[2]], capture_output=True, text=True).stdout

amiss = False
def same(what, ours, theirs):
    global amiss
    if ours != theirs:
        amiss = True
        print(f"{what}: {ours}, xfs_db has {theirs}")

with open(sys.argv[1]) as file:
    lines = [json.loads(line) for line in file]
frag = [line for line in lines if line["type"] == "frag"][0]
kinds = {kind["kind"]: kind for kind in frag["kinds"]}
# Of realtime metadata, xfs_db knows only the two old files, and takes all others for ordinary ones.
metadir = "METADIR" in db("version")
for flags, names in {
    "": ["all"], "-d": ["directories"], "-l": ["symbolic links"], "-a": ["attributes"], "-f": ["files"],
    "-f -q": ["files", "quota files"], "-f -r": ["files", "realtime files"], "-f -R": ["files", "realtime metadata"],
}.items():
    if metadir and "files" in names and "realtime metadata" not in names:
        names = [*names, "realtime metadata"]
    extents = sum(kinds[name]["extents"] for name in names)
    ideal = sum(kinds[name]["ideal"] for name in names)
    factor = (extents - ideal) * 100 / extents if extents else 0
    if len(names) == 1: # what is told, not what we reckon here
        factor = kinds[names[0]]["factor"]
    same(f"frag {flags}", f"actual {extents}, ideal {ideal}, fragmentation factor {factor:.2f}%",
         db(f"frag {flags}").split("\n")[0])

# each file alone
def each(flags):
    return [tuple(map(int, one)) for one in re.findall(r"inode (\d+) actual (\d+) ideal (\d+)", db(f"frag -v {flags}"))]
def is_metadata(ino):
    return metadir and "v3.metadata = 1" in db(f"inode {ino}", "print v3.metadata")
files = [one for one in each("-f -r") if not is_metadata(one[0])]
classes = collections.Counter(actual.bit_length() for _, actual, _ in files)
same("files by extents", {c["from"].bit_length(): c["files"] for c in frag["files_by_extents"]}, dict(classes))
for kind, found in ("files", files), ("directories", each("-d")):
    worst = sorted((ideal - actual, ino, actual, ideal) for ino, actual, ideal in found if actual > ideal)
    same(f"worst {kind}", [(item["ino"], item["extents"], item["ideal"]) for item in frag["worst_" + kind]],
         [one[1:] for one in worst[:10]])

def freesp(line, options):
    rows = [f"{c['from']} {c['extents']} {c['blocks']} {c['blocks'] * 100 / line['blocks']:.2f}" for c in line["sizes"]]
    theirs = db(f"freesp -s {options}").split("\n")
    same(f"freesp {options}", rows, [" ".join(row.split()[i] for i in (0, 2, 3, 4)) for row in theirs[1:] if re.match(" *[0-9]", row)])
    if line["extents"]:
        totals = [f"total free extents {line['extents']}", f"total free blocks {line['blocks']}",
                  f"average free extent size {line['blocks'] / line['extents']:g}"]
        same(f"freesp -s {options}", totals, [row for row in theirs if re.match("total|average", row)])

free = [line for line in lines if line["type"] == "free_space" and line["section"] == "data"]
for line in free:
    freesp(line, "" if line["group"] is None else f"-a {line['group']}")
largest = sorted(((-int(row[2]), int(row[0]), int(row[1])) for row in map(str.split, db("freesp -d").split("\n")) if len(row) == 3 and row[0].isdigit()))
same("largest free extents", [(-e["blocks"], e["group"], e["block"]) for e in free[0]["largest_extents"]][:3], largest[:3])
same("largest", free[0]["largest"], -largest[0][0] if largest else 0)
sys.exit(amiss)
