/* SPDX-License-Identifier: MIT */
/*
 * communicator.c - communicators have handles that differ from rank to rank and are reused. Here
 * each gets a number in the process, and an identity that all of its members compute alike: a hash
 * of its members' ranks in MPI_COMM_WORLD, and how many communicators of the same members were made
 * before. Making one is collective, so its members agree on that order. Only
 * local functions of MPI are called.
 *
 * Not known, and so no message of them is matched: intercommunicators, those made by MPI_Comm_idup
 * or got from MPI_Comm_get_parent, and all beyond COMMUNICATORS_MAX at a time.
 */
#include "record/mpi/layer.h"

#include "base/mix.h"

#include <stdatomic.h>

#define COMMUNICATORS_MAX 512u
#define SLOTS_N           1024u /* a power of two */
#define SETS_MAX          1024u
#define RANKS_AT_ONCE     128
#define FREED             ((layer_word)-1)

/* By handle, open addressing; 0 = never used. A slot that was used stays used. */
static struct {
	_Atomic layer_word handle;
	_Atomic uint64_t number;
} slots[SLOTS_N];

/* Sets of members, and how many communicators of each there were. Under the lock. */
static struct {
	uint64_t members, n;
} sets[SETS_MAX];
static uint32_t n_sets, n_used;
static uint64_t n_numbers;
static atomic_flag lock = ATOMIC_FLAG_INIT;

typedef layer_word words_1(layer_word a1);
typedef layer_word words_2(layer_word a1, layer_word a2);
typedef layer_word words_5(layer_word a1, layer_word a2, layer_word a3, layer_word a4,
                           layer_word a5);

static size_t
first_slot(layer_word handle)
{
	return (size_t)wn_mix(0, (uint64_t)handle) & (SLOTS_N - 1);
}

bool
layer_communicator(layer_word handle, uint64_t *number)
{
	if (layer_abi() == WN_MPI_ABI_MPICH)
		handle = (layer_word)(uint32_t)handle;
	*number = 0;
	if (handle == layer_world())
		return true;
	for (size_t i = first_slot(handle), n = 0; n < SLOTS_N; i = (i + 1) & (SLOTS_N - 1), n++) {
		/* acquire: pairs with the release in add_slot() */
		layer_word at = atomic_load_explicit(&slots[i].handle, memory_order_acquire);
		if (at == 0)
			return false;
		if (at == handle) {
			*number = atomic_load_explicit(&slots[i].number, memory_order_relaxed);
			return true;
		}
	}
	return false;
}

/* Under the lock. Returns the number, 0 if there is no room. */
static uint64_t
add_slot(layer_word handle)
{
	size_t i = first_slot(handle), n = 0;
	layer_word at;
	while (n < SLOTS_N && (at = atomic_load(&slots[i].handle)) != 0 && at != FREED) {
		i = (i + 1) & (SLOTS_N - 1);
		n++;
	}
	if (n == SLOTS_N || n_used >= COMMUNICATORS_MAX)
		return 0;
	n_used++;
	atomic_store_explicit(&slots[i].number, ++n_numbers, memory_order_relaxed);
	atomic_store_explicit(&slots[i].handle, handle, memory_order_release);
	return n_numbers;
}

static void
free_slot(layer_word handle)
{
	for (size_t i = first_slot(handle), n = 0; n < SLOTS_N; i = (i + 1) & (SLOTS_N - 1), n++) {
		layer_word at = atomic_load(&slots[i].handle);
		if (at == 0)
			return;
		if (at == handle) {
			atomic_store(&slots[i].handle, FREED);
			n_used--;
			return;
		}
	}
}

/* Under the lock. Returns how many communicators of these members came before; false: unknown. */
static bool
count_set(uint64_t members, uint64_t *n_before)
{
	uint32_t i = 0;
	while (i < n_sets && sets[i].members != members)
		i++;
	if (i == SETS_MAX)
		return false;
	n_sets += i == n_sets;
	sets[i].members = members;
	*n_before = sets[i].n++;
	return true;
}

/* Hash of the ranks in MPI_COMM_WORLD of the members of a group. */
static bool
hash_members(layer_word group, layer_word all, int size, uint64_t *out)
{
	const void *caller = __builtin_return_address(0);
	words_5 *translate = (words_5 *)layer_find("PMPI_Group_translate_ranks", caller);
	int ranks[RANKS_AT_ONCE], in_world[RANKS_AT_ONCE];
	*out = (uint64_t)size;
	for (int from = 0; translate && from < size; from += RANKS_AT_ONCE) {
		int n = size - from < RANKS_AT_ONCE ? size - from : RANKS_AT_ONCE;
		for (int i = 0; i < n; i++)
			ranks[i] = from + i;
		if ((int)translate(group, n, (layer_word)ranks, all, (layer_word)in_world) != 0)
			return false;
		for (int i = 0; i < n; i++) {
			if (in_world[i] < 0) /* of another world */
				return false;
			*out = wn_mix(*out, (uint64_t)in_world[i]);
		}
	}
	return translate != NULL;
}

static bool
ask(const char *name, layer_word handle, void *out)
{
	words_2 *real = (words_2 *)layer_find(name, __builtin_return_address(0));
	return real && (int)real(handle, (layer_word)out) == 0;
}

static void
describe(layer_word handle)
{
	int is_inter = 1, size = 0, rank = -1;
	layer_word group = 0, all = 0;
	uint64_t members, n_before, number = 0;
	words_1 *free_group = (words_1 *)layer_find("PMPI_Group_free", __builtin_return_address(0));
	if (!free_group || !ask("PMPI_Comm_test_inter", handle, &is_inter) || is_inter ||
	    !ask("PMPI_Comm_size", handle, &size) || !ask("PMPI_Comm_rank", handle, &rank) ||
	    !ask("PMPI_Comm_group", handle, &group))
		return;
	bool is_known =
	    ask("PMPI_Comm_group", layer_world(), &all) && hash_members(group, all, size, &members);
	(void)free_group((layer_word)&group);
	if (all)
		(void)free_group((layer_word)&all);
	if (!is_known)
		return;
	while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
		continue;
	if (count_set(members, &n_before))
		number = add_slot(handle);
	atomic_flag_clear_explicit(&lock, memory_order_release);
	if (number)
		layer_hooks->communicator(number, wn_mix(members, n_before), (uint32_t)rank,
		                          (uint32_t)size);
}

void
layer_communicators_start(void)
{
	layer_word self = layer_self();
	if (self)
		describe(self);
}

void
layer_communicator_before(enum layer_call call, const layer_word *argument)
{
	if (call != LAYER_Comm_free && call != LAYER_Comm_disconnect)
		return;
	while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
		continue;
	free_slot(layer_handle_at(argument[1], 0));
	atomic_flag_clear_explicit(&lock, memory_order_release);
}

static bool
makes_one(enum layer_call call)
{
	static const bool is_maker[LAYER_N] = {
	    [LAYER_Comm_dup] = true,
	    [LAYER_Comm_dup_with_info] = true,
	    [LAYER_Comm_split] = true,
	    [LAYER_Comm_split_type] = true,
	    [LAYER_Comm_create] = true,
	    [LAYER_Comm_create_group] = true,
	    [LAYER_Cart_create] = true,
	    [LAYER_Cart_sub] = true,
	    [LAYER_Graph_create] = true,
	    [LAYER_Dist_graph_create] = true,
	    [LAYER_Dist_graph_create_adjacent] = true,
	    [LAYER_Intercomm_merge] = true,
	};
	return is_maker[call];
}

void
layer_communicator_after(enum layer_call call, const layer_word *argument)
{
	if (!makes_one(call) || layer_abi() == WN_MPI_ABI_UNKNOWN)
		return;
	layer_word handle = layer_handle_at(argument[layer_n_arguments[call]], 0);
	if (!layer_is_null_communicator(handle))
		describe(handle);
}
