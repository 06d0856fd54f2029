/* SPDX-License-Identifier: MIT */
/* C++: firstprivate objects are copied and destroyed as without the recorder; methods as sites. */
// EXPECT: tasks 100
// EXPECT: begun 108
// EXPECT: taskloop_tasks 8
// EXPECT: undeferred 50
#include <atomic>
#include <vector>

static std::atomic<int> n_live, n_bad;

struct thing {
	std::vector<int> values;
	const thing *self;
	explicit thing(int n) : values(n, n), self(this) { n_live++; }
	thing(const thing &other) : values(other.values), self(this) { n_live++; }
	~thing() { n_live--; }
	void check(int n) const { n_bad += self != this || (int)values.size() != n; }
	void run(int n)
	{
#pragma omp task firstprivate(n)
		check(n);
#pragma omp taskwait
	}
};

int
main()
{
	{
		thing first(9);
#pragma omp parallel
#pragma omp single
		{
			for (int i = 1; i <= 25; i++) {
				thing a(i);
#pragma omp task firstprivate(a, i)
				a.check(i);
#pragma omp task firstprivate(a, i) if (0)
				a.check(i);
				a.run(i);
#pragma omp task firstprivate(first) if (0)
				first.check(9);
			}
#pragma omp taskloop firstprivate(first) num_tasks(8)
			for (int i = 0; i < 16; i++)
				first.check(9);
		}
	}
	return n_live != 0 || n_bad != 0;
}
