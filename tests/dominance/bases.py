# SPDX-License-Identifier: GPL-2.0-or-later
"""The file systems that are damaged: filled and aged by this machine's kernel, each with copies of itself as it was
earlier, a manifest of its content, and where its metadata lies."""
import bisect
import ctypes
import errno
import fcntl
import json
import os
import random
import re
import shutil
import struct
import subprocess
from collections import namedtuple

import content

# options: of mkfs.xfs; newer: those that are added if it knows them; sizes in MiB, of the device (0: what is usual) and of a
# realtime device; mount: options of mount. Only newer ones know "parent=1".
Shape = namedtuple("Shape", "options newer groups megabytes realtime mount", defaults=("", 4, 0, 0, ""))
HERE = {
    "plain": Shape("-m rmapbt=0,reflink=1", "-i nrext64=0 -n parent=0"),
    "rmap": Shape("-m rmapbt=1,reflink=1", "-n parent=0"),
    "parents": Shape("-m rmapbt=1,reflink=1 -n parent=1"),
    "blocks-1k": Shape("-b size=1024 -m rmapbt=0,reflink=0,finobt=0 -i sparse=0", "-m bigtime=0,inobtcount=0 -n parent=0"),
    "blocks-1k-rmap": Shape("-b size=1024 -m rmapbt=1,reflink=1", "-n parent=0"),
    "blocks-1k-parents": Shape("-b size=1024 -m rmapbt=0,reflink=1 -n parent=1"),
    "blocks-64k": Shape("-b size=65536 -m rmapbt=0,reflink=1", "-n parent=0", megabytes=640),
    "blocks-64k-rmap": Shape("-b size=65536 -m rmapbt=1,reflink=1", "-n parent=0", 2, 640),
    "dirs-8k": Shape("-n size=8192 -m rmapbt=0,reflink=1", "-n parent=0"),
    "dirs-64k": Shape("-n size=65536 -m rmapbt=1,reflink=1", "-n parent=0"),
    "dirs-64k-parents": Shape("-n size=65536,parent=1 -m rmapbt=1,reflink=1"),
    "no-bigtime": Shape("-m rmapbt=0,bigtime=0,inobtcount=0", "-i nrext64=0 -n parent=0"),
}
# Those that need a judge (judge.py), since this machine's kernel may not mount them.
REALTIME = "-d rtinherit=1 -r "
ELSEWHERE = {
    "v4": Shape("-m crc=0"),
    "v4-old": Shape("-m crc=0 -n ftype=0 -i attr=1,projid32bit=0,size=256 -l lazy-count=0 -b size=1024"),
    "v4-ascii-ci": Shape("-m crc=0 -n version=ci,size=8192"),
    "ascii-ci": Shape("-n version=ci -m rmapbt=1,reflink=1", "-n parent=0 -i exchange=0"),
    "quota": Shape("-m rmapbt=1,reflink=1", "-n parent=0 -i exchange=0", mount="uquota,gquota,pquota"),
    "realtime": Shape("-m rmapbt=0,reflink=0 " + REALTIME + "extsize=16k", "-n parent=0 -i exchange=0", realtime=200),
    "metadir": Shape("-m metadir=1"),
    "metadir-quota": Shape("-m metadir=1,uquota,gquota,pquota"),
    "rt-groups": Shape("-m metadir=1 " + REALTIME + "rgsize=64m", realtime=256),
    "rt-groups-quota": Shape("-n parent=1 -m metadir=1,uquota,gquota,pquota " + REALTIME + "rgcount=3", realtime=256),
    "rt-extents-28k": Shape("-m metadir=1 " + REALTIME + "extsize=28k,rgcount=3", realtime=256),
    "zoned": Shape("-d size=320m -r zoned=1,start=512m", megabytes=3072),
}
BASES = {**HERE, **ELSEWHERE}
MKFS, DB = (os.environ.get(name, tool).split() for name, tool in (("MKFS_XFS", "mkfs.xfs"), ("XFS_DB", "xfs_db")))
OLDER = 3  # copies as it was earlier
FICLONE = 0x40049409
FALLOC_PUNCH_KEEP_SIZE = 3
MAGICS = {b"XFSB", b"XAGF", b"XAGI", b"XAFL", b"AB3B", b"AB3C", b"IAB3", b"FIB3", b"RMB3", b"R3FC", b"BMA3", b"XDB3"}
MAGICS |= {b"XDD3", b"XDF3", b"XARM", b"XSLM"}
MAGICS |= {b"MAPR", b"RCNT", b"BMPZ", b"SUMY"}  # of realtime groups
MAGICS |= {b"ABTB", b"ABTC", b"IABT", b"FIBT", b"BMAP", b"XD2B", b"XD2D", b"XD2F"}  # of version 4
SHORT_MAGICS = {b"IN", b"DQ"}
DA_MAGICS = {b"\x3d\xf1", b"\x3d\xff", b"\x3b\xee", b"\x3e\xbe"}  # of indexes and attributes, at byte 8
DA_MAGICS |= {b"\xd2\xf1", b"\xd2\xff", b"\xfb\xee", b"\xfe\xbe"}
NAME = re.compile(rb"[a-z]\d{6}-x*")  # of every entry; none is used twice


class Unavailable(Exception):
    """Why this machine can't make a base."""


class Base:
    """A base in its folder. idle: ranges of bytes that are free space or log, so that what lies there belongs to nobody;
    metadata: offsets of blocks elsewhere that hold any. No checker reads free space, where a wrong bit may make what is left
    of a block later than the log, so that a recovery does not replay what is written there next."""

    def __init__(self, name, folder):
        self.name, self.elsewhere = name, name in ELSEWHERE
        self.mount = BASES[name].mount
        self.image = os.path.join(folder, "image")
        self.older = [os.path.join(folder, "age%d" % age) for age in range(OLDER)]
        with open(os.path.join(folder, "places.json")) as file:
            places = json.load(file)
        self.idle = places["idle"]
        starts = [start for start, _ in self.idle]
        self.metadata = [at for at in places["metadata"] if not self._is_idle(starts, at)]
        with open(os.path.join(folder, "manifest"), encoding="ascii") as file:
            self.truth = content.Content(file.read())

    def _is_idle(self, starts, at):
        before = bisect.bisect_right(starts, at) - 1
        return before >= 0 and at < self.idle[before][1]


class Superblock:
    def __init__(self, sector):
        (self.block_size, self.blocks), self.log_start = struct.unpack_from(">IQ", sector, 4), self._u64(sector, 48)
        self.group_blocks, self.groups = struct.unpack_from(">II", sector, 84)
        self.log_blocks = struct.unpack_from(">I", sector, 96)[0]
        self.inode_size, self.group_log = 1 << sector[122], sector[124]
        self.directory_size = self.block_size << sector[192]

    @staticmethod
    def _u64(sector, offset):
        return struct.unpack_from(">Q", sector, offset)[0]

    def group(self, number):
        """Offset of a group, in bytes."""
        return number * self.group_blocks * self.block_size

    def log(self):
        """The log's range of bytes."""
        group, block = self.log_start >> self.group_log, self.log_start & (1 << self.group_log) - 1
        start = self.group(group) + block * self.block_size
        return start, start + self.log_blocks * self.block_size


def superblock(path):
    with open(path, "rb") as file:
        return Superblock(file.read(512))


def realtime(image):
    """The realtime device of an image, which lies beside it, or None."""
    path = image + ".rt"
    return path if os.path.exists(path) else None


def copy(source, target):
    subprocess.run(["cp", "--sparse=always", source, target], check=True)
    if realtime(target):
        os.unlink(target + ".rt")
    if realtime(source):
        subprocess.run(["cp", "--sparse=always", source + ".rt", target + ".rt"], check=True)


def remove(image):
    for path in (image, realtime(image)):
        if path:
            os.unlink(path)


def data_ranges(fd):
    """Ranges of bytes that are no holes."""
    size, at = os.fstat(fd).st_size, 0
    while at < size:
        try:
            start = os.lseek(fd, at, os.SEEK_DATA)
        except OSError as error:
            if error.errno == errno.ENXIO:
                return
            raise
        at = os.lseek(fd, start, os.SEEK_HOLE)
        yield start, at


# ---- life ----


class Life:
    """What users do, at random, below a mounted folder. Names begin with the letter of the age."""

    def __init__(self, root, rng, letter):
        self.root, self.rng, self.letter, self.count = root, rng, letter, 0
        self.folders, self.files = [root], []
        for path, folders, files in os.walk(root):
            folders.sort()
            self.folders += [os.path.join(path, name) for name in folders]
            self.files += [os.path.join(path, name) for name in sorted(files) if name != "scattered"]

    def name(self, folder, padding=0):
        self.count += 1
        return "%s/%s%06d-%s" % (folder, self.letter, self.count, "x" * padding)

    def file(self):
        return self.rng.choice(self.files)

    def anywhere(self):
        return self.name(self.rng.choice(self.folders), self.rng.choice([0, 3, 30, 120]))

    def write(self, size):
        path = self.anywhere()
        with open(path, "wb") as file:
            file.write(self.rng.randbytes(size))
        os.chown(path, self.rng.randrange(4), self.rng.randrange(4))
        os.chmod(path, self.rng.choice([0o600, 0o644, 0o755]))
        self.files.append(path)

    def folder(self):
        path = self.anywhere()
        if path.count("/") - self.root.count("/") < 12:
            os.mkdir(path)
            self.folders.append(path)

    def link(self):
        path = self.anywhere()
        os.link(self.file(), path, follow_symlinks=False)
        self.files.append(path)

    def symlink(self):
        path = self.anywhere()
        os.symlink("t" * self.rng.choice([5, 100, 400, 1000]), path)
        self.files.append(path)

    def attribute(self):
        value = self.rng.randbytes(self.rng.choice([4, 40, 400, 3000, 20000]))
        os.setxattr(self.file(), "user.of-%d" % self.count, value, follow_symlinks=False)

    def rename(self):
        path, new = self.file(), self.anywhere()
        os.rename(path, new)
        self.files[self.files.index(path)] = new

    def remove(self):
        path = self.file()
        os.unlink(path)
        self.files.remove(path)

    def clone(self):
        path, new = self.file(), self.anywhere()
        if os.path.islink(path):
            return
        with open(path, "rb") as source, open(new, "wb") as target:
            self.files.append(new)
            fcntl.ioctl(target.fileno(), FICLONE, source.fileno())

    def overwrite(self):
        path = self.file()
        if not os.path.islink(path):
            with open(path, "r+b") as file:
                file.seek(self.rng.randrange(50) * 4096)
                file.write(self.rng.randbytes(self.rng.choice([100, 4096, 9000])))

    DEEDS = [(folder, 7), (link, 6), (symlink, 5), (attribute, 9), (rename, 7), (remove, 10), (clone, 7), (overwrite, 8)]

    def live(self, deeds):
        others, weights = [deed for deed, _ in self.DEEDS], [weight for _, weight in self.DEEDS]
        for _ in range(deeds):
            try:
                if not self.files or self.rng.random() < 0.4:
                    self.write(self.rng.choice([0, 30, 500, 5000, 20000, 50000]))
                else:
                    self.rng.choices(others, weights)[0](self)
            except OSError:
                pass  # without the feature, or full

    def settle(self, entries):
        """The first of all: folders, one of them large, and a file that will have many extents."""
        for i in range(8):
            os.mkdir(self.name(self.root))
        self.folders += [entry.path for entry in os.scandir(self.root)]
        for _ in range(32):
            path = self.anywhere()
            os.mkdir(path)
            self.folders.append(path)
        os.mkdir(self.root + "/large")
        for i in range(entries // 3):
            open(self.name(self.root + "/large", i % 40), "x").close()
        with open(self.root + "/scattered", "wb") as file:
            file.write(self.rng.randbytes(4096 * (entries // 5)))

    def scatter(self):
        path = self.root + "/scattered"
        libc, size = ctypes.CDLL(None, use_errno=True), os.path.getsize(path)
        with open(path, "r+b") as file:
            for at in range(0, size, 8192):
                libc.fallocate64(file.fileno(), FALLOC_PUNCH_KEEP_SIZE, ctypes.c_long(at), ctypes.c_long(4096))

    def thin_out(self, age):
        for entry in sorted(os.scandir(self.root + "/large"), key=lambda entry: entry.name)[age::9]:
            if entry.is_file(follow_symlinks=False):
                os.unlink(entry.path)


def age_once(root, age, entries, rng):
    life = Life(root, rng, "abcd"[age])
    if age == 0:
        life.settle(entries)
    elif age == 1:
        life.scatter()
    else:
        life.thin_out(age)
    life.live(entries if age == 0 else entries // 4)


# ---- making a base ----


def empty(path, megabytes):
    if os.path.exists(path):
        os.unlink(path)
    with open(path, "xb") as file:
        file.truncate(megabytes << 20)


def format_image(name, path, megabytes):
    shape = BASES[name]
    for newer in (shape.newer, ""):
        empty(path, shape.megabytes or megabytes)
        command = MKFS + ["-q", "-f", "-d", "agcount=%d" % shape.groups] + shape.options.split() + newer.split()
        if shape.realtime:
            empty(path + ".rt", shape.realtime)
            command += ["-r", "rtdev=" + path + ".rt"]
        made = subprocess.run(command + [path], capture_output=True, text=True)
        if made.returncode == 0:
            return
    raise Unavailable("mkfs.xfs: " + (made.stderr.strip().splitlines() or ["fails"])[0])


def find_metadata(path, block_size):
    found = []
    with open(path, "rb") as file:
        for start, end in data_ranges(file.fileno()):
            for at in range(start, end, block_size):
                head = os.pread(file.fileno(), 10, at)
                if head[:4] in MAGICS or head[:2] in SHORT_MAGICS or head[8:10] in DA_MAGICS:
                    found.append(at)
    return found


def find_idle(path, sb):
    output = subprocess.run(DB + ["-r", "-c", "freesp -d", path], capture_output=True, text=True).stdout
    idle = [sb.log()]
    for line in output.splitlines():
        if re.fullmatch(r"\s*\d+\s+\d+\s+\d+\s*", line):
            group, block, length = map(int, line.split())
            start = sb.group(group) + block * sb.block_size
            idle.append((start, start + length * sb.block_size))
    return sorted(idle)


def fill(name, folder, entries, mounts):
    image, rng = os.path.join(folder, "image"), random.Random(name)
    for age in range(OLDER + 1):
        with mounts.mounted(image) as root:
            age_once(root, age, entries, rng)
        if age < OLDER:
            copy(image, os.path.join(folder, "age%d" % age))
    # two mounts in which little is done, so that the log holds nothing of the last age
    for _ in range(2):
        with mounts.mounted(image) as root:
            os.mkdir(root + "/idle")
            os.rmdir(root + "/idle")


def fill_elsewhere(name, folder, entries, judge):
    """The same by a judge; returns the manifest."""
    image = os.path.join(folder, "image")
    deeds = [("age", name, age, entries) for age in range(OLDER + 1)] + 2 * [("look",)]
    for deed in deeds:
        answer = judge.run([image], BASES[name].mount, *deed)[0]
        if answer.wrong:
            raise Unavailable("the judge's kernel does not mount it" if not answer.mounted else answer.wrong)
        if deed[0] == "age" and deed[2] < OLDER:
            copy(image, os.path.join(folder, "age%d" % deed[2]))
    return answer.told["manifest"]


def fill_here(name, folder, entries, tools, mounts):
    image = os.path.join(folder, "image")
    if not mounts.can_mount(image):
        raise Unavailable("this kernel does not mount it")
    fill(name, folder, entries, mounts)
    with mounts.mounted(image, "loop,ro") as root:
        return content.manifest(root, tools)


def make_base(name, home, entries, tools, mounts, judge):
    """Make a base unless it is there; its folder appears when it is complete."""
    folder = os.path.join(home, "%s-%d" % (name, entries))
    if name in ELSEWHERE and not judge:
        raise Unavailable("it needs a kernel that JUDGE names")
    if not os.path.exists(folder):
        part = folder + ".part"
        shutil.rmtree(part, ignore_errors=True)
        os.makedirs(part)
        image = os.path.join(part, "image")
        format_image(name, image, 320 if entries < 4000 else 400)
        if name in ELSEWHERE:
            manifest = fill_elsewhere(name, part, entries, judge)
        else:
            manifest = fill_here(name, part, entries, tools, mounts)
        sb = superblock(image)
        with open(os.path.join(part, "places.json"), "w") as file:
            json.dump({"metadata": find_metadata(image, sb.block_size), "idle": find_idle(image, sb)}, file)
        with open(os.path.join(part, "manifest"), "w") as file:
            file.write(manifest)
        os.rename(part, folder)
    return Base(name, folder)
