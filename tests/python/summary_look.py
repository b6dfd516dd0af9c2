# SPDX-License-Identifier: GPL-2.0-or-later
# MOUNT: writes owners, sizes, times and extents of all files, and sums by du(1), as JSON
# For tests/suite/summary.
import collections, fcntl, json, os, stat, struct, subprocess, sys

root = os.fsencode(sys.argv[1])
FIEMAP, UNWRITTEN, SHARED = 0xC020660B, 0x800, 0x2000

def extents(path):
    """(offset, device offset, length, flags) of a file, in bytes."""
    fd = os.open(path, os.O_RDONLY)
    start, found = 0, []
    while True:
        room = 500
        buf = bytearray(struct.pack("=QQIIII", start, 2**64 - 1 - start, 1, 0, room, 0) + bytes(56 * room))
        fcntl.ioctl(fd, FIEMAP, buf)
        mapped = struct.unpack_from("=I", buf, 20)[0]
        for i in range(mapped):
            logical, physical, length, _, _, flags = struct.unpack_from("=QQQQQI", buf, 32 + 56 * i)
            found.append((logical, physical, length, flags))
        if not mapped or found[-1][3] & 1:
            break
        start = found[-1][0] + found[-1][2]
    os.close(fd)
    return found

block = os.statvfs(root).f_frsize
up = lambda n: (n + block - 1) // block * block
inodes, places, names, inside = {}, collections.defaultdict(list), collections.Counter(), {}
for dirpath, dirnames, filenames in os.walk(root):
    here = os.lstat(dirpath)
    inodes[here.st_ino] = (here, dirpath)
    inside[here.st_ino] = dirpath
    for name in dirnames + filenames:
        path = os.path.join(dirpath, name)
        st = os.lstat(path)
        inodes.setdefault(st.st_ino, (st, path))
        places[st.st_ino].append(here.st_ino)
        names[here.st_ino] += 1
tree = collections.defaultdict(lambda: [0, 0, 0])
direct = collections.Counter()
stored = collections.defaultdict(lambda: [0, 0])
physical = []
files = []
def note(how, n):
    stored[how][0] += 1
    stored[how][1] += n
for ino, (st, path) in inodes.items():
    is_dir = stat.S_ISDIR(st.st_mode)
    apparent = st.st_size if stat.S_ISREG(st.st_mode) or stat.S_ISLNK(st.st_mode) else 0
    used = st.st_blocks * 512
    at = path if is_dir else inside[min(places[ino])]
    direct[at] += used
    while True:
        for i, n in enumerate((1, apparent, used)):
            tree[at][i] += n
        if at == root:
            break
        at = os.path.dirname(at)
    age = None
    if stat.S_ISREG(st.st_mode):
        found = extents(path)
        holes = up(st.st_size) - sum(max(0, min(o + n, up(st.st_size)) - o) for o, _, n, _ in found)
        beyond = sum(n - max(0, min(o + n, up(st.st_size)) - o) for o, _, n, _ in found)
        unwritten = sum(n for _, _, n, flags in found if flags & UNWRITTEN)
        for how, n in ("sparse", holes), ("beyond", beyond), ("unwritten", unwritten):
            if n:
                note(how, n)
        physical += [(p, p + n) for _, p, n, flags in found if flags & SHARED]
    files.append((ino, stat.S_IFMT(st.st_mode), st.st_uid, st.st_gid, apparent, used, st.st_mtime))
# shared: each block of the device once; saved: each further use of it
events = sorted([(a, 1) for a, _ in physical] + [(b, -1) for _, b in physical])
shared = saved = depth = last = 0
for at, step in events:
    if depth:
        shared += at - last
        saved += (at - last) * (depth - 1)
    depth, last = depth + step, at
relative = lambda path: "/" + os.fsdecode(os.path.relpath(path, root)) if path != root else "/"
du = {}
for option, key in (["--apparent-size"], "size"), ([], "used"):
    out = subprocess.run(["du", "-0", "-B1", "-x", *option, root], capture_output=True, check=True).stdout
    du[key] = {relative(line.split(b"\t", 1)[1]): int(line.split(b"\t", 1)[0]) for line in out.split(b"\0") if line}
json.dump({
    "files": files, "stored": stored, "shared": shared, "saved": saved,
    "tree": {relative(path): sums for path, sums in tree.items()},
    "direct": {relative(path): n for path, n in direct.items()},
    "names": {relative(inside[ino]): n for ino, n in names.items()},
    "du": du, "crossed": any(len(set(p)) > 1 for p in places.values()),
    "paths": {ino: relative(path) for ino, (st, path) in inodes.items() if len(places[ino]) <= 1},
    "dirs": sum(st.st_size for st, _ in inodes.values() if stat.S_ISDIR(st.st_mode)),
}, sys.stdout)
