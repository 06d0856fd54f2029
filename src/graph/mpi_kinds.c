/* SPDX-License-Identifier: MIT */
/*
 * mpi_kinds.c - what functions of MPI do, by name.
 */
#include "graph/messages.h"

#include <stdlib.h>
#include <string.h>

struct kind_name {
	const char
	    *name; /* without "MPI_", without the "I" of a call that only starts it, and "_c" */
	enum wn_mpi_kind kind;
};

/* sorted by name */
static const struct kind_name kinds[] = {
    {"Accumulate", WN_MPI_ONE_SIDED},
    {"Allgather", WN_MPI_TO_ALL},
    {"Allgatherv", WN_MPI_TO_ALL},
    {"Allreduce", WN_MPI_TO_ALL},
    {"Alltoall", WN_MPI_TO_ALL},
    {"Alltoallv", WN_MPI_TO_ALL},
    {"Alltoallw", WN_MPI_TO_ALL},
    {"Barrier", WN_MPI_TO_ALL},
    {"Bcast", WN_MPI_FROM_ROOT},
    {"Bsend", WN_MPI_SEND},
    {"Cancel", WN_MPI_OTHER},
    {"Comm_accept", WN_MPI_OTHER},
    {"Comm_connect", WN_MPI_OTHER},
    {"Comm_create", WN_MPI_TO_ALL},
    {"Comm_disconnect", WN_MPI_TO_ALL},
    {"Comm_dup", WN_MPI_TO_ALL},
    {"Comm_dup_with_info", WN_MPI_TO_ALL},
    {"Comm_idup", WN_MPI_OTHER},
    {"Comm_idup_with_info", WN_MPI_OTHER},
    {"Comm_spawn", WN_MPI_OTHER},
    {"Comm_spawn_multiple", WN_MPI_OTHER},
    {"Comm_split", WN_MPI_TO_ALL},
    {"Comm_split_type", WN_MPI_TO_ALL},
    {"Compare_and_swap", WN_MPI_ONE_SIDED},
    {"Exscan", WN_MPI_TO_ALL},
    {"Fetch_and_op", WN_MPI_ONE_SIDED},
    {"File_close", WN_MPI_OTHER},
    {"File_open", WN_MPI_OTHER},
    {"File_read_all", WN_MPI_OTHER},
    {"File_read_at_all", WN_MPI_OTHER},
    {"File_write_all", WN_MPI_OTHER},
    {"File_write_at_all", WN_MPI_OTHER},
    {"Finalize", WN_MPI_WORLD},
    {"Gather", WN_MPI_TO_ROOT},
    {"Gatherv", WN_MPI_TO_ROOT},
    {"Get", WN_MPI_ONE_SIDED},
    {"Get_accumulate", WN_MPI_ONE_SIDED},
    {"Init", WN_MPI_WORLD},
    {"Init_thread", WN_MPI_WORLD},
    {"Intercomm_create", WN_MPI_OTHER},
    {"Intercomm_merge", WN_MPI_OTHER},
    {"Mprobe", WN_MPI_OTHER},
    {"Mrecv", WN_MPI_OTHER},
    {"Neighbor_allgather", WN_MPI_OTHER},
    {"Neighbor_allgatherv", WN_MPI_OTHER},
    {"Neighbor_alltoall", WN_MPI_OTHER},
    {"Neighbor_alltoallv", WN_MPI_OTHER},
    {"Neighbor_alltoallw", WN_MPI_OTHER},
    {"Precv_init", WN_MPI_PERSISTENT},
    {"Psend_init", WN_MPI_PERSISTENT},
    {"Put", WN_MPI_ONE_SIDED},
    {"Raccumulate", WN_MPI_ONE_SIDED},
    {"Recv", WN_MPI_RECEIVE},
    {"Reduce", WN_MPI_TO_ROOT},
    {"Reduce_scatter", WN_MPI_TO_ALL},
    {"Reduce_scatter_block", WN_MPI_TO_ALL},
    {"Rget", WN_MPI_ONE_SIDED},
    {"Rget_accumulate", WN_MPI_ONE_SIDED},
    {"Rput", WN_MPI_ONE_SIDED},
    {"Rsend", WN_MPI_SEND},
    {"Scan", WN_MPI_TO_ALL},
    {"Scatter", WN_MPI_FROM_ROOT},
    {"Scatterv", WN_MPI_FROM_ROOT},
    {"Send", WN_MPI_SEND},
    {"Sendrecv", WN_MPI_SEND_RECEIVE},
    {"Sendrecv_replace", WN_MPI_SEND_RECEIVE},
    {"Session_init", WN_MPI_OTHER},
    {"Ssend", WN_MPI_SYNCHRONOUS_SEND},
    {"Start", WN_MPI_PERSISTENT},
    {"Startall", WN_MPI_PERSISTENT},
    {"Test", WN_MPI_COMPLETE},
    {"Testall", WN_MPI_COMPLETE},
    {"Testany", WN_MPI_COMPLETE},
    {"Testsome", WN_MPI_COMPLETE},
    {"Wait", WN_MPI_COMPLETE},
    {"Waitall", WN_MPI_COMPLETE},
    {"Waitany", WN_MPI_COMPLETE},
    {"Waitsome", WN_MPI_COMPLETE},
    {"Win_allocate", WN_MPI_ONE_SIDED},
    {"Win_complete", WN_MPI_ONE_SIDED},
    {"Win_create", WN_MPI_ONE_SIDED},
    {"Win_fence", WN_MPI_ONE_SIDED},
    {"Win_flush", WN_MPI_ONE_SIDED},
    {"Win_flush_all", WN_MPI_ONE_SIDED},
    {"Win_free", WN_MPI_ONE_SIDED},
    {"Win_lock", WN_MPI_ONE_SIDED},
    {"Win_lock_all", WN_MPI_ONE_SIDED},
    {"Win_post", WN_MPI_ONE_SIDED},
    {"Win_start", WN_MPI_ONE_SIDED},
    {"Win_unlock", WN_MPI_ONE_SIDED},
    {"Win_unlock_all", WN_MPI_ONE_SIDED},
    {"Win_wait", WN_MPI_ONE_SIDED},
};

static int
by_name(const void *key, const void *entry)
{
	return strcmp(key, ((const struct kind_name *)entry)->name);
}

static const struct kind_name *
find_kind(const char *name)
{
	return bsearch(name, kinds, sizeof kinds / sizeof *kinds, sizeof *kinds, by_name);
}

enum wn_mpi_kind
wn_mpi_kind_of(const char *name)
{
	char stem[64];
	size_t n = name ? strlen(name) : 0;
	if (n < 5 || n >= sizeof stem || strncmp(name, "MPI_", 4) != 0)
		return WN_MPI_LOCAL;
	memcpy(stem, name + 4, n - 4 + 1);
	n -= 4;
	if (n > 2 && strcmp(stem + n - 2, "_c") == 0)
		stem[n - 2] = '\0';
	const struct kind_name *found = find_kind(stem);
	if (!found && stem[0] == 'I' && stem[1]) { /* "Isend": Send */
		stem[1] = (char)(stem[1] - 'a' + 'A');
		found = find_kind(stem + 1);
	}
	return found ? found->kind : WN_MPI_LOCAL;
}
