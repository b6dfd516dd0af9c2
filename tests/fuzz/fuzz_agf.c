/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz.h"
#include "libxfs/ag.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum btree_kind kinds[] = { BT_BNO, BT_CNT, BT_RMAP, BT_REFC };
	struct fuzz f;
	struct agf agf;
	uint8_t *sector;
	agno_t agno;

	if (!fuzz_start(&f, data, size))
		return 0;
	sector = fuzz_block(&f, f.geo.sector_size, 216);
	agno.v = f.variant % f.geo.agcount;
	if (agf_decode(&f.check, sector, agno, &agf))
		for (unsigned i = 0; i < 4; i++)
			if (agf.root_ok[kinds[i]])
				fuzz_promise(agbno_valid(&f.geo, agno, agf.root[kinds[i]]));
	free(sector);
	return 0;
}
