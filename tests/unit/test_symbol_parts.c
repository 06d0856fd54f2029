/* SPDX-License-Identifier: MIT */
/* The parts of src/symbols that need no file: names for people, ranges, stored strings. */
#include "base/mem.h"
#include "symbols/spans.h"
#include "symbols/strings.h"
#include "symbols/symbol_names.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *symbol;
	const char *name; /* NULL: no mangling to undo */
	const char *source;
	bool is_outlined;
} names[] = {
    {"main", NULL, "main", false},
    {"main._omp_fn.0", NULL, "main", true},
    {"fib._omp_cpyfn.12", NULL, "fib", true},
    {"main.omp_outlined", NULL, "main", true},
    {"main.omp_outlined_debug__.6.omp_outlined", NULL, "main", true},
    {".omp_outlined..4", NULL, "", true},
    {".omp_task_entry.", NULL, "", true},
    {"main..omp_par.1", NULL, "main", true},
    {"fib.part.2", NULL, "fib", false},
    {"fib.constprop.0.isra.1", NULL, "fib", false},
    {"main.cold", NULL, "main", false},
    {"inner.0._omp_fn.3", NULL, "inner", true},
    {"v2", NULL, "v2", false},
    {"__work_MOD_fib", "work::fib", "__work_MOD_fib", false},
    {"__work_MOD_fib._omp_fn.0", "work::fib", "__work_MOD_fib", true},
    {"__libc_MOD_", NULL, "__libc_MOD_", false},
    {"_Z3runi", "run", "_Z3runi", false},
    {"_ZN2ns4WorkIdE3runEi._omp_fn.0", "ns::Work<double>::run", "_ZN2ns4WorkIdE3runEi", true},
    {"_ZN2ns3addIiEET_S1_S1_.omp_outlined", "ns::add<int>", "_ZN2ns3addIiEET_S1_S1_", true},
    {"_ZN2ns12_GLOBAL__N_16hiddenEi", "ns::(anonymous namespace)::hidden",
     "_ZN2ns12_GLOBAL__N_16hiddenEi", false},
    {"_ZZ4mainENKUliE0_clEi", "main::{lambda(int)#2}::operator()", "_ZZ4mainENKUliE0_clEi", false},
    {"_ZN1AlsEi", "A::operator<<", "_ZN1AlsEi", false},
    {"_ZN1AcvT_IiEEv", "A::operator int<int>", "_ZN1AcvT_IiEEv", false},
    {"_ZNKSt6vectorIiSaIiEE4sizeEv", "std::vector<int, std::allocator<int> >::size",
     "_ZNKSt6vectorIiSaIiEE4sizeEv", false},
    {"_Z", NULL, "_Z", false},
    {"_ZN", NULL, "_ZN", false},
};

static void
test_names(void)
{
	struct wn_demangler demangler = {0};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *symbol = names[i].symbol;
		char pretty[256] = "untouched";
		size_t bytes = wn_name_source_bytes(symbol);
		ok(bytes == strlen(names[i].source) && strncmp(symbol, names[i].source, bytes) == 0,
		   "%s comes from %s", symbol, names[i].source);
		ok(wn_name_is_outlined(symbol) == names[i].is_outlined, "%s is %soutlined", symbol,
		   names[i].is_outlined ? "" : "not ");
		bool is_demangled =
		    wn_name_demangle(&demangler, symbol, bytes, pretty, sizeof pretty);
		if (strncmp(symbol, "_Z", 2) == 0 && !demangler.demangle)
			skip("no C++ runtime library", "%s is demangled", symbol);
		else if (names[i].name)
			ok(is_demangled && strcmp(pretty, names[i].name) == 0, "%s is %s: %s",
			   symbol, names[i].name, pretty);
		else
			ok(!is_demangled && strcmp(pretty, "untouched") == 0,
			   "%s needs no demangling", symbol);
	}
	char tiny[4];
	if (wn_name_demangle(&demangler, "__work_MOD_fib", 14, tiny, sizeof tiny))
		ok(strcmp(tiny, "wor") == 0, "a name that does not fit is cut");
	wn_demangler_fini(&demangler);
}

/* The rule of spans.h, slowly. */
static const struct wn_span *
spans_find_slowly(const struct wn_spans *spans, uint64_t addr)
{
	const struct wn_span *best = NULL;
	for (size_t i = 0; i < spans->n; i++) {
		const struct wn_span *span = &spans->items[i];
		if (span->begin > addr || span->end <= addr)
			continue;
		if (!best || span->begin > best->begin ||
		    (span->begin == best->begin && span->rank >= best->rank))
			best = span;
	}
	return best;
}

static void
test_spans(unsigned seed)
{
	struct wn_spans spans = {0};
	unsigned n_wrong = 0;
	srandom(seed);
	for (uint32_t i = 0; i < 200; i++) {
		uint64_t begin = (uint64_t)random() % 1000;
		uint64_t bytes = (uint64_t)random() % (random() % 5 ? 10 : 200);
		if (wn_spans_add(&spans, begin, begin + bytes, i, (uint32_t)(random() % 3)))
			n_wrong++;
	}
	wn_spans_sort(&spans);
	for (uint64_t addr = 0; addr < 1300; addr++)
		n_wrong += wn_spans_find(&spans, addr) != spans_find_slowly(&spans, addr);
	ok(n_wrong == 0, "every address finds the range a slow search finds (seed %u)", seed);
	wn_spans_fini(&spans);
	ok(!wn_spans_find(&spans, 1), "no range holds anything when there is none");
}

static void
test_strings(void)
{
	struct wn_strings strings = {0};
	const char *first = wn_strings_intern(&strings, "name", SIZE_MAX);
	unsigned n_wrong = 0;
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 5000; i++) {
			char text[32];
			int bytes = snprintf(text, sizeof text, "text %d", i);
			const char *kept = wn_strings_intern(&strings, text, (size_t)bytes);
			n_wrong += !kept || strcmp(kept, text) != 0;
		}
	ok(n_wrong == 0 && strings.n == 5001, "5000 texts given twice are kept once");
	ok(wn_strings_intern(&strings, "names", 4) == first, "equal texts are equal pointers");
	ok(*wn_strings_intern(&strings, "x", 0) == '\0', "an empty text is a text");
	wn_strings_fini(&strings);
}

int
main(void)
{
	test_names();
	for (unsigned seed = 1; seed <= 20; seed++)
		test_spans(seed);
	test_strings();
	ok(wn_mem_live() == 0, "nothing is left allocated");
	return done();
}
