/* SPDX-License-Identifier: MIT */
/* doacross.c - ordered depend(sink): an iteration waits for others. OMPT reports it when the wait
 * is over; the wrapper observes its begin. No mutex is held, so the record contains none. */
#include "record/sources/libomp/libomp.h"

WN_EXPORT void __kmpc_doacross_wait(struct kmp_ident *loc, int32_t gtid, const int64_t *iteration);
WN_REAL(void, __kmpc_doacross_wait, struct kmp_ident *, int32_t, const int64_t *)

void
__kmpc_doacross_wait(struct kmp_ident *loc, int32_t gtid, const int64_t *iteration)
{
	struct wn_thread *t = recorded_thread();

	if (t)
		wn_ev_mutex_wait(t, wn_clock(), user_code_or_null(__builtin_return_address(0)),
		                 WN_MUTEX_DOACROSS, 0);
	__kmpc_doacross_wait_real(loc)(loc, gtid, iteration);
	if (t)
		wn_ev_mutex_acquired(t, wn_clock());
}
