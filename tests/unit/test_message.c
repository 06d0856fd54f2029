/* SPDX-License-Identifier: MIT */
#include "cli/message.h"
#include "tap.h"

#include <string.h>

static void
check(uint64_t size_bytes, const char *expected)
{
	char text[16];
	ok(strcmp(message_bytes(size_bytes, text), expected) == 0, "%llu bytes read as \"%s\"",
	   (unsigned long long)size_bytes, expected);
}

int
main(void)
{
	check(0, "0 B");
	check(999, "999 B");
	check(1000, "1.0 kB");
	check(12345678, "12.3 MB");
	check(999949, "999.9 kB");
	check(999951, "1.0 MB");
	check(UINT64_MAX, "18.4 EB");
	return done();
}
