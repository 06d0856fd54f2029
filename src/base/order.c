/* SPDX-License-Identifier: MIT */
#include "base/order.h"

#include "base/mem.h"

#include <string.h>

bool
wn_order(void *at, size_t n, size_t size_bytes, bool (*is_before)(const void *a, const void *b))
{
	char *from = at, *to, *room;
	if (n < 2)
		return true;
	if (!(room = wn_calloc(n, size_bytes)))
		return false;
	to = room;
	for (size_t step = 1; step < n; step *= 2) {
		for (size_t begin = 0; begin < n; begin += 2 * step) {
			size_t a = begin, a_end = n - begin < step ? n : begin + step;
			size_t b = a_end, b_end = n - a_end < step ? n : a_end + step;
			for (size_t k = begin; k < b_end; k++) {
				bool is_b =
				    a == a_end || (b < b_end && is_before(from + b * size_bytes,
				                                          from + a * size_bytes));
				memcpy(to + k * size_bytes, from + (is_b ? b++ : a++) * size_bytes,
				       size_bytes);
			}
		}
		char *swap = from;
		from = to;
		to = swap;
	}
	if (from != at)
		memcpy(at, from, n * size_bytes);
	wn_free(room);
	return true;
}

#define SELECT(name, number)                                                                       \
	number name(number *values, size_t n, size_t k)                                            \
	{                                                                                          \
		size_t low = 0, high = n - 1;                                                      \
		while (low < high) {                                                               \
			number pivot = values[low + (high - low) / 2];                             \
			size_t i = low, j = high;                                                  \
			for (;;) {                                                                 \
				while (values[i] < pivot)                                          \
					i++;                                                       \
				while (values[j] > pivot)                                          \
					j--;                                                       \
				if (i >= j)                                                        \
					break;                                                     \
				number swap = values[i];                                           \
				values[i++] = values[j];                                           \
				values[j--] = swap;                                                \
			}                                                                          \
			if (k <= j)                                                                \
				high = j;                                                          \
			else                                                                       \
				low = j + 1;                                                       \
		}                                                                                  \
		return values[k];                                                                  \
	}

SELECT(wn_order_select, uint64_t)
SELECT(wn_order_select_short, uint32_t)

#define COMPARE(name, type)                                                                        \
	int name(const void *left, const void *right)                                              \
	{                                                                                          \
		type a = *(const type *)left, b = *(const type *)right;                            \
		return (a > b) - (a < b);                                                          \
	}

COMPARE(wn_compare_u64, uint64_t)
COMPARE(wn_compare_u32, uint32_t)
COMPARE(wn_compare_double, double)
