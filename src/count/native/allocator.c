/* SPDX-License-Identifier: MIT */
/* allocator.c - finds calls of the memory allocator in the program's code, directly or through a
 * stub of the linker (endbr64; jmp *slot). */
#include "count/native/context.h"
#include "count/native/modules.h"

#include <string.h>

#define ALLOCATOR(name) extern const uint8_t name[] __attribute__((weak, visibility("default")))
ALLOCATOR(malloc);
ALLOCATOR(calloc);
ALLOCATOR(realloc);
ALLOCATOR(aligned_alloc);
ALLOCATOR(memalign);
ALLOCATOR(posix_memalign);
ALLOCATOR(free);
ALLOCATOR(_Znwm);
ALLOCATOR(_Znam);
ALLOCATOR(_ZnwmSt11align_val_t);
ALLOCATOR(_ZnamSt11align_val_t);
ALLOCATOR(_ZdlPv);
ALLOCATOR(_ZdlPvm);
ALLOCATOR(_ZdaPv);
ALLOCATOR(_ZdaPvm);

/* Those that return a block come first. */
#define N_RETURNING 9u

static bool
is_allocator(uint64_t address, bool is_returning)
{
	const uint8_t *const all[] = {malloc,
	                              calloc,
	                              realloc,
	                              aligned_alloc,
	                              memalign,
	                              _Znwm,
	                              _Znam,
	                              _ZnwmSt11align_val_t,
	                              _ZnamSt11align_val_t,
	                              free,
	                              posix_memalign,
	                              _ZdlPv,
	                              _ZdlPvm,
	                              _ZdaPv,
	                              _ZdaPvm};
	size_t n = is_returning ? N_RETURNING : sizeof all / sizeof all[0];
	for (size_t i = 0; i < n; i++)
		if (all[i] && (uintptr_t)all[i] == address)
			return true;
	return false;
}

static uint64_t
read_slot(uint64_t slot)
{
	uint64_t value = 0;
	if (wn_native_is_readable((const void *)(uintptr_t)slot, sizeof value))
		memcpy(&value, (const void *)(uintptr_t)slot, sizeof value);
	return value;
}

#define CODE_BYTES_READ 16u

/* Where a call of this address ends up. */
static uint64_t
behind_stub(uint64_t address)
{
	static const uint8_t endbr[] = {0xf3, 0x0f, 0x1e, 0xfa};
	struct code code;
	uint8_t bytes[CODE_BYTES_READ];
	int32_t distance;
	if (!wn_native_find_code(address, &code) ||
	    !wn_native_find_code(address + sizeof bytes, &code))
		return address;
	memcpy(bytes, (const void *)(uintptr_t)address, sizeof bytes);
	size_t i = memcmp(bytes, endbr, sizeof endbr) == 0 ? sizeof endbr : 0;
	i += bytes[i] == 0xf2; /* bnd */
	if (bytes[i] != 0xff || bytes[i + 1] != 0x25)
		return address;
	memcpy(&distance, bytes + i + 2, sizeof distance);
	return read_slot(address + i + 6 + (uint64_t)(int64_t)distance);
}

bool
wn_native_calls_allocator(const struct insn *s)
{
	if (s->flow == FLOW_CALL || s->flow == FLOW_JUMP)
		return is_allocator(behind_stub(s->target), false);
	return (s->flow == FLOW_CALL_TO || s->flow == FLOW_JUMP_TO) && s->modrm_at &&
	       is_allocator(read_slot(s->where), false);
}

bool
wn_native_is_after_allocation(uint64_t pc)
{
	struct code code;
	uint8_t bytes[6];
	int32_t distance;
	if (!wn_native_find_code(pc - sizeof bytes, &code))
		return false;
	memcpy(bytes, (const void *)(uintptr_t)(pc - sizeof bytes), sizeof bytes);
	memcpy(&distance, bytes + 2, sizeof distance);
	uint64_t to = pc + (uint64_t)(int64_t)distance;
	if (bytes[0] == 0xff && bytes[1] == 0x15)
		return is_allocator(read_slot(to), true);
	return bytes[1] == 0xe8 && is_allocator(behind_stub(to), true);
}
