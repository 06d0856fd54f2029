/* SPDX-License-Identifier: MIT */
/*
 * health.c - patients in a hierarchy of villages, in time steps.
 *
 * Each village has a hospital with a staff, and refers hard cases to the village above it.  In a
 * step a village first lets its sub-villages do theirs, one task each down to `depth` levels below
 * the root and plain calls deeper, and joins them with one taskwait; then it admits whom they
 * referred, in order of the sub-villages, and treats its own.  So each step makes
 * branch + ... + branch^depth tasks, all below one main task.  Each village has its own random
 * numbers: the outcome does not depend on the schedule.  Checked against a second, sequential run,
 * and by counting the patients.
 */
#include "bench.h"

/* Odds in 1000, and durations in steps. */
#define FALLS_ILL     2
#define NEEDS_BED     100
#define IS_HARD       150
#define ASSESS_STEPS  3
#define RECOVER_STEPS 12

struct patient {
	long steps_left;
	long n_referrals;
};

struct queue {
	struct patient *patient;
	long n;
	long capacity;
};

struct village {
	struct village *sub;
	long n_sub;
	long residents;
	long staff_free;
	bool is_root;
	uint64_t random;
	struct queue waiting;
	struct queue assessed;
	struct queue inside;
	struct queue referred; /* emptied by the village above */
	long n_fallen_ill;
	long n_sent_home;
	long n_recovered;
};

struct totals {
	long fallen_ill;
	long sent_home;
	long recovered;
	long present;
	uint64_t trace; /* hash over all villages' numbers */
};

static void
queue_push(struct queue *q, struct patient p)
{
	if (q->n == q->capacity) {
		q->capacity = q->capacity == 0 ? 8 : 2 * q->capacity;
		q->patient = realloc(q->patient, (size_t)q->capacity * sizeof(*q->patient));
		if (q->patient == NULL)
			abort();
	}
	q->patient[q->n++] = p;
}

static bool
happens(struct village *v, long per_mille)
{
	v->random = bench_hash(v->random);
	return (long)(v->random % 1000) < per_mille;
}

static void
village_init(struct village *v, long level, long branch, uint64_t seed)
{
	memset(v, 0, sizeof(*v));
	v->random = seed;
	v->residents = 40L << level;
	v->staff_free = 1L << level;
	v->n_sub = level == 0 ? 0 : branch;
	v->sub = bench_alloc((size_t)v->n_sub, sizeof(*v->sub));
	for (long i = 0; i < v->n_sub; i++)
		village_init(&v->sub[i], level - 1, branch, bench_hash(seed + (uint64_t)i));
}

static void
village_fini(struct village *v)
{
	for (long i = 0; i < v->n_sub; i++)
		village_fini(&v->sub[i]);
	free(v->sub);
	free(v->waiting.patient);
	free(v->assessed.patient);
	free(v->inside.patient);
	free(v->referred.patient);
}

/* Takes one step off everyone in q; calls done for those who have none left and removes them. */
static void
queue_step(struct village *v, struct queue *q, void (*done)(struct village *, struct patient))
{
	long kept = 0;

	for (long i = 0; i < q->n; i++) {
		struct patient p = q->patient[i];

		if (--p.steps_left > 0)
			q->patient[kept++] = p;
		else
			done(v, p);
	}
	q->n = kept;
}

static void
recover(struct village *v, struct patient p)
{
	(void)p;
	v->staff_free++;
	v->n_recovered++;
}

static void
decide(struct village *v, struct patient p)
{
	if (!happens(v, NEEDS_BED)) {
		v->staff_free++;
		v->n_sent_home++;
	} else if (!v->is_root && happens(v, IS_HARD)) {
		v->staff_free++;
		p.n_referrals++;
		queue_push(&v->referred, p);
	} else {
		p.steps_left = RECOVER_STEPS;
		queue_push(&v->inside, p);
	}
}

static void
admit(struct village *v)
{
	long n_taken = v->waiting.n < v->staff_free ? v->waiting.n : v->staff_free;

	for (long i = 0; i < n_taken; i++) {
		struct patient p = v->waiting.patient[i];

		p.steps_left = ASSESS_STEPS + p.n_referrals;
		queue_push(&v->assessed, p);
	}
	v->staff_free -= n_taken;
	for (long i = n_taken; i < v->waiting.n; i++)
		v->waiting.patient[i - n_taken] = v->waiting.patient[i];
	v->waiting.n -= n_taken;
}

static void
village_treat(struct village *v)
{
	for (long i = 0; i < v->n_sub; i++) {
		struct queue *from = &v->sub[i].referred;

		for (long k = 0; k < from->n; k++)
			queue_push(&v->waiting, from->patient[k]);
		from->n = 0;
	}
	queue_step(v, &v->inside, recover);
	queue_step(v, &v->assessed, decide);
	admit(v);
	for (long i = 0; i < v->residents; i++) {
		if (happens(v, FALLS_ILL)) {
			queue_push(&v->waiting, (struct patient){0, 0});
			v->n_fallen_ill++;
		}
	}
}

static void
village_step(struct village *v, long depth)
{
	for (long i = 0; i < v->n_sub; i++) {
		struct village *sub = &v->sub[i];

		if (depth == 0) {
			village_step(sub, 0);
			continue;
		}
#pragma omp task firstprivate(sub, depth)
		{
			count_task();
			village_step(sub, depth - 1);
		}
	}
	if (depth > 0 && v->n_sub > 0) {
		count_taskwait();
#pragma omp taskwait
	}
	village_treat(v);
}

static void
village_total(const struct village *v, struct totals *t)
{
	long present = v->waiting.n + v->assessed.n + v->inside.n + v->referred.n;

	t->fallen_ill += v->n_fallen_ill;
	t->sent_home += v->n_sent_home;
	t->recovered += v->n_recovered;
	t->present += present;
	t->trace = bench_hash(t->trace ^ v->random ^ (uint64_t)(present + 1000 * v->n_recovered));
	for (long i = 0; i < v->n_sub; i++)
		village_total(&v->sub[i], t);
}

static struct totals
country_close(struct village *root)
{
	struct totals t = {0, 0, 0, 0, 0};

	village_total(root, &t);
	village_fini(root);
	return t;
}

int
main(int argc, char **argv)
{
	struct bench_arg arg[] = {
	    {"levels", "levels of villages below the root", 4, 0, 10, NULL},
	    {"branch", "sub-villages of a village", 7, 1, 50, NULL},
	    {"steps", "time steps", 300, 1, 1000000, NULL},
	    {"depth", "levels of tasks below the main task", 2, 0, 10, NULL},
	    {"--seed", "of the random numbers", 23, 0, 1L << 40, NULL},
	};
	struct village country, twin;

	bench_parse(argc, argv, "Hospitals in a hierarchy of villages.", arg, 5);
	long levels = arg[0].value, branch = arg[1].value, steps = arg[2].value;
	long depth = arg[3].value;
	village_init(&country, levels, branch, (uint64_t)arg[4].value);
	village_init(&twin, levels, branch, (uint64_t)arg[4].value);
	country.is_root = twin.is_root = true;
	bench_begin();
#pragma omp parallel
#pragma omp single
	{
#pragma omp task shared(country) firstprivate(steps, depth)
		{
			count_task();
			for (long i = 0; i < steps; i++)
				village_step(&country, depth);
		}
		count_taskwait();
#pragma omp taskwait
	}
	bench_end();
	for (long i = 0; i < steps; i++)
		village_step(&twin, 0);
	struct totals t = country_close(&country), want = country_close(&twin);
	printf("%ld fell ill, %ld sent home, %ld recovered, %ld present\n", t.fallen_ill,
	       t.sent_home, t.recovered, t.present);
	return bench_finish(t.trace == want.trace && t.fallen_ill == want.fallen_ill &&
	                    t.fallen_ill == t.sent_home + t.recovered + t.present);
}
