/* SPDX-License-Identifier: MIT */
#include "symbols/calls.h"

#include "base/mem.h"
#include "base/order.h"
#include "symbols/object.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/* Bound on a chain of functions that each end by a jump to the next. */
#define DEPTH_MAX 4

/* Prefixes of entry points of runtimes; omp_ includes locks. Winnow's own are those of
 * winnow/mark.h and of the plug-ins. */
static bool
is_runtime_name(const char *name)
{
	static const char *const starts[] = {"GOMP_", "__kmpc_", "__kmp_", "__tgt_",
	                                     "omp_",  "ompx_",   "POMP2_", "winnow_"};
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
		if (strncmp(name, starts[i], strlen(starts[i])) == 0)
			return true;
	return false;
}

static bool
is_end_name(const char *name)
{
	static const char *const names[] = {"__stack_chk_fail", "abort",       "__assert_fail",
	                                    "_Unwind_Resume",   "__cxa_throw", "__cxa_rethrow",
	                                    "_ZSt9terminatev"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Functions of C's mathematics, also for float and long double, and of its memory. */
static bool
is_plain_name(const char *name)
{
	static const char *const names[] = {
	    "acos",   "acosh",  "asin",   "asinh",  "atan",    "atan2",  "atanh", "cbrt",  "ceil",
	    "cos",    "cosh",   "erf",    "erfc",   "exp",     "exp2",   "expm1", "fabs",  "floor",
	    "fma",    "fmax",   "fmin",   "fmod",   "hypot",   "ldexp",  "log",   "log10", "log1p",
	    "log2",   "lround", "memcpy", "memset", "memmove", "pow",    "rint",  "round", "sin",
	    "sincos", "sinh",   "sqrt",   "tan",    "tanh",    "tgamma", "trunc"};
	size_t n_bytes = strlen(name);
	bool has_suffix = n_bytes > 3 && (name[n_bytes - 1] == 'f' || name[n_bytes - 1] == 'l');
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0 || (has_suffix && strlen(names[i]) == n_bytes - 1 &&
		                                    strncmp(name, names[i], n_bytes - 1) == 0))
			return true;
	return false;
}

/* Is it the function, or the one for Fortran, whose name ends with an underscore? */
static bool
is_function(const char *name, const char *function)
{
	size_t n = strlen(function);
	return strncmp(name, function, n) == 0 && (!name[n] || strcmp(name + n, "_") == 0);
}

static bool
is_one_of(const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static enum wn_call_result
result_of(const char *name)
{
	static const char *const sleeps[] = {"usleep",          "nanosleep", "sleep",
	                                     "clock_nanosleep", "poll",      "select"};
	static const char *const output[] = {
	    "fprintf",
	    "printf",
	    "__fprintf_chk",
	    "__printf_chk",
	    "fputs",
	    "puts",
	    "fputc",
	    "putc",
	    "putchar",
	    "fwrite",
	    "fread",
	    "fgets",
	    "fflush",
	    "write",
	    "read",
	    "pwrite",
	    "pread",
	    "_gfortran_st_write",
	    "_gfortran_st_read",
	    "_ZNSolsEi",
	    "_ZNSolsEl",
	    "_ZNSo9_M_insertIdEERSoT_",
	    "_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l"};
	static const char *const locked[] = {"rand",     "srand",     "random",      "srandom",
	                                     "mktime",   "localtime", "localtime_r", "gmtime",
	                                     "gmtime_r", "timegm",    "strftime",    "setlocale"};
	if (is_function(name, "omp_get_thread_num"))
		return WN_RESULT_THREAD_NUMBER;
	if (is_function(name, "omp_test_lock") || is_function(name, "omp_test_nest_lock"))
		return WN_RESULT_LOCK_TAKEN;
	if (strcmp(name, "pthread_mutex_lock") == 0)
		return WN_RESULT_MUTEX_HELD;
	if (is_one_of(name, sleeps, sizeof sleeps / sizeof *sleeps))
		return WN_RESULT_SLEPT;
	if (is_one_of(name, output, sizeof output / sizeof *output))
		return WN_RESULT_OUTPUT;
	if (is_one_of(name, locked, sizeof locked / sizeof *locked))
		return WN_RESULT_LOCKED;
	return is_function(name, "omp_get_num_threads") ? WN_RESULT_TEAM_SIZE : WN_RESULT_OTHER;
}

WN_COMPARE(by_slot, struct wn_import, WN_BY(slot))

static int
read_relocations(struct wn_calls *calls, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Scn *symbols = elf_getscn(elf, header->sh_link);
	GElf_Shdr symbols_header;
	Elf_Data *data = elf_getdata(section, NULL);
	Elf_Data *names = symbols ? elf_getdata(symbols, NULL) : NULL;
	if (!data || !names || !gelf_getshdr(symbols, &symbols_header) || header->sh_entsize == 0)
		return 0;
	size_t n = data->d_size / header->sh_entsize;
	for (size_t i = 0; i < n && i < INT32_MAX; i++) {
		GElf_Rela r;
		GElf_Sym symbol;
		if (!gelf_getrela(data, (int)i, &r))
			break;
		unsigned type = (unsigned)GELF_R_TYPE(r.r_info);
		if ((type != calls->branches->jump_slot && type != calls->branches->glob_dat) ||
		    !gelf_getsym(names, (int)GELF_R_SYM(r.r_info), &symbol))
			continue;
		const char *name = elf_strptr(elf, symbols_header.sh_link, symbol.st_name);
		if (!name)
			continue;
		if (wn_grow(&calls->imports, &calls->capacity, calls->n + 1,
		            sizeof *calls->imports))
			return -1;
		calls->imports[calls->n++] = (struct wn_import){.slot = r.r_offset,
		                                                .is_runtime = is_runtime_name(name),
		                                                .is_end = is_end_name(name),
		                                                .is_plain = is_plain_name(name),
		                                                .result = result_of(name)};
	}
	return 0;
}

static Elf *
elf_of(struct wn_object *object)
{
	GElf_Addr bias;
	return dwfl_module_getelf(object->module, &bias);
}

int
wn_calls_read(struct wn_object *object)
{
	struct wn_calls *calls = &object->calls;
	GElf_Ehdr ehdr;
	Elf *elf = elf_of(object);
	if (calls->is_read)
		return 0;
	calls->is_read = true;
	calls->branches = elf && gelf_getehdr(elf, &ehdr) ? wn_branches_of(ehdr.e_machine) : NULL;
	if (!calls->branches)
		return 0;
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA &&
		    header.sh_flags & SHF_ALLOC && read_relocations(calls, elf, section, &header))
			return -1;
	if (calls->n > 1)
		qsort(calls->imports, calls->n, sizeof *calls->imports, by_slot);
	return 0;
}

bool
wn_object_is_writable(struct wn_object *object, uint64_t addr)
{
	Elf *elf = elf_of(object);
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_flags & SHF_ALLOC &&
		    addr >= header.sh_addr && addr - header.sh_addr < header.sh_size)
			return header.sh_flags & SHF_WRITE;
	return false;
}

/* Returns the code at a file address, and at most *n bytes of it; NULL = no code. Borrowed. */
static const uint8_t *
code_up_to(struct wn_object *object, uint64_t addr, size_t *n)
{
	Elf *elf = elf_of(object);
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS ||
		    !(header.sh_flags & SHF_EXECINSTR) || addr < header.sh_addr ||
		    addr - header.sh_addr >= header.sh_size)
			continue;
		Elf_Data *data = elf_getdata(section, NULL);
		uint64_t at = addr - header.sh_addr;
		if (!data || !data->d_buf || at > data->d_size)
			return NULL;
		*n = *n > data->d_size - at ? data->d_size - at : *n;
		return (const uint8_t *)data->d_buf + at;
	}
	return NULL;
}

const uint8_t *
wn_code_at(struct wn_object *object, uint64_t addr, size_t n)
{
	size_t n_there = n;
	const uint8_t *code = code_up_to(object, addr, &n_there);
	return n_there == n ? code : NULL;
}

static const struct wn_import *
find_import(const struct wn_object *object, uint64_t slot)
{
	struct wn_import key = {.slot = slot};
	return object->calls.n ? bsearch(&key, object->calls.imports, object->calls.n,
	                                 sizeof *object->calls.imports, by_slot)
	                       : NULL;
}

static enum wn_goal
goal_of_slot(const struct wn_object *object, uint64_t slot)
{
	const struct wn_import *found = find_import(object, slot);
	if (!found)
		return WN_GOAL_UNKNOWN;
	return found->is_runtime ? WN_GOAL_RUNTIME : found->is_end ? WN_GOAL_END : WN_GOAL_IMPORT;
}

/* Classifies the target of a call or jump; a stub leads to a function of another file. */
enum wn_goal
wn_call_goal(struct wn_object *object, uint64_t target)
{
	bool is_start;
	size_t n = WN_STUB_BYTES;
	const uint8_t *code = code_up_to(object, target, &n);
	if (!code)
		return WN_GOAL_UNKNOWN;
	struct wn_branch stub = object->calls.branches->stub(code, n, target);
	if (stub.kind == WN_BRANCH_SLOT)
		return goal_of_slot(object, stub.addr);
	const char *name = wn_object_symbol(object, target, &is_start);
	if (!name || !is_start)
		return WN_GOAL_UNKNOWN;
	return is_runtime_name(name) ? WN_GOAL_RUNTIME : WN_GOAL_FUNCTION;
}

/* Returns the import that a call leads to; NULL: none. */
static const struct wn_import *
import_of(struct wn_object *object, uint64_t target)
{
	size_t n = WN_STUB_BYTES;
	const uint8_t *code = code_up_to(object, target, &n);
	struct wn_branch stub = {WN_BRANCH_NONE, 0};
	if (code)
		stub = object->calls.branches->stub(code, n, target);
	return stub.kind == WN_BRANCH_SLOT ? find_import(object, stub.addr) : NULL;
}

enum wn_call_result
wn_call_result(struct wn_object *object, uint64_t target)
{
	const struct wn_import *found = import_of(object, target);
	return found ? found->result : WN_RESULT_OTHER;
}

bool
wn_call_is_plain(struct wn_object *object, uint64_t target)
{
	const struct wn_import *found = import_of(object, target);
	return found && found->is_plain;
}

/* Returns the goal of a jump at `code`; *target is 0 unless the code names it. */
static enum wn_goal
goal_of_jump(struct wn_object *object, uint64_t addr, const uint8_t *code, size_t n,
             uint64_t *target)
{
	struct wn_branch jump = object->calls.branches->jump(code, n, addr);
	*target = jump.kind == WN_BRANCH_DIRECT ? jump.addr : 0;
	if (jump.kind == WN_BRANCH_SLOT)
		return goal_of_slot(object, jump.addr);
	return *target ? wn_call_goal(object, *target) : WN_GOAL_UNKNOWN;
}

/* Finds the only jump from a function to the runtime, or to a function that has one. */
static struct wn_call
search(struct wn_object *object, uint64_t function, int depth)
{
	struct wn_call inside = {WN_CALL_FUNCTION, function};
	const struct wn_span *span = wn_spans_find(&object->functions, function);
	size_t n = span && span->begin == function ? (size_t)(span->end - span->begin) : 0;
	const uint8_t *code = n ? wn_code_at(object, function, n) : NULL;
	uint64_t jump = 0, next = 0, target;
	unsigned n_jumps = 0, n_next = 0;
	for (size_t i = 0; code && i < n; i += object->calls.branches->step_bytes) {
		enum wn_goal goal = goal_of_jump(object, function + i, code + i, n - i, &target);
		if (goal == WN_GOAL_RUNTIME) {
			jump = function + i;
			n_jumps++;
		} else if (goal == WN_GOAL_FUNCTION && target != next &&
		           (target < function || target >= function + n)) {
			next = target;
			n_next++;
		}
	}
	if (n_jumps == 1)
		return (struct wn_call){WN_CALL_JUMP, jump};
	if (n_jumps == 0 && n_next == 1 && depth < DEPTH_MAX) {
		struct wn_call further = search(object, next, depth + 1);
		return further.kind == WN_CALL_JUMP ? further : inside;
	}
	return inside;
}

/* Whether a function loads the address of an entry point, to call it through a register. */
static bool
loads_runtime(struct wn_object *object, const struct wn_span *function)
{
	const struct wn_branches *branches = object->calls.branches;
	size_t n = (size_t)(function->end - function->begin);
	const uint8_t *code = wn_code_at(object, function->begin, n);
	for (size_t i = 0; code && i < n; i += branches->step_bytes) {
		struct wn_branch load = branches->load(code, n, i, function->begin);
		if (load.kind == WN_BRANCH_SLOT &&
		    goal_of_slot(object, load.addr) == WN_GOAL_RUNTIME)
			return true;
	}
	return false;
}

/* Classifies the call that ends before `end`, at most n bytes; *target if it is a function of this
 * file. */
static enum wn_goal
goal_of_call(struct wn_object *object, const struct wn_span *function, uint64_t return_addr,
             const uint8_t *end, size_t n, uint64_t *target)
{
	const struct wn_branches *branches = object->calls.branches;
	for (size_t i = 0; i < WN_CALL_FORMS && branches->call[i]; i++) {
		struct wn_branch call = branches->call[i](end, n, return_addr);
		enum wn_goal goal = WN_GOAL_UNKNOWN;
		if (call.kind == WN_BRANCH_DIRECT) {
			*target = call.addr;
			goal = wn_call_goal(object, *target);
		} else if (call.kind == WN_BRANCH_SLOT) { /* or a variable */
			goal = goal_of_slot(object, call.addr) == WN_GOAL_RUNTIME ? WN_GOAL_RUNTIME
			                                                          : WN_GOAL_IMPORT;
		} else if (call.kind == WN_BRANCH_REGISTER && !loads_runtime(object, function)) {
			goal = WN_GOAL_IMPORT;
		}
		if (goal != WN_GOAL_UNKNOWN)
			return goal;
	}
	return WN_GOAL_UNKNOWN;
}

int
wn_call_find(struct wn_object *object, uint64_t return_addr, struct wn_call *call)
{
	uint64_t target = 0;
	*call = (struct wn_call){WN_CALL_PLAIN, 0};
	if (wn_calls_read(object))
		return -1;
	if (object->calls.n == 0)
		return 0;
	const struct wn_span *span = wn_spans_find(&object->functions, return_addr - 1);
	size_t n = span ? (size_t)(return_addr - span->begin) : 0;
	size_t longest = object->calls.branches->call_bytes;
	n = n > longest ? longest : n;
	const uint8_t *code = n > 0 ? wn_code_at(object, return_addr - n, n) : NULL;
	if (!code)
		return 0;
	enum wn_goal goal = goal_of_call(object, span, return_addr, code + n, n, &target);
	if (goal == WN_GOAL_FUNCTION)
		*call = search(object, target, 0);
	else if (goal == WN_GOAL_IMPORT || goal == WN_GOAL_END)
		call->kind = WN_CALL_ELSEWHERE;
	return 0;
}

void
wn_calls_fini(struct wn_calls *calls)
{
	wn_free(calls->imports);
	*calls = (struct wn_calls){0};
}
