/* SPDX-License-Identifier: MIT */
/* Loops. */
#include "../../programs/several.h"
#include "../conformance.h"

// construct: for, auto
// expect: loops=1
// range: 0 18
// limit libgomp: loops,range: static
// limit pomp2: range: chunks and iterations
// place: implicit @implicit=1..
PROGRAM(for_auto)
{
#pragma omp parallel // @implicit
	{
#pragma omp for schedule(auto)
		for (int i = 0; i < 18; i++)
			work();
	}
	return done();
}

// construct: for, collapse
// expect: loops=1 chunks=4
// expect ompt: chunks=(T==1)?1:4
// range: 0 20
// limit pomp2: chunks,range,place: chunks and iterations
// place: implicit @implicit=1..
PROGRAM(for_collapse)
{
#pragma omp parallel // @implicit
	{
#pragma omp for collapse(2) schedule(dynamic, 5)
		for (int i = 0; i < 5; i++)
			for (int k = 0; k < 4; k++)
				work();
	}
	return done();
}

// construct: parallel for
// expect: parallel_regions=1 loops=1 chunks=5
// expect ompt: chunks=(T==1)?1:5
// range: 0 18
// limit pomp2: chunks,range,place: chunks and iterations
// place: implicit @implicit=1..
PROGRAM(for_combined)
{
#pragma omp parallel for schedule(dynamic, 4) // @implicit
	for (int i = 0; i < 18; i++)
		work();
	return done();
}

// construct: for, negative step
// expect: loops=1 chunks=5
// expect ompt: chunks=(T==1)?1:5
// range: 0 9
// limit pomp2: chunks,range,place: chunks and iterations
// place: implicit @implicit=1..
PROGRAM(for_down)
{
#pragma omp parallel // @implicit
	{
#pragma omp for schedule(dynamic, 2)
		for (int i = 20; i > 2; i -= 2)
			work();
	}
	return done();
}

// construct: for, dynamic
// expect: loops=1 chunks=5
// expect ompt: chunks=(T==1)?1:5
// place: chunk @loop=5
// place ompt: chunk @loop=(T==1)?1:5
// limit pomp2: chunks,range,place: chunks and iterations
// range: 0 18
PROGRAM(for_dynamic)
{
#pragma omp parallel
	{
		work();
#pragma omp for schedule(dynamic, 4) // @loop
		for (int i = 0; i < 18; i++) {
			work();
		}
	}
	return done();
}

// construct: for, dynamic, chunk size 1
// expect: loops=1 chunks=18
// expect ompt: chunks=(T==1)?1:18
// place: chunk @loop=18
// place ompt: chunk @loop=(T==1)?1:18
// limit pomp2: chunks,range,place: chunks and iterations
// range: 0 18
PROGRAM(for_dynamic_1)
{
#pragma omp parallel
	{
		work();
#pragma omp for schedule(dynamic) // @loop
		for (int i = 0; i < 18; i++) {
			work();
		}
	}
	return done();
}

// construct: for, guided
// expect: loops=1
// range: 0 40
// limit pomp2: range: chunks and iterations
// place: implicit @implicit=1..
PROGRAM(for_guided)
{
#pragma omp parallel // @implicit
	{
#pragma omp for schedule(guided, 2)
		for (int i = 0; i < 40; i++)
			work();
	}
	return done();
}

// construct: for, linear and lastprivate
// expect: loops=1 chunks=3
// expect ompt: chunks=(T==1)?1:3
// range: 0 12
// limit pomp2: chunks,range,place: chunks and iterations
// place: implicit @implicit=1..
PROGRAM(for_linear)
{
	int last = 0, step = 0;
#pragma omp parallel // @implicit
	{
#pragma omp for schedule(dynamic, 4) lastprivate(last) linear(step : 2)
		for (int i = 0; i < 12; i++) {
			work();
			last = i;
			step += 2;
		}
	}
	(void)last; /* clang loses both values now and then, recorded or not */
	(void)step;
	return done();
}

// construct: for, nowait
// expect: loops=2 chunks=18
// expect ompt: chunks=(T==1)?2:18
// limit pomp2: chunks: chunks and iterations
// place: implicit @implicit=1..
PROGRAM(for_nowait)
{
#pragma omp parallel // @implicit
	{
#pragma omp for schedule(dynamic, 2) nowait
		for (int i = 0; i < 18; i++)
			work();
#pragma omp for schedule(dynamic, 2) nowait
		for (int i = 0; i < 18; i++)
			work();
	}
	return done();
}

// construct: for, ordered
// expect: loops=1 chunks=9
// expect ompt: chunks=(T==1)?1:9
// place: chunk @loop=9
// place ompt: chunk @loop=(T==1)?1:9
// events: MUTEX_WAIT ordered=18
// limit pomp2: chunks,range,place: chunks and iterations
// range: 0 18
PROGRAM(for_ordered)
{
#pragma omp parallel
	{
		work();
#pragma omp for ordered schedule(dynamic, 2) // @loop
		for (int i = 0; i < 18; i++) {
#pragma omp ordered
			work();
		}
	}
	return done();
}

// construct: for, reduction
// expect: loops=1 chunks=3
// expect ompt: chunks=(T==1)?1:3
// range: 0 12
// limit pomp2: chunks,range,place: chunks and iterations
// place: implicit @implicit=1..
PROGRAM(for_reduction)
{
	int sum = 0;
#pragma omp parallel // @implicit
	{
#pragma omp for schedule(dynamic, 4) reduction(+ : sum)
		for (int i = 0; i < 12; i++) {
			work();
			sum += i;
		}
	}
	expect(sum == 66);
	return done();
}

// construct: for, runtime
// expect: loops=1 chunks=6
// expect ompt: chunks=(T==1)?1:6
// range: 0 18
// limit pomp2: chunks,range,place: chunks and iterations
// place: implicit @implicit=1..
PROGRAM(for_runtime)
{
	omp_set_schedule(omp_sched_dynamic, 3);
#pragma omp parallel // @implicit
	{
#pragma omp for schedule(runtime)
		for (int i = 0; i < 18; i++)
			work();
	}
	return done();
}

// construct: for, static: one share for each thread
// expect: loops=1 chunks=T
// limit libgomp: loops,chunks,range: static
// limit pomp2: chunks,range,place: chunks and iterations
// range: 0 18
// place: implicit @implicit=1..
PROGRAM(for_static)
{
#pragma omp parallel // @implicit
	{
		work();
#pragma omp for schedule(static) // @loop
		for (int i = 0; i < 18; i++) {
			work();
		}
	}
	return done();
}

// construct: for, static, N
// expect: loops=1 chunks=5
// expect ompt: chunks=(T==1)?1:5
// limit libgomp: loops,chunks,range: static
// limit pomp2: chunks,range,place: chunks and iterations
// range: 0 18
// place: implicit @implicit=1..
PROGRAM(for_static_n)
{
#pragma omp parallel // @implicit
	{
		work();
#pragma omp for schedule(static, 4) // @loop
		for (int i = 0; i < 18; i++) {
			work();
		}
	}
	return done();
}

// construct: for, unsigned variable
// expect: loops=1 chunks=3
// expect ompt: chunks=(T==1)?1:3
// range: 0 12
// limit pomp2: chunks,range,place: chunks and iterations
// place: implicit @implicit=1..
PROGRAM(for_unsigned)
{
#pragma omp parallel // @implicit
	{
#pragma omp for schedule(dynamic, 4)
		for (unsigned i = 4000000000u; i < 4000000012u; i++)
			work();
	}
	return done();
}

// construct: for, 64-bit variable
// expect: loops=1 chunks=3
// expect ompt: chunks=(T==1)?1:3
// range: 0 12
// limit pomp2: chunks,range,place: chunks and iterations
// place: implicit @implicit=1..
PROGRAM(for_wide)
{
#pragma omp parallel // @implicit
	{
#pragma omp for schedule(dynamic, 4)
		for (unsigned long long i = 18000000000000000000ull; i < 18000000000000000012ull;
		     i++)
			work();
	}
	return done();
}

// construct: for, no iteration
// expect: loops=0..1 chunks=0
// limit pomp2: chunks: chunks and iterations
PROGRAM(for_zero)
{
	int n = zero();
#pragma omp parallel
	{
#pragma omp for schedule(dynamic, 4)
		for (int i = 0; i < n; i++)
			work();
	}
	return done();
}
