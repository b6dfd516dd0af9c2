/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Contract of cache/: devices, reading from them and writing to them.  It is the only folder that submits I/O.  Offsets
 * and lengths are bytes.  Those of direct I/O are multiples of device_align(); functions that allow any alignment say
 * so.
 */
#ifndef XFSCK_CACHE_H
#define XFSCK_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct device; /* an open device or image; safe to use from many threads */

enum device_engine {
	ENGINE_AUTO, /* io_uring where the kernel lets us, else threads */
	ENGINE_URING,
	ENGINE_THREADS,
};

/* what the device is made of, as far as the system can tell */
enum device_medium {
	MEDIUM_UNKNOWN, /* a virtual disk, for example */
	MEDIUM_FLASH,
	MEDIUM_DISK, /* its heads move: seeks are expensive, so only one sweep at a time */
};

/* What else than files and block devices the program can open, as it was built; the last one has no `what`. */
struct device_input {
	const char *what;
	bool built_in;
	const char *why_not; /* if it is not */
};
extern const struct device_input device_inputs[];

/* Devices that another one carries: a metadump those that it was made of. */
enum device_inner {
	INNER_NONE,
	INNER_LOG,
	INNER_RT,
};

/* A compressed metadump that is to be unpacked into a temporary file. */
struct device_unpacking {
	const char *packing;	/* "gzip", "xz", "zstd" */
	const char *folder;	/* where the temporary file is */
	uint64_t packed, bytes; /* as it is, and what it says that it unpacks to, at least; 0: it does not say */
	uint64_t room;		/* free bytes in the folder; UINT64_MAX: not known */
};

#define MAP_BYTES (UINT64_C(256) << 20)

struct device_options {
	bool allow_readonly_mounted; /* -d: a device mounted read-only may be audited */
	bool allow_mounted;	     /* it may be read while it changes: whoever does so knows */
	bool alone;		     /* it may be written to later, so nobody else may read it meanwhile */
	enum device_engine engine;
	enum device_medium medium; /* as the user says; MEDIUM_UNKNOWN: to be found out, as far as the system tells */
	/* the file system lies only in a part of what is opened: in a partition, or from a byte on */
	unsigned partition; /* its number in the table of partitions; 0: none */
	uint64_t offset;    /* bytes */
	uint64_t size;	    /* bytes; 0: up to the end */
	const struct device
		*carrier; /* or it is one that this device carries, and the path is that of device_inner() */
	enum device_inner inner;
	/*
	 * Called by the thread that comes to the first bytes that can't be read, at once: offset is a byte of the
	 * device, error a negative errno.  NULL: nobody wants to know.
	 */
	void (*on_loss)(const void *ctx, const char *name, uint64_t offset, int error);
	const void *on_loss_ctx;
	uint64_t read_rate;	/* bytes a second that may be read; 0: without limit */
	unsigned read_requests; /* the same for requests */
	unsigned io_timeout;	/* seconds without any answer after which a device is silent; 0: it never is */
	/*
	 * Called by a thread of the device when it is silent.  request: the last one, as "a read at byte 512".
	 * cancelled: all requests will fail, and device_gone() is true; if they can't be cancelled, as those of a disk,
	 * the run should end.  NULL: nobody wants to know.
	 */
	void (*on_silence)(const void *ctx, const char *name, const char *request, unsigned seconds, bool cancelled);
	const void *on_silence_ctx;
	uint64_t map_bytes;    /* memory that may be taken to know where in a metadump everything lies; 0: MAP_BYTES */
	uint64_t unpack_bytes; /* memory that a library may take to unpack a metadump; 0: UNPACK_MEMORY (source.h) */
	/* Called before a compressed metadump is unpacked.  NULL: nobody wants to know. */
	void (*on_unpack)(const void *ctx, const struct device_unpacking *unpacking);
	const void *on_unpack_ctx;
};

/*
 * Open a block device or regular file for reading; never writable.  A block device that is mounted
 * or in use elsewhere is refused, and so is a file that is locked.  On failure a negative errno, and in message (of
 * size bytes) a sentence for the user, without newline, that names the path.
 */
int device_open(const char *path, const struct device_options *options, struct device **ret_device, char *message,
		size_t size);
void device_close(struct device *device);

const char *device_path(const struct device *device); /* as the user gave it */
const char *device_name(const struct device *device); /* for messages: the path, and which part of it */
uint64_t device_base(const struct device *device);    /* byte of what path names at which it begins */
bool device_is_file(const struct device *device);     /* it is a whole regular file, not a block device */
bool device_is_at(const struct device *device,
		  const char *path); /* path leads to the same bytes, even by a loop device */
/*
 * Whether two names lead to the same file or device, even by a loop device on a part of it; or, if neither exists,
 * would do so once one of them is created.
 */
bool device_same_path(const char *path, const char *other);
/* The name of a device that this one carries, for messages and to open it; NULL: there is none. */
const char *device_inner(const struct device *device, enum device_inner inner);
/* Whether it is a metadump, and what that lacks. */
struct device_dump {
	unsigned version; /* 0: it is none */
	bool obfuscated;  /* names and values of attributes are not those of the file system */
};
struct device_dump device_dump(const struct device *device);
/* True if a path is no file, but the address of a server. */
bool device_is_remote(const char *path);
/* The same for what fd is open for. */
bool device_same_file(int fd, const char *path);
bool device_mounted(const struct device *device);    /* it was mounted (read-only) when it was opened */
uint64_t device_bytes(const struct device *device);  /* size */
uint32_t device_align(const struct device *device);  /* what direct reads must be aligned to; power of two */
uint32_t device_sector(const struct device *device); /* bytes of its smallest unit; of a file, SECTOR_SIZE */
enum device_medium device_medium(const struct device *device);
bool device_uses_uring(const struct device *device);
/*
 * End the threads that serve the device, until it is used again, so that what is given up then holds for them, too.
 * Nobody may be using it.
 */
void device_rest(struct device *device);
/*
 * The offset of the first unit, from `offset` on, that may hold anything but zeroes: the system knows the holes of a
 * regular file.  offset is a multiple of unit, both in bytes.  device_bytes() or more: there is none.  What is staged
 * counts as well, in steps of 64 KiB.
 */
uint64_t device_next_data(const struct device *device, uint64_t offset, uint32_t unit);

/* What lies on a device, for the user. */
struct device_contents {
	char what[128];	   /* part of a sentence: "looks like ext4"; "": nothing is recognized */
	char advice[1024]; /* sentences on what to do with it; "": nobody knows */
};
/* Find out what lies on the device other than what libblkid calls `expected`, as "xfs". */
void device_describe(struct device *device, const char *expected, struct device_contents *ret_contents);

/*
 * Read len bytes at offset, any alignment, waiting for them.  0, or -EIO if not all could be read (what
 * could not is zeroed; -ENODATA if the only reason is that the device ends before). -ENOMEM: nothing was read.
 */
int device_read(struct device *device, void *buf, uint64_t offset, size_t len);
/* The same for what will hardly be wanted again: it is not kept in memory. */
int device_read_once(struct device *device, void *buf, uint64_t offset, size_t len);

/*
 * The same with only the lower `layers` layers of the overlay; 0: what is on the device itself.  offset is a multiple
 * of SECTOR_SIZE.  -ENOMEM also if staged bytes can't be read from the temporary file.
 */
int device_read_below(struct device *device, void *buf, uint64_t offset, size_t len, unsigned layers);

/*
 * Replace in buf what is staged in layers [from, to); buf holds the bytes at offset. offset and len are multiples of
 * SECTOR_SIZE.  0, or the negative errno of the temporary file.
 */
int device_cover(struct device *device, void *buf, uint64_t offset, size_t len, unsigned from, unsigned to);

/* Counts since device_open(), of all threads. */
struct device_counts {
	uint64_t requests; /* read requests issued */
	uint64_t bytes;	   /* read by them */
	uint64_t backward; /* requests that start before the end of the one issued before, in one queue */
	uint64_t errors;   /* requests that failed or came short */
	uint64_t kept;	   /* bytes that did not have to be read: they were kept */
	uint64_t arrived;  /* bytes that were read, at once, while those above are added up when a queue ends */
	uint64_t at;	   /* where the request lies, of reading or writing, that was begun last: byte */
	uint64_t compared; /* staged bytes that device_changes() and device_commit() have gone through */
};
void device_counts(const struct device *device, struct device_counts *ret_counts);

/* Buffers for direct I/O. len is rounded up to the alignment. NULL: out of memory. Free them before device_close(). */
void *device_buffer(const struct device *device, size_t len);
void device_buffer_free(void *buf);

/* ---- a queue of reads in flight; one thread uses a queue ---- */

struct ioq;

struct io {
	uint64_t offset; /* aligned */
	uint32_t len;	 /* aligned */
	void *buf;	 /* from device_buffer() */
	/*
	 * set on completion: 0 if all of it was read, -ENODATA if the device ends before, else the negative errno
	 * of the first piece lost.  Failed reads have been retried down to device_align() units: bytes that still
	 * could not be read are zero, and each such range is in the device's list (device_unreadable()).
	 */
	int error;
	void *cookie; /* the caller's */
};

int ioq_create(struct device *device, unsigned depth, struct ioq **ret_ioq);
/*
 * A hint that most reads will go to these len bytes, which outlive the queue: they are registered with the kernel, so
 * that it need not look them up for each request.  All of them then take up memory, used or not.
 */
void ioq_window(struct ioq *ioq, void *buf, size_t len);
void ioq_destroy(struct ioq *ioq); /* waits for what is in flight; free its buffers after this */
/* Queue a read; io stays the queue's until ioq_wait() returns it. At most depth may be in flight. 0 or negative errno.
 */
int ioq_submit(struct ioq *ioq, struct io *io);
/* Wait for one to complete; the order is that of completion. NULL: none in flight. */
struct io *ioq_wait(struct ioq *ioq);
/* True if ioq_wait() need not wait, as far as that can be told without a system call. */
bool ioq_ready(const struct ioq *ioq);

/*
 * True if any byte of [offset, offset + len) is known to be unreadable; *ret_offset, *ret_len then give the first
 * such range, clipped.  What lies behind the end of the device always is.  Cheap when nothing failed.
 */
bool device_unreadable(const struct device *device, uint64_t offset, uint64_t len, uint64_t *ret_offset,
		       uint64_t *ret_len);
/*
 * Read a unit or two of each range that could not be read once more: 0 if they are all still unreadable, -EAGAIN if
 * those of the range at *ret_offset can be read now, or -ENOMEM.  Single units are left alone: one has failed twice
 * while the device could be read elsewhere, and each more try may be the last that the disk takes.
 */
int device_still_unreadable(struct device *device, uint64_t *ret_offset, uint64_t *ret_len);

/* The first range from `offset` on that could not be read so far, unless it was written since; whatever is staged. */
bool device_lost(const struct device *device, uint64_t offset, uint64_t *ret_offset, uint64_t *ret_len);
/*
 * Another run could not read this range: try both ends once more.  0: they are still unreadable, and so it is from now
 * on.  -EAGAIN: they are not.  -ENOMEM.
 */
int device_lost_before(struct device *device, uint64_t offset, uint64_t len);
/* True if anything could not be read so far, whatever was written or staged there since. */
bool device_lost_any(const struct device *device);
/* Whether nothing can be read any more, not even what could be before. It stays so. */
bool device_gone(const struct device *device);
/* In message, of size bytes: the rest of a sentence, "it is gone: ...". */
void device_gone_why(const struct device *device, char *message, size_t size);
/*
 * Whether its size is not what it was when it was opened, since somebody else works on it.  Then message, of size
 * bytes, is a sentence for the user.
 */
bool device_resized(const struct device *device, char *message, size_t size);

/* ---- the cache: what will be read again ---- */

/*
 * From now on keep what is offered, in at most `limit` bytes of memory; 0, which is what it begins with: keep nothing.
 * What was kept under another limit is forgotten.  For one thread, while nobody reads, or if nothing was kept before.
 */
void device_keep(struct device *device, size_t limit);
/*
 * Offer bytes that device_read() or a queue has read, whole sectors, to be kept.  cheap: they were read together with
 * much else, and are the first to be dropped.  Nobody may stage anything between the reading and this.
 */
void device_offer(struct device *device, const void *bytes, uint64_t offset, size_t len, bool cheap);
/* True if all of it is kept, and is now in buf as device_read() would read it; else the contents of buf are undefined.
 */
bool device_kept(struct device *device, void *buf, uint64_t offset, size_t len);
/*
 * The same without a copy: a pointer into the cache if that is possible, else the bytes are copied to spare, which has
 * room for them.  NULL: not all of it is kept.  Valid until device_give_back(), as long as nobody stages anything.
 */
const uint8_t *device_borrow(struct device *device, uint64_t offset, size_t len, void *spare);
/* device_borrow() will be called for this offset soon: prefetch what it looks up into the processor's cache. */
void device_borrow_soon(const struct device *device, uint64_t offset);
/* All that was borrowed is not used any more. */
void device_give_back(struct device *device);

#define AHEAD_PAGE 4096u /* bytes */
#define AHEAD_MAX  512u

/*
 * Read these pages ahead, all together, since device_read() will be called for them next: at most AHEAD_MAX, by their
 * offsets, which are multiples of AHEAD_PAGE.  They replace those that were read ahead before; count 0: forget these.
 * For one thread, while nobody reads.
 */
void device_ahead(struct device *device, const uint64_t *pages, size_t count);

/* ---- the overlay: blocks staged over the device, which itself stays as it is until they are committed ---- */

/* What is staged lies in one of these; the upper one covers the lower one. */
enum overlay_layer {
	LAYER_REPLAY, /* the result of log replay: exactly what the next mount would make of the device */
	LAYER_PLACE,  /* areas that had changed places, put back: what the repair begins with */
	LAYER_MEND,   /* the repair */
	LAYER_LOG,    /* what marks the log clean, once nothing in it is needed any more */
	LAYERS,
};

/*
 * Stage len bytes for byte offset, both multiples of SECTOR_SIZE, not behind device_bytes(): every read that begins
 * afterwards, by any thread, sees them, and they are no longer unreadable.  Beyond the limit they go to an unlinked
 * temporary file.  0, -ENOMEM, -ERANGE, or the negative errno of the temporary file; then nothing has changed.
 */
int device_stage(struct device *device, enum overlay_layer layer, const void *buf, uint64_t offset, size_t len);
/* Forget all that is staged in a layer. Nobody may be reading. */
void device_unstage(struct device *device, enum overlay_layer layer);
/*
 * From now on readers see only the lower `layers` layers; LAYERS: all, which is what it begins with.  Nobody may be
 * reading, and nothing may be staged while not all are shown.
 */
void device_show(struct device *device, unsigned layers);
/* How many bytes of memory the overlay may take, all layers together; 64 MiB if this is not called. */
void device_stage_limit(struct device *device, size_t limit);
/* How many bytes of freed read buffers to keep for the next reads; 16 MiB at most, and if this is not called. */
void device_buffers_limit(struct device *device, size_t bytes);
/* Bytes staged in a layer. */
uint64_t device_staged(const struct device *device, enum overlay_layer layer);
/*
 * Call fn for all that is staged in a layer, neighbours together (up to 1 MiB), in ascending order, until it returns
 * other than 0. That, 0, or the negative errno of the temporary file.
 */
typedef int staged_fn(void *ctx, uint64_t offset, const void *bytes, size_t len);
int device_staged_each(struct device *device, enum overlay_layer layer, staged_fn *fn, void *ctx);

/* ---- writing: nothing is, unless these are called ---- */

/*
 * Ask early whether the device can be opened for writing, so that a long run does not fail at its end for that: 0 if
 * probably so, else a negative errno, and in message (of size bytes) a sentence for the user.
 */
int device_may_write(const struct device *device, char *message, size_t size);
/*
 * Open it for writing as well; other openers stay locked out as since device_open(). Errors as there. A second call
 * does nothing.
 */
int device_open_write(struct device *device, char *message, size_t size);

/*
 * Write len bytes at offset, any alignment, to the device itself, not the overlay.  The bytes around them in the same
 * units of device_align() are written again as they are.  0 or a negative errno: then device_write_failed() says where.
 */
int device_write(struct device *device, const void *bytes, uint64_t offset, size_t len);
/* What has been written is on the medium when this returns. 0 or negative errno. */
int device_flush(struct device *device);

/* The range of the write that failed, of several that were under way the first; false: none did (flushing failed). */
bool device_write_failed(const struct device *device, uint64_t *ret_offset, uint64_t *ret_len);

/* Bytes written so far. */
uint64_t device_written(const struct device *device);

/* Where what is staged differs from what is on the device. */
struct change {
	uint64_t offset; /* both in units of device_align(), but that the device may end in one */
	size_t len;
	const uint8_t *before; /* on the device */
	const uint8_t *after;
	bool lost; /* the device can't be read there: before is zeroes */
	bool free; /* for undo_add(): this is free space before and after, so its contents need not be put back */
};
typedef int change_fn(void *ctx, const struct change *change);
/* Whether the sector at this offset is meant. */
typedef bool sector_fn(void *ctx, uint64_t offset);

/*
 * Call fn for the changes that a layer makes to the device itself, in ascending order, neighbours together (up to 1
 * MiB), until it returns other than 0. which (NULL: all) chooses the sectors; those that it leaves out are as on the
 * device. That, 0, -ENOMEM, -EIO (a unit that can't be read is not staged whole) or an error of the temporary file.
 */
int device_changes(struct device *device, enum overlay_layer layer, sector_fn *which, void *which_ctx, change_fn *fn,
		   void *ctx);
/* Keep the contents of the device itself that is read for device_changes(), in at most `limit` bytes of memory. */
void device_keep_below(struct device *device, size_t limit);
/*
 * Write the changes of a layer to the device, several at a time and in no particular order; which() may be called by
 * several threads.  Errors as device_write(); if one write fails, others that were under way may have been made.
 */
int device_commit(struct device *device, enum overlay_layer layer, sector_fn *which, void *which_ctx);

#endif
