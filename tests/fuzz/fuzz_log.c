/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "fuzz.h"
#include "libxfs/log.h"

/* A log of few blocks, whose bytes are the object; reads fail at intervals. */
struct small_log {
	const uint8_t *bytes;
	uint64_t bbs;
	unsigned reads;
	bool fails;
};

static int read_log(void *ctx, void *buf, uint64_t bb, uint32_t count)
{
	struct small_log *log = ctx;

	fuzz_promise(bb <= log->bbs && count <= log->bbs - bb);
	if (log->fails && ++log->reads % 16 == 0)
		return -EIO;
	memcpy(buf, log->bytes + bb * 512, (size_t)count * 512);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct log_survey survey;
	struct log_state state;
	struct small_log log;
	struct fuzz f;
	uint8_t *bytes;

	if (!fuzz_start(&f, data, size))
		return 0;
	log = (struct small_log){ .bbs = (f.variant & 0x7f) * 8u, .fails = f.variant & 0x80 };
	bytes = fuzz_object(&f, log.bbs * 512);
	log.bytes = bytes;
	f.limit = SIZE_MAX;
	f.geo.logblocks = (uint32_t)(log.bbs * 512 >> f.geo.block_log);
	log_examine(&f.check, read_log, &log, log.bbs, &state);
	fuzz_promise(state.condition == LOG_CLEAN || state.condition == LOG_DIRTY || state.condition == LOG_DAMAGED);
	log_survey(&f.geo, read_log, &log, log.bbs, &survey);
	fuzz_promise(survey.waiting <= survey.records && survey.records <= log.bbs &&
		     (!survey.blank || !survey.records));
	fuzz_promise(!survey.ended || survey.unmounted);
	free(bytes);
	return 0;
}
