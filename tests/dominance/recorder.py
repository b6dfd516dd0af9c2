#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""recorder.py FILE IMAGE RECORD: makes FILE, which exists, show IMAGE while this runs, and appends to RECORD each write to
it and each flush, in their order, before it answers the kernel. So the size of RECORD at some time is the moment up to
which everything has arrived. A loop device on FILE is then a disk that can lose its power at any of these moments.

FILE is the root of a FUSE file system of its own, so neither a device mapper nor a library is needed. This is a process of
its own, since it must answer while others wait for it. It ends when FILE is unmounted."""
import ctypes
import errno
import os
import struct
import sys

HEADER = struct.Struct("<QI")  # offset and length of a write, whose data follow; a flush has the offset FLUSH
FLUSH = (1 << 64) - 1

LARGEST = 1 << 20  # bytes of one write
GETATTR, OPEN, READ, WRITE, STATFS, RELEASE, FSYNC, FLUSHED, INIT, DESTROY = 3, 14, 15, 16, 17, 18, 20, 25, 26, 38
FORGET, INTERRUPT, FORGET_ALL = 2, 36, 42  # which want no answer
MAX_PAGES = 1 << 22
FOREVER = 1 << 30


def writes(record, start=0, end=None):
    """The writes of a part of a record, as (offset, data); None for a flush."""
    with open(record, "rb") as file:
        file.seek(start)
        while end is None or file.tell() < end:
            header = file.read(HEADER.size)
            if len(header) < HEADER.size:
                return
            offset, length = HEADER.unpack(header)
            yield None if offset == FLUSH else (offset, file.read(length))


class Server:
    """Answers the kernel's requests about one file."""

    def __init__(self, fuse, image, record):
        self.fuse, self.image, self.record = fuse, os.open(image, os.O_RDWR), open(record, "ab", buffering=0)
        self.size = os.fstat(self.image).st_size

    def note(self, offset, data=b""):
        self.record.write(HEADER.pack(offset, len(data)) + data)

    def attributes(self):
        times = struct.pack("<6Q3I", 1, self.size, self.size // 512, 0, 0, 0, 0, 0, 0)
        return struct.pack("<QII", FOREVER, 0, 0) + times + struct.pack("<7I", 0o100600, 1, 0, 0, 0, 4096, 0)

    def init(self, body):
        """Version, read ahead, flags, requests at a time, size of a write, granularity of times, pages of a write."""
        minor, ahead = struct.unpack_from("<II", body, 4)
        pages = LARGEST // os.sysconf("SC_PAGE_SIZE")
        return struct.pack("<4I2H2I2H8I", 7, min(minor, 31), ahead, MAX_PAGES, 16, 12, LARGEST, 1, pages, 0, *[0] * 8)[:64]

    def answer(self, operation, body):
        if operation == INIT:
            return self.init(body)
        if operation == GETATTR:
            return self.attributes()
        if operation == OPEN:
            return struct.pack("<QII", 0, 0, 0)
        if operation == READ:
            _, offset, size = struct.unpack_from("<QQI", body)
            return os.pread(self.image, size, offset)
        if operation == WRITE:
            _, offset, size = struct.unpack_from("<QQI", body)
            data = body[40 : 40 + size]
            self.note(offset, data)
            os.pwrite(self.image, data, offset)
            return struct.pack("<II", size, 0)
        if operation == FSYNC:
            self.note(FLUSH)
        if operation == STATFS:
            return struct.pack("<5Q4I", 1 << 30, 1 << 29, 1 << 29, 1, 1, 4096, 255, 4096, 0) + bytes(24)
        if operation in (FSYNC, RELEASE, FLUSHED, DESTROY):
            return b""
        raise OSError(errno.ENOSYS, "operation %d" % operation)

    def serve(self):
        while True:
            try:
                request = os.read(self.fuse, LARGEST + 4096)
            except OSError as error:
                if error.errno in (errno.ENOENT, errno.EINTR, errno.EAGAIN):
                    continue  # the request was taken back
                if error.errno == errno.ENODEV:
                    return  # unmounted
                raise
            _, operation, unique = struct.unpack_from("<IIQ", request)
            if operation in (FORGET, INTERRUPT, FORGET_ALL):
                continue
            status, answer = 0, b""
            try:
                answer = self.answer(operation, request[40:])
            except OSError as error:
                status = -error.errno
            try:
                os.write(self.fuse, struct.pack("<IiQ", 16 + len(answer), status, unique) + answer)
            except OSError as error:
                if error.errno != errno.ENOENT:  # nobody waits for it any more
                    raise


def main():
    path, image, record = sys.argv[1:]
    fuse = os.open("/dev/fuse", os.O_RDWR)
    libc = ctypes.CDLL(None, use_errno=True)
    options = "fd=%d,rootmode=100000,user_id=0,group_id=0,allow_other" % fuse
    if libc.mount(b"xfsck-test", os.fsencode(path), b"fuse", 2 | 4, options.encode()):  # no set-user-ID, no devices
        sys.exit("recorder: %s" % os.strerror(ctypes.get_errno()))
    print("ready", flush=True)
    Server(fuse, image, record).serve()


if __name__ == "__main__":
    main()
