/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inputs for the targets about transactions in the log. */
#ifndef TESTS_FUZZ_SEEDS_LOG_H
#define TESTS_FUZZ_SEEDS_LOG_H

#include <stddef.h>
#include <stdint.h>

/* Receives one input for a target: bytes 1 and 2 of it, and the bytes after them. */
typedef void seed_fn(void *ctx, const char *target, uint8_t expect, uint8_t units, const uint8_t *bytes, size_t len);

/* From the dirty log of an image: an item of each type and shape, and some of its records. */
void seeds_of_log(const char *path, size_t len_max, seed_fn *fn, void *ctx);

#endif
