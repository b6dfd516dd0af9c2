/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes what a realtime group says of its blocks, part by part (ondisk 09). */
#include "mend_rt.h"
#include "repair.h"

unsigned mend_rt_parts(const struct geometry *geo)
{
	unsigned parts = geo->zoned ? 0 : RT_WORDS;

	if (geo->metadir && geo->rmapbt)
		parts |= RT_RMAP;
	if (geo->metadir && geo->reflink)
		parts |= RT_REFCOUNT;
	return parts;
}

int mend_rt_write(struct mend *m, uint32_t rgno, unsigned parts, struct use *claims, size_t nclaims)
{
	const unsigned of_group = parts & mend_rt_parts(&m->now->geo);
	int ret = 0;

	if (of_group & RT_WORDS)
		ret = mend_rt_words(m, rgno, claims, nclaims);
	if (of_group & RT_RMAP && !ret)
		ret = mend_rt_tree(m, rgno, BT_RTRMAP, claims, &nclaims);
	if (of_group & RT_REFCOUNT && !ret)
		ret = mend_rt_tree(m, rgno, BT_RTREFC, claims, &nclaims);
	return ret;
}
