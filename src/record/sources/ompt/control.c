/* SPDX-License-Identifier: MIT */
/*
 * control.c - commands of the program by omp_control_tool(), from the runtime. Where this library
 * is preloaded its own omp_control_tool() is called instead (control/control.c), once there is
 * something to record.
 */
#include "record/control/control.h"
#include "record/sources/ompt/callbacks.h"
#include "record/sources/ompt/client.h"

#include <stdatomic.h>

bool
wn_ompt_shares_commands(void)
{
	/* acquire: as in both.c */
	return atomic_load_explicit(&client_callbacks[ompt_callback_control_tool],
	                            memory_order_acquire) != NULL;
}

/* Both numbers were int before the runtime made them wider. */
int
ompt_on_control_tool(uint64_t command, uint64_t modifier, void *arg, const void *codeptr)
{
	return wn_control((int)(int64_t)command, (int)(int64_t)modifier, arg,
	                  user_code_or_null(codeptr));
}
