/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys and pointers of all kinds of btrees as numbers: compares, reports and resolves them. */
#include "btree_block.h"

#define KEY_WORDS 3

int btkey_cmp(const struct btkey *a, const struct btkey *b)
{
	for (unsigned w = 0; w < KEY_WORDS; w++)
		if (a->k[w] != b->k[w])
			return a->k[w] < b->k[w] ? -1 : 1;
	return 0;
}

void btree_key_problem(const struct check *c, enum finding finding, uint32_t offset, uint32_t index,
		       const struct btkey *got, const struct btkey *want)
{
	unsigned w = 0;

	while (w < KEY_WORDS && got->k[w] == want->k[w])
		w++;
	w %= KEY_WORDS;
	problem_at(c, finding, offset, index, got->k[w], want->k[w]);
}

uint64_t btree_number_get(const uint8_t *p, unsigned size)
{
	be32_t narrow;
	be64_t wide;

	if (size == sizeof(wide)) {
		memcpy(&wide, p, sizeof(wide));
		return be64_get(wide);
	}
	memcpy(&narrow, p, sizeof(narrow));
	return be32_get(narrow) == NULL_AGBNO ? NULL_FSBNO : be32_get(narrow);
}

bool btree_follow(const struct geometry *g, const struct btree_expect *from, uint64_t pointer, agno_t *ret_agno,
		  agbno_t *ret_agbno)
{
	agno_t agno = from->agno;
	agbno_t agbno;

	if (from->kind < BT_AG_NR) {
		if (pointer > UINT32_MAX)
			return false;
		agbno.v = (uint32_t)pointer;
		if (!agbno_valid(g, agno, agbno))
			return false;
	} else {
		if (!fsb_range_valid(g, (fsbno_t){ pointer }, 1))
			return false;
		agno = agno_of_fsbno(g, (fsbno_t){ pointer });
		agbno = agbno_of_fsbno(g, (fsbno_t){ pointer });
	}
	if (agno.v == from->agno.v && agbno.v == from->agbno.v)
		return false;
	*ret_agno = agno;
	*ret_agbno = agbno;
	return true;
}
