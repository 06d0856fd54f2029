/* SPDX-License-Identifier: MIT */
/* trampolines.c - code shared by all of a thread's translated code: entry to the engine and back,
 * and lookup of indirect branch targets. */
#include "count/native/emit.h"

static void
emit_push_field(struct emitter *e, int32_t field)
{
	emit_8(e, 0xff);
	emit_8(e, 0x35);
	emit_distance(e, (uint8_t *)e->c + field, 0);
}

static void
emit_pop_field(struct emitter *e, int32_t field)
{
	emit_8(e, 0x8f);
	emit_8(e, 0x05);
	emit_distance(e, (uint8_t *)e->c + field, 0);
}

/* Calls an engine function with the context. */
static void
emit_engine(struct emitter *e, uintptr_t function)
{
	emit_lea_field(e, RSP, CONTEXT_OFFSET(stack[STACK_ENGINE_BYTES - 64]));
	emit_lea_field(e, RDI, 0);
	emit_value(e, RAX, function);
	emit_8(e, 0xff); /* call rax */
	emit_8(e, 0xd0);
}

/* Loads all registers from the context and jumps to the target. */
static void
make_resume(struct emitter *e)
{
	e->c->trampoline_resume = e->at;
	emit_8(e, 0x48); /* cmp qword [is_pending], 0 */
	emit_8(e, 0x83);
	emit_8(e, 0x3d);
	emit_distance(e, &e->c->is_pending, 1);
	emit_8(e, 0);
	e->c->trampoline_resume_checked = e->at;
	emit_8(e, 0x74); /* je */
	uint8_t *distance = e->at;
	emit_8(e, 0);
	emit_engine(e, (uintptr_t)wn_native_deliver);
	emit_jump(e, e->c->trampoline_resume);
	*distance = (uint8_t)(e->at - distance - 1);
	emit_set(e, CONTEXT_OFFSET(is_inside), 0);
	emit_lea_field(e, RSP, CONTEXT_OFFSET(stack[STACK_ENGINE_BYTES - 64]));
	emit_push_field(e, CONTEXT_OFFSET(flags));
	emit_8(e, 0x9d); /* popfq */
	for (unsigned r = RAX; r < REG_N; r++)
		if (r != RSP)
			emit_load(e, r, CONTEXT_OFFSET(gpr) + (int32_t)(8 * r));
	emit_load(e, RSP, CONTEXT_OFFSET(gpr[RSP]));
	emit_jump_field(e, CONTEXT_OFFSET(target));
	e->c->trampoline_resume_end = e->at;
}

/* Entry from a signal: the registers are already in the context. */
static void
make_enter(struct emitter *e)
{
	e->c->trampoline_enter = e->at;
	emit_engine(e, (uintptr_t)wn_native_dispatch);
	emit_jump(e, e->c->trampoline_resume);
}

/* rax: the exit; its program value is in scratch[0]. */
static void
make_exit(struct emitter *e)
{
	e->c->trampoline_exit = e->at;
	emit_store(e, CONTEXT_OFFSET(exit), RAX);
	emit_set(e, CONTEXT_OFFSET(is_inside), 1);
	emit_load(e, RAX, CONTEXT_OFFSET(scratch[0]));
	for (unsigned r = RAX; r < REG_N; r++)
		emit_store(e, CONTEXT_OFFSET(gpr) + (int32_t)(8 * r), r);
	emit_lea_field(e, RSP, CONTEXT_OFFSET(stack[STACK_ENGINE_BYTES - 64]));
	emit_8(e, 0x9c); /* pushfq */
	emit_pop_field(e, CONTEXT_OFFSET(flags));
	/* push 0x202, popfq: clears the direction flag and alignment checks, which this code cannot
	 * run under */
	emit_bytes(e, (const uint8_t[]){0x68, 0x02, 0x02, 0x00, 0x00, 0x9d}, 6);
	emit_engine(e, (uintptr_t)wn_native_dispatch);
	emit_jump(e, e->c->trampoline_resume);
}

/* rcx: the target; its program value is in scratch[1]. */
static void
make_indirect(struct emitter *e, enum account account)
{
	e->c->trampoline_indirect[account] = e->at;
	emit_store(e, CONTEXT_OFFSET(scratch[0]), RAX);
	emit_store(e, CONTEXT_OFFSET(scratch[2]), RDX);
	emit_store(e, CONTEXT_OFFSET(pc), RCX);
	emit_8(e, 0x0f); /* movzx eax, cx */
	emit_8(e, 0xb7);
	emit_8(e, 0xc1);
	emit_lea_field(e, RDX,
	               CONTEXT_OFFSET(places) +
	                   (int32_t)(sizeof(struct place) << TABLE_BITS) * (int32_t)account);
	emit_bytes(e, (const uint8_t[]){0x48, 0x8d, 0x04, 0x00}, 4); /* lea rax, [rax + rax] */
	emit_bytes(e, (const uint8_t[]){0x48, 0x8d, 0x14, 0xc2}, 4); /* lea rdx, [rdx + rax * 8] */
	emit_bytes(e, (const uint8_t[]){0x48, 0x8b, 0x02}, 3);       /* mov rax, [rdx] */
	emit_bytes(e, (const uint8_t[]){0x48, 0x8d, 0x0c, 0x01}, 4); /* lea rcx, [rcx + rax] */
	emit_8(e, 0xe3);                                             /* jrcxz hit */
	uint8_t *distance = e->at;
	emit_8(e, 0);
	emit_load(e, RDX, CONTEXT_OFFSET(scratch[2]));
	emit_load(e, RCX, CONTEXT_OFFSET(scratch[1]));
	emit_lea_field(e, RAX, CONTEXT_OFFSET(exit_indirect));
	emit_jump(e, e->c->trampoline_exit);
	*distance = (uint8_t)(e->at - distance - 1);
	emit_bytes(e, (const uint8_t[]){0x48, 0x8b, 0x42, 0x08}, 4); /* mov rax, [rdx + 8] */
	emit_store(e, CONTEXT_OFFSET(target), RAX);
	emit_load(e, RDX, CONTEXT_OFFSET(scratch[2]));
	emit_load(e, RCX, CONTEXT_OFFSET(scratch[1]));
	emit_load(e, RAX, CONTEXT_OFFSET(scratch[0]));
	emit_jump_field(e, CONTEXT_OFFSET(target));
}

void
wn_native_make_trampolines(struct context *c)
{
	struct emitter e = {c->code_next, c};
	c->exit_indirect.kind = EXIT_INDIRECT;
	make_resume(&e);
	make_enter(&e);
	make_exit(&e);
	for (enum account w = ACCOUNT_USER; w < ACCOUNTS_N; w++)
		make_indirect(&e, w);
	c->trampolines_end = c->code_next = e.at;
}
