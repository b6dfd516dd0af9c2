#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""use.py ROOT RECORD TOOLS SEED STEPS: uses a mounted file system, after a repair, in every directory that is left. After
each step it syncs this file system, and no other. Prints, as JSON, the state of which everything has been synced, before
the first step and after each one: how long RECORD (recorder.py) was then, the manifest, and what the step has changed:
inodes, and names that were new. It is a program so that it can be killed."""
import ctypes
import errno
import json
import mmap
import os
import random
import shutil
import stat
import sys

sys.dont_write_bytecode = True
import bases
import content

LIBC = ctypes.CDLL(None, use_errno=True)
FOLDERS = 60  # that are used in one step, if there are more
ILL = {errno.EIO, errno.EUCLEAN, errno.ESHUTDOWN, errno.EROFS, errno.ENOTRECOVERABLE}  # what a sound one does not say


class Use(bases.Life):
    """Each deed notes what it changes."""

    def __init__(self, root, rng, letter):
        super().__init__(root, rng, letter)
        self.files = [path for path in self.files if stat.S_IFMT(os.lstat(path).st_mode) in (stat.S_IFREG, stat.S_IFLNK)]
        self.here, self.touched, self.fresh, self.ill = root, set(), set(), []

    def file(self):
        """A file of this directory if there is one, or any; but names of large directories are not looked for."""
        path = self.rng.choice(self.local if self.local and self.rng.random() < 0.6 else self.files)
        self.touched.add(os.lstat(path).st_ino)
        return path

    def anywhere(self):
        path = self.name(self.here, self.rng.choice([0, 3, 30, 120]))
        self.fresh.add(os.path.basename(path))
        return path

    def regular(self):
        path = self.file()
        return os.open(path, os.O_RDWR | os.O_NOFOLLOW)

    # ---- deeds that Life does not know ----

    def create(self):
        self.write(self.rng.choice([0, 30, 500, 5000, 20000, 50000, 200000]))

    def extend(self):
        fd = self.regular()
        try:
            at = os.fstat(fd).st_size + self.rng.choice([0, 0, 70000])
            os.pwrite(fd, self.rng.randbytes(self.rng.choice([10, 5000, 60000])), at)
        finally:
            os.close(fd)

    def truncate(self):
        fd = self.regular()
        try:
            os.ftruncate(fd, self.rng.randrange(os.fstat(fd).st_size + 1))
        finally:
            os.close(fd)

    def punch(self):
        fd = self.regular()
        try:
            at = self.rng.randrange(os.fstat(fd).st_size + 1)
            length = self.rng.choice([4096, 20000, 1 << 20])
            LIBC.fallocate64(fd, bases.FALLOC_PUNCH_KEEP_SIZE, ctypes.c_long(at), ctypes.c_long(length))
        finally:
            os.close(fd)

    def change(self):
        path = self.file()
        os.chown(path, self.rng.randrange(9), self.rng.randrange(9), follow_symlinks=False)

    def attribute_gone(self):
        path = self.file()
        for name in os.listxattr(path, follow_symlinks=False)[:1]:
            os.removexattr(path, name, follow_symlinks=False)

    def move_folder(self):
        """A folder that holds no others is moved here, or removed if it is empty."""
        path = self.rng.choice(self.folders)
        entries = list(os.scandir(path))
        if path in (self.root, self.here) or len(entries) > 50 or any(entry.is_dir(follow_symlinks=False) for entry in entries):
            return
        self.touched.add(os.lstat(path).st_ino)
        self.touched.update(entry.inode() for entry in entries)
        if not entries and self.rng.random() < 0.5:
            os.rmdir(path)
            self.folders.remove(path)
            return
        new = self.anywhere()
        os.rename(path, new)
        self.folders[self.folders.index(path)] = new
        self.files = [new + name[len(path) :] if name.startswith(path + "/") else name for name in self.files]

    DEEDS = [bases.Life.folder, create, create, bases.Life.link, bases.Life.rename, bases.Life.remove, bases.Life.symlink]
    DEEDS += [bases.Life.attribute, attribute_gone, change, bases.Life.clone, bases.Life.overwrite, extend, truncate, punch]
    DEEDS += [create, move_folder]

    def fill(self):
        """Take all space, make files while there is none, and give most of it back."""
        self.here, taken = self.root, []
        for size in (32 << 20, 1 << 20, 1 << 16):
            for _ in range(64):
                path = self.anywhere()
                fd = os.open(path, os.O_RDWR | os.O_CREAT)
                taken.append(path)
                try:
                    os.posix_fallocate(fd, 0, size)
                except OSError as error:
                    self.note(error, "fill")
                    break
                finally:
                    os.close(fd)
        for _ in range(100):
            self.do(Use.create)
        for path in taken:
            if self.rng.random() < 0.9:
                os.unlink(path)

    def note(self, error, deed):
        if error.errno in ILL:
            self.ill.append("%s in %s: %s" % (deed, self.here, error.strerror))

    def do(self, deed):
        try:
            if self.files or deed == Use.create:
                deed(self)
        except OSError as error:
            self.note(error, deed.__name__)

    def use(self, folder):
        self.here = folder
        self.local = [path for path in self.files if os.path.dirname(path) == folder]
        for deed in self.DEEDS:
            self.do(deed)

    def step(self):
        for folder in self.rng.sample(self.folders, min(FOLDERS, len(self.folders))):
            if folder in self.folders:  # it may have been moved
                self.use(folder)
        self.local = []
        self.do(Use.fill)


def failure(root):
    """The number of the error if files can't be made, written and removed, else 0."""
    folder = os.path.join(root, ".in-use")
    try:
        os.mkdir(folder)
        for i in range(40):
            with open("%s/%d" % (folder, i), "wb") as file:
                file.write(bytes(5000))
        shutil.rmtree(folder)
        return 0
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        return error.errno


class Marks:
    """Where the record can't be seen, marks in it tell a moment: writes to the last block of the device, which is behind
    the file system."""

    SIZE = 4096

    def __init__(self, device):
        self.fd, self.count = os.open(device, os.O_RDWR | os.O_DIRECT), 0
        self.at = os.lseek(self.fd, 0, os.SEEK_END) - self.SIZE

    @classmethod
    def text(cls, number):
        return b"state %d" % number

    def position(self):
        """Number of the state that a mark has just been set behind."""
        block = mmap.mmap(-1, self.SIZE)
        block[: len(self.text(self.count))] = self.text(self.count)
        os.pwrite(self.fd, block, self.at)
        self.count += 1
        return self.count - 1


class Record:
    def __init__(self, path):
        self.path = path

    def position(self):
        return os.stat(self.path).st_size


def states(root, record, tools, seed, steps):
    """Use a file system; returns the states of which everything has been synced, or what went wrong."""
    top, found = os.open(root, os.O_RDONLY | os.O_DIRECTORY), []
    use, rng = None, random.Random(seed)
    for step in range(steps + 1):
        if step:
            use = Use(root, rng, "pqrstuvw"[step % 8])
            use.step()
        if LIBC.syncfs(top):
            return {"ill": ["sync: " + os.strerror(ctypes.get_errno())] + (use.ill if use else [])}
        position = record.position()
        state = {"position": position, "manifest": content.manifest(root, tools), "touched": [], "fresh": [], "ill": []}
        if use:
            state.update(touched=sorted(use.touched), fresh=sorted(use.fresh), ill=use.ill)
        found.append(state)
    os.close(top)
    return {"states": found}


def main():
    root, record, tools, seed, steps = sys.argv[1:]
    print(json.dumps(states(root, Record(record), tools, seed, int(steps))))


if __name__ == "__main__":
    main()
