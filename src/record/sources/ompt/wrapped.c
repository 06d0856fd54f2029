/* SPDX-License-Identifier: MIT */
/* wrapped.c - access to data that wrappers of the runtime's entry points leave for callbacks
 * (source.h): callbacks read it without calling a wrapper. */
#include "record/sources/ompt/source.h"

bool wn_ompt_taskloop_wrapped;
_Atomic int64_t wn_ompt_taskloop_base = TASKLOOP_BASE_UNSEEN;
bool wn_ompt_has_device_code;
__thread bool wn_ompt_in_wait __attribute__((tls_model("initial-exec")));

/* kmp_depend_info_t */
struct kmp_depend_info {
	uintptr_t address; /* 0 = none; all ones = all memory, with some compilers */
	size_t len;
	uint8_t flags;
};

enum kmp_depend_flag {
	KMP_DEPEND_IN = 1,
	KMP_DEPEND_OUT = 2,
	KMP_DEPEND_INOUT = 3,
	KMP_DEPEND_MUTEXINOUTSET = 4,
	KMP_DEPEND_INOUTSET = 8,
	KMP_DEPEND_ALL_MEMORY = 0x80
};

static void
depend_write(struct wn_thread *t, const struct kmp_depend_info *depend)
{
	static const uint8_t map[] = {
	    [KMP_DEPEND_IN] = WN_DEPEND_IN,
	    [KMP_DEPEND_OUT] = WN_DEPEND_OUT,
	    [KMP_DEPEND_INOUT] = WN_DEPEND_INOUT,
	    [KMP_DEPEND_MUTEXINOUTSET] = WN_DEPEND_MUTEXINOUTSET,
	    [KMP_DEPEND_INOUTSET] = WN_DEPEND_INOUTSET,
	};

	if (depend->flags == KMP_DEPEND_ALL_MEMORY || depend->address == UINTPTR_MAX)
		wn_ev_depend(t, WN_DEPEND_ALL_MEMORY, NULL);
	else if (depend->flags < sizeof map && map[depend->flags])
		wn_ev_depend(t, (enum wn_depend_kind)map[depend->flags], (void *)depend->address);
}

/* Like libomp, which treats an address of 0 in the first list as no clause. */
void
source_depends_write(struct wn_thread *t, const struct wn_depends *depends)
{
	for (int k = 0; k < 2; k++)
		for (int32_t i = 0; i < depends->n[k]; i++) {
			const struct kmp_depend_info *depend = &depends->list[k][i];
			if (k == 1 || depend->address || depend->flags == KMP_DEPEND_ALL_MEMORY)
				depend_write(t, depend);
		}
}
