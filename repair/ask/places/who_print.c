/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints owners of bytes as text and JSON. */
#include "owners.h"

#include <inttypes.h>

#include "report/finding_text.h"

/* Prints "bytes 4096 to 8191", or "byte 4096". */
static void who_print_bytes(FILE *out, uint64_t start, uint64_t length)
{
	if (length == 1)
		fprintf(out, "byte %" PRIu64, start);
	else
		fprintf(out, "bytes %" PRIu64 " to %" PRIu64, start, start + (length - 1));
}

bool who_is_behind_end(const struct who *who)
{
	return who->kind == WHO_DATA && who->holder && who->holder->ftype == FT_REG && who->offset >= who->holder->size;
}

void who_print(FILE *out, const struct who *who, struct paths *paths)
{
	if (who->ino != NULL_INO) {
		finding_text_inode(out, who->ino, who->kind == WHO_INODE_FREE ? NULL : paths);
		fputs(": ", out);
	}
	fputs(who_words(who), out);
	if (who->kind == WHO_BTREE)
		fputs(" block", out);
	if (!who_is_in_fork(who->kind))
		return;
	fputs(", ", out);
	who_print_bytes(out, who->offset, who->end - who->start);
	if (who->unwritten)
		fputs(", unwritten", out);
	if (who_is_behind_end(who))
		fputs(", behind the end of the file", out);
}

void who_json(struct report_json *json, json_t *object, const struct who *who, struct paths *paths)
{
	const bool in_fork = who_is_in_fork(who->kind);

	json_out_set(json, object, "what", json_out_string(who_name(who->kind)));
	if (who->object)
		json_out_set(json, object, "object", json_out_string(who->object));
	json_out_set(json, object, "bytes", json_out_number(who->end - who->start));
	if (who->ino == NULL_INO)
		return;
	json_out_set(json, object, "ino", json_out_number(who->ino));
	if (who->kind != WHO_INODE_FREE)
		report_json_path(json, object, "path", "path_kind", (xino_t){ who->ino }, paths);
	if (!in_fork)
		return;
	json_out_set(json, object, "offset", json_out_number(who->offset));
	json_out_set(json, object, "unwritten", json_boolean(who->unwritten));
	json_out_set(json, object, "behind_end", json_boolean(who_is_behind_end(who)));
}
