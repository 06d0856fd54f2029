/* SPDX-License-Identifier: MIT */
/*
 * fuzz_trace.c - bytes as they are. Rules V1 to V5 reject most inputs, which is what is tested.
 * The sum of the bytes says which view of what is left to make.
 */
#include "harness.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
	unsigned sum = 0;
	for (size_t i = 0; i < size_bytes; i++)
		sum += bytes[i];
	harness_run(bytes, size_bytes, sum);
	return 0;
}
