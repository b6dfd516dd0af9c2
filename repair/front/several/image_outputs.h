/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Outputs for the results of images: text, JSON lines, a report for programs, a page. */
#ifndef XFSCK_REPAIR_IMAGE_OUTPUTS_H
#define XFSCK_REPAIR_IMAGE_OUTPUTS_H

#include "image_reports.h"
#include "output.h"

struct image_outputs {
	const struct options *options;
	FILE *out, *err;
	bool text;   /* to `out` */
	bool headed; /* with a heading for each image, and a summary */
	const struct image_form *form;
	FILE *report;		  /* NULL: none, or it is written at the end to `place` */
	struct replacement place; /* the file that the report replaces */
	FILE *page;		  /* NULL: none */
	struct report_json *json;
	struct image_row *rows;
	unsigned count;
	int highest; /* the highest exit status */
	bool starved;
};

/* Opens the outputs for so many images. 0, or a negative errno with the reason printed to err. */
int image_outputs_open(const struct options *options, FILE *out, FILE *err, unsigned images,
		       struct image_outputs *ret_outputs);
/* Adds a result. result->device must live until the outputs are closed. */
void image_outputs_add(struct image_outputs *outputs, const struct image_result *result);
/*
 * Writes the end of all outputs, and closes them. starved: results are missing for lack of memory. 0, or a negative
 * errno with the reason printed.
 */
int image_outputs_close(struct image_outputs *outputs, bool starved);
/* Closes the outputs in a child process, which does not use them. */
void image_outputs_forget(struct image_outputs *outputs);

#endif
