/* SPDX-License-Identifier: MIT */
/*
 * oracle.c - what oracle.cc makes programs call: every instruction by its name, every access with
 * its address; written from what winnow-cc(1) says is counted, and from nothing of the plug-in's.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "totals.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void oracle_instruction(const char *name);
void oracle_access(uint64_t address, uint64_t n_bytes, uint64_t kind);
void oracle_enter(uint64_t frame);
void oracle_leave(void);

static _Thread_local uint64_t count[WN_PROPERTY_N];
static _Thread_local uint64_t frames[4096];
static _Thread_local int n_frames;

/* oracle_sets.cc: is it new? The line or address is then in the set. */
int oracle_new_line(uint64_t line);
int oracle_new_address(uint64_t address);
void oracle_empty(void);

static _Thread_local int is_grain;

static void
touch(uint64_t address, uint64_t n_bytes)
{
	count[WN_PROPERTY_footprint_addresses] += (uint64_t)oracle_new_address(address);
	for (uint64_t line = address / 64; line <= (address + n_bytes - 1) / 64; line++)
		count[WN_PROPERTY_footprint_lines] += (uint64_t)oracle_new_line(line);
}

/* Copies and fills are accesses to each line's part. */
static void
touch_many(uint64_t address, uint64_t n_bytes)
{
	for (uint64_t i = 0; i < n_bytes; i++)
		if (i == 0 || (address + i) % 64 == 0)
			touch(address + i, 1);
}

void
begins_in_oracle(void)
{
	is_grain = 1;
	oracle_empty();
}

const uint64_t *
totals_of_oracle(void)
{
	return count;
}

static const struct {
	const char *begin; /* of the name */
	int of;            /* -1: nothing; -2: by the letters at its end */
} table[] = {
    {"nothing", -1},
    {"freeze", -1},
    {"unreachable", -1},
    {"getelementptr zero", -1},
    {"alloca fixed", -1},
    {"alloca moving", WN_PROPERTY_mix_other},
    {"llvm.dbg", -1},
    {"llvm.lifetime", -1},
    {"llvm.assume", -1},
    {"llvm.experimental.noalias", -1},
    {"llvm.mem", WN_PROPERTY_mix_move},
    {"llvm.stack", WN_PROPERTY_mix_other},
    {"llvm.eh.typeid", WN_PROPERTY_mix_integer},
    {"llvm.vector.reduce", WN_PROPERTY_mix_vector},
    {"llvm.", -2},
    {"asm", WN_PROPERTY_mix_other},
    {"call", WN_PROPERTY_mix_call},
    {"invoke", WN_PROPERTY_mix_call},
    {"ret", WN_PROPERTY_mix_call},
    {"br", WN_PROPERTY_mix_branch},
    {"cond", WN_PROPERTY_mix_branch},
    {"uncond", WN_PROPERTY_mix_branch},
    {"switch", WN_PROPERTY_mix_branch},
    {"indirectbr", WN_PROPERTY_mix_branch},
    {"resume", WN_PROPERTY_mix_branch},
    {"load atomic", WN_PROPERTY_mix_atomic},
    {"store atomic", WN_PROPERTY_mix_atomic},
    {"load", WN_PROPERTY_mix_move},
    {"store", WN_PROPERTY_mix_move},
    {"atomicrmw", WN_PROPERTY_mix_atomic},
    {"cmpxchg", WN_PROPERTY_mix_atomic},
    {"fence", WN_PROPERTY_mix_atomic},
    {"extractvalue", WN_PROPERTY_mix_other},
    {"insertvalue", WN_PROPERTY_mix_other},
    {"va_arg", WN_PROPERTY_mix_other},
    {"extractelement", WN_PROPERTY_mix_vector},
    {"insertelement", WN_PROPERTY_mix_vector},
    {"shufflevector", WN_PROPERTY_mix_vector},
    {"", -2},
};

void
oracle_instruction(const char *name)
{
	size_t i = 0;
	while (strncmp(name, table[i].begin, strlen(table[i].begin)) != 0)
		i++;
	int of = table[i].of;
	if (of == -1)
		return;
	if (of == -2) {
		const char *letters = strrchr(name, ' ');
		of = strchr(letters, 'v')   ? WN_PROPERTY_mix_vector
		     : strchr(letters, 'f') ? WN_PROPERTY_mix_float
		                            : WN_PROPERTY_mix_integer;
	}
	count[WN_PROPERTY_instructions]++;
	count[of]++;
}

/* Of a thread that no grain's function has entered, all of the stack is its own. */
static uint64_t
stack_end(void)
{
	static _Thread_local uint64_t end;
	pthread_attr_t attributes;
	void *begin;
	size_t n_bytes;
	if (end || pthread_getattr_np(pthread_self(), &attributes) != 0)
		return end;
	if (pthread_attr_getstack(&attributes, &begin, &n_bytes) == 0)
		end = (uint64_t)begin + n_bytes;
	pthread_attr_destroy(&attributes);
	return end;
}

void
oracle_access(uint64_t address, uint64_t n_bytes, uint64_t kind)
{
	uint64_t here = (uint64_t)__builtin_frame_address(0);
	uint64_t top = n_frames > 0 ? frames[n_frames - 1] : stack_end();
	int is_stack = address >= here && address < top;
	if (is_grain && (kind & 4 || n_bytes > 64))
		touch_many(address, n_bytes);
	else if (is_grain)
		touch(address, n_bytes);
	if (kind & 1) {
		count[WN_PROPERTY_mem_reads]++;
		count[WN_PROPERTY_mem_read_bytes] += n_bytes;
		count[WN_PROPERTY_stack_reads] += (uint64_t)is_stack;
	}
	if (kind & 2) {
		count[WN_PROPERTY_mem_writes]++;
		count[WN_PROPERTY_mem_write_bytes] += n_bytes;
		count[WN_PROPERTY_stack_writes] += (uint64_t)is_stack;
	}
}

void
oracle_enter(uint64_t frame)
{
	if (n_frames == 4096)
		abort();
	frames[n_frames++] = frame;
}

void
oracle_leave(void)
{
	n_frames--;
}
