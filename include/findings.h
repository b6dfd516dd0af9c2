/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything xfsck can say about a file system, one row each.
 *
 *   x(symbol, id, severity, class, message)
 *
 * The id is printed, tested and documented, and is neither renamed nor reused;
 * the order of rows is free.  In the message {got} and {want} stand for the
 * values found and expected in decimal, {got:x} and {want:x} in hexadecimal, {index} for
 * the number of the record.  The message says only what is wrong: the place
 * (AG, block, inode) is printed in front of it.
 *
 * severity: FATAL    nothing more can be checked
 *           CORRUPT  an object breaks a rule of its own
 *           XREF     two objects disagree, either may be wrong
 *           PREEN    harmless, a repair would tidy it
 *           NOTE     not an error; does not change the exit code
 * class:    PRIMARY    the only copy of a fact
 *           SECONDARY  a redundant copy: rmap, parent pointers, directory index, hints
 *           SUMMARY    counters
 */
#ifndef XFSCK_FINDINGS_H
#define XFSCK_FINDINGS_H

/* reading the device */
#define FINDINGS_IO(x)                                                                              \
	x(IO_UNREADABLE, "io.unreadable", CORRUPT, PRIMARY, "{got} bytes can't be read at byte {want} of the device") \
	x(IO_SHORT, "io.short", CORRUPT, PRIMARY, "the device has {got} bytes, the superblock says {want}")

/* any block of a V5 file system: ondisk 00 invariant 4 */
#define FINDINGS_BLOCK(x)                                                                           \
	x(BLOCK_MAGIC, "block.magic", CORRUPT, PRIMARY, "magic {got:x}, should be {want:x}")        \
	x(BLOCK_CRC, "block.crc", CORRUPT, PRIMARY, "checksum {got:x}, contents give {want:x}")     \
	x(BLOCK_BLKNO, "block.blkno", CORRUPT, PRIMARY, "says it is at sector {got}, lies at sector {want}") \
	x(BLOCK_OWNER, "block.owner", CORRUPT, PRIMARY, "owner {got}, should be {want}")            \
	x(BLOCK_UUID, "block.uuid", CORRUPT, PRIMARY, "uuid is not that of the file system")        \
	x(BLOCK_LSN, "block.lsn", CORRUPT, PRIMARY, "log sequence number {got:x} is ahead of the log, which ends at {want:x}")

/* superblock: ondisk 01 */
#define FINDINGS_SB(x)

/* AG headers: ondisk 02 */
#define FINDINGS_AG(x)

/* btrees of every kind and the records of the AG ones: ondisk 03 */
#define FINDINGS_BTREE(x)

/* inodes: ondisk 04 */
#define FINDINGS_INODE(x)

/* extent maps: ondisk 05 */
#define FINDINGS_BMAP(x)

/* directories: ondisk 06 */
#define FINDINGS_DIR(x)

/* attributes: ondisk 07 */
#define FINDINGS_ATTR(x)

/* symbolic links: ondisk 08 */
#define FINDINGS_SYMLINK(x)

/* log: ondisk 11 */
#define FINDINGS_LOG(x)

/* what must agree with what: ondisk 12 */
#define FINDINGS_XREF(x)

#define FINDING_TABLE(x)                                                                            \
	FINDINGS_IO(x)                                                                              \
	FINDINGS_BLOCK(x)                                                                           \
	FINDINGS_SB(x)                                                                              \
	FINDINGS_AG(x)                                                                              \
	FINDINGS_BTREE(x)                                                                           \
	FINDINGS_INODE(x)                                                                           \
	FINDINGS_BMAP(x)                                                                            \
	FINDINGS_DIR(x)                                                                             \
	FINDINGS_ATTR(x)                                                                            \
	FINDINGS_SYMLINK(x)                                                                         \
	FINDINGS_LOG(x)                                                                             \
	FINDINGS_XREF(x)

enum finding {
#define x(symbol, id, severity, class, message) F_##symbol,
	FINDING_TABLE(x)
#undef x
	FINDING_NR,
};

enum severity {
	SEV_FATAL,
	SEV_CORRUPT,
	SEV_XREF,
	SEV_PREEN,
	SEV_NOTE,
};

enum finding_class {
	CLASS_PRIMARY,
	CLASS_SECONDARY,
	CLASS_SUMMARY,
};

#endif
