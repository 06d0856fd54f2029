/* SPDX-License-Identifier: MIT */
/*
 * start.c - the engine takes over the process when it is loaded, before any other code of the
 * program or its libraries runs, and follows it from the return to the loader.
 *
 *   WINNOW_COUNT_ENGINE   slots=FILE,footprint=on|off,memory=BYTES[,check=FILE][,sharing=FILE]
 */
#include "count/native/context.h"
#include "count/native/decode.h"
#include "count/native/libc.h"
#include "count/sharing.h"

#include <cpuid.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

bool wn_native_is_checked;
static char slots_path[4096], check_path[4096], sharing_path[4096];

static const char *
find_variable(char **environment, const char *name)
{
	size_t n = strlen(name);
	for (; *environment; environment++)
		if (strncmp(*environment, name, n) == 0 && (*environment)[n] == '=')
			return *environment + n + 1;
	return NULL;
}

static size_t
take_word(const char *from, char *to, size_t room)
{
	size_t n = 0;
	while (from[n] && from[n] != ',') {
		if (n < room - 1)
			to[n] = from[n];
		n++;
	}
	to[n < room ? n : room - 1] = '\0';
	return n;
}

static void
take_options(const char *text)
{
	char word[64];
	while (*text) {
		if (strncmp(text, "slots=", 6) == 0) {
			text += 6;
			text += take_word(text, slots_path, sizeof slots_path);
		} else if (strncmp(text, "sharing=", 8) == 0) {
			text += 8;
			text += take_word(text, sharing_path, sizeof sharing_path);
		} else if (strncmp(text, "check=", 6) == 0) {
			text += 6;
			text += take_word(text, check_path, sizeof check_path);
			wn_native_is_checked = true;
		} else {
			text += take_word(text, word, sizeof word);
			if (strncmp(word, "footprint=on", 13) == 0)
				wn_counting.keeps_footprint = true;
			if (strncmp(word, "memory=", 7) == 0)
				for (const char *d = word + 7; *d; d++)
					wn_counting.memory_bytes =
					    wn_counting.memory_bytes * 10 + (uint64_t)(*d - '0');
		}
		text += *text == ',';
	}
}

void
wn_native_start_again(struct context *c)
{
	wn_native_contexts_start_again(c);
	wn_native_modules_start_again();
	c->every = 0;
	threads_start_again();
	thread_begin(c->number);
}

static size_t
put_number(char *to, const char *name, uint64_t value)
{
	char digits[24];
	size_t n = strlen(name), k = 0;
	memcpy(to, name, n);
	do
		digits[k++] = (char)('0' + value % 10);
	while (value /= 10);
	while (k > 0)
		to[n++] = digits[--k];
	to[n++] = '\n';
	return n;
}

void
wn_native_write_check(struct context *c)
{
	char text[256];
	wn_native_park_others(c);
	struct thread_sums sums = threads_sums();
	size_t n = put_number(text, "instructions ", sums.n_instructions);
	n += put_number(text + n, "every ", sums.n_every);
	n += put_number(text + n, "again ", sums.n_again);
	n += put_number(text + n, "unexpected ", sums.n_unexpected);
	int fd = open(check_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return;
	if (write(fd, text, n) < 0)
		text[0] = '\0';
	close(fd);
}

/* Saves callee-saved registers, and continues in translated code as if the call had returned. */
void wn_native_follow(struct context *c, uint64_t initial_sp) __attribute__((visibility("hidden")));
void wn_native_followed(struct context *c, uint64_t initial_sp)
    __attribute__((visibility("hidden")));

__asm__(".text\n"
        ".type wn_native_follow, @function\n"
        "wn_native_follow:\n\t"
        "mov %rbx, 24(%rdi)\n\t"
        "mov %rbp, 40(%rdi)\n\t"
        "mov %r12, 96(%rdi)\n\t"
        "mov %r13, 104(%rdi)\n\t"
        "mov %r14, 112(%rdi)\n\t"
        "mov %r15, 120(%rdi)\n\t"
        "mov (%rsp), %rax\n\t"
        "mov %rax, 136(%rdi)\n\t"
        "lea 8(%rsp), %rax\n\t"
        "mov %rax, 32(%rdi)\n\t"
        "lea -4096(%rsp), %rsp\n\t"
        "and $-64, %rsp\n\t"
        "call wn_native_followed\n\t"
        "ud2\n"
        ".size wn_native_follow, .-wn_native_follow\n");

_Static_assert(offsetof(struct context, gpr) == 0 && offsetof(struct context, pc) == 136,
               "as written above");

/* In glibc since 2.35: offset of a thread's rseq area from its segment base. */
extern const ptrdiff_t __rseq_offset __attribute__((weak, visibility("default")));
extern const unsigned __rseq_size __attribute__((weak, visibility("default")));

/* The kernel restarts a restartable sequence by its address in the program's code, and does not
 * know the translated copy. So the engine disables them, as on kernels without them; new threads
 * get an error when they register (kernel.c). */
static void
give_up_sequences(struct context *c)
{
	enum { BYTES = 32, UNREGISTER = 1, SIGNATURE = 0x53053053 };
	if (&__rseq_offset && &__rseq_size && __rseq_size > 0)
		wn_native_call(SYS_rseq, c->fs_base + (uint64_t)__rseq_offset, (long)BYTES,
		               (long)UNREGISTER, (long)SIGNATURE, 0L, 0L);
}

void
wn_native_followed(struct context *c, uint64_t initial_sp)
{
	c->is_inside = 1;
	wn_native_set_signal_stack(c);
	wn_native_read_segments(c);
	give_up_sequences(c);
	wn_native_take_signals();
	wn_native_claim(c);
	c->flags = 0x202;
	if (c->t->mode == MODE_USER)
		thread_push_base(c->t, initial_sp);
	wn_native_update_base(c);
	c->exit = (uintptr_t)&c->exit_indirect;
	wn_native_dispatch(c);
	((void (*)(void))(uintptr_t)c->trampoline_resume)();
}

/* Can the program's vector registers be saved? */
static bool
has_xsave(void)
{
	uint32_t a, b, c, d;
	return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_OSXSAVE);
}

static void __attribute__((constructor)) start(int n, char **arguments, char **environment)
{
	(void)n;
	const char *options = find_variable(environment, "WINNOW_COUNT_ENGINE");
	if (!options || !has_xsave())
		return;
	take_options(options);
	wn_counting.has_stack = true;
	if (!wn_counting.memory_bytes)
		wn_counting.memory_bytes = 4ull << 30;
	if (threads_open(slots_path)) /* it runs uncounted; the waiting command reports it */
		return;
	if (sharing_path[0] && sharing_open(sharing_path))
		return;
	wn_native_decode_begin();
	wn_native_single_begin();
	struct context *c = wn_native_context_new();
	if (!c)
		return;
	wn_counting.file->measured = threads_measured();
	if (atomic_load(&wn_counting.file->n_slots) > 0) /* started by exec */
		atomic_fetch_sub(&wn_counting.file->n_execs, 1);
	wn_native_follow(c, (uintptr_t)(arguments - 1));
}
