/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz.h"
#include "libxfs/ag.h"

struct place_of_list {
	const struct geometry *geo;
	agno_t agno;
};

static void visit(void *ctx, agbno_t agbno)
{
	const struct place_of_list *place = ctx;

	fuzz_promise(agbno_valid(place->geo, place->agno, agbno));
}

/* The active range is that of agf_decode() for another sector. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct place_of_list place;
	uint8_t *header, *list;
	struct agf agf;
	struct fuzz f;

	if (!fuzz_start(&f, data, size))
		return 0;
	place.geo = &f.geo;
	place.agno.v = f.variant % f.geo.agcount;
	header = fuzz_block(&f, f.geo.sector_size, 216);
	if (agf_decode(&f.check, header, place.agno, &agf)) {
		size_t used = f.size < f.geo.sector_size ? f.size : f.geo.sector_size;

		f.bytes += used;
		f.size -= used;
		list = fuzz_block(&f, f.geo.sector_size, 32);
		agfl_decode(&f.check, list, place.agno, &agf, visit, &place);
		free(list);
	}
	free(header);
	return 0;
}
