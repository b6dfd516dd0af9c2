/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash table for names, with at least as many chains as names. */
#include "name_chains.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

#define FEWEST 64u /* initial number of chains, a power of two */

void name_chains_forget(struct name_chains *c)
{
	c->count = 0;
	if (c->nheads)
		memset(c->heads, 0, c->nheads * sizeof(*c->heads));
}

void name_chains_free(struct name_chains *c)
{
	free(c->heads);
	free(c->next);
	*c = (struct name_chains){ 0 };
}

/* Makes at least `count` chains, all empty. 0 or -ENOMEM. */
static int more_heads(struct name_chains *c, size_t count)
{
	size_t more = c->nheads ? c->nheads : FEWEST;

	while (more < count)
		more *= 2;
	free(c->heads);
	c->heads = calloc(more, sizeof(*c->heads));
	c->nheads = c->heads ? more : 0;
	c->count = 0;
	return c->heads ? 0 : -ENOMEM;
}

int name_chains_grow(struct name_chains *c, const void *names, size_t count, name_hash_fn *hash)
{
	int ret = count > c->nheads ? more_heads(c, count) : 0;

	while (c->count < count && !ret) {
		uint32_t *head = &c->heads[hash(names, c->count) & (c->nheads - 1)];

		ret = array_grow(&c->next, &c->room, c->count, sizeof(*c->next));
		if (ret)
			break;
		c->next[c->count] = *head;
		*head = (uint32_t)++c->count;
	}
	return ret;
}
