/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface of cache/: devices, reads and writes.  No other folder submits I/O.  Offsets and lengths are bytes.
 * Direct I/O needs multiples of device_align(); functions that allow any alignment say so.
 */
#ifndef XFSCK_CACHE_H
#define XFSCK_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct device; /* an open device or image; safe to use from many threads */

enum device_engine {
	ENGINE_AUTO, /* io_uring where the kernel allows it, else threads */
	ENGINE_URING,
	ENGINE_THREADS,
};

/* the kind of medium, as far as the system reports it */
enum device_medium {
	MEDIUM_UNKNOWN, /* for example a virtual disk */
	MEDIUM_FLASH,
	MEDIUM_DISK, /* rotating: seeks are expensive, so only one sweep runs at a time */
};

/* What this build can open besides files and block devices; the last row has no `what`. */
struct device_input {
	const char *what;
	bool built_in;
	const char *why_not; /* reason if it is not built in */
};
extern const struct device_input device_inputs[];

/* Devices inside another one: those that a metadump was made of. */
enum device_inner {
	INNER_NONE,
	INNER_LOG,
	INNER_RT,
};

/* A compressed metadump that has to be unpacked into a temporary file. */
struct device_unpacking {
	const char *packing;	/* "gzip", "xz", "zstd" */
	const char *folder;	/* where the temporary file is */
	uint64_t packed, bytes; /* size of the file; least size when unpacked, 0: the file does not say */
	uint64_t room;		/* free bytes in the folder; UINT64_MAX: unknown */
};

#define MAP_BYTES (UINT64_C(256) << 20)

struct device_options {
	bool allow_readonly_mounted; /* -d: a device mounted read-only may be audited */
	bool allow_mounted;	     /* the device may be mounted and change while it is read */
	bool alone;		     /* it may be written to later: lock out all other readers */
	enum device_engine engine;
	enum device_medium medium; /* as the user says; MEDIUM_UNKNOWN: detect it */
	/* the part of the device that holds the file system: a partition, or a range of bytes */
	unsigned partition;	      /* its number in the partition table; 0: none */
	uint64_t offset;	      /* bytes */
	uint64_t size;		      /* bytes; 0: up to the end */
	const struct device *carrier; /* or the device lies within this one, and the path is that of device_inner() */
	enum device_inner inner;
	/*
	 * Called at once, by the thread that meets the first unreadable bytes.  offset: byte of the device; error:
	 * negative errno.  May be NULL.
	 */
	void (*on_loss)(const void *ctx, const char *name, uint64_t offset, int error);
	const void *on_loss_ctx;
	uint64_t read_rate;	/* limit in bytes per second; 0: none */
	unsigned read_requests; /* limit in requests per second; 0: none */
	unsigned read_share;	/* limit in percent of the time in which a read is in flight; 0: none */
	unsigned io_timeout;	/* seconds without any answer after which a device counts as silent; 0: never */
	/*
	 * Called by a thread of the device when it is silent.  request: the last one, such as "a read at byte 512".
	 * cancelled: all requests will fail, and device_gone() is true.  If they can't be cancelled, as with disks, the
	 * run should end.  May be NULL.
	 */
	void (*on_silence)(const void *ctx, const char *name, const char *request, unsigned seconds, bool cancelled);
	const void *on_silence_ctx;
	uint64_t map_bytes;    /* memory for the index of a metadump's blocks; 0: MAP_BYTES */
	uint64_t unpack_bytes; /* memory for the library that unpacks a metadump; 0: UNPACK_MEMORY (source.h) */
	/* Called before a compressed metadump is unpacked.  May be NULL. */
	void (*on_unpack)(const void *ctx, const struct device_unpacking *unpacking);
	const void *on_unpack_ctx;
};

/*
 * Opens a block device or regular file for reading only.  Refuses a block device that is mounted or in use elsewhere,
 * and a locked file.  Returns 0 or a negative errno; then message, of size bytes, is a sentence for the user that names
 * the path, without newline.
 */
int device_open(const char *path, const struct device_options *options, struct device **ret_device, char *message,
		size_t size);
void device_close(struct device *device);

const char *device_path(const struct device *device); /* as the user gave it */
const char *device_name(const struct device *device); /* for messages: the path and the part of it */
uint64_t device_base(const struct device *device);    /* offset of the device in the file or device at path */
bool device_is_file(const struct device *device);     /* it is a whole regular file, not a block device */
bool device_is_at(const struct device *device,
		  const char *path); /* path refers to the same bytes, possibly through a loop device */
/*
 * True if both names refer to the same file or device, possibly through a loop device on a part of it.  If neither
 * exists: true if they would once one of them is created.
 */
bool device_same_path(const char *path, const char *other);
/* The name of a device inside this one, for messages and to open it; NULL: there is none. */
const char *device_inner(const struct device *device, enum device_inner inner);
/* What kind of metadump a device is. */
struct device_dump {
	unsigned version; /* 0: no metadump */
	bool obfuscated;  /* names and attribute values were replaced */
};
struct device_dump device_dump(const struct device *device);
/* True if the path is the address of a server. */
bool device_is_remote(const char *path);
/* Like device_same_path(), but for the open file fd. */
bool device_same_file(int fd, const char *path);
bool device_mounted(const struct device *device);    /* it was mounted (read-only) when it was opened */
uint64_t device_bytes(const struct device *device);  /* size of the device */
uint32_t device_align(const struct device *device);  /* alignment of direct reads in bytes; a power of two */
uint32_t device_sector(const struct device *device); /* logical sector size in bytes; SECTOR_SIZE for files */
enum device_medium device_medium(const struct device *device);
bool device_uses_uring(const struct device *device);
/*
 * Ends the threads that serve the device until it is used again, so that permissions which the process drops are
 * dropped in all its threads.  No other thread may be using the device.
 */
void device_rest(struct device *device);
/*
 * The offset of the first unit, from `offset` on, that may hold data: the system knows the holes of a regular file.
 * Staged data counts as well, in steps of 64 KiB.  offset is a multiple of unit, both in bytes.  Returns device_bytes()
 * or more if there is none.
 */
uint64_t device_next_data(const struct device *device, uint64_t offset, uint32_t unit);
/* The same to the byte, without staged data.  *ret_end: where the next hole begins, or the end of the device. */
uint64_t device_data_below(const struct device *device, uint64_t offset, uint64_t *ret_end);

/* What a device holds, in words for the user. */
struct device_contents {
	char what[128];	   /* part of a sentence: "looks like ext4"; "": nothing was recognized */
	char advice[1024]; /* sentences on what to do; "": no advice */
};
/* Detects what the device holds, ignoring the type that libblkid calls `expected`, such as "xfs". */
void device_describe(struct device *device, const char *expected, struct device_contents *ret_contents);

/*
 * Reads len bytes at offset, with any alignment, and waits for them.  Returns 0; -EIO if some could not be read (they
 * are zeroed), or -ENODATA if the only reason is the end of the device; -ENOMEM if nothing was read.
 */
int device_read(struct device *device, void *buf, uint64_t offset, size_t len);
/* Like device_read(), but for bytes that are hardly needed again: they don't enter the cache. */
int device_read_once(struct device *device, void *buf, uint64_t offset, size_t len);

/*
 * Like device_read(), but sees only the lower `layers` layers of the overlay; 0: the device itself.  offset is a
 * multiple of SECTOR_SIZE.  -ENOMEM also if staged bytes can't be read from the temporary file.
 */
int device_read_below(struct device *device, void *buf, uint64_t offset, size_t len, unsigned layers);

/*
 * Overwrites buf, which holds the bytes at offset, with what is staged in layers [from, to).  offset and len are
 * multiples of SECTOR_SIZE.  Returns 0 or the negative errno of the temporary file.
 */
int device_cover(struct device *device, void *buf, uint64_t offset, size_t len, unsigned from, unsigned to);

/* Counters since device_open(), over all threads. */
struct device_counts {
	uint64_t requests; /* read requests issued */
	uint64_t bytes;	   /* read by them */
	uint64_t backward; /* requests that start before the end of the one issued before, in one queue */
	uint64_t errors;   /* requests that failed or came short */
	uint64_t kept;	   /* bytes served from the cache */
	uint64_t arrived;  /* bytes that were read, updated at once; `bytes` is updated when a queue ends */
	uint64_t at;	   /* byte offset of the read or write that started last */
	uint64_t compared; /* staged bytes that device_changes() and device_commit() have compared */
};
void device_counts(const struct device *device, struct device_counts *ret_counts);

/*
 * Allocates a buffer for direct I/O.  len is rounded up to the alignment.  NULL: out of memory.  Free it before
 * device_close().
 */
void *device_buffer(const struct device *device, size_t len);
void device_buffer_free(void *buf);

/* ---- a queue of reads in flight; one thread uses a queue ---- */

struct ioq;

struct io {
	uint64_t offset; /* aligned */
	uint32_t len;	 /* aligned */
	void *buf;	 /* from device_buffer() */
	/*
	 * set on completion: 0 if all of it was read, -ENODATA if the device ends before, else the negative errno of
	 * the first lost range.  Failed reads are retried down to single sectors (bad_unit).  Bytes that still can't be
	 * read are zeroed, and the range is listed (device_unreadable()).
	 */
	int error;
	void *cookie; /* the caller's */
};

int ioq_create(struct device *device, unsigned depth, struct ioq **ret_ioq);
/*
 * Registers these len bytes, into which most reads will go, with the kernel, which saves a lookup per request.  They
 * must outlive the queue.  All of them are resident in memory from then on, used or not.
 */
void ioq_window(struct ioq *ioq, void *buf, size_t len);
void ioq_destroy(struct ioq *ioq); /* waits for reads in flight; free their buffers after this */
/*
 * Queues a read.  io belongs to the queue until ioq_wait() returns it; at most depth may be in flight.  0 or negative
 * errno.
 */
int ioq_submit(struct ioq *ioq, struct io *io);
/* Waits for the next read to complete, in order of completion.  NULL: none in flight. */
struct io *ioq_wait(struct ioq *ioq);
/* True if ioq_wait() would return at once, as far as is known without a system call. */
bool ioq_ready(const struct ioq *ioq);

/*
 * True if any byte of [offset, offset + len) is known to be unreadable; then *ret_offset and *ret_len are the first
 * such range, clipped.  Bytes beyond the end of the device always are.  Cheap if no read has failed.
 */
bool device_unreadable(const struct device *device, uint64_t offset, uint64_t len, uint64_t *ret_offset,
		       uint64_t *ret_len);
/*
 * Reads a unit or two of each unreadable range once more: 0 if all are still unreadable, -EAGAIN if those of the range
 * at *ret_offset can be read now, -ENOMEM.  Single units are left alone: they have failed twice while other reads
 * succeeded, and each further attempt may be the last that the disk survives.
 */
int device_still_unreadable(struct device *device, uint64_t *ret_offset, uint64_t *ret_len);

/* Finds the first unreadable range from `offset` on that was not written since.  Staged data does not matter. */
bool device_next_unreadable(const struct device *device, uint64_t offset, uint64_t *ret_offset, uint64_t *ret_len);
/*
 * Tests a range that another run could not read: tries both ends once more.  0: still unreadable, and the range is
 * added to the list.  -EAGAIN: readable now.  -ENOMEM.
 */
int device_was_unreadable(struct device *device, uint64_t offset, uint64_t len);
/* True if any read has failed so far, even if the range was written or staged since. */
bool device_any_unreadable(const struct device *device);
/* True if nothing can be read any more.  This is final. */
bool device_gone(const struct device *device);
/* Sets message, of size bytes, to the rest of a sentence, "it is gone: ...". */
void device_gone_why(const struct device *device, char *message, size_t size);
/*
 * True if the device does not have the size any more that it had when it was opened, because another program changes
 * it.  Then message, of size bytes, is a sentence for the user.
 */
bool device_resized(const struct device *device, char *message, size_t size);

/* ---- the cache, for data that is read again ---- */

/*
 * Keeps what is offered from now on, in at most `limit` bytes of memory; 0, the initial value: keeps nothing.  Drops
 * what was kept under another limit.  For one thread, while no thread reads, or if nothing was kept before.
 */
void device_keep(struct device *device, size_t limit);
/*
 * Offers bytes that device_read() or a queue has read, whole sectors, to the cache.  cheap: they were read together
 * with much else, and are dropped first.  No thread may stage anything between the read and this call.
 */
void device_offer(struct device *device, const void *bytes, uint64_t offset, size_t len, bool cheap);
/* True if the cache has all of it: buf is then as after device_read(), else undefined. */
bool device_kept(struct device *device, void *buf, uint64_t offset, size_t len);
/*
 * Like device_kept(), but without a copy where possible: returns a pointer into the cache, or to `spare`, which has
 * room for len bytes.  NULL: not all of it is in the cache.  Valid until device_give_back(), as long as nothing is
 * staged.
 */
const uint8_t *device_borrow(struct device *device, uint64_t offset, size_t len, void *spare);
/* Prefetches the entry that device_borrow() looks up for this offset into the processor's cache. */
void device_borrow_soon(const struct device *device, uint64_t offset);
/* Ends the use of all that was borrowed. */
void device_give_back(struct device *device);

#define AHEAD_PAGE 4096u /* bytes */
#define AHEAD_MAX  512u

/*
 * Reads these pages ahead, all together, for calls of device_read() that come next: at most AHEAD_MAX, by their
 * offsets, which are multiples of AHEAD_PAGE.  They replace the pages that were read ahead before; count 0 only drops
 * those.  For one thread, while no thread reads.
 */
void device_ahead(struct device *device, const uint64_t *pages, size_t count);

/* ---- the overlay: blocks staged over the device, which is not changed until they are committed ---- */

/* Layers of staged data; the upper ones cover the lower ones. */
enum overlay_layer {
	LAYER_REPLAY, /* the result of log replay: what the next mount would write */
	LAYER_PLACE,  /* what the repair starts from: exchanged areas, put back; what a crash interrupted, completed */
	LAYER_MEND,   /* the repair */
	LAYER_LOG,    /* the writes that mark the log clean, once nothing in it is needed */
	LAYERS,
};

/*
 * Stages len bytes for byte offset, both multiples of SECTOR_SIZE, within device_bytes().  Every read that begins
 * afterwards, in any thread, sees them, and they no longer count as unreadable.  Data over the memory limit goes to an
 * unlinked temporary file.  Returns 0, -ENOMEM, -ERANGE, or the negative errno of the temporary file; nothing has
 * changed then.
 */
int device_stage(struct device *device, enum overlay_layer layer, const void *buf, uint64_t offset, size_t len);
/* Drops all that is staged in a layer.  No thread may be reading. */
void device_unstage(struct device *device, enum overlay_layer layer);
/*
 * Hides all but the lower `layers` layers from readers; LAYERS, the initial value, shows all.  No thread may be
 * reading, and nothing may be staged while layers are hidden.
 */
void device_show(struct device *device, unsigned layers);
/* Limits the memory of the overlay, all layers together, in bytes; the default is 64 MiB. */
void device_stage_limit(struct device *device, size_t limit);
/* Limits the freed read buffers that are kept for reuse, in bytes; the default is 16 MiB, which is also the most. */
void device_buffers_limit(struct device *device, size_t bytes);
/* Bytes staged in a layer. */
uint64_t device_staged(const struct device *device, enum overlay_layer layer);
/*
 * Calls fn for all that is staged in a layer, in ascending order, neighbours together (up to 1 MiB), until it returns
 * other than 0.  Returns that, 0, or the negative errno of the temporary file.
 */
typedef int staged_fn(void *ctx, uint64_t offset, const void *bytes, size_t len);
int device_staged_each(struct device *device, enum overlay_layer layer, staged_fn *fn, void *ctx);

/* ---- writing: only these functions write to the device ---- */

/*
 * Checks early whether the device can be opened for writing, so that a long run does not fail at its end: 0 if probably
 * so, else a negative errno, and in message (of size bytes) a sentence for the user.
 */
int device_may_write(const struct device *device, char *message, size_t size);
/*
 * Opens the device for writing as well; other openers stay locked out.  Errors as device_open().  A second call does
 * nothing.
 */
int device_open_write(struct device *device, char *message, size_t size);

/*
 * Writes len bytes at offset, with any alignment, to the device itself, not the overlay.  The other bytes of the same
 * units of device_align() are rewritten unchanged.  Returns 0 or a negative errno; device_write_failed() then says
 * where.
 */
int device_write(struct device *device, const void *bytes, uint64_t offset, size_t len);
/* Flushes all writes to the medium.  0 or negative errno. */
int device_flush(struct device *device);

/* The range of the write that failed, the first one if there were several; false: no write did (the flush failed). */
bool device_write_failed(const struct device *device, uint64_t *ret_offset, uint64_t *ret_len);

/* Bytes written so far. */
uint64_t device_written(const struct device *device);

/* A range where staged data differs from the device. */
struct change {
	uint64_t offset; /* both in units of device_align(), but the device may end within one */
	size_t len;
	const uint8_t *before; /* what the device holds */
	const uint8_t *after;
	bool lost; /* the device is unreadable there: before is zeroes */
	bool free; /* for undo_add(): free space before and after, whose contents need not be restored */
};
typedef int change_fn(void *ctx, const struct change *change);
/* True if the sector at this offset is selected. */
typedef bool sector_fn(void *ctx, uint64_t offset);

/*
 * Calls fn for each change that a layer makes to the device, in ascending order, neighbours together (up to 1 MiB),
 * until it returns other than 0.  which (NULL: all) selects sectors; others are passed as they are on the device.
 * Returns what fn returned, 0, -ENOMEM, -EIO (an unreadable unit is not staged whole) or an error of the temporary
 * file.
 */
int device_changes(struct device *device, enum overlay_layer layer, sector_fn *which, void *which_ctx, change_fn *fn,
		   void *ctx);
/* Caches what device_changes() reads from the device itself, in at most `limit` bytes of memory. */
void device_keep_below(struct device *device, size_t limit);
/*
 * Writes the changes of a layer to the device, several at a time and in no particular order; which() may be called by
 * several threads.  Errors as device_write().  If one write fails, others that were in flight may have succeeded.
 */
int device_commit(struct device *device, enum overlay_layer layer, sector_fn *which, void *which_ctx);

#endif
