/* SPDX-License-Identifier: MIT */
/* What OPARI2 cannot take, or does not mark. */
#include "../../programs/several.h"
#include "../conformance.h"

// construct: for, doacross
// expect: loops=1 chunks=9
// expect ompt: chunks=(T==1)?1:9
// events: MUTEX_WAIT doacross=8..9
// na pomp2: OPARI2 cannot process it, which winnow cc reports
// place: implicit @implicit=1..
PROGRAM(for_doacross)
{
	int x[10] = {0};
#pragma omp parallel // @implicit
	{
#pragma omp for ordered(1) schedule(dynamic, 1)
		for (int i = 1; i < 10; i++) {
			work();
#pragma omp ordered depend(sink : i - 1)
			x[i] = x[i - 1] + 1;
#pragma omp ordered depend(source)
		}
	}
	expect(x[9] == 9);
	return done();
}

// na pomp2: OPARI2 cannot process it, which winnow cc reports
// construct: for, reduction(task)
// expect: loops=1 chunks=3 explicit_tasks=12
// expect ompt: chunks=(T==1)?1:3
// limit pomp2: chunks: chunks and iterations
// place: implicit @implicit=1..
// place: task @task2=1..
PROGRAM(for_task_reduction)
{
	int sum = 0;
#pragma omp parallel // @implicit
	{
#pragma omp for schedule(dynamic, 4) reduction(task, + : sum)
		for (int i = 0; i < 12; i++) {
#pragma omp task in_reduction(+ : sum) // @task2
			sum += i;
		}
	}
	expect(sum == 66);
	return done();
}

// construct: reduction, combined by atomic instructions
// expect: parallel_regions=1
// env: KMP_FORCE_REDUCTION=atomic
// events: (MUTEX_WAIT atomic|SYNC_BEGIN reduction)=T
// limit libgomp: events: reduction
// limit ompt: events: reduction
// na pomp2: reductions are clauses, which OPARI2 does not mark
PROGRAM(reduction_atomic)
{
	int sum = 0;
#pragma omp parallel reduction(+ : sum)
	sum++;
	expect(sum > 0);
	return done();
}
