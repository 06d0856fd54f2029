/* SPDX-License-Identifier: MIT */
/*
 * chunks.c - chunks from iterations: the program reports the value of the loop variable at the
 * start of each iteration, and consecutive values form a chunk.
 *
 *   values           5 6 7   20 21   40          step 1
 *   chunks          [5 .. 7][20 21] [40]
 *
 * A chunk is open from its first iteration to the first one of the next chunk, or to the end of the
 * loop. Its length is unknown while it is open, and the end of the loop may come from a source
 * without this data. So its record is written when it opens, with room for any range, and each
 * iteration updates the range in place. If the record has left the window meanwhile (the chunk
 * created many tasks), a TASK_RANGE in the next block continues it.
 *
 * With a known chunk size c a run of iterations is split after every c: a run starts where a chunk
 * starts. If the step is unknown, it is the smallest difference that this thread has observed in
 * the loop. A smaller difference may later prove two iterations to be separate chunks; then the
 * later one is removed from the chunk. Such ranges are noted as guesses.
 *
 * libomp reports a thread's whole share of a static loop in one record (sources/libomp/static.c).
 * That record is undone at the first iteration: the ranges are then the share's, the times those of
 * the iterations.
 */
#include "record/control/control.h"

static wn_id
current_task(const struct wn_thread *t)
{
	return wn_stack_peek(t, 0);
}

/* The loop with commands that the current task is in; NULL if there is none. Implicit tasks of one
 * thread in simultaneous loops are at different depths of its stack. */
static struct wn_command_loop *
loop_of(struct wn_thread *t)
{
	struct wn_command_loop *l = &t->commands.loop[wn_stack_depth(t) % WN_COMMAND_LOOPS];
	bool is_one = l->state != WN_COMMAND_NONE || l->is_begun;
	return is_one && l->task == current_task(t) ? l : NULL;
}

/* The same; a new one if there is none. */
static struct wn_command_loop *
loop_get(struct wn_thread *t)
{
	struct wn_command_loop *l = loop_of(t);
	if (!l || !l->is_begun) {
		l = &t->commands.loop[wn_stack_depth(t) % WN_COMMAND_LOOPS];
		*l = (struct wn_command_loop){.task = current_task(t)};
	}
	return l;
}

static uint8_t
number_of(const struct wn_thread *t, const struct wn_command_loop *l)
{
	return (uint8_t)(l - t->commands.loop + 1);
}

/* --- the range of the open chunk ---------------------------------------------------------------
 */

static uint64_t
magnitude(int64_t difference)
{
	return difference < 0 ? 0 - (uint64_t)difference : (uint64_t)difference;
}

/* The first logical iteration of the open chunk. Without a lower bound the loop is assumed to start
 * at 0; a loop that counts down then ends there, and its chunks are identified by their lowest
 * values. */
static uint64_t
first_iteration(const struct wn_command_loop *l)
{
	uint64_t width = magnitude(l->step);
	uint64_t distance;

	if (!l->has_lower)
		distance = l->step < 0 ? l->latest : l->first;
	else if (l->step ? l->step > 0 : l->first >= l->lower)
		distance = l->first - l->lower;
	else
		distance = l->lower - l->first;
	return width > 1 ? distance / width : distance;
}

/* Two varints of nine bytes each, to be updated in place. */
static uint8_t *
code_range(uint8_t *at, uint64_t first, uint64_t iterations)
{
	at[0] = at[9] = 0;
	memcpy(at + 1, &first, 8);
	memcpy(at + 10, &iterations, 8);
	return at + 18;
}

/* Writes the current range of the open chunk. */
static void
range_store(struct wn_thread *t, struct wn_command_loop *l)
{
	uint64_t first = first_iteration(l);

	if (!l->range)
		return;
	if (l->sequence == t->w.block->sequence) {
		code_range(l->range, wn_zigzag((int64_t)(first - l->base)), l->n);
		if (l->is_begin)
			t->chunk_next = first + l->n;
		return;
	}
	/* The next chunk is relative to the sealed record, which chunk_next still matches. */
	if (!wn_ev_room(t))
		return;
	l->range = wn_code_event(t->w.next, WN_EV_TASK_RANGE);
	l->sequence = t->w.block->sequence;
	l->is_begin = false;
	l->base = 0;
	wn_writer_commit(&t->w, code_range(l->range, wn_zigzag((int64_t)first), l->n));
}

static void
chunk_begin(struct wn_thread *t, struct wn_command_loop *l, uint64_t tick, uint64_t value)
{
	l->n = 1;
	l->first = l->latest = value;
	l->latest_tick = tick;
	l->base = t->chunk_next;
	l->is_begin = true;
	uint64_t first = first_iteration(l);
	wn_ev_cpu(t);
	l->range = wn_ev_open(t, WN_EV_CHUNK_BEGIN, tick);
	if (l->range) {
		l->sequence = t->w.block->sequence;
		wn_writer_commit(&t->w,
		                 code_range(l->range, wn_zigzag((int64_t)(first - l->base)), 1));
	}
	t->chunk_next = first + 1;
	wn_new_id(t);
	t->loop.chunk_open = true;
}

static void
chunk_end(struct wn_thread *t, uint64_t tick)
{
	if (t->loop.chunk_open)
		wn_ev_chunk_end(t, tick);
	t->loop.chunk_open = false;
}

static void
chunk_grow(struct wn_thread *t, struct wn_command_loop *l, uint64_t value)
{
	l->n++;
	l->latest = value;
	range_store(t, l);
}

/* --- iterations --------------------------------------------------------------------------------
 */

/* Can this be a value of the loop variable, as far as known? */
static bool
is_value(const struct wn_command_loop *l, uint64_t value)
{
	uint64_t width = magnitude(l->step);
	if (!l->has_lower || l->is_guess || width <= 1)
		return true;
	return (l->step > 0 ? value - l->lower : l->lower - value) % width == 0;
}

static bool
next_chunk(struct wn_thread *t, struct wn_command_loop *l, uint64_t value)
{
	if (!is_value(l, value))
		return false;
	uint64_t tick = wn_clock();
	chunk_end(t, tick);
	chunk_begin(t, l, tick, value);
	return true;
}

/* The latest iteration and this one are closer than any two before: the latest did not belong to
 * its chunk. */
static void
smaller_step(struct wn_thread *t, struct wn_command_loop *l, uint64_t value)
{
	uint64_t latest = l->latest, latest_tick = l->latest_tick;
	int64_t step = (int64_t)(value - latest);

	if (l->n > 1) {
		l->n--;
		l->latest = latest - (uint64_t)l->step;
		l->step = l->n > 1 ? l->step : step;
		range_store(t, l);
		l->step = step;
		chunk_end(t, latest_tick);
		chunk_begin(t, l, latest_tick, latest);
	}
	l->step = step;
	chunk_grow(t, l, value);
}

/* An iteration while the step is unknown. */
static bool
guess_iteration(struct wn_thread *t, struct wn_command_loop *l, uint64_t value)
{
	int64_t difference = (int64_t)(value - l->latest);
	bool is_known = magnitude(l->step) == 1; /* no smaller step is possible */
	uint64_t tick = is_known ? 0 : wn_clock();

	if (difference == 0)
		return false;
	if (l->chunk && l->n >= l->chunk)
		return next_chunk(t, l, value);
	if (l->step && difference != l->step && magnitude(difference) >= magnitude(l->step))
		return next_chunk(t, l, value);
	if (l->step && difference != l->step) {
		smaller_step(t, l, value);
	} else {
		l->step = difference;
		chunk_grow(t, l, value);
	}
	l->latest_tick = tick;
	return true;
}

static bool
chunk_iteration(struct wn_thread *t, struct wn_command_loop *l, uint64_t value)
{
	if (l->n == 0)
		return next_chunk(t, l, value);
	if (l->is_guess)
		return guess_iteration(t, l, value);
	if (value == l->latest)
		return false;
	if ((int64_t)(value - l->latest) != l->step || (l->chunk && l->n >= l->chunk))
		return next_chunk(t, l, value);
	chunk_grow(t, l, value);
	return true;
}

/* The thread runs its share in order, so iterations only need to be counted. Their values verify
 * that there is one command per iteration. */
static bool
share_iteration(struct wn_thread *t, struct wn_command_loop *l, uint64_t value)
{
	struct wn_command_share *s = &l->share;
	int64_t difference = (int64_t)(value - l->latest);

	if (l->n > 0) {
		if (difference == 0 || (l->step && difference != l->step))
			return false;
		l->step = difference;
		l->latest = value;
		l->n--;
		return true;
	}
	if (s->n == 0)
		return false;
	uint64_t tick = wn_clock();
	chunk_end(t, tick);
	l->n = --s->n == 0 ? s->last : s->chunk;
	wn_ev_chunk_begin(t, tick, s->first, l->n);
	t->loop.chunk_open = true;
	l->n--; /* iterations to come */
	s->first += s->stride;
	l->latest = value;
	return true;
}

static bool
loop_iteration(struct wn_thread *t, struct wn_command_loop *l, uint64_t value)
{
	return l->state == WN_COMMAND_SHARE ? share_iteration(t, l, value)
	                                    : chunk_iteration(t, l, value);
}

/* --- loops -------------------------------------------------------------------------------------
 */

/* Data reported for the loop that starts now; discards data for others. n_since: constructs entered
 * since it may have been reported. */
static struct wn_command_info
info_take(struct wn_thread *t, uint32_t n_since)
{
	struct wn_command_info info = t->commands.info;
	t->commands.info = (struct wn_command_info){0};
	return t->n_works - info.n_works <= n_since ? info : (struct wn_command_info){0};
}

/* The commands report the chunks of the open loop. */
static void
chunks_start(struct wn_thread *t, struct wn_command_loop *l, const struct wn_command_info *info)
{
	bool is_guided = (l->kind & WN_WORK_KIND_MASK) == WN_WORK_LOOP_GUIDED;

	l->state = WN_COMMAND_CHUNKS;
	l->n = 0;
	l->has_lower = info->has_lower;
	l->lower = info->lower;
	l->step = info->has_step ? info->step : 0;
	l->is_guess = !info->has_step;
	l->chunk = is_guided ? 0 : info->chunk; /* sizes of guided chunks differ */
	t->loop.command = number_of(t, l);
	if (!info->has_step || !info->has_chunk || is_guided ||
	    (info->step < 0 && !info->has_lower))
		wn_ev_note(t, l->site, WN_NOTE_CHUNKS_GUESSED, 1);
}

/* Records a loop that no source has reported. */
static void
own_open(struct wn_thread *t, struct wn_command_loop *l, const struct wn_command_info *info)
{
	uint32_t kind = l->kind | WN_LOOP_INLINE;

	if (info->has_lower && info->has_step)
		wn_ev_loop_begin(t, l->begin_tick, l->site, kind, 0, (int64_t)info->lower,
		                 info->step, info->chunk);
	else
		wn_ev_work_begin(t, l->begin_tick, l->site, kind, 0);
	t->loop = (struct wn_loop_state){.lower = (int64_t)info->lower,
	                                 .step = info->has_step ? info->step : 1,
	                                 .is_open = true,
	                                 .is_own = true};
}

static void
own_close(struct wn_thread *t, uint64_t tick)
{
	chunk_end(t, tick);
	wn_ev_work_end(t, tick);
	t->loop.is_open = false;
	t->loop.command = 0;
}

/* Removes a share's record, if it is the last one in the window. */
static bool
undo(struct wn_thread *t)
{
	const struct wn_command_undo *u = &t->commands.undo;

	if (!u->after || u->after != t->w.next || u->sequence != t->w.block->sequence)
		return false;
	wn_writer_commit(&t->w, u->before);
	t->w.last_tick = u->tick;
	t->n_ids = u->n_ids;
	t->chunk_next = u->chunk_next;
	t->cpu = UINT32_MAX; /* it may have been removed as well */
	t->loop.chunk_open = false;
	return true;
}

void
wn_offer_end(struct wn_thread *t, const struct wn_command_share *share)
{
	struct wn_command_undo *u = &t->commands.undo;

	if (t->w.next <= u->before || u->sequence != t->w.block->sequence)
		return;
	u->after = t->w.next;
	struct wn_command_loop *l = loop_get(t);
	l->state = share ? WN_COMMAND_SHARE : WN_COMMAND_CHUNKS;
	l->is_offer = true;
	l->n = 0;
	l->step = 0;
	if (share)
		l->share = *share;
	t->loop.command = number_of(t, l);
}

bool
wn_offer_drop(struct wn_thread *t)
{
	struct wn_command_loop *l = t->loop.command ? &t->commands.loop[t->loop.command - 1] : NULL;

	if (!l || !l->is_offer || !l->is_begun || !undo(t))
		return false;
	l->is_offer = false;
	return true;
}

/* The first iteration of a loop whose source has offered its record. */
static bool
offer_take(struct wn_thread *t, struct wn_command_loop *l, uint64_t value, const void *site)
{
	bool is_undone = undo(t);
	struct wn_command_info info = info_take(t, 1);

	l->is_offer = false;
	if (!is_undone) { /* another record follows: the source's record stays */
		l->state = WN_COMMAND_NONE;
		t->loop.command = 0;
		return true;
	}
	l->site = site;
	if (l->state == WN_COMMAND_CHUNKS)
		chunks_start(t, l, &info);
	return loop_iteration(t, l, value);
}

/* The first iteration of a loop that a source has opened without reporting chunks; or any iteration
 * of one whose chunks the source reports. */
static bool
source_iteration(struct wn_thread *t, uint64_t value, const void *site)
{
	struct wn_command_info *kept = &t->commands.info;

	if (t->loop.chunk_open) {
		if (kept->has_lower || kept->has_step || kept->has_chunk)
			*kept = (struct wn_command_info){0};
		return true;
	}
	struct wn_command_info info = info_take(t, 1);
	struct wn_command_loop *l = loop_get(t);
	l->site = site;
	chunks_start(t, l, &info);
	return loop_iteration(t, l, value);
}

bool
wn_command_iteration(struct wn_thread *t, uint64_t value, const void *site)
{
	struct wn_command_loop *l;

	if (t->loop.is_open && t->loop.command) {
		l = &t->commands.loop[t->loop.command - 1];
		if (l->task != current_task(t))
			return false; /* in a task that the chunk created */
		return l->is_offer ? offer_take(t, l, value, site) : loop_iteration(t, l, value);
	}
	if (t->loop.is_open)
		return source_iteration(t, value, site);
	l = t->depth > 0 ? loop_of(t) : NULL;
	if (!l || l->state != WN_COMMAND_BEGUN || l->n_works != t->n_works)
		return false;
	struct wn_command_info info = info_take(t, 0);
	own_open(t, l, &info);
	chunks_start(t, l, &info);
	return loop_iteration(t, l, value);
}

/* Is the open loop one that commands have opened? */
static bool
own_is_open(const struct wn_thread *t, const struct wn_command_loop *l)
{
	return l && t->loop.is_open && t->loop.is_own && t->loop.command == number_of(t, l);
}

bool
wn_command_loop_begin(struct wn_thread *t, uint64_t kind, const void *site)
{
	static const uint32_t kinds[] = {WN_WORK_LOOP_OTHER, WN_WORK_LOOP_STATIC,
	                                 WN_WORK_LOOP_DYNAMIC, WN_WORK_LOOP_GUIDED};
	uint64_t schedule = kind & 0xff;
	uint64_t tick = wn_clock();

	if (t->depth == 0 || kind > 0x1ff || schedule > 3)
		return false;
	if (own_is_open(t, loop_of(t)))
		own_close(t, tick);
	struct wn_command_loop *l = loop_get(t);
	*l = (struct wn_command_loop){
	    .task = current_task(t),
	    .state = WN_COMMAND_BEGUN,
	    .is_begun = true,
	    .kind = kinds[schedule] | (kind & 0x100 ? (uint32_t)WN_LOOP_UNSIGNED : 0u),
	    .n_works = t->n_works,
	    .begin_tick = tick,
	    .site = site,
	};
	return true;
}

bool
wn_command_loop_end(struct wn_thread *t)
{
	struct wn_command_loop *l = t->depth > 0 ? loop_of(t) : NULL;

	if (!l || !l->is_begun)
		return false;
	if (l->state == WN_COMMAND_BEGUN && l->n_works == t->n_works) {
		/* no iteration for this thread; its next loop is still the team's next one */
		uint64_t tick = wn_clock();
		struct wn_command_info info = info_take(t, 0);
		own_open(t, l, &info);
		own_close(t, tick);
	} else if (own_is_open(t, l)) {
		own_close(t, wn_clock());
	}
	l->state = WN_COMMAND_NONE;
	l->is_begun = false;
	return true;
}

bool
wn_command_loop_info(struct wn_thread *t, enum wn_command what, uint64_t value)
{
	struct wn_command_info *info = &t->commands.info;
	bool is_step = what == WN_COMMAND_LOOP_STEP, is_chunk = what == WN_COMMAND_LOOP_CHUNK;

	if ((is_step && value == 0) || (is_chunk && value > INT64_MAX))
		return false;
	if (info->n_works != t->n_works)
		*info = (struct wn_command_info){.n_works = t->n_works};
	if (is_step) {
		info->step = (int64_t)value;
		info->has_step = true;
	} else if (is_chunk) {
		info->chunk = value;
		info->has_chunk = true;
	} else {
		info->lower = value;
		info->has_lower = true;
	}
	return true;
}
