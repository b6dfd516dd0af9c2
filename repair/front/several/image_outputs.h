/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the results of images go: text, lines of JSON, a report for programs, a page. */
#ifndef XFSCK_REPAIR_IMAGE_OUTPUTS_H
#define XFSCK_REPAIR_IMAGE_OUTPUTS_H

#include "image_reports.h"
#include "output.h"

struct image_outputs {
	const struct options *options;
	FILE *out, *err;
	bool text;   /* it goes to out */
	bool headed; /* with a heading for each image, and a summary */
	const struct image_form *form;
	FILE *report;		  /* NULL: none, or it is written at the end */
	struct replacement place; /* where, then */
	FILE *page;		  /* NULL: none */
	struct report_json *json;
	struct image_row *rows;
	unsigned count;
	int highest; /* exit status */
	bool starved;
};

/* Open them for so many images.  0, or a negative errno with the reason printed to err. */
int image_outputs_open(const struct options *options, FILE *out, FILE *err, unsigned images,
		       struct image_outputs *ret_outputs);
/* Take a result, whose device must live until they are closed. */
void image_outputs_add(struct image_outputs *outputs, const struct image_result *result);
/*
 * Write the end, and close them; starved: for lack of memory, something is missing.  0, or a negative errno with the
 * reason printed.
 */
int image_outputs_close(struct image_outputs *outputs, bool starved);
/* In a process that has no part in them: close them as they are. */
void image_outputs_forget(struct image_outputs *outputs);

#endif
