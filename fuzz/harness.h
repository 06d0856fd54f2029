/* SPDX-License-Identifier: MIT */
/*
 * harness.h - what every fuzz entry does with bytes that may be a trace: open it, read all its
 * streams and facts, build the graph, prove it, name its grains, free everything.
 *
 * The bytes may ask for more memory than a machine has (a block header may claim any number of
 * ids), which is no defect; such inputs are left early. A law that every graph
 * must obey, whatever its trace went through, and that this one breaks, is one, and so is anything
 * still allocated at the end: both abort.
 */
#ifndef WN_FUZZ_HARNESS_H
#define WN_FUZZ_HARNESS_H

#include <stddef.h>
#include <stdint.h>

/* Ids and regions, and threads, above which an input is not looked at further. */
#define HARNESS_IDS_MAX     (1u << 20)
#define HARNESS_THREADS_MAX 256u

extern uint64_t harness_sum;

void harness_run(const uint8_t *bytes, size_t size_bytes);

/* The entry point of libFuzzer, which each fuzz_*.c defines. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

#endif /* WN_FUZZ_HARNESS_H */
