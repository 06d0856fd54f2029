/* SPDX-License-Identifier: MIT */
/*
 * make_random SEED - writes the trace of a random program to standard output; with status 1 if that
 * seed gives none.
 */
#include "emit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
main(int argc, char **argv)
{
	static struct program p;
	static struct sim s;
	uint64_t seed = argc == 2 ? strtoull(argv[1], NULL, 10) : 0;
	struct program_shape shape = {.size = 40, .has_clauses = seed % 3 == 0};
	struct sim_mode mode = {.is_switching = seed % 2};
	struct emit_options options;
	int code = 1;
	program_make(&p, seed, &shape);
	memset(&s, 0, sizeof s);
	simulate(&s, &p, seed, &mode);
	if (!s.is_stuck && !s.is_too_big) {
		emit_options_init(&options, seed);
		struct emitted file = emit(&s, &options);
		code = fwrite(file.bytes, 1, file.size_bytes, stdout) != file.size_bytes;
		free(file.bytes);
	}
	sim_free(&s);
	return code;
}
