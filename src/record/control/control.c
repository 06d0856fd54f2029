/* SPDX-License-Identifier: MIT */
/*
 * control.c - executes commands from any interface: OMPT's control_tool callback
 * (sources/ompt/control.c), winnow_control() of programs that include winnow/mark.h, and
 * omp_control_tool() itself, which on libgomp only this library defines.
 *
 * A command that is invalid in its context has no effect and is counted, in a NOTE of the thread's
 * block; the note is written once and updated in place, so that a mistake in an inner loop does not
 * fill the trace.
 */
#include "record/control/control.h"

static wn_id
current_task(const struct wn_thread *t)
{
	return wn_stack_peek(t, 0);
}

static void
count_misuse(struct wn_thread *t, const void *site)
{
	uint64_t n;

	if (t->commands.misused && t->commands.misused_in == t->w.block->sequence) {
		memcpy(&n, t->commands.misused, 8);
		n++;
		memcpy(t->commands.misused, &n, 8);
		return;
	}
	if (!wn_ev_room(t))
		return;
	uint8_t *at = wn_code_event(t->w.next, WN_EV_NOTE);
	at = wn_code_site(&t->w, at, (uint64_t)(uintptr_t)site, WN_NOTE_CONTROL_MISUSED);
	*at++ = 0; /* a varint of nine bytes */
	n = 1;
	memcpy(at, &n, 8);
	t->commands.misused = at;
	t->commands.misused_in = t->w.block->sequence;
	wn_writer_commit(&t->w, at + 8);
}

/* --- creations ---------------------------------------------------------------------------------
 */

static bool
creation_begin(struct wn_thread *t)
{
	struct wn_commands *commands = &t->commands;
	wn_id task = current_task(t);
	uint32_t n = commands->n_creations;
	bool is_twice =
	    n > 0 && n <= WN_COMMAND_CREATIONS && commands->creation[n - 1].task == task;

	if (is_twice)
		commands->n_creations--;
	if (commands->n_creations < WN_COMMAND_CREATIONS)
		commands->creation[commands->n_creations] =
		    (struct wn_command_creation){task, wn_clock()};
	commands->n_creations++;
	return !is_twice;
}

/* Tasks that ended before their creation did have left entries above the current task's. */
static bool
creation_end(struct wn_thread *t)
{
	struct wn_commands *commands = &t->commands;
	wn_id task = current_task(t);

	if (commands->n_creations > WN_COMMAND_CREATIONS) {
		commands->n_creations--;
		return true;
	}
	for (uint32_t n = commands->n_creations; n > 0; n--) {
		if (commands->creation[n - 1].task != task)
			continue;
		bool is_clean = n == commands->n_creations;
		commands->n_creations = n - 1;
		if (t->commands.owes_creation_end)
			creation_close(t, wn_clock());
		t->commands.owes_creation_end = false;
		return is_clean;
	}
	return false;
}

/* --- commands defined by OpenMP
 * ------------------------------------------------------------------ */

static int
standard_command(int command, const void *site)
{
	struct wn_thread *t = wn_self;

	if (atomic_load_explicit(&wn_is_over, memory_order_relaxed))
		return WN_CONTROL_IGNORED;
	switch (command) {
	case WN_COMMAND_START:
		wn_resume(t, site);
		return WN_CONTROL_DONE;
	case WN_COMMAND_PAUSE:
		wn_pause(t, site);
		return WN_CONTROL_DONE;
	case WN_COMMAND_FLUSH:
		return t && wn_thread_seal(t) ? WN_CONTROL_DONE : WN_CONTROL_IGNORED;
	case WN_COMMAND_END:
		wn_pause(t, site);
		atomic_store(&wn_is_over, true);
		wn_recorder_finish();
		return WN_CONTROL_DONE;
	default:
		return WN_CONTROL_IGNORED;
	}
}

/* --- entry points --------------------------------------------------------------------------- */

static bool
tool_command(struct wn_thread *t, int command, uint64_t value, const void *site)
{
	switch (command) {
	case WN_COMMAND_CHUNK_ITERATION:
		return wn_command_iteration(t, value, site);
	case WN_COMMAND_TASK_CREATE_BEGIN:
		return creation_begin(t);
	case WN_COMMAND_TASK_CREATE_END:
		return creation_end(t);
	case WN_COMMAND_LOOP_BEGIN:
		return wn_command_loop_begin(t, value, site);
	case WN_COMMAND_LOOP_END:
		return wn_command_loop_end(t);
	case WN_COMMAND_LOOP_LOWER:
	case WN_COMMAND_LOOP_STEP:
	case WN_COMMAND_LOOP_CHUNK:
		return wn_command_loop_info(t, (enum wn_command)command, value);
	default:
		return false;
	}
}

int
wn_control(int command, int modifier, void *arg, const void *site)
{
	uint64_t value = (uint64_t)(uintptr_t)arg + (uint64_t)(int64_t)modifier;
	struct wn_thread *t = wn_self;

	if (command >= WN_COMMAND_START && command <= WN_COMMAND_END)
		return standard_command(command, site);
	if (!t || wn_is_muted(t))
		return WN_CONTROL_IGNORED;
	if (tool_command(t, command, value, site))
		return WN_CONTROL_DONE;
	/* outside all regions they may merely be unrecorded */
	if (t->depth > 0 || !atomic_load_explicit(&wn_is_paused, memory_order_relaxed))
		count_misuse(t, site);
	return WN_CONTROL_IGNORED;
}

int
wn_control_tool(int command, int modifier, void *arg)
{
	return wn_control(command, modifier, arg, __builtin_return_address(0));
}
