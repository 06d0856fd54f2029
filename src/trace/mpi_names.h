/* SPDX-License-Identifier: MIT */
/* mpi_names.h - names of what struct wn_mpi_record has as numbers; also for the recorder. */
#pragma once

#include "trace/trace_format.h"

/* "single" to "multiple"; NULL = unknown. */
static inline const char *
wn_mpi_level_name(int32_t level)
{
	static const char *const names[] = {"single", "funneled", "serialized", "multiple"};
	return level >= 0 && level < 4 ? names[level] : NULL;
}

/* NULL = unknown. */
static inline const char *
wn_mpi_abi_name(uint32_t abi)
{
	static const char *const names[WN_MPI_ABI_N] = {[WN_MPI_ABI_OPEN_MPI] = "Open MPI",
	                                                [WN_MPI_ABI_MPICH] = "MPICH",
	                                                [WN_MPI_ABI_5] = "MPI-5"};
	return abi < WN_MPI_ABI_N ? names[abi] : NULL;
}
