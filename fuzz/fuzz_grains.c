/* SPDX-License-Identifier: MIT */
/*
 * fuzz_grains.c - the input is run.grains. Checksums are made to fit first, as far as something
 * inflates, so that what lies behind them is reached; corpus files are deflated without
 * compression, so that most changed bytes still inflate. Then everything is read. What is refused
 * has a reason.
 */
#include "base/mem.h"
#include "fuzz/grains_all.h"
#include "fuzz/grains_mend.h"
#include "fuzz/harness.h"

#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 200000u

static void
look(const uint8_t *bytes, size_t n)
{
	struct wn_grains_file *file;
	wn_err err = {.msg = ""};
	wn_status st = wn_grains_open_bytes(bytes, n, &file, &err);
	if (st == WN_OK) {
		struct grains_read read;
		st = grains_read_all(file, ROWS_MAX, &read, &err);
		harness_sum += read.sum;
		wn_grains_close(file);
	}
	if (st != WN_OK && (err.msg[0] == '\0' || strchr(err.msg, '\n')))
		harness_give_up("refused without a sentence", err.msg);
	if (wn_mem_live() != 0)
		harness_give_up("memory is left", "");
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
	uint8_t *copy = malloc(size_bytes + 1);
	if (!copy)
		return 0;
	look(bytes, size_bytes);
	memcpy(copy, bytes, size_bytes);
	if (size_bytes >= WN_GRAINS_HEAD_BYTES) {
		grains_mend(copy, size_bytes);
		look(copy, size_bytes);
	}
	free(copy);
	return 0;
}
