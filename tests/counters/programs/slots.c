/* SPDX-License-Identifier: MIT */
/*
 * slots.c - a program that counts itself, as compiled-in code does: each task and chunk adds
 * numbers that follow from its own. Prints what it counted in all.
 */
#include "record/counters/slot.h"

#include <omp.h>
#include <stdio.h>

#define THREADS_MAX 64

static struct wn_count_slot slots[THREADS_MAX];
static _Atomic int n_slots;
static __thread struct wn_count_slot *own;
static const struct wn_slot_file head = {
    .magic = WN_SLOT_MAGIC,
    .slot_bytes = sizeof(struct wn_count_slot),
    .n_properties = WN_PROPERTY_N,
    .measured = 1u << WN_PROPERTY_instructions | 1u << WN_PROPERTY_mem_reads |
                1u << WN_PROPERTY_mem_writes | 1u << WN_PROPERTY_footprint_lines,
    .by = "test",
};

struct wn_count_slot *winnow_count_slot(void);
const struct wn_slot_file *winnow_count_slots(void);

struct wn_count_slot *
winnow_count_slot(void)
{
	if (!own)
		own = &slots[n_slots++];
	return own;
}

const struct wn_slot_file *
winnow_count_slots(void)
{
	return &head;
}

/* A grain that is told from all others by the instructions it has; its number as the recorder has
 * it is seen in the slot. */
static _Atomic long n_wrong, total;

static void
count(unsigned long n)
{
	struct wn_count_slot *slot = winnow_count_slot();
	n_wrong += slot->grain == 0;
	slot->count[WN_PROPERTY_instructions] += n;
	slot->count[WN_PROPERTY_mem_reads] += n / 2;
	slot->count[WN_PROPERTY_mem_writes] += n / 10;
	slot->count[WN_PROPERTY_footprint_lines] += n * 10;
	total += (long)n;
}

int
main(void)
{
#pragma omp parallel num_threads(3)
	{
#pragma omp single
		for (int i = 1; i <= 20; i++) {
#pragma omp task firstprivate(i)
			{
				unsigned long before = winnow_count_slot()->grain;
				count(1000UL * (unsigned long)i);
#pragma omp task firstprivate(i)
				count(10UL * (unsigned long)i);
#pragma omp taskwait
				n_wrong += winnow_count_slot()->grain != before;
				count(100000);
			}
		}
#pragma omp for schedule(dynamic, 1)
		for (int i = 1; i <= 10; i++)
			count(1000000UL * (unsigned long)i);
	}
	printf("%ld %ld\n", total, n_wrong);
	return 0;
}
