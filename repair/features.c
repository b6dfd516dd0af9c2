/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes features (-c).  All superblocks are staged with the new feature bits.  The next check then finds everything
 * else that must change with them, such as counters that the feature adds, and menders fix that.  As with any repair,
 * it is written only if the last check finds nothing.
 */
#include "features.h"
#include "mend/base/mend.h"
#include "mend/settle/sb/mend_sb.h"
#include "repair.h"
#include "report.h"
#include "run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name, *text;
} features[SB_FEATURE_NR] = {
#define x(name, text) { #name, text },
	SB_FEATURE_TABLE(x)
#undef x
};

static bool is_wanted(const struct options *options, enum sb_feature feature)
{
	return options->features[feature] != FEATURE_KEEP;
}

static bool want_on(const struct options *options, enum sb_feature feature)
{
	return options->features[feature] == FEATURE_ADD;
}

enum phase_result features_examine(struct repair *rc)
{
	char sentence[200];

	for (enum sb_feature i = 0; i < SB_FEATURE_NR; i++) {
		bool on = want_on(rc->run->options, i);
		const char *why = sb_feature_refusal(&rc->geo, i, on);

		if (!is_wanted(rc->run->options, i))
			continue;
		if (sb_feature_has(&rc->geo, i) == on) {
			snprintf(sentence, sizeof(sentence), "-c %s: the file system %s it already.", features[i].name,
				 on ? "has" : "is without");
			report_note(rc->report, sentence);
		} else if (why) {
			snprintf(sentence, sizeof(sentence),
				 "-c %s: the file system can't %s it, since %s; nothing was changed", features[i].name,
				 on ? "have" : "be without", why);
			return trouble(rc, sentence);
		}
	}
	return PHASE_DONE;
}

static int write_superblocks(struct mend *m, const uint8_t *primary)
{
	int ret = mend_write(m, primary, 0, m->now->geo.sector_size);

	return ret ? ret : mend_sb_copies_write(m, primary, m->now->geo.agcount);
}

int features_change(struct mend *m, bool *ret_changed)
{
	const struct options *options = m->rc->run->options;
	const struct geometry *geo = &m->now->geo;
	uint8_t *primary = malloc(geo->sector_size);
	char sentence[160];
	int ret = 0;

	*ret_changed = false;
	if (!primary)
		return -ENOMEM;
	memcpy(primary, m->now->primary, geo->sector_size);
	for (enum sb_feature i = 0; i < SB_FEATURE_NR; i++) {
		bool on = want_on(options, i);

		if (!is_wanted(options, i) || sb_feature_has(geo, i) == on)
			continue;
		sb_feature_set(primary, geo->sector_size, i, on);
		snprintf(sentence, sizeof(sentence), "%s, %s: %s.", features[i].name, features[i].text,
			 on ? "added" : "taken away");
		report_note(m->rc->report, sentence);
		*ret_changed = true;
	}
	if (*ret_changed) {
		ret = write_superblocks(m, primary);
		m->done++;
	}
	free(primary);
	return ret;
}
