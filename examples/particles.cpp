/* SPDX-License-Identifier: MIT */
/*
 * particles.cpp - C++: a task per cell of a vector, in a range-for, with very uneven cells.
 *
 * Problem   The forces in each cell take the square of its particles.  Nearly all cells hold a few,
 *           whose task is not worth creating; a few hold very many, and the largest, last in the
 *           vector, is started when everything else is done and runs alone.
 * Winnow    the tasks of step() fall in two groups: most have a parallel benefit below 1, and one
 *           grain per step, far above the median, is alone at the end of the critical path (its
 *           instantaneous parallelism is 1).
 * Fix       cut by work, not by cell: large cells in several tasks by ranges of their particles,
 *           small ones together in one.
 */
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace
{

struct cell {
	std::vector<double> at;
	std::vector<double> force;
};

constexpr std::size_t n_cells = 3000;
constexpr int n_steps = 16;

std::vector<cell>
make_cells()
{
	std::vector<cell> cells(n_cells);

	for (std::size_t c = 0; c < n_cells; c++) {
		std::size_t n = c + 1 == n_cells ? 2000 : c % 300 == 7 ? 500 : 3 + c % 5;

		for (std::size_t i = 0; i < n; i++)
			cells[c].at.push_back(static_cast<double>(c) +
			                      static_cast<double>(i) / static_cast<double>(n));
		cells[c].force.assign(n, 0.0);
	}
	return cells;
}

/* The forces on particles first..last-1 of the cell. */
void
forces(cell &c, std::size_t first, std::size_t last)
{
	for (std::size_t i = first; i < last; i++) {
		double sum = 0;

		for (double other : c.at) {
			double d = c.at[i] - other;

			sum += d / (0.01 + std::sqrt(d * d));
		}
		c.force[i] += sum;
	}
}

#ifdef FIXED
constexpr std::size_t big = 100;

void
step(std::vector<cell> &cells)
{
	for (cell &c : cells) {
		std::size_t n = c.at.size();

		for (std::size_t first = 0; n > big && first < n; first += big) {
#pragma omp task firstprivate(first, n) shared(c)
			forces(c, first, first + big < n ? first + big : n);
		}
	}
#pragma omp task shared(cells)
	for (cell &c : cells)
		if (c.at.size() <= big)
			forces(c, 0, c.at.size());
#pragma omp taskwait
}
#else
void
step(std::vector<cell> &cells)
{
	for (cell &c : cells) {
#pragma omp task shared(c)
		forces(c, 0, c.at.size());
	}
#pragma omp taskwait
}
#endif

} /* namespace */

int
main()
{
	std::vector<cell> cells = make_cells();
	double total = 0;

#pragma omp parallel
#pragma omp single
	for (int s = 0; s < n_steps; s++)
		step(cells);
	for (const cell &c : cells)
		for (double f : c.force)
			total += std::fabs(f);
	std::printf("checksum %.6f\n", total);
	return 0;
}
