/* SPDX-License-Identifier: MIT */
/* touched.c - see touched.h. All state of a thread is in one mapping, found through a thread-local
 * variable, because the arguments of touch() have no room for a pointer. */
#include "record/counters/touched.h"

#include "base/map.h"
#include "base/spin.h"
#include "record/counters/footprint.h"

#include <string.h>
#include <sys/mman.h>

#define POOL_LIMIT_BYTES (8ull << 30)
#define LINE_BYTES       64u

struct toucher {
	struct wn_footprint_thread footprint;
	struct wn_count_slot *slot;
	uint64_t grain;
	uint64_t n_lines, n_addresses, n_lost; /* totals last added to the slot */
	/* every n-th of a line's bytes, starting at the first */
	uint64_t every[LINE_BYTES];
	struct wn_recent recent;
	/* Cache of the grain's set; valid for occupied places. */
	uint64_t set_starts[WN_RECENT_N];
	bool is_in_set[WN_RECENT_N];
	uint32_t n_used;
	uint16_t used[WN_RECENT_N];
	uint32_t n_rows;
	uint16_t rows[WN_RECENT_N]; /* occupied places */
};

static struct wn_footprint_pool pool;
static atomic_flag pool_lock = ATOMIC_FLAG_INIT;
static bool has_pool;

static _Thread_local struct toucher *self __attribute__((tls_model("initial-exec")));

/* --- recording accesses ---------------------------------------------------------------------- */

static void
put_into_set(struct toucher *t, uint64_t place)
{
	const struct wn_recent_line *cell = &t->recent.line[place];
	if (t->is_in_set[place] && cell->starts == t->set_starts[place])
		return;
	wn_footprint_add_line(&t->footprint, cell->address, cell->starts);
	t->is_in_set[place] = true;
	t->set_starts[place] = cell->starts;
}

/* Records an access in the line of `address`, which begins where `starts` has a bit. */
static inline void
touch_line(struct toucher *t, uint64_t address, uint64_t starts)
{
	uint64_t line = address & ~(uint64_t)(LINE_BYTES - 1);
	uint64_t place = line / LINE_BYTES % WN_RECENT_N;
	struct wn_recent_line *cell = &t->recent.line[place];
	if (cell->address == line) {
		cell->starts |= starts;
		return;
	}
	if (cell->address)
		put_into_set(t, place);
	else
		t->used[t->n_used++] = (uint16_t)place;
	t->is_in_set[place] = false;
	cell->address = line;
	cell->starts = starts;
}

static void
touch_stretch(struct toucher *t, uint64_t address, uint64_t n_bytes)
{
	while (n_bytes > 0) {
		uint64_t part = LINE_BYTES - address % LINE_BYTES;
		part = part < n_bytes ? part : n_bytes;
		touch_line(t, address, UINT64_C(1) << address % LINE_BYTES);
		address += part;
		n_bytes -= part;
	}
}

static void
touch_one(struct toucher *t, uint64_t address, uint64_t n_bytes)
{
	touch_line(t, address, UINT64_C(1) << address % LINE_BYTES);
	if (address % LINE_BYTES + n_bytes > LINE_BYTES)
		touch_line(t, address + n_bytes - 1, 0);
}

/* Line by line: the accesses that begin in it, and whether the last one extends into the next. */
static void
touch_dense(struct toucher *t, uint64_t address, uint64_t n_bytes, uint64_t step, uint64_t n)
{
	while (n > 0) {
		uint64_t at = address % LINE_BYTES;
		uint64_t starts = t->every[step] << at;
		uint64_t n_here = (LINE_BYTES - 1 - at) / step + 1;
		if (n < n_here) {
			n_here = n;
			starts &= (UINT64_C(2) << (at + (n - 1) * step)) - 1;
		}
		touch_line(t, address, starts);
		uint64_t last = address + (n_here - 1) * step;
		if (last % LINE_BYTES + n_bytes > LINE_BYTES)
			touch_line(t, last + n_bytes - 1, 0);
		address += n_here * step;
		n -= n_here;
	}
}

static void
touch_row(struct toucher *t, uint64_t address, uint64_t n_bytes, int64_t step_bytes, uint64_t n)
{
	uint64_t step = (uint64_t)step_bytes;
	if (n == 0)
		return;
	if (step_bytes < 0) {
		address += (n - 1) * step;
		step = -step;
	}
	if (step == 0) {
		touch_one(t, address, n_bytes);
		return;
	}
	if (step < LINE_BYTES) {
		touch_dense(t, address, n_bytes, step, n);
		return;
	}
	for (; n > 0; n--, address += step)
		touch_one(t, address, n_bytes);
}

/* Marks the row as reported, while the grain runs. */
static void
keep_row(struct toucher *t, uint64_t address, uint64_t n, uint64_t kind)
{
	uint64_t place = wn_recent_row_place(address);
	struct wn_recent_row *row = &t->recent.row[place];
	if (!row->n)
		t->rows[t->n_rows++] = (uint16_t)place;
	row->address = address;
	row->n = n;
	row->kind = kind;
}

/* Called by assembly by these names. clang does not clone functions and does not know the
 * attribute. */
#ifdef __clang__
#define CALLED_BY_NAME __attribute__((used, noinline))
#else
#define CALLED_BY_NAME __attribute__((used, noinline, noclone))
#endif

CALLED_BY_NAME static void
touch_kept(uint64_t address, uint64_t n_bytes, uint64_t is_stretch)
{
	struct toucher *t = self;
	if (!t || !t->grain)
		return;
	if (!is_stretch) {
		touch_one(t, address, n_bytes);
	} else if (n_bytes > 0) {
		keep_row(t, address, n_bytes, 0);
		touch_stretch(t, address, n_bytes);
	}
}

CALLED_BY_NAME static void
touch_each_kept(const struct wn_touched_steps *s)
{
	struct toucher *t = self;
	if (!t || !t->grain || !s->of[0].n)
		return;
	if (s->of[1].n == 1 && s->of[2].n == 1)
		keep_row(t, s->address, s->of[0].n,
		         (uint64_t)s->of[0].step_bytes << 8 | s->n_bytes);
	uint64_t outer = s->address;
	for (uint64_t i = 0; i < s->of[2].n; i++, outer += (uint64_t)s->of[2].step_bytes) {
		uint64_t row = outer;
		for (uint64_t k = 0; k < s->of[1].n; k++, row += (uint64_t)s->of[1].step_bytes)
			touch_row(t, row, s->n_bytes, s->of[0].step_bytes, s->of[0].n);
	}
}

/* --- called by the program -------------------------------------------------------------------- */

#ifdef __x86_64__
/* Wraps the function with code that saves the caller's registers; nine words align the stack. */
#define GATE(name, function)                                                                       \
	__asm__(".pushsection .text\n"                                                             \
	        ".type " name ", @function\n"                                                      \
	        ".globl " name "\n"                                                                \
	        ".hidden " name "\n" name ":\n"                                                    \
	        "	endbr64\n"                                                                       \
	        "	pushq %rax\n"                                                                    \
	        "	pushq %rcx\n"                                                                    \
	        "	pushq %rdx\n"                                                                    \
	        "	pushq %rsi\n"                                                                    \
	        "	pushq %rdi\n"                                                                    \
	        "	pushq %r8\n"                                                                     \
	        "	pushq %r9\n"                                                                     \
	        "	pushq %r10\n"                                                                    \
	        "	subq $8, %rsp\n"                                                                 \
	        "	call " function "\n"                                                       \
	        "	addq $8, %rsp\n"                                                                 \
	        "	popq %r10\n"                                                                     \
	        "	popq %r9\n"                                                                      \
	        "	popq %r8\n"                                                                      \
	        "	popq %rdi\n"                                                                     \
	        "	popq %rsi\n"                                                                     \
	        "	popq %rdx\n"                                                                     \
	        "	popq %rcx\n"                                                                     \
	        "	popq %rax\n"                                                                     \
	        "	ret\n"                                                                           \
	        ".size " name ", . - " name "\n"                                                   \
	        ".popsection\n")

void wn_touched_gate(uint64_t address, uint64_t n_bytes, uint64_t is_stretch)
    __attribute__((visibility("hidden")));
void wn_touched_gate_each(const struct wn_touched_steps *s) __attribute__((visibility("hidden")));
GATE("wn_touched_gate", "touch_kept");
GATE("wn_touched_gate_each", "touch_each_kept");
#else
#define wn_touched_gate      touch_kept
#define wn_touched_gate_each touch_each_kept
#endif

/* --- called by the recorder ------------------------------------------------------------------- */

static void
make_pool(void)
{
	wn_spin_lock(&pool_lock);
	if (!has_pool)
		wn_footprint_pool_init(&pool, POOL_LIMIT_BYTES);
	has_pool = true;
	wn_spin_unlock(&pool_lock);
}

bool
wn_touched_begin(struct wn_count_slot *slot)
{
	struct toucher *t = wn_map(sizeof *t, 0);
	if (!t)
		return false;
	make_pool();
	wn_footprint_thread_init(&t->footprint, &pool);
	for (uint64_t step = 1; step < LINE_BYTES; step++)
		for (uint64_t at = 0; at < LINE_BYTES; at += step)
			t->every[step] |= UINT64_C(1) << at;
	t->slot = slot;
	self = t;
	slot->touch = wn_touched_gate;
	slot->touch_each = wn_touched_gate_each;
	return true;
}

void
wn_touched_settle(struct wn_count_slot *slot)
{
	struct toucher *t = self;
	if (!t || t->slot != slot)
		return;
	for (uint32_t i = 0; i < t->n_used; i++)
		put_into_set(t, t->used[i]);
	const struct wn_footprint_thread *f = &t->footprint;
	slot->count[WN_PROPERTY_footprint_lines] += f->n_lines - t->n_lines;
	slot->count[WN_PROPERTY_footprint_addresses] += f->n_addresses - t->n_addresses;
	slot->count[WN_PROPERTY_footprint_lost] += f->n_lost - t->n_lost;
	t->n_lines = f->n_lines;
	t->n_addresses = f->n_addresses;
	t->n_lost = f->n_lost;
}

static void
empty_cells(struct toucher *t)
{
	for (uint32_t i = 0; i < t->n_used; i++)
		t->recent.line[t->used[i]] = (struct wn_recent_line){0, 0};
	for (uint32_t i = 0; i < t->n_rows; i++)
		t->recent.row[t->rows[i]].n = 0;
	t->n_used = t->n_rows = 0;
}

void
wn_touched_runs(struct wn_count_slot *slot, uint64_t grain, uint64_t ended)
{
	struct toucher *t = self;
	if (!t || t->slot != slot || (grain == t->grain && !ended))
		return;
	wn_touched_settle(slot);
	wn_footprint_forget(&t->footprint, ended);
	empty_cells(t);
	t->grain = grain;
	wn_footprint_switch(&t->footprint, grain);
	slot->recent = grain ? &t->recent : NULL;
}

void
wn_touched_end(struct wn_count_slot *slot)
{
	struct toucher *t = self;
	if (!t || t->slot != slot)
		return;
	wn_touched_settle(slot);
	slot->recent = NULL;
	slot->touch = NULL;
	slot->touch_each = NULL;
	self = NULL;
	wn_footprint_thread_fini(&t->footprint);
	munmap(t, sizeof *t);
}

void
wn_touched_forget(void)
{
	atomic_flag_clear(&pool_lock);
	has_pool = false;
	self = NULL;
}
