/* SPDX-License-Identifier: MIT */
/*
 * bench_symbols.c - how long does it take to look addresses up?
 *
 * usage: bench_symbols FILE [N]: N (1000) addresses spread over all functions of FILE
 */
#include "symbols/symbols.h"

#include "elf_symbols.h"

#include <stdio.h>
#include <time.h>

static double
now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double
all_find(wn_symbols *symbols, const struct elf_file *file, size_t n, size_t *n_lines)
{
	double start_ms = now_ms();
	for (size_t i = 0; i < n; i++) {
		const struct elf_function *function = &file->functions[i * file->n / n];
		uint64_t addr = function->begin + (function->end - function->begin) / 2;
		struct wn_place place;
		if (wn_symbols_find(symbols, addr, false, &place) == WN_OK)
			*n_lines += place.line > 0;
	}
	return now_ms() - start_ms;
}

int
main(int argc, char **argv)
{
	struct elf_file file;
	wn_symbols *symbols = NULL;
	size_t n = argc > 2 ? (size_t)strtoul(argv[2], NULL, 10) : 1000, n_lines = 0, n_again = 0;
	if (argc < 2 || !elf_file_read(argv[1], &file) || file.n == 0 || n == 0)
		return 2;
	struct wn_module module = elf_module(&file, argv[1], 0);
	if (wn_symbols_new(&module, 1, &symbols, NULL) != WN_OK)
		return 1;
	size_t n_first = 0;
	double open_ms = all_find(symbols, &file, 1, &n_first);
	double first_ms = all_find(symbols, &file, n, &n_lines);
	double again_ms = all_find(symbols, &file, n, &n_again);
	printf(
	    "%zu functions; open %.1f ms; %zu addresses %.1f ms (%zu with a line); again %.3f ms\n",
	    file.n, open_ms, n, first_ms, n_lines, again_ms);
	wn_symbols_free(symbols);
	free(file.functions);
	return 0;
}
