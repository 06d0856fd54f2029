/* SPDX-License-Identifier: MIT */
/* oracle_sets.cc - what a thread has touched, in sets of the standard library. */
#include <cstdint>
#include <set>

extern "C" {
int oracle_new_line(uint64_t line);
int oracle_new_address(uint64_t address);
void oracle_empty(void);
}

static thread_local std::set<uint64_t> lines, addresses;

int
oracle_new_line(uint64_t line)
{
	return lines.insert(line).second;
}

int
oracle_new_address(uint64_t address)
{
	return addresses.insert(address).second;
}

void
oracle_empty(void)
{
	lines.clear();
	addresses.clear();
}
