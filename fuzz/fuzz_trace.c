/* SPDX-License-Identifier: MIT */
/*
 * fuzz_trace.c - bytes as they are. Rules V1 to V5 reject most inputs, which is what is tested.
 */
#include "harness.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
	harness_run(bytes, size_bytes);
	return 0;
}
