/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz.h"
#include "libxfs/ag.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum btree_kind kinds[] = { BT_INO, BT_FINO };
	struct fuzz f;
	struct agi agi;
	uint8_t *sector;
	agno_t agno;

	if (!fuzz_start(&f, data, size))
		return 0;
	sector = fuzz_block(&f, f.geo.sector_size, 312);
	agno.v = f.variant % f.geo.agcount;
	if (agi_decode(&f.check, sector, agno, &agi)) {
		for (unsigned i = 0; i < 2; i++)
			if (agi.root_ok[kinds[i]])
				fuzz_promise(agbno_valid(&f.geo, agno, agi.root[kinds[i]]));
		for (unsigned i = 0; i < 64; i++)
			if (agi.unlinked[i].v != NULL_AGINO)
				fuzz_promise(ino_valid(&f.geo, ino_of(&f.geo, agno, agi.unlinked[i])));
	}
	free(sector);
	return 0;
}
