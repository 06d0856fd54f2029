/* SPDX-License-Identifier: MIT */
/* test_event_files.c - events that the kernel lists in files, in a folder made like the kernel's.
 */
#include "cli/event_files.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void
put(const char *path, const char *text)
{
	FILE *to = fopen(path, "we");
	if (!to || fputs(text, to) < 0 || fclose(to) != 0)
		abort();
}

static void
make_unit(const char *unit, const char *type, bool has_cpus)
{
	char path[256];
	snprintf(path, sizeof path, "%s", unit);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/events", unit);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/type", unit);
	put(path, type);
	snprintf(path, sizeof path, "%s/%s", unit, has_cpus ? "cpus" : "cpumask");
	put(path, "0-3\n");
}

static bool
finds(const char *name, uint32_t type, uint64_t config)
{
	uint32_t found_type = 99;
	uint64_t found_config = 99;
	return event_file_find(".", name, &found_type, &found_config) && found_type == type &&
	       found_config == config;
}

static bool
finds_none(const char *name)
{
	uint32_t type = 99;
	uint64_t config = 99;
	return !event_file_find(".", name, &type, &config) && type == 99 && config == 99;
}

static void
test_units(void)
{
	make_unit("armv8_cortex_a72", "9\n", true);
	make_unit("armv8_pmuv3_0", "8\n", true);
	make_unit("arm_cmn_0", "17\n", false);
	put("armv8_cortex_a72/events/l2d_cache", "event=0x0016\n");
	put("armv8_pmuv3_0/events/l2d_cache", "event=0x0016\n");
	put("armv8_pmuv3_0/events/ll_cache_miss", "event=0x0033\n");
	put("armv8_pmuv3_0/events/plain", "event=20\n");
	put("arm_cmn_0/events/hnf_mc_reqs", "event=0x0d\n");
	ok(finds("ll_cache_miss", 8, 0x33), "an event is found by its name");
	ok(finds("LL_CACHE_MISS", 8, 0x33), "letters may be of any case");
	ok(finds("plain", 8, 20), "a number may be decimal");
	ok(finds("l2d_cache", 9, 0x16), "of two kinds of CPUs, the first by name counts");
	ok(finds_none("l3d_cache"), "an event that the processor does not count is not found");
	ok(finds_none("hnf_mc_reqs"), "an event of a unit that is no CPU's is not found");
}

static void
test_contents(void)
{
	put("armv8_pmuv3_0/events/several", "event=0x10,umask=0x1\n");
	put("armv8_pmuv3_0/events/empty", "");
	put("armv8_pmuv3_0/events/word", "event=high\n");
	put("armv8_pmuv3_0/events/negative", "event=-1\n");
	put("armv8_pmuv3_0/events/other", "config=0x10\n");
	ok(finds_none("several"), "an event with further fields is not taken");
	ok(finds_none("empty"), "an empty file is none");
	ok(finds_none("word") && finds_none("negative"), "what is no number is none");
	ok(finds_none("other"), "another field is none");
	ok(finds_none("") && finds_none("../type") && finds_none("."), "names stay in the folder");
	put("armv8_pmuv3_0/type", "many\n");
	ok(finds_none("ll_cache_miss"), "a unit without a type is none");
	char longest[200];
	memset(longest, 'a', sizeof longest - 1);
	longest[sizeof longest - 1] = '\0';
	ok(finds_none(longest), "a name of any length is looked up");
}

int
main(void)
{
	char folder[] = "/tmp/winnow-events.XXXXXX", command[64];
	uint32_t type;
	uint64_t config;
	if (!mkdtemp(folder) || chdir(folder) != 0)
		return 1;
	ok(!event_file_find("/none", "cycles", &type, &config),
	   "without the folder there are none");
	test_units();
	test_contents();
	snprintf(command, sizeof command, "rm -rf %s", folder);
	if (chdir("/") != 0 || system(command) != 0)
		return 1;
	return done();
}
