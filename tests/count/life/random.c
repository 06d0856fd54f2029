/* SPDX-License-Identifier: MIT */
/*
 * random.c - code that chance has written, each snippet run with a known state in a task of its
 * own: a line for each with a sum of all registers, flags and memory afterwards.
 *
 *   random CASE [SEED [N [FIRST [FILE]]]]    N snippets of a seed, from the FIRST; their code, and
 *                                            the data afterwards, go to FILE.NUMBER.*
 */
#include "random_vector.h"

#include <link.h>
#include <signal.h>
#include <sys/time.h>
#include <ucontext.h>

enum { AT_ONCE = 48, SNIPPET_BYTES = 16 << 10, DEEPEST = 4 };

static struct options {
	bool has_integers, has_vectors, is_strict, has_512, has_ticks;
	unsigned repeats;
} options;

/* ---- a snippet ---- */

static void some_chunk(unsigned n, unsigned depth);

static void
some_instruction(void)
{
	if (!options.has_vectors || (options.has_integers && !one_in(3)))
		some_integer();
	else
		some_vector();
}

static void
some_stretch(unsigned n)
{
	while (n-- > 0)
		some_instruction();
}

/* Past some of it, or not; the distance of one byte or of four. */
static void
some_choice(unsigned depth)
{
	unsigned condition = below(16);

	if (one_in(3)) {
		put(0x70 | condition, 1);
		uint8_t *distance = code.at++;
		some_stretch(1);
		MUST(code.at - distance - 1 < 128);
		*distance = (uint8_t)(code.at - distance - 1);
		return;
	}
	uint8_t *past = put_branch(2, (0x80u | condition) << 8 | 0x0f);
	some_chunk(1 + below(6), depth + 1);
	if (one_in(2)) {
		uint8_t *end = put_branch(1, 0xe9);
		leads_here(past);
		some_chunk(1 + below(4), depth + 1);
		past = end;
	}
	leads_here(past);
}

static void
put_back(unsigned opcode_bytes, unsigned opcode, const uint8_t *to)
{
	put(opcode, opcode_bytes);
	put((uint64_t)(to - (code.at + 4)), 4);
}

/* Flags go round as they are: counted by loop and jrcxz; or by memory. */
static void
some_loop(unsigned depth)
{
	unsigned n = 1 + below(6), how = below(5);
	enum kind kind = gen.kind[RCX];

	if (how < 4 && kind != KIND_COUNTER && is_free(RCX) && free_register() != RCX) {
		static const uint8_t by[] = {0xe0, 0xe1, 0xe2};
		put_move(RCX, n);
		gen.kind[RCX] = KIND_COUNTER;
		const uint8_t *start = code.at;
		some_chunk(1 + below(5), depth + 1);
		if (how < 3 && code.at - start < 100) { /* loopne, loope, loop */
			if (is_low() && one_in(8))
				put(0x67, 1);
			put(by[how], 1);
			put((uint64_t)(start - (code.at + 1)), 1);
		} else {
			put(0xff498d48, 4); /* lea rcx, [rcx - 1] */
			if (one_in(8))
				put(0x67, 1);
			put(0x05e3, 2);
			put_back(1, 0xe9, start);
		}
		gen.kind[RCX] = kind;
		return;
	}
	uint64_t counter = own(8);
	struct place p = at(counter);
	put_legacy((struct opcode){.code = 0xc7, .immediate_bytes = 4, .immediate = n}, 0, &p);
	const uint8_t *start = code.at;
	some_chunk(1 + below(5), depth + 1);
	p = at(counter);
	put_legacy((struct opcode){.code = 0xff}, 1, &p);
	put_back(2, 0x850f, start);
}

/* Through a register, memory, the stack, or as it stands. */
static void
some_call(unsigned depth)
{
	unsigned reg = free_register(), how = below(6), frame = gen.frame, pops = 8 * below(3);
	uint64_t word = own_word(0);
	struct place p = at(word), top = {.form = FORM_MEMORY, .base = RSP, .index = NO_REG};
	struct place by = in_register(reg);
	struct opcode call = {.code = 0xff};
	uint8_t *near = NULL;

	for (unsigned i = 0; i < pops; i += 8)
		put_push(below(16));
	switch (how) {
	case 0:
		put_legacy((struct opcode){.code = 0x8b, .is_wide = true}, reg, &p);
		put_legacy(call, 2, &by);
		break;
	case 1:
		put_legacy(call, 2, &p);
		break;
	case 2:
		put_legacy((struct opcode){.code = 0xff}, 6, &p);
		put_legacy(call, 2, &top);
		break;
	case 3: {
		struct place there = {.form = FORM_MEMORY,
		                      .base = reg,
		                      .index = NO_REG,
		                      .displacement_bytes = 1,
		                      .displacement = 8};
		put_lea(reg, word - 8);
		put_legacy(call, 2, &there);
		break;
	}
	default:
		near = put_branch(1, 0xe8);
	}
	uint8_t *past = NULL;
	if (how == 2) { /* what was called by */
		struct place up = top;
		up.displacement_bytes = 1;
		up.displacement = 8;
		put_legacy((struct opcode){.code = 0x8d, .is_wide = true}, RSP, &up);
	}
	past = put_branch(1, 0xe9);
	if (near)
		leads_here(near);
	uint64_t here = (uintptr_t)code.at;
	memcpy((void *)word, &here, 8);
	gen.frame = 0;
	some_chunk(1 + below(6), depth + 1);
	gen.frame = frame;
	if (how == 2 || pops == 0) {
		if (one_in(4))
			put(0xf3, 1);
		put(0xc3, 1);
	} else {
		put(0xc2, 1);
		put(pops, 2);
	}
	leads_here(past);
	if (how == 2 && pops) {
		struct place up = {.form = FORM_MEMORY,
		                   .base = RSP,
		                   .index = NO_REG,
		                   .displacement_bytes = 4,
		                   .displacement = (int)pops};
		put_legacy((struct opcode){.code = 0x8d, .is_wide = true}, RSP, &up);
	}
}

/* One of four ways, by a table. */
static void
some_table(unsigned depth)
{
	unsigned reg = free_register(), index = of_kind(KIND_INDEX);
	uint64_t table = own(32);
	uint8_t *ends[4];

	if (index == NO_REG || index == reg)
		return;
	struct place small = in_register(index);
	struct place by = {.form = FORM_MEMORY, .base = reg, .index = index, .scale = 3};
	put_legacy(
	    (struct opcode){.code = 0x83, .immediate_bytes = 1, .immediate = 3, .is_wide = true}, 4,
	    &small);
	put_lea(reg, table);
	switch (below(3)) {
	case 0:
		put_legacy((struct opcode){.code = 0xff}, 4, &by);
		break;
	case 1:
		put_legacy((struct opcode){.code = 0x8b, .is_wide = true}, reg, &by);
		small = in_register(reg);
		put_legacy((struct opcode){.code = 0xff}, 4, &small);
		break;
	default: /* push, ret */
		put_legacy((struct opcode){.code = 0xff}, 6, &by);
		put(0xc3, 1);
	}
	for (unsigned i = 0; i < 4; i++) {
		uint64_t here = (uintptr_t)code.at;
		memcpy((void *)(table + 8 * i), &here, 8);
		some_chunk(1 + below(2), depth + 1);
		ends[i] = put_branch(1, 0xe9);
	}
	for (unsigned i = 0; i < 4; i++)
		leads_here(ends[i]);
}

/* So much of the stack as memory. */
static void
some_frame(unsigned depth)
{
	unsigned n = 4 + below(12), frame = gen.frame;
	unsigned wide = below(3);

	for (unsigned i = 0; i < n; i++)
		put_push(below(16));
	gen.frame += 8 * n;
	some_chunk(1 + below(8), depth + 1);
	gen.frame = frame;
	struct place up = {.form = FORM_MEMORY,
	                   .base = RSP,
	                   .index = NO_REG,
	                   .displacement_bytes = 4,
	                   .displacement = (int)(8 * n)};
	struct place sp = in_register(RSP);
	if (wide == 0)
		put_legacy((struct opcode){.code = 0x8d, .is_wide = true}, RSP, &up);
	else
		put_legacy(
		    (struct opcode){
			.code = 0x83, .is_wide = true, .immediate_bytes = 1, .immediate = 8 * n},
		    0, &sp);
}

/* Blocks of one instruction. */
static void
some_hops(void)
{
	for (unsigned n = 1 + below(4); n > 0; n--) {
		some_stretch(1);
		if (one_in(2))
			put(0x00eb, 2);
		else
			put((0x70u | below(16)), 2);
	}
}

static void
some_chunk(unsigned n, unsigned depth)
{
	while (n-- > 0) {
		if (depth >= DEEPEST) {
			some_stretch(1 + below(3));
			continue;
		}
		switch (below(14)) {
		case 0:
		case 1:
			some_choice(depth);
			break;
		case 2:
			some_loop(depth);
			break;
		case 3:
			some_call(depth);
			break;
		case 4:
			some_table(depth);
			break;
		case 5:
			some_frame(depth);
			break;
		case 6:
			some_hops();
			break;
		case 7:
			some_stretch(one_in(6) ? 70 + below(80) : 4);
			break;
		default:
			some_stretch(1 + below(8));
		}
	}
}

static void
choose_kinds(void)
{
	unsigned few = (unsigned[]){8, 4, 2, 1}[below(4)]; /* one in so many is not free */

	for (unsigned i = 0; i < 16; i++)
		gen.kind[i] = !one_in(few) ? KIND_FREE : one_in(3) ? KIND_INDEX : KIND_POINTER;
	gen.kind[RSP] = KIND_STACK;
	if (one_in(2)) /* those by which strings and the like work */
		gen.kind[RSI] = gen.kind[RDI] = gen.kind[RCX] = KIND_FREE;
	if (one_in(2))
		gen.kind[RAX] = gen.kind[RDX] = KIND_FREE;
	gen.kind[one_in(2) ? RAX : R12] = KIND_FREE;
	gen.kind[one_in(2) ? RBX : R13] = KIND_FREE;
}

struct snippet {
	uint64_t seed, entry, end;
	enum kind kind[16];
};

static void
write_snippet(struct snippet *s, uint64_t seed)
{
	s->seed = seed;
	code.state = seed;
	gen.frame = 0;
	choose_kinds();
	memcpy(s->kind, gen.kind, sizeof s->kind);
	s->entry = (uintptr_t)code.at;
	uint64_t counter = own(8);
	struct place p = at(counter);
	if (options.repeats > 1)
		put_legacy((struct opcode){.code = 0xc7,
		                           .immediate_bytes = 4,
		                           .immediate = options.repeats},
		           0, &p);
	const uint8_t *start = code.at;
	while (code.at - start < 200)
		some_chunk(6 + below(16), one_in(4) ? DEEPEST - 1 : 0);
	if (options.repeats > 1) {
		p = at(counter);
		put_legacy((struct opcode){.code = 0xff}, 1, &p);
		put_back(2, 0x850f, start);
	}
	p = at(own_word((uintptr_t)random_back));
	put_legacy((struct opcode){.code = 0xff}, 4, &p);
	s->end = (uintptr_t)code.at;
}

/* ---- running it ---- */

static void
begin_state(const struct snippet *s)
{
	code.state = s->seed ^ 0x5bd1e995;
	for (unsigned i = 0; i < 16; i++)
		machine.gpr[i] = s->kind[i] == KIND_POINTER ? memory.data + 64 * below(64) - 2048
		                 : s->kind[i] == KIND_INDEX ? below(INDEX_MAX + 1)
		                                            : some_number();
	machine.gpr[RSP] = memory.stack;
	machine.flags = 0x202 | (chance() & 0xcd5);
	machine.entry = s->entry;
	fill_vectors();
	fill_words((uint64_t *)(memory.data - DATA_BYTES / 2), DATA_BYTES / 8);
	fill_words((uint64_t *)memory.stack, 16);
	fill_words(thread_words, THREAD_WORDS);
}

static uint64_t
sum_state(uint64_t *vectors, uint64_t *data)
{
	uint64_t hash = sum_words(1, machine.gpr, 16);

	hash = sum_words(hash, &machine.flags, 1);
	*vectors = sum_vectors(1);
	*data = sum_words(1, (uint64_t *)(memory.data - DATA_BYTES / 2), DATA_BYTES / 8);
	*data = sum_words(*data, (uint64_t *)memory.stack, 16);
	*data = sum_words(*data, thread_words, THREAD_WORDS);
	return hash;
}

/* ---- signals ---- */

static volatile unsigned n_ticks, n_inside, n_nowhere;
static struct range {
	uint64_t from, to;
} ranges[64];
static unsigned n_ranges;

static int
take_ranges(struct dl_phdr_info *info, size_t bytes, void *data)
{
	(void)bytes, (void)data;
	if (strstr(info->dlpi_name, "winnow-native"))
		return 0;
	for (unsigned i = 0; i < info->dlpi_phnum && n_ranges < 64; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
			uint64_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
			ranges[n_ranges++] =
			    (struct range){from, from + info->dlpi_phdr[i].p_memsz};
		}
	return 0;
}

static void
tick(int number, siginfo_t *info, void *of)
{
	uint64_t pc = (uint64_t)((ucontext_t *)of)->uc_mcontext.gregs[REG_RIP];

	(void)number, (void)info;
	n_ticks++;
	if (pc - memory.base < CODE_BYTES) {
		n_inside++;
		return;
	}
	for (unsigned i = 0; i < n_ranges; i++)
		if (pc >= ranges[i].from && pc < ranges[i].to)
			return;
	n_nowhere++;
}

static void
start_ticks(long us)
{
	struct sigaction action = {.sa_sigaction = tick, .sa_flags = SA_RESTART | SA_SIGINFO};
	struct itimerval time = {{0, us}, {0, us}};

	dl_iterate_phdr(take_ranges, NULL);
	sigaction(SIGALRM, &action, NULL);
	MUST(setitimer(ITIMER_REAL, &time, NULL) == 0);
}

/* ---- the cases ---- */

static uint64_t
argument(unsigned i, uint64_t otherwise)
{
	for (unsigned k = 0; k <= i; k++)
		if (!life_argv[k])
			return otherwise;
	return strtoull(life_argv[i], NULL, 0);
}

static void
keep_file(const char *what, uint64_t number, uint64_t from, uint64_t bytes)
{
	char path[256];

	snprintf(path, sizeof path, "%s.%llu.%s", life_argv[5], (unsigned long long)number, what);
	FILE *file = fopen(path, "wb");
	MUST(file);
	MUST(fwrite((void *)from, 1, bytes, file) == bytes);
	fclose(file);
}

static void
keep_bytes(const struct snippet *s, uint64_t number)
{
	keep_file("code", number, s->entry, s->end - s->entry);
	fprintf(stderr, "%llu is at %#llx\n", (unsigned long long)number,
	        (unsigned long long)s->entry);
}

static bool
keeps_bytes(void)
{
	return life_argv[2] && life_argv[3] && life_argv[4] && life_argv[5];
}

static void
tell_registers(void)
{
	for (unsigned i = 0; i < 16; i++)
		fprintf(stderr, "%2u %016llx\n", i, (unsigned long long)machine.gpr[i]);
	fprintf(stderr, "flags %llx\n", (unsigned long long)machine.flags);
}

static void
run_some(uint64_t seed, uint64_t first, unsigned n)
{
	static struct snippet snippets[AT_ONCE];

	map_memory(first / AT_ONCE % 2 ? BASE_HIGH : BASE_LOW);
	code.at = (uint8_t *)memory.base;
	gen.own_next = memory.own;
	for (unsigned i = 0; i < n; i++) {
		MUST(code.at + SNIPPET_BYTES < (uint8_t *)memory.own);
		write_snippet(&snippets[i], (seed << 32) + 0x9e3779b9u * (first + i));
		if (keeps_bytes())
			keep_bytes(&snippets[i], first + i);
	}
	MUST(mprotect((void *)memory.base, CODE_BYTES, PROT_READ | PROT_EXEC) == 0);
	for (unsigned i = 0; i < n; i++) {
		uint64_t vectors, data;
		begin_state(&snippets[i]);
#pragma omp task
		random_enter();
#pragma omp taskwait
		uint64_t sum = sum_state(&vectors, &data);
		if (keeps_bytes()) {
			tell_registers();
			keep_file("data", first + i, memory.data - DATA_BYTES / 2, DATA_BYTES);
		}
		tell("%llu %016llx %016llx %016llx", (unsigned long long)(first + i),
		     (unsigned long long)sum, (unsigned long long)vectors,
		     (unsigned long long)data);
	}
}

static void
run(struct options given, uint64_t seed, uint64_t n)
{
	options = given;
	if (!state_begin()) {
		tell("there is no xsave");
		return;
	}
	__builtin_cpu_init();
	gen.has_avx = __builtin_cpu_supports("avx2");
	gen.has_bmi = gen.has_avx && __builtin_cpu_supports("bmi2");
	gen.has_fma = gen.has_avx && __builtin_cpu_supports("fma");
	gen.has_512 = given.has_512 && __builtin_cpu_supports("avx512vl") &&
	              __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
	gen.is_strict = given.is_strict;
	if (given.has_ticks)
		start_ticks((long)argument(6, 250));
	seed = argument(2, seed);
	n = argument(3, n);
	/* groups always begin at the same numbers: where code is depends on what is before it */
	uint64_t first = life_argv[2] && life_argv[3] ? argument(4, 0) : 0;
	for (uint64_t i = 0; i < n; i += AT_ONCE)
		run_some(seed, first + i, n - i < AT_ONCE ? (unsigned)(n - i) : AT_ONCE);
	struct itimerval none = {0};
	if (given.has_ticks)
		setitimer(ITIMER_REAL, &none, NULL);
	MUST(n_nowhere == 0);
	if (given.has_ticks) {
		MUST(n_inside > 0);
		fprintf(stderr, "%u signals, %u of them in random code\n", n_ticks, n_inside);
	}
}

static void
integers(void)
{
	run((struct options){.has_integers = true, .repeats = 2}, 1, 240);
}

static void
vectors(void)
{
	run((struct options){.has_vectors = true, .repeats = 2}, 2, 240);
}

static void
all(void)
{
	run((struct options){.has_integers = true, .has_vectors = true, .repeats = 3}, 3, 240);
}

/* Flags that are not defined are as this processor has them. */
static void
strict(void)
{
	run((struct options){.has_integers = true,
	                     .has_vectors = true,
	                     .repeats = 2,
	                     .is_strict = true,
	                     .has_512 = true},
	    4, 240);
}

static void
ticks(void)
{
	run((struct options){.has_integers = true,
	                     .has_vectors = true,
	                     .repeats = 400,
	                     .has_ticks = true,
	                     .has_512 = true},
	    5, 96);
}

static const struct life_case cases[] = {
    {"integers", integers, 0, 0}, {"vectors", vectors, 0, 0}, {"all", all, 0, 0},
    {"strict", strict, 0, 0},     {"ticks", ticks, 0, 0},
};

LIFE_MAIN(cases)
