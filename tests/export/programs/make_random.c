/* SPDX-License-Identifier: MIT */
/*
 * make_random SEED - writes the trace of a random program to standard output; with status 1 if that
 * seed gives none.
 */
#include "made.h"

#include <stdio.h>
#include <stdlib.h>

int
main(int argc, char **argv)
{
	static struct made m;
	uint64_t seed = argc == 2 ? strtoull(argv[1], NULL, 10) : 0;
	struct program_shape shape = {.size = 40, .has_clauses = seed % 3 == 0};
	struct sim_mode mode = {.is_switching = seed % 2};
	struct emit_options options;
	int code = 1;
	if (made_run(&m, seed, &shape, seed, &mode)) {
		emit_options_init(&options, seed);
		m.file = emit(&m.s, &options);
		code = fwrite(m.file.bytes, 1, m.file.size_bytes, stdout) != m.file.size_bytes;
	}
	made_free(&m);
	return code;
}
