/* SPDX-License-Identifier: MIT */
/*
 * target.c - programs that carry code for devices register it with libomptarget before they start.
 * What runs there is another runtime's, and not recorded: the first region says so
 * (sources/ompt/regions.c).
 */
#include "record/sources/libomp/libomp.h"

WN_EXPORT void __tgt_register_lib(void *description);
WN_REAL(void, __tgt_register_lib, void *)

void
__tgt_register_lib(void *description)
{
	wn_ompt_has_device_code = true;
	__tgt_register_lib_real()(description);
}
