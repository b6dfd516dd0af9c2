/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages during extraction, on standard error, since standard output may be an archive. */
#ifndef XFSCK_REPAIR_EXTRACT_REPORT_H
#define XFSCK_REPAIR_EXTRACT_REPORT_H

#include "sets/byte_buffer.h"

/* clang-format off */
/* Messages that appear once for all affected files, as x(name, sentence after the number of files). */
#define EXTRACT_ONCE_TABLE(x) \
	x(OWNER, "have another owner now, since only root can set owners; their setuid bits are left out") \
	x(DEVICE, "are device nodes, which only root can make, and not on every target: they are left out") \
	x(MODE, "lack their mode or times, which the target can't hold") \
	x(ATTRIBUTE, "lack attributes that only root can set, or that the target can't hold") \
	x(TIME, "have a time in the last second before 1970, of which an archive can't hold the fraction") \
	x(FLAG, "lack inode flags: only root can set some, the target can't hold others, and only regular files and directories get any") \
	x(PROJECT, "have another project id: only root can set it, of regular files and directories, where the target has such ids") \
	x(ODD, "have attributes whose names GNU tar unpacks with %XX in place of some bytes") \
	x(NAME, "names have bytes that no name can have, with underscores in their place") \
	x(SOCKET, "are sockets, which an archive can't hold: they are left out")
/* clang-format on */

enum extract_once {
#define x(name, sentence) ONCE_##name,
	EXTRACT_ONCE_TABLE(x)
#undef x
		ONCE_NR,
};

struct extract_report {
	const char *program;
	uint64_t once[ONCE_NR];
	uint64_t incomplete;		     /* files that differ from those in the file system, and missing paths */
	uint64_t files, dirs, others, bytes; /* extracted in this run; bytes: the sizes of files */
	uint64_t before;		     /* files that existed already */
};

/* Prints a message about a file by its path ("": the root), and counts it as incomplete. */
__attribute__((format(printf, 3, 4))) void extract_report_file(struct extract_report *report,
							       const struct byte_buffer *path, const char *format, ...);
/* Prints that bytes [offset, end) of a file are unreadable, without counting it. kept: it is extracted nevertheless. */
void extract_report_range(const struct extract_report *report, const struct byte_buffer *path, uint64_t offset,
			  uint64_t end, bool kept);
/* Prints the messages that appear once, at the end. */
void extract_report_end(const struct extract_report *report);

#endif
