/* SPDX-License-Identifier: MIT */
#include "program.h"

#include "trace/trace_format.h"

#include <string.h>

/* splitmix64: every seed gives a good stream */
uint64_t
random_next(struct random *r)
{
	uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

enum where { IN_SERIAL, IN_REGION, IN_SINGLE, IN_TASK, IN_CHUNK };

struct maker {
	struct program *p;
	struct random random;
	const struct program_shape *shape;
	uint32_t left; /* operations that may still be made */
	uint32_t regions;
};

#define BODY_OPS_MAX 7u

static uint16_t make_body(struct maker *m, enum where where, uint32_t depth);

static struct op
make_work(struct maker *m, enum where where)
{
	struct op op = {.kind = OP_WORK, .ns = random_below(&m->random, 40)};
	bool may_vary = where == IN_CHUNK || (where == IN_REGION && !m->shape->is_plain);
	if (random_one_in(&m->random, 6))
		op.ns *= 20;
	if (may_vary && random_one_in(&m->random, 2))
		op.flags = OPF_VARY;
	return op;
}

static void
make_clauses(struct maker *m, struct op *op)
{
	static const uint8_t kinds[] = {WN_DEPEND_IN,
	                                WN_DEPEND_IN,
	                                WN_DEPEND_IN,
	                                WN_DEPEND_INOUT,
	                                WN_DEPEND_INOUT,
	                                WN_DEPEND_OUT,
	                                WN_DEPEND_MUTEXINOUTSET,
	                                WN_DEPEND_INOUTSET};
	op->n_clauses = (uint8_t)(1 + random_below(&m->random, CLAUSES_MAX));
	for (uint8_t i = 0; i < op->n_clauses; i++) {
		op->clauses[i].kind = kinds[random_below(&m->random, sizeof kinds)];
		op->clauses[i].address = (uint8_t)random_below(&m->random, 3);
	}
	if (random_one_in(&m->random, 12))
		op->clauses[0] = (struct clause){WN_DEPEND_ALL_MEMORY, 0};
}

static struct op
make_task(struct maker *m, uint32_t depth)
{
	struct op op = {.kind = OP_TASK, .ns = random_below(&m->random, 12)};
	if (!m->shape->is_plain) {
		op.flags |= random_one_in(&m->random, 8) ? OPF_UNDEFERRED : 0;
		op.flags |= random_one_in(&m->random, 12) ? OPF_FINAL : 0;
		op.flags |= random_one_in(&m->random, 4) ? OPF_UNTIED : 0;
	}
	op.flags |= random_one_in(&m->random, 8) ? OPF_INLINE : 0;
	if (m->shape->has_clauses && random_one_in(&m->random, 2))
		make_clauses(m, &op);
	op.flags |= m->shape->has_more && random_one_in(&m->random, 5) ? OPF_DETACH : 0;
	op.body = make_body(m, IN_TASK, depth + 1);
	return op;
}

static struct op
make_loop(struct maker *m, uint32_t depth)
{
	struct op op = {.kind = OP_LOOP,
	                .n = random_below(&m->random, 7),
	                .chunk = 1 + random_below(&m->random, 5),
	                .ns = random_below(&m->random, 6)};
	if (!m->shape->is_plain) {
		op.flags |= random_one_in(&m->random, 2) ? OPF_STATIC : 0;
		op.flags |= random_one_in(&m->random, 3) ? OPF_NOWAIT : 0;
		op.kind = random_one_in(&m->random, 4) ? OP_SHARE : OP_LOOP;
	}
	op.body = make_body(m, IN_CHUNK, depth + 1);
	return op;
}

static struct op
make_parallel(struct maker *m, uint32_t depth)
{
	struct op op = {.kind = OP_PARALLEL, .ns = random_below(&m->random, 9)};
	bool is_outer = m->regions++ == 0 || depth == 0;
	op.n = is_outer ? 1 + random_below(&m->random, 4) : 1 + random_below(&m->random, 2);
	if (is_outer && m->shape->team_size)
		op.n = m->shape->team_size;
	if (op.n == 1 && !m->shape->is_plain && random_one_in(&m->random, 3))
		op.flags = OPF_NO_BARRIER;
	op.body = make_body(m, IN_REGION, depth + 1);
	return op;
}

static struct op
make_construct(struct maker *m, uint32_t depth)
{
	struct op op = {.kind = OP_BARRIER};
	switch (random_below(&m->random, 6)) {
	case 0:
		return op;
	case 1:
		op = make_loop(m, depth);
		return op;
	case 2:
		op = (struct op){.kind = OP_SECTIONS,
		                 .n = random_below(&m->random, 4),
		                 .ns = random_below(&m->random, 6)};
		if (!m->shape->is_plain && random_one_in(&m->random, 3))
			op.flags = OPF_NOWAIT;
		op.body = make_body(m, IN_CHUNK, depth + 1);
		return op;
	default:
		op.kind = OP_SINGLE;
		if (!m->shape->is_plain && random_one_in(&m->random, 3))
			op.flags = OPF_NOWAIT;
		op.body = make_body(m, IN_SINGLE, depth + 1);
		return op;
	}
}

static struct op
make_tasking(struct maker *m, enum where where, uint32_t depth)
{
	struct op op = {.kind = OP_TASKWAIT};
	if (m->shape->has_clauses && random_one_in(&m->random, 12)) {
		op.kind = OP_WAIT_FOR;
		op.ns = random_below(&m->random, 4);
		make_clauses(m, &op);
		return op;
	}
	switch (random_below(&m->random, m->shape->is_plain ? 12 : 14)) {
	case 0:
	case 1:
	case 2:
		return op;
	case 3:
	case 4:
		op.kind = OP_GROUP;
		op.body = make_body(m, where == IN_REGION ? IN_TASK : where, depth + 1);
		return op;
	case 5:
		op = (struct op){.kind = OP_TASKLOOP,
		                 .n = 1 + random_below(&m->random, 4),
		                 .chunk = 1 + random_below(&m->random, 3),
		                 .ns = random_below(&m->random, 9)};
		op.body = make_body(m, IN_TASK, depth + 1);
		return op;
	case 12:
		return (struct op){.kind = OP_HELPER, .ns = random_below(&m->random, 9)};
	case 13:
		return (struct op){.kind = OP_SUSPEND};
	default:
		return make_task(m, depth);
	}
}

static struct op
make_op(struct maker *m, enum where where, uint32_t depth)
{
	uint32_t dice = random_below(&m->random, 10);
	struct op op = {0};
	bool may_task = !(m->shape->is_plain && where == IN_REGION);
	if (depth > 6 || m->left == 0 || dice < 3)
		return make_work(m, where);
	m->left--;
	if (m->shape->has_more && random_one_in(&m->random, 8)) {
		op.kind = random_one_in(&m->random, 3) ? OP_MUTEX : OP_FULFILL;
		op.n = random_below(&m->random, 2);
		op.ns = random_below(&m->random, 30);
		if (random_one_in(&m->random, 5) && (where == IN_CHUNK || where == IN_TASK))
			op.kind = OP_CANCEL;
		return op;
	}
	if (where == IN_SERIAL)
		return dice < 8 ? make_parallel(m, depth) : make_tasking(m, where, depth);
	if (where == IN_REGION && (dice < 8 || !may_task))
		return make_construct(m, depth);
	if (!m->shape->is_plain && depth < 5 && m->regions < 4 && random_one_in(&m->random, 12))
		return make_parallel(m, depth);
	return make_tasking(m, where, depth);
}

static uint16_t
make_body(struct maker *m, enum where where, uint32_t depth)
{
	struct op ops[BODY_OPS_MAX + 1];
	uint32_t n = 0, wanted = 1 + random_below(&m->random, BODY_OPS_MAX - 1);
	if (where == IN_SINGLE && m->shape->extra_ns && m->p->n_bodies < BODIES_MAX - 1) {
		struct program *p = m->p;
		p->ops[p->n_ops++] = (struct op){.kind = OP_WORK, .ns = m->shape->extra_ns};
		p->bodies[p->n_bodies] = (struct body){(uint16_t)(p->n_ops - 1), 1};
		ops[n++] = (struct op){.kind = OP_TASK, .body = (uint16_t)p->n_bodies++};
	}
	for (; wanted > 0 && m->p->n_bodies + 8 < BODIES_MAX; wanted--)
		ops[n++] = make_op(m, where, depth);
	struct program *p = m->p;
	if (p->n_ops + n > OPS_MAX - 8 || p->n_bodies >= BODIES_MAX)
		n = 0;
	memcpy(p->ops + p->n_ops, ops, n * sizeof *ops);
	p->bodies[p->n_bodies] = (struct body){(uint16_t)p->n_ops, (uint16_t)n};
	p->n_ops += n;
	return (uint16_t)p->n_bodies++;
}

void
program_make(struct program *p, uint64_t seed, const struct program_shape *shape)
{
	struct maker m = {.p = p, .random = {seed}, .shape = shape, .left = shape->size};
	memset(p, 0, sizeof *p);
	/* body 0 is empty: what is left of bodies for which there was no room */
	p->n_bodies = 1;
	p->main = make_body(&m, IN_SERIAL, 0);
	if (m.regions == 0) {
		struct op op = make_parallel(&m, 0);
		p->ops[p->n_ops] = op;
		p->bodies[p->n_bodies] = (struct body){(uint16_t)p->n_ops++, 1};
		p->main = (uint16_t)p->n_bodies++;
	}
}
