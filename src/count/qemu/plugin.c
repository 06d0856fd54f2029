/* SPDX-License-Identifier: MIT */
/*
 * plugin.c - entry point of the QEMU plug-in: arguments, threads and system calls of the program.
 *
 * Arguments: slots=FILE, footprint=on|off, memory=BYTES; check=FILE counts each instruction a
 * second time, individually, and writes both sums to FILE at exit.
 */
#include "count/modules.h"
#include "count/qemu/api.h"
#include "count/qemu/count.h"
#include "count/thread.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT extern int qemu_plugin_version;
EXPORT int qemu_plugin_install(qemu_plugin_id id, const struct qemu_plugin_info *info, int argc,
                               char **argv);

int qemu_plugin_version = QEMU_API_VERSION;

static const char *check_path;
static bool is_x86_64;

static void
on_translate(qemu_plugin_id id, struct qemu_plugin_tb *tb)
{
	(void)id;
	count_translated(tb);
}

static void
on_vcpu_init(qemu_plugin_id id, unsigned vcpu)
{
	(void)id;
	if (vcpu >= THREADS_MAX) {
		fprintf(stderr, "winnow count: more than %u threads at once\n", THREADS_MAX);
		abort();
	}
	if (!thread_begin(vcpu)) {
		fprintf(stderr, "winnow count: out of memory in the emulator\n");
		abort();
	}
}

static void
on_vcpu_exit(qemu_plugin_id id, unsigned vcpu)
{
	(void)id;
	thread_end(wn_counting_threads[vcpu]);
}

static bool
is_exec(int64_t number)
{
	enum {
		X86_64_EXECVE = 59,
		X86_64_EXECVEAT = 322,
		AARCH64_EXECVE = 221,
		AARCH64_EXECVEAT = 281
	};
	return number == (is_x86_64 ? X86_64_EXECVE : AARCH64_EXECVE) ||
	       number == (is_x86_64 ? X86_64_EXECVEAT : AARCH64_EXECVEAT);
}

/* Code that is unmapped or replaced may belong to another module afterwards. */
static void
on_syscall(qemu_plugin_id id, unsigned vcpu, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3,
           uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
	enum { X86_64_MMAP = 9, X86_64_MUNMAP = 11, X86_64_MREMAP = 25 };
	enum { AARCH64_MUNMAP = 215, AARCH64_MREMAP = 216, AARCH64_MMAP = 222 };
	bool is_map = number == (is_x86_64 ? X86_64_MMAP : AARCH64_MMAP);
	bool is_unmap = number == (is_x86_64 ? X86_64_MUNMAP : AARCH64_MUNMAP) ||
	                number == (is_x86_64 ? X86_64_MREMAP : AARCH64_MREMAP);
	(void)id, (void)vcpu, (void)a1, (void)a2, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
	if (is_unmap || (is_map && (a3 & PROT_EXEC)))
		modules_changed();
	if (is_exec(number))
		atomic_fetch_add(&wn_counting.file->n_execs, 1);
}

/* It returns only on failure. */
static void
on_syscall_end(qemu_plugin_id id, unsigned vcpu, int64_t number, int64_t result)
{
	(void)id, (void)vcpu, (void)result;
	if (is_exec(number))
		atomic_fetch_sub(&wn_counting.file->n_execs, 1);
}

static void
on_end(qemu_plugin_id id, void *user)
{
	struct thread_sums sums = threads_sums();
	FILE *f = fopen(check_path, "we");
	(void)id, (void)user;
	if (!f)
		return;
	fprintf(f, "instructions %lu\nevery %lu\nagain %lu\nunexpected %lu\n", sums.n_instructions,
	        sums.n_every, sums.n_again, sums.n_unexpected);
	fclose(f);
}

static bool
take_argument(char *argument, const char **slots)
{
	char *value = strchr(argument, '=');
	if (!value)
		return false;
	*value++ = '\0';
	if (strcmp(argument, "slots") == 0)
		*slots = value;
	else if (strcmp(argument, "footprint") == 0)
		wn_counting.keeps_footprint = strcmp(value, "on") == 0;
	else if (strcmp(argument, "memory") == 0)
		wn_counting.memory_bytes = strtoull(value, NULL, 10);
	else if (strcmp(argument, "check") == 0)
		check_path = value;
	else
		return false;
	return true;
}

int
qemu_plugin_install(qemu_plugin_id id, const struct qemu_plugin_info *info, int argc, char **argv)
{
	const char *slots = NULL;
	const char *problem;
	is_x86_64 = strcmp(info->target_name, "x86_64") == 0;
	if (info->is_system || (!is_x86_64 && strcmp(info->target_name, "aarch64") != 0)) {
		fprintf(stderr, "winnow count: cannot count on %s\n", info->target_name);
		return 1;
	}
	wn_counting.has_stack = is_x86_64;
	wn_counting.memory_bytes = 4ull << 30;
	for (int i = 0; i < argc; i++)
		if (!take_argument(argv[i], &slots)) {
			fprintf(stderr, "winnow count: plug-in: unknown argument %s\n", argv[i]);
			return 1;
		}
	if (!slots || (problem = threads_open(slots))) {
		fprintf(stderr, "winnow count: %s: %s\n",
		        slots ? slots : "slots=", slots ? problem : "missing");
		return 1;
	}
	pthread_atfork(NULL, NULL, threads_start_again);
	wn_counting.file->measured = threads_measured();
	count_begin(is_x86_64, check_path != NULL);
	qemu_plugin_register_vcpu_init_cb(id, on_vcpu_init);
	qemu_plugin_register_vcpu_exit_cb(id, on_vcpu_exit);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	qemu_plugin_register_vcpu_syscall_cb(id, on_syscall);
	qemu_plugin_register_vcpu_syscall_ret_cb(id, on_syscall_end);
	if (check_path)
		qemu_plugin_register_atexit_cb(id, on_end, NULL);
	return 0;
}
