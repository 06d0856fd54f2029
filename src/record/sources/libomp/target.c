/* SPDX-License-Identifier: MIT */
/* target.c - detects code for devices, which programs register with libomptarget before they start.
 * Code on devices belongs to another runtime and is not recorded, which the first region notes
 * (sources/ompt/regions.c). */
#include "record/sources/libomp/libomp.h"

WN_EXPORT void __tgt_register_lib(void *description);
WN_REAL(void, __tgt_register_lib, void *)

void
__tgt_register_lib(void *description)
{
	wn_ompt_has_device_code = true;
	__tgt_register_lib_real(description)(description);
}
