/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Btree blocks of allocation groups, told by their contents (ondisk 03). */
#include "mend_tree_block.h"

#include <stdlib.h>

#include "libxfs/btree.h"
#include "repair.h"

bool mend_is_tree_block(struct mend *m, fsbno_t fsbno)
{
	const struct geometry *geo = &m->now->geo;
	const struct check check = check_silent(geo);
	const struct btree_visitor visitor = { NULL, btree_ignore_record, btree_ignore_child, NULL };
	struct btree_expect expect = {
		.agno = agno_of_fsbno(geo, fsbno), .agbno = agbno_of_fsbno(geo, fsbno), .root = true, .unsure = true
	};
	uint8_t *block = malloc(geo->block_size);
	struct btree_block found;
	bool is = false;

	expect.owner = expect.agno.v;
	if (block && !mend_read(m, block, bytes_of_daddr(daddr_of_fsbno(geo, fsbno)), geo->block_size))
		for (unsigned kind = 0; kind < BT_AG_NR && !is; kind++) {
			expect.kind = kind;
			is = btree_decode(&check, block, &expect, &visitor, &found);
		}
	free(block);
	return is;
}
