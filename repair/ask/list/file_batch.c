/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file in a batch: its number, its record, the length of its target, the target; each name behind a 1; a 0. */
#include "file_batch.h"

#include <stdlib.h>
#include <string.h>

/* How a name begins, and how a file does. */
struct name_head {
	uint64_t dir;
	uint8_t len;
} __attribute__((packed));
struct file_head {
	uint64_t ino, target_len;
	struct file_record record;
};

void file_batch_free(struct file_batch *batch)
{
	free(batch->bytes.bytes);
}

static int add_names(struct byte_buffer *b, struct files *files)
{
	static const uint8_t more = 1, end = 0;
	struct file_name name;
	int ret;

	while ((ret = files_next_name(files, &name)) > 0) {
		const struct name_head head = { name.dir.v, name.len };

		ret = byte_buffer_add(b, &more, 1);
		if (!ret)
			ret = byte_buffer_add(b, &head, sizeof(head));
		if (!ret)
			ret = byte_buffer_add(b, name.name, name.len);
		if (ret)
			return ret;
	}
	return ret ? ret : byte_buffer_add(b, &end, 1);
}

int file_batch_fill(struct file_batch *batch, struct files *files, size_t bytes)
{
	struct byte_buffer *b = &batch->bytes;
	int ret = 0;

	batch->at = b->len = 0;
	while (!ret && b->len < bytes) {
		struct file file;

		ret = files_next(files, &file);
		if (ret <= 0)
			break;
		ret = byte_buffer_add(b, &(struct file_head){ file.ino.v, file.target_len, file.record },
				      sizeof(struct file_head));
		if (!ret)
			ret = byte_buffer_add(b, file.target, file.target_len);
		if (!ret)
			ret = add_names(b, files);
	}
	return ret < 0 ? ret : b->len > 0;
}

/* Pass over the names that were not asked for, and the end of the file. */
static void end_file(struct file_batch *batch)
{
	struct file_name name;

	while (file_batch_next_name(batch, &name))
		;
	batch->at++;
}

bool file_batch_next(struct file_batch *batch, struct file *ret)
{
	struct file_head head;

	if (batch->at)
		end_file(batch);
	if (batch->at == batch->bytes.len)
		return false;
	memcpy(&head, batch->bytes.bytes + batch->at, sizeof(head));
	batch->at += sizeof(head);
	*ret = (struct file){ { head.ino }, head.record, batch->bytes.bytes + batch->at, head.target_len };
	batch->at += head.target_len;
	return true;
}

bool file_batch_next_name(struct file_batch *batch, struct file_name *ret)
{
	struct name_head head;

	if (!batch->bytes.bytes[batch->at])
		return false;
	memcpy(&head, batch->bytes.bytes + batch->at + 1, sizeof(head));
	batch->at += 1 + sizeof(head);
	*ret = (struct file_name){ { head.dir }, batch->bytes.bytes + batch->at, head.len };
	batch->at += head.len;
	return true;
}
