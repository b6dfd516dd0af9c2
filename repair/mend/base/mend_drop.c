/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records what menders give up, with the reason. */
#include "mend.h"
#include "mend_drop.h"
#include "repair.h"
#include "run.h"

#define SHARE 8u /* drops may take 1/SHARE of the memory for records */

static void drop(struct mend *m, const struct drop *what)
{
	drops_add(&m->drops, what, m->rc->run->memory.records / SHARE);
}

void mend_drop_name(struct mend *m, xino_t directory, const uint8_t *name, uint8_t namelen, xino_t target,
		    enum drop_reason reason)
{
	drop(m, &(struct drop){ .kind = LOSS_NAME,
				.reason = reason,
				.ino = directory,
				.target = target,
				.name = name,
				.namelen = namelen });
}

void mend_drop_data(struct mend *m, xino_t ino, uint64_t offset, uint64_t blocks, enum drop_reason reason)
{
	drop(m, &(struct drop){ .kind = LOSS_DATA,
				.reason = reason,
				.ino = ino,
				.target = { NULL_INO },
				.offset = offset,
				.blocks = blocks });
}

void mend_guess_data(struct mend *m, xino_t ino)
{
	mend_drop_data(m, ino, 0, UINT64_MAX, DROP_GUESSED);
}

void mend_drop_attribute(struct mend *m, xino_t ino, uint8_t flags, const uint8_t *name, uint8_t namelen,
			 enum drop_reason reason)
{
	drop(m, &(struct drop){ .kind = LOSS_ATTRIBUTE,
				.reason = reason,
				.ino = ino,
				.target = { NULL_INO },
				.name = name,
				.namelen = namelen,
				.flags = flags });
}

void mend_drop_target(struct mend *m, xino_t ino, enum drop_reason reason)
{
	drop(m, &(struct drop){ .kind = LOSS_TARGET, .reason = reason, .ino = ino, .target = { NULL_INO } });
}

void mend_drop_inode(struct mend *m, xino_t ino, enum drop_reason reason)
{
	drop(m, &(struct drop){ .kind = LOSS_INODE, .reason = reason, .ino = ino, .target = { NULL_INO } });
}
