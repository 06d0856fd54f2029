/* SPDX-License-Identifier: MIT */
/* abi.c - the ABI of the program's MPI: the handles and levels that differ; and how the process
 * uses MPI. MPICH's ABI is that of Intel MPI, Cray MPICH and MVAPICH, too. */
#include "record/mpi/layer.h"

#include "record/resolve.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#define MPICH_COMM_WORLD 0x44000000
#define MPICH_COMM_SELF  0x44000001
#define MPICH_COMM_NULL  0x04000000
#define MPI_5_COMM_WORLD 0x101
#define MPI_5_COMM_SELF  0x102
#define MPI_5_COMM_NULL  0x100
#define MPI_5_LEVELS     1024 /* thread levels are multiples of this */
#define VERSION_BYTES    8192 /* MPICH's is the largest MPI_MAX_LIBRARY_VERSION_STRING */

typedef layer_word one_word(layer_word a1);
typedef layer_word two_words(layer_word a1, layer_word a2);

static _Atomic int abi = -1;
static _Atomic layer_word world; /* MPI_COMM_WORLD */
static _Atomic layer_word self;  /* MPI_COMM_SELF; 0: unknown */
static _Atomic layer_word null;  /* MPI_COMM_NULL; 0: unknown */
static _Atomic(two_words *) type_size;
static struct wn_mpi_record use = {.rank = -1, .size = -1, .required = -1, .provided = -1};

/* MPICH and its derivatives have no symbol that names them. */
static bool
is_mpich(const void *caller)
{
	static char text[VERSION_BYTES];
	int n_bytes = 0;
	two_words *version = (two_words *)layer_find("PMPI_Get_library_version", caller);
	if (!version || (int)version((layer_word)text, (layer_word)&n_bytes) != 0)
		return false;
	text[sizeof text - 1] = '\0';
	return strstr(text, "MPICH") || strstr(text, "Intel(R) MPI") || strstr(text, "MVAPICH");
}

/* An object of the library that has the function `real`; the executable may have a copy of it,
 * which the library then uses, too. */
static void *
find_object(const char *name, const void *real)
{
	void *found = dlsym(RTLD_DEFAULT, name);
	return found || !real ? found : wn_resolve_beside(real, name);
}

static enum wn_mpi_abi
find_abi(const void *caller)
{
	layer_function *found = layer_find("PMPI_Comm_rank", caller);
	const void *real;
	memcpy(&real, &found, sizeof real);
	void *open_mpi_world = find_object("ompi_mpi_comm_world", real);
	if (open_mpi_world) {
		world = (layer_word)open_mpi_world;
		self = (layer_word)find_object("ompi_mpi_comm_self", real);
		null = (layer_word)find_object("ompi_mpi_comm_null", real);
		return WN_MPI_ABI_OPEN_MPI;
	}
	if (real && wn_resolve_beside(real, "MPI_Abi_get_version")) {
		world = MPI_5_COMM_WORLD;
		self = MPI_5_COMM_SELF;
		null = MPI_5_COMM_NULL;
		return WN_MPI_ABI_5;
	}
	world = MPICH_COMM_WORLD;
	self = MPICH_COMM_SELF;
	null = MPICH_COMM_NULL;
	return is_mpich(caller) ? WN_MPI_ABI_MPICH : WN_MPI_ABI_UNKNOWN;
}

enum wn_mpi_abi
layer_abi(void)
{
	/* acquire: pairs with the release below; all threads find the same */
	int known = atomic_load_explicit(&abi, memory_order_acquire);
	if (known >= 0)
		return (enum wn_mpi_abi)known;
	const void *caller = __builtin_return_address(0);
	enum wn_mpi_abi found = find_abi(caller);
	type_size = (two_words *)layer_find("PMPI_Type_size", caller);
	atomic_store_explicit(&abi, (int)found, memory_order_release);
	return found;
}

int64_t
layer_type_bytes(layer_word datatype)
{
	int bytes = -1;
	if (!type_size || (int)type_size(datatype, (layer_word)&bytes) != 0)
		return -1;
	return bytes;
}

layer_word
layer_world(void)
{
	return layer_abi() != WN_MPI_ABI_UNKNOWN ? world : 0;
}

layer_word
layer_self(void)
{
	return layer_abi() != WN_MPI_ABI_UNKNOWN ? self : 0;
}

bool
layer_is_null_communicator(layer_word handle)
{
	return layer_abi() == WN_MPI_ABI_UNKNOWN || handle == 0 || handle == null;
}

layer_word
layer_handle_at(layer_word array, size_t i)
{
	if (layer_abi() == WN_MPI_ABI_MPICH)
		return (layer_word)((const uint32_t *)array)[i];
	return ((const layer_word *)array)[i];
}

/* Calls PMPI_`name`(MPI_COMM_WORLD, int *); -1 on failure. */
static int32_t
query_world(const char *name, const void *caller)
{
	int value = -1;
	two_words *real = (two_words *)layer_find(name, caller);
	return real && (int)real(world, (layer_word)&value) == 0 ? value : -1;
}

static int32_t
level_of(int level)
{
	if (use.abi == WN_MPI_ABI_5)
		level /= MPI_5_LEVELS;
	return level >= 0 && level <= 3 ? level : -1;
}

void
layer_initialised(int required, int provided)
{
	const void *caller = __builtin_return_address(0);
	use.abi = layer_abi();
	if (use.abi != WN_MPI_ABI_UNKNOWN) {
		use.rank = query_world("PMPI_Comm_rank", caller);
		use.size = query_world("PMPI_Comm_size", caller);
	}
	one_word *query = (one_word *)layer_find("PMPI_Query_thread", caller);
	if (provided < 0 && query)
		(void)query((layer_word)&provided);
	use.required = level_of(required);
	use.provided = level_of(provided);
	layer_hooks->used(&use);
	layer_communicators_start();
}

void
layer_ends(uint32_t flags, int abort_code)
{
	use.flags |= flags;
	use.abort_code = abort_code;
	layer_hooks->used(&use);
}
