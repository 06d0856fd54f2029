/* SPDX-License-Identifier: MIT */
/* throws.cpp - exceptions through frames that clean up, virtual calls, containers of the library. */
#include "told.h"

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

struct counter {
	long *at;
	explicit counter(long *where) : at(where)
	{
	}
	~counter()
	{
		++*at;
	}
};

struct shape {
	virtual ~shape() = default;
	virtual long area(long n) const = 0;
};

struct square : shape {
	long area(long n) const override
	{
		if (n < 0)
			throw std::invalid_argument("negative");
		return n * n;
	}
};

struct bar : shape {
	long area(long n) const override
	{
		return 3 * n;
	}
};

static long
deep(const shape &s, long n, long depth, long *gone)
{
	counter own(gone);
	long before = *gone;
	if (depth == 0)
		return s.area(n);
	long sum = deep(s, n, depth - 1, gone) + 1;
	return sum + *gone - before;
}

int
main()
{
	long gone = 0, caught = 0;
	square a;
	bar b;
	told_nothing();
	for (long i = -5; i < 6; i++) {
		try {
			const shape &s = i % 2 ? static_cast<const shape &>(a) : b;
			caught += deep(s, i, 4, &gone);
			told("returned", caught);
		} catch (const std::exception &e) {
			caught += static_cast<long>(e.what()[0]);
			told("caught", caught);
		}
	}
	std::vector<long> numbers;
	for (long i = 0; i < 100; i++)
		numbers.push_back(i * i % 17);
	std::map<long, long> times;
	for (long n : numbers)
		times[n]++;
	told("library", static_cast<long>(times.size()) + gone);
	return 0;
}
