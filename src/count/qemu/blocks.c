/* SPDX-License-Identifier: MIT */
#include "count/qemu/blocks.h"

#include "count/thread.h"

void
wn_qemu_on_user_block(unsigned vcpu, void *user)
{
	struct thread *t = wn_counting_threads[vcpu];
	if (__builtin_expect(!thread_ran_user(t, user), 0))
		thread_run_user(t, user);
}

void
wn_qemu_on_runtime_block(unsigned vcpu, void *user)
{
	struct thread *t = wn_counting_threads[vcpu];
	if (__builtin_expect(t->mode != MODE_RUNTIME, 0))
		thread_leave_user(t);
	thread_add_runtime(t, user);
}

void
wn_qemu_on_neutral_block(unsigned vcpu, void *user)
{
	thread_run_neutral(wn_counting_threads[vcpu], user);
}

void
wn_qemu_on_single(unsigned vcpu, void *user)
{
	thread_add_to_account(wn_counting_threads[vcpu], user);
}

/* Changes whenever an instruction has been counted. */
static inline uint64_t
mark(const struct thread *t)
{
	return (t->slot->count[WN_PROPERTY_runtime_instructions] << 16) + (uint64_t)t->room;
}

static inline bool
is_again(const struct thread *t, const struct bundle *b)
{
	return t->once_at == b->at && t->once_mark == mark(t);
}

static void __attribute__((noinline)) count_once(struct thread *t, const struct bundle *b)
{
	thread_add_to_account(t, b);
	t->once_at = b->at;
	t->once_mark = mark(t);
}

void
wn_qemu_on_once(unsigned vcpu, void *user)
{
	struct thread *t = wn_counting_threads[vcpu];
	if (is_again(t, user))
		t->n_again++;
	else
		count_once(t, user);
}

static void __attribute__((noinline)) count_user_once(struct thread *t, const struct bundle *b)
{
	if (t->mode != MODE_USER)
		thread_enter_user(t);
	count_once(t, b);
}

/* If it is reported again, nothing was executed in between, so the account is still the user's. */
void
wn_qemu_on_user_once(unsigned vcpu, void *user)
{
	struct thread *t = wn_counting_threads[vcpu];
	if (t->slot && is_again(t, user))
		t->n_again++;
	else
		count_user_once(t, user);
}

void
wn_qemu_on_every(unsigned vcpu, void *user)
{
	(void)user;
	wn_counting_threads[vcpu]->n_every++;
}

/* The emulator's code for 256-bit instructions leaves the upper halves of the host's vector
 * registers in use. Until they are cleared, each scalar operation depends on the register's
 * previous value, and floating-point arithmetic takes twice as long. Compilers clear them before
 * each call, the emulator does not. A call-back may clear them, since they are not preserved across
 * calls. */
#if defined(__x86_64__)
void
wn_qemu_on_upper_halves(unsigned vcpu, void *user)
{
	(void)vcpu, (void)user;
	__asm__ volatile("vzeroupper");
}

bool
wn_qemu_host_has_upper_halves(void)
{
	return __builtin_cpu_supports("avx");
}
#else
void
wn_qemu_on_upper_halves(unsigned vcpu, void *user)
{
	(void)vcpu, (void)user;
}

bool
wn_qemu_host_has_upper_halves(void)
{
	return false;
}
#endif
