/* SPDX-License-Identifier: MIT */
/* cxx.cpp - cases in C++. */
#include "case.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

/* fault cxx_mutex | contended_mutex unexplained blocked_time | gcc clang | - | a std::mutex held over work that needs none */
#ifdef CASE_cxx_mutex
static std::mutex mutex;
static uint64_t sum;

static void
run_case(void)
{
#pragma omp parallel for schedule(static) /* here: cxx_mutex */
	for (int i = 0; i < 300; i++) {
		uint64_t value = 0;
		if (IF_FIXED(true, false))
			value = work(uint64_t(i), 400 * US);
		std::lock_guard<std::mutex> guard(mutex); /* here: cxx_mutex */
		sum += IF_FIXED(value, work(uint64_t(i), 400 * US));
	}
	keep(sum);
}
#endif

/* fault cxx_push | contended_mutex | gcc clang | - | push_back to one vector under critical */
#ifdef CASE_cxx_push
static void
run_case(void)
{
	std::vector<uint64_t> all;
#pragma omp parallel
	{
		std::vector<uint64_t> own;
#pragma omp for schedule(static)
		for (int i = 0; i < 300000; i++) {
			uint64_t value = work(uint64_t(i), 20);
#ifdef FIXED
			own.push_back(value);
#else
#pragma omp critical /* here: cxx_push */
			all.push_back(value);
#endif
		}
#pragma omp critical(once)
		all.insert(all.end(), own.begin(), own.end());
	}
	keep(all[5]);
}
#endif

/* fault cxx_map | small_tasks one_producer | gcc clang | - | a task for each element of a map */
#ifdef CASE_cxx_map
static void
run_case(void)
{
	std::map<int, uint64_t> values;
	for (int i = 0; i < 10000; i++)
		values[i] = uint64_t(i);
#pragma omp parallel
#pragma omp single /* here: cxx_map */
	for (int r = 0; r < 20; r++) {
#ifdef FIXED
		std::vector<uint64_t *> list;
		for (auto &entry : values)
			list.push_back(&entry.second);
#pragma omp taskloop grainsize(1000)
		for (size_t i = 0; i < list.size(); i++)
			*list[i] = work(*list[i], 50);
#else
		for (auto &entry : values) {
			uint64_t *value = &entry.second;
#pragma omp task firstprivate(value) /* here: cxx_map */
			*value = work(*value, 50);
		}
#pragma omp taskwait
#endif
	}
	keep(values[5]);
}
#endif

/* fault cxx_rows | uneven_loop uneven_region | gcc clang | - | static schedule over rows of different lengths */
#ifdef CASE_cxx_rows
static void
run_case(void)
{
	std::vector<std::vector<uint64_t>> rows(600);
	for (size_t i = 0; i < rows.size(); i++)
		rows[i].resize(i < 100 ? 1200 : 60, i);
#ifdef FIXED
#pragma omp parallel for schedule(dynamic, 2)
#else
#pragma omp parallel for schedule(static) /* here: cxx_rows */
#endif
	for (size_t i = 0; i < rows.size(); i++)
		for (auto &value : rows[i])
			value = work(value, US);
	keep(rows[5][3]);
}
#endif

/* fault cxx_lambda | wait_after_each_task | gcc clang | - | a helper that starts a task and waits for it */
#ifdef CASE_cxx_lambda
template <typename Body>
static void
spawn(Body body)
{
#pragma omp task firstprivate(body) /* here: cxx_lambda */
	body();
#ifndef FIXED
#pragma omp taskwait
#endif
}

static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 100; i++)
		spawn([i] { keep(work(uint64_t(i), 1000 * US)); });
}
#endif

/* fault cxx_recursion | small_tasks | gcc clang | - | a template that sums a range by tasks down to four elements */
#ifdef CASE_cxx_recursion
template <typename T>
static T
sum(const T *a, size_t n)
{
	if (n <= 4) {
		T s{};
		for (size_t i = 0; i < n; i++)
			s += work(a[i], 6);
		return s;
	}
	T left{}, right{};
	if (IF_FIXED(n < 8000, false))
		return sum(a, n / 2) + sum(a + n / 2, n - n / 2);
#pragma omp task shared(left) /* here: cxx_recursion */
	left = sum(a, n / 2);
	right = sum(a + n / 2, n - n / 2);
#pragma omp taskwait
	return left + right;
}

static void
run_case(void)
{
	std::vector<uint64_t> values(400000, 3);
#pragma omp parallel
#pragma omp single
	keep(sum(values.data(), values.size()));
}
#endif

/* sound cxx_tasks | - | gcc clang | - | coarse tasks over the parts of a vector */
#ifdef CASE_cxx_tasks
static void
run_case(void)
{
	std::vector<uint64_t> values(100000);
#pragma omp parallel
#pragma omp single
	for (size_t from = 0; from < values.size(); from += 500)
#pragma omp task shared(values)
		for (size_t i = from; i < from + 500; i++)
			values[i] = work(i, US);
	keep(values[9]);
}
#endif

/* sound cxx_loop | - | gcc clang | - | a loop over iterators with a user-defined reduction */
#ifdef CASE_cxx_loop
struct largest {
	uint64_t value = 0;
};
#pragma omp declare reduction(most : largest : omp_out.value =                                      \
                              omp_in.value > omp_out.value ? omp_in.value : omp_out.value)

static void
run_case(void)
{
	std::vector<uint64_t> values(100000, 7);
	largest best;
#pragma omp parallel for reduction(most : best) schedule(static)
	for (auto at = values.begin(); at < values.end(); ++at)
		best.value = std::max(best.value, work(*at, US));
	keep(best.value);
}
#endif

/* fault vector_counts | false_sharing work_inflation | gcc clang | - | a vector of counters, one for each thread */
#ifdef CASE_vector_counts
static void
run_case()
{
	std::vector<long> counts((size_t)omp_get_max_threads() * 16);
	std::vector<int> data(400000, 3);
#pragma omp parallel /* here: vector_counts */
	{
		size_t me = (size_t)omp_get_thread_num() * IF_FIXED(16, 1);
		for (int r = 0; r < 100; r++)
#pragma omp for
			for (size_t i = 0; i < data.size(); i++)
				if (data[i] & 1)
					counts[me]++; /* here: vector_counts */
	}
	keep((uint64_t)counts[0]);
}
#endif

/* fault shared_pointer | contended_atomic work_inflation | gcc clang | - | a shared pointer copied in each iteration */
#ifdef CASE_shared_pointer
__attribute__((noinline)) static void
use(IF_FIXED(const std::shared_ptr<long> &, std::shared_ptr<long>) p)
{
	if (*p == 42)
		keep(7);
}
static void
run_case()
{
	auto p = std::make_shared<long>(3);
#pragma omp parallel for /* here: shared_pointer */
	for (int i = 0; i < 6000000; i++)
		use(p); /* here: shared_pointer */
}
#endif

/* fault firstprivate_vector | task_creation small_tasks one_producer | gcc clang | - | tasks get a copy of a vector */
#ifdef CASE_firstprivate_vector
static void
run_case()
{
	std::vector<double> x(20000, 1.5);
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 3000; i++)
#ifdef FIXED
#pragma omp task shared(x)
#else
#pragma omp task firstprivate(x) /* here: firstprivate_vector */
#endif
		keep(work((uint64_t)x[(size_t)i], 20 * US));
}
#endif

/* fault own_barrier | busy_wait | gcc clang | - | a class of the program is the barrier; the threads' parts are unequal */
#ifdef CASE_own_barrier
class Barrier {
	std::atomic<int> arrived{0}, generation{0};
	int n;

    public:
	explicit Barrier(int threads) : n(threads) {}
	void wait()
	{
		int mine = generation.load();
		if (arrived.fetch_add(1) + 1 == n) {
			arrived = 0;
			generation++;
		} else {
			while (generation.load() == mine) /* here: own_barrier */
				;                         /* here: own_barrier */
		}
	}
};

static void
run_case(void)
{
	Barrier barrier(omp_get_max_threads());
#pragma omp parallel
	for (int step = 0; step < 30; step++) {
		int share = omp_get_thread_num() == 0 ? 4 : 1;
		keep(work(1, IF_FIXED(2500, 1000 * share) * US));
		barrier.wait();
	}
}
#endif

/* fault giant_document | uneven_loop | gcc clang | - | one element of a vector of vectors is larger than all others */
#ifdef CASE_giant_document
static void
run_case()
{
	std::vector<std::vector<int>> documents(100);
	for (size_t i = 0; i < documents.size(); i++)
		documents[i].assign(i == 71 ? 80000 : 400, (int)i);
#ifdef FIXED
	for (const auto &document : documents)
#pragma omp parallel for schedule(static)
		for (size_t k = 0; k < document.size(); k++)
			keep(work((uint64_t)document[k], US));
#else
#pragma omp parallel for schedule(dynamic) /* here: giant_document */
	for (size_t i = 0; i < documents.size(); i++)
		for (int word : documents[i])
			keep(work((uint64_t)word, US));
#endif
}
#endif

/* fault cxx_bins | contended_atomic | gcc clang | - | a histogram with few bins, which all threads count into by atomics */
#ifdef CASE_cxx_bins
#include <atomic>
#include <vector>

class histogram {
	std::vector<std::atomic<long>> bins;

public:
	explicit histogram(size_t n) : bins(n) {}
	void add(size_t bin, long n) { bins[bin].fetch_add(n, std::memory_order_relaxed); } /* here: cxx_bins */
};

static void
run_case(void)
{
	std::vector<uint16_t> values(4000000);
	histogram all(16);
	for (size_t i = 0; i < values.size(); i++)
		values[i] = (i * 2654435761u) >> 20 & 15;
#pragma omp parallel
	{
		std::vector<long> own(16);
#pragma omp for
		for (size_t i = 0; i < values.size(); i++)
			IF_FIXED(own[values[i]]++, all.add(values[i], 1));
		for (size_t i = 0; i < own.size(); i++)
			all.add(i, own[i]);
	}
}
#endif

/* fault cxx_registry | busy_wait blocked_time contended_mutex | gcc clang | - | each visit takes one mutex */
#ifdef CASE_cxx_registry
class registry {
	std::mutex mutex;
	std::vector<long> visits = std::vector<long>(64);

public:
	__attribute__((noinline)) void visit(size_t room)
	{
		std::lock_guard<std::mutex> guard(mutex); /* here: cxx_registry */
		visits[room % visits.size()]++;
	}
	long total() const { return visits[0]; }
};

static void
run_case(void)
{
	registry all;
#pragma omp parallel /* here: cxx_registry */
	{
		registry own;
#pragma omp for schedule(static)
		for (int i = 0; i < 1500000; i++)
			IF_FIXED(own, all).visit(size_t(i) * 2654435761u >> 8);
	}
	keep(uint64_t(all.total()));
}
#endif
