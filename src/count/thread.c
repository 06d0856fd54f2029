/* SPDX-License-Identifier: MIT */
#include "count/thread.h"

#include "count/modules.h"
#include "count/sharing.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define BASES_MAX   65536u
#define STACK_BYTES (8ull << 20)

struct thread *wn_counting_threads[THREADS_MAX];
struct counting wn_counting;

static struct wn_footprint_pool pool;
static struct wn_count_slot no_slot; /* for threads without a slot in the file */
static _Atomic uint64_t n_instructions_ended, n_every_ended, n_again_ended, n_unexpected_ended;
uint64_t wn_threads_seen;

/* ---- slots ---- */

static struct wn_count_slot *
take_slot(void)
{
	struct wn_slot_file *file = wn_counting.file;
	uint64_t i = atomic_fetch_add(&file->n_slots, 1);
	if (i < file->n_slots_max)
		return &file->slots[i];
	atomic_store(&file->n_slots, file->n_slots_max);
	return &no_slot;
}

static void
end_run(struct thread *t, struct run *run)
{
	uint64_t first = (uint64_t)__builtin_ctzll(run->starts | 1ull << 63),
		 low = run->line + first;
	uint64_t last = 63 - (uint64_t)__builtin_clzll(run->starts | 1);
	struct tally *tally = &t->accesses[run - t->runs];
	bool is_own = thread_is_own_stack(t, low);
	tally->n += run->n;
	tally->bytes += run->n * run->bytes;
	tally->n_stack += is_own ? run->n : 0;
	uint64_t shifted = is_own ? low - t->stack_shift : low;
	if (run->n > 0 && wn_counting.keeps_footprint &&
	    !thread_is_recent(t, shifted, run->starts >> first, last - first + run->bytes))
		thread_touch_group(t, shifted, run->starts >> first, last - first + run->bytes);
	*run = (struct run){.line = NOWHERE};
}

static void
end_runs(struct thread *t)
{
	end_run(t, &t->runs[0]);
	end_run(t, &t->runs[1]);
}

void
thread_begin_run(struct thread *t, struct run *run, uint64_t address, uint64_t bytes)
{
	uint64_t line = address & ~63ull, at = address - line;
	end_run(t, run);
	*run = (struct run){.line = line, .starts = 1ull << at, .n = 1, .bytes = bytes};
	if (at + bytes > 64 || thread_is_own_stack(t, line) != thread_is_own_stack(t, line + 63)) {
		run->line = address;
		run->starts = 1;
		end_run(t, run);
	}
}

void
thread_settle(struct thread *t, int64_t cost)
{
	static const unsigned n_of[] = {BUNDLE_READS, BUNDLE_WRITES};
	static const unsigned bytes_of[] = {BUNDLE_READ_BYTES, BUNDLE_WRITE_BYTES};
	for (unsigned i = 0; i < INSN_CLASS_N; i++)
		t->mix[i] += bundle_field(t->words, BUNDLE_MIX + i);
	for (unsigned i = 0; i < 2; i++) {
		t->accesses[i].n += bundle_field(t->words, n_of[i]);
		t->accesses[i].bytes += bundle_field(t->words, bytes_of[i]);
		t->accesses[i].n_stack += t->n_stack >> 32 * i & UINT32_MAX;
	}
	memset(t->words, 0, sizeof t->words);
	t->n_stack = 0;
	t->once_at = 0; /* the room no longer reflects what was counted since */
	t->room = BUNDLE_MAX - cost;
}

/* The slot contains everything counted so far. */
static void
publish(struct thread *t)
{
	uint64_t *count = t->slot->count;
	end_runs(t);
	thread_settle(t, 0);
	uint64_t n = 0;
	for (int i = 0; i < INSN_CLASS_N; i++) {
		n += t->mix[i];
		count[WN_PROPERTY_mix_integer + i] = t->mix[i];
	}
	count[WN_PROPERTY_instructions] = n;
	count[WN_PROPERTY_mem_reads] = t->accesses[0].n;
	count[WN_PROPERTY_mem_writes] = t->accesses[1].n;
	count[WN_PROPERTY_mem_read_bytes] = t->accesses[0].bytes;
	count[WN_PROPERTY_mem_write_bytes] = t->accesses[1].bytes;
	count[WN_PROPERTY_stack_reads] = t->accesses[0].n_stack;
	count[WN_PROPERTY_stack_writes] = t->accesses[1].n_stack;
	count[WN_PROPERTY_footprint_lines] = t->footprint.n_lines;
	count[WN_PROPERTY_footprint_addresses] = t->footprint.n_addresses;
	count[WN_PROPERTY_footprint_lost] = t->footprint.n_lost;
}

/* ---- the stack ---- */

static void
set_stack(struct thread *t)
{
	end_runs(t);
	t->stack_low = t->near_low = NOWHERE;
	t->stack_bytes = t->near_bytes = 0;
	if (t->n_bases == 0)
		return;
	uint64_t base = t->bases[t->n_bases - 1];
	uint64_t at = base + wn_counting.host_offset;
	if (at < t->mapping_start || at >= t->mapping_end) {
		struct range mapping = modules_mapping(at);
		t->mapping_start = mapping.start;
		t->mapping_end = mapping.end;
	}
	uint64_t room = at - t->mapping_start;
	t->stack_bytes = room < STACK_BYTES ? room : STACK_BYTES;
	t->stack_low = base - t->stack_bytes;
	t->stack_shift = base & 63;
	t->near_low = t->stack_low - 64;
	t->near_bytes = t->stack_bytes + 64;
}

/* Frames below the new base on the same stack were left without a return. */
void
thread_push_base(struct thread *t, uint64_t base)
{
	if (!wn_counting.has_stack || !t->bases)
		return;
	while (t->n_bases > 0 && base - t->bases[t->n_bases - 1] < STACK_BYTES)
		t->n_bases--;
	if (t->n_bases < BASES_MAX) {
		t->base_grains[t->n_bases] = t->slot ? t->slot->grain : 0;
		t->bases[t->n_bases++] = base;
	}
	set_stack(t);
}

void
thread_pop_base(struct thread *t)
{
	if (t->n_bases == 0)
		return;
	t->n_bases--;
	set_stack(t);
}

/* ---- accounts ---- */

static void
forget_ended(struct thread *t)
{
	struct wn_count_slot *slot = t->slot;
	if (!slot->ended)
		return;
	wn_footprint_forget(&t->footprint, slot->ended);
	slot->ended = 0;
	for (size_t i = 0; i < sizeof slot->more_ended / sizeof slot->more_ended[0]; i++) {
		wn_footprint_forget(&t->footprint, slot->more_ended[i]);
		slot->more_ended[i] = 0;
	}
}

/* ---- recently accessed lines ---- */

#define RECENT_TAG_ONE (1ull << WN_FOOTPRINT_TAG_BIT)

static void
forget_recent(struct thread *t)
{
	t->recent_tag += RECENT_TAG_ONE;
	if (t->recent_tag == 0) { /* all tags are used */
		memset(t->recent, 0, sizeof t->recent);
		t->recent_tag = RECENT_TAG_ONE;
	}
}

/* The set contains the line. */
static void
remember(struct thread *t, uint64_t line)
{
	struct wn_footprint_cell *cell = wn_footprint_cell(t->footprint.now, line);
	uint64_t place = recent_place(line);
	t->recent[place] = (struct recent){.key = t->recent_tag | line, .starts = cell->starts};
	t->recent_cells[place] = cell;
}

/* Adds accesses to a line in the grain's set: they begin where `starts` has bits; none: one
 * continues into the line. */
static void
touch_line(struct thread *t, uint64_t line, uint64_t starts)
{
	uint64_t place = recent_place(line);
	struct recent *recent = &t->recent[place];
	if (recent->key == (t->recent_tag | line)) {
		for (uint64_t new = starts & ~recent->starts; new; new &= new - 1)
			t->footprint.n_addresses++;
		recent->starts |= starts;
		t->recent_cells[place]->starts |= starts;
		return;
	}
	const struct wn_footprint *set = t->footprint.now;
	uint64_t n_lost = t->footprint.n_lost;
	wn_footprint_add_line(&t->footprint, line << WN_FOOTPRINT_LINE_BITS, starts);
	if (t->footprint.now != set) /* the set has grown and its cells have moved */
		forget_recent(t);
	if (t->footprint.n_lost == n_lost)
		remember(t, line);
}

void
thread_touch_group(struct thread *t, uint64_t address, uint64_t mask, uint64_t span_bytes)
{
	if (!t->footprint.now)
		return;
	uint64_t at = address & 63, end = at + span_bytes;
	touch_line(t, wn_footprint_line(address), mask << at);
	if (end > 64)
		touch_line(t, wn_footprint_line(address + 64), mask >> 1 >> (63 - at));
	if (end > 128)
		touch_line(t, wn_footprint_line(address + 128), 0);
}

void
thread_touch_new(struct thread *t, uint64_t address, uint64_t bytes)
{
	thread_touch_group(t, address, 1, bytes);
}

static void
switch_grain(struct thread *t)
{
	struct wn_count_slot *slot = t->slot;
	forget_ended(t);
	if (slot->grain == t->grain && (t->footprint.now || t->grain == 0))
		return;
	t->grain = slot->grain;
	forget_recent(t);
	wn_footprint_switch(&t->footprint, t->grain);
}

void
thread_claim(struct thread *t)
{
	if (!t->bases) {
		void *map = mmap(NULL, 2 * BASES_MAX * sizeof *t->bases, PROT_READ | PROT_WRITE,
		                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		t->bases = map != MAP_FAILED ? map : NULL;
		t->base_grains = t->bases ? t->bases + BASES_MAX : NULL;
	}
	wn_footprint_thread_init(&t->footprint, &pool);
	t->slot = take_slot();
	set_stack(t);
	/* code that runs before any user code belongs to no account */
	t->mode = gettid() == getpid() ? MODE_USER : MODE_RUNTIME;
	if (t->slot != &no_slot)
		t->slot->os_tid = (uint64_t)gettid();
}

void
thread_enter_user(struct thread *t)
{
	if (t->mode == MODE_NEW)
		thread_claim(t);
	t->mode = MODE_USER;
	thread_settle(t, 0);
	if (t->was_call)
		thread_push_base(t, t->sp);
	if (wn_counting.keeps_footprint)
		switch_grain(t);
	if (wn_counting.log)
		sharing_begin(t);
}

void
thread_leave_user(struct thread *t)
{
	if (t->mode == MODE_NEW)
		thread_claim(t);
	t->mode = MODE_RUNTIME;
	if (wn_counting.log)
		sharing_end(t);
	publish(t);
	t->room = -1;
}

/* All instructions counted so far, for any account. */
static uint64_t
thread_total(const struct thread *t)
{
	uint64_t n = t->slot ? t->slot->count[WN_PROPERTY_runtime_instructions] : 0;
	for (unsigned i = 0; i < INSN_CLASS_N; i++)
		n += t->mix[i] + bundle_field(t->words, BUNDLE_MIX + i);
	return n;
}

/* ---- life ---- */

static void
reset(struct thread *t)
{
	uint64_t *bases = t->bases, *base_grains = t->base_grains;
	struct sharing *sharing = t->sharing;
	memset(t, 0, sizeof *t);
	t->bases = bases;
	t->base_grains = base_grains;
	t->sharing = sharing;
	t->recent_tag = RECENT_TAG_ONE;
	t->room = -1;
	t->runs[0].line = t->runs[1].line = NOWHERE;
}

bool
thread_begin(unsigned vcpu)
{
	if (!wn_counting_threads[vcpu]) {
		void *map = mmap(NULL, sizeof(struct thread), PROT_READ | PROT_WRITE,
		                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (map == MAP_FAILED)
			return false;
		wn_counting_threads[vcpu] = map;
	}
	reset(wn_counting_threads[vcpu]);
	if (vcpu >= wn_threads_seen)
		wn_threads_seen = vcpu + 1;
	return true;
}

void
thread_end(struct thread *t)
{
	if (t->mode == MODE_NEW)
		return;
	if (wn_counting.log)
		sharing_end(t);
	publish(t);
	if (wn_counting.keeps_footprint)
		forget_ended(t);
	wn_footprint_thread_fini(&t->footprint);
	atomic_fetch_add(&n_instructions_ended, thread_total(t));
	atomic_fetch_add(&n_every_ended, t->n_every);
	atomic_fetch_add(&n_again_ended, t->n_again);
	atomic_fetch_add(&n_unexpected_ended, t->n_unexpected);
	if (t->slot != &no_slot)
		t->slot->os_tid = 0; /* thread numbers are reused */
	reset(t);
}

void
threads_start_again(void)
{
	for (uint64_t i = 0; i < wn_threads_seen; i++)
		if (wn_counting_threads[i])
			reset(wn_counting_threads[i]);
	atomic_store(&n_instructions_ended, 0);
	atomic_store(&n_every_ended, 0);
	atomic_store(&n_again_ended, 0);
	atomic_store(&n_unexpected_ended, 0);
	wn_footprint_pool_init(&pool, wn_counting.memory_bytes);
	wn_counting.log = NULL; /* the parent's */
}

const char *
threads_map(const char *path, void **out, uint64_t *n_bytes)
{
	struct stat info;
	int fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return strerror(errno);
	void *map = MAP_FAILED;
	if (fstat(fd, &info) == 0)
		map = mmap(NULL, (size_t)info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		return strerror(errno);
	*out = map;
	*n_bytes = (uint64_t)info.st_size;
	return NULL;
}

static const char *
map_slots(const char *path)
{
	void *map;
	uint64_t n_bytes;
	const char *problem = threads_map(path, &map, &n_bytes);
	if (problem)
		return problem;
	wn_counting.file = map;
	bool is_ours = n_bytes >= sizeof *wn_counting.file &&
	               wn_counting.file->magic == WN_SLOT_MAGIC &&
	               wn_counting.file->slot_bytes == sizeof(struct wn_count_slot) &&
	               wn_counting.file->n_properties == WN_PROPERTY_N;
	return is_ours ? NULL : "is of another version of winnow";
}

const char *
threads_open(const char *path)
{
	const char *problem = map_slots(path);
	if (problem)
		return problem;
	wn_footprint_pool_init(&pool, wn_counting.memory_bytes);
	return NULL;
}

uint64_t
threads_measured(void)
{
	uint64_t all = (1ull << WN_PROPERTY_N) - 1;
	if (!wn_counting.keeps_footprint)
		all &=
		    ~(1ull << WN_PROPERTY_footprint_lines |
		      1ull << WN_PROPERTY_footprint_addresses | 1ull << WN_PROPERTY_footprint_lost);
	if (!wn_counting.has_stack)
		all &= ~(1ull << WN_PROPERTY_stack_reads | 1ull << WN_PROPERTY_stack_writes);
	return all;
}

struct thread_sums
threads_sums(void)
{
	struct thread_sums sums = {atomic_load(&n_instructions_ended), atomic_load(&n_every_ended),
	                           atomic_load(&n_again_ended), atomic_load(&n_unexpected_ended)};
	for (uint64_t i = 0; i < wn_threads_seen; i++) {
		const struct thread *t = wn_counting_threads[i];
		if (!t)
			continue;
		sums.n_instructions += thread_total(t);
		sums.n_every += t->n_every;
		sums.n_again += t->n_again;
		sums.n_unexpected += t->n_unexpected;
	}
	return sums;
}
