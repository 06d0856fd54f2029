/* SPDX-License-Identifier: MIT */
/*
 * test_json.c FOLDER - every key of schema winnow.report/1 is there, and of its type; the bytes are
 * those of FOLDER/NAME.json, but for variants of a run (NAME-WHICH).
 */
#include "render.h"

#include "tap.h"

#include <stdlib.h>
#include <string.h>

/*
 * KEY:TYPE of each object. Types: s string, i integer, r real, n integer or real, b boolean,
 * a array, o object; a following ? allows null.
 */
static const struct {
	const char *object; /* "" = the report; NAME[] = each element of the list NAME */
	const char *keys;
} schema[] = {
    {"", "schema:s unit:s headline:a scaling_command:s? imported:o? program:o recording:o "
         "machine:o fidelity:a "
         "group:s? graph:o "
         "totals:o "
         "time:o problems:a metrics:a sites:a "
         "aggregate:o advice:a advice_order:s? near:a counters:a counter_ratios:a counts:o? "
         "sharing:a? mutexes:a "
         "marks:a mpi:o? "
         "labels:a threads:a time_categories:a modules:a? "
         "anomalies:o"},
    {"program", "command:a exit_status:i? signal:i? runtime:s? runtimes:a source:s? emulator:s? "
                "threads:i cpus:i? limited_by:s? "
                "wall_ns:i? before_ns:i? after_ns:i?"},
    {"recording", "complete:b incomplete_because:s? withheld_because:s? entry_points:a events:i "
                  "bytes:i dropped:i unseen_regions:i "
                  "unseen_tasks:i state:s? "
                  "event_bytes:i bad_blocks:i "
                  "bad_bytes:i gaps:i first_bad_offset:i? clock_is_guess:b"},
    {"fidelity[]", "construct:s file:s? line:i? function:s? place:s? note:s level:s count:i?"},
    {"machine", "online_cpus:i? bound_cpus:i? quota_cpus:n? throttled_ns:i? steal_ns:i? span_ns:i? "
                "minor_faults:i? major_faults:i? first_thread_faults:i? kernel_ns:i? cpu_ns:i? "
                "peak_pages:i? loaded_ns:i? off_before_ns:i? other_threads:i? other_cpu_ns:i?"},
    {"graph", "grains:i explicit_tasks:i implicit_tasks:i taskloop_tasks:i chunks:i sections:i "
              "loops:i fork_joins:i fork_joins_opened:i nodes:i fragments:i parallel_regions:i "
              "dependences:i?"},
    {"totals", "work_ns:i span_ns:i parallelism:n? creation_ns:i? sync_ns:i idle_ready_ns:i "
               "idle_empty_ns:i elapsed_ns:i best_case_ns:i? cores_used:n? cpus_used:i "
               "grain_work_ns:i region_work_ns:i serial_ns:i serial_idle_ns:i dispatch_ns:i "
               "scheduling_ns:i leaving_ns:i mutex_ns:i? mpi_ns:i? serial_mpi_ns:i? forking_ns:i "
               "region_ns:i paused_ns:i "
               "lost_ns:i off_cpu_ns:i? blocked_ns:i? "
               "off_cpu_unknown_ns:i? run_queue_ns:i? woken_ns:i? span_scheduled_ns:i "
               "recording_ns:i? grain_recording_ns:i? entry_ns:i? below_resolution:i? "
               "perturbation_percent:n? "
               "span_burdened_ns:i parallelism_burdened:n? profile_bin_ns:i? "
               "weight:o?"},
    {"time",
     "thread_ns:i work_percent:n? serial_percent:n? serial_idle_percent:n? "
     "creation_percent:n? dispatch_percent:n? scheduling_percent:n? "
     "leaving_percent:n? mutex_percent:n? mpi_percent:n? paused_percent:n? idle_ready_percent:n? "
     "idle_empty_percent:n? forking_percent:n? off_cpu_percent:n? blocked_percent:n? "
     "recording_percent:n? lost_percent:n?"},
    {"problems[]", "type:s condition:s count:i? on_critical_path:i? work_ns:i?"},
    {"metrics[]", "name:s expression:s bad:s threshold:n? propagate:s values:o"},
    {"sites[]", "file:s? line:i? function:s? place:s kind:s grains:i work_ns:i median_ns:i "
                "creation_ns:i? problems:o max_ns:i sync_ns:i on_critical_path:i "
                "critical_work_ns:i gain_ns:i module:s? offset:i?"},
    {"aggregate", "groups:i? tree_nodes:i? grains:i? nodes:i? theta_max:i? savings_percent:n? "
                  "theta_problem_max:i? savings_problem_percent:n?"},
    {"advice[]",
     "rule:s file:s? line:i? function:s? place:s? message:s try:s doubt:s "
     "predicted_speedup:n? gain_expected_ns:i gain_low_ns:i gain_high_ns:i gain_marginal_ns:i "
     "gain_work_ns:i gain_ns:i loss_ns:i of_ns:i of_high_ns:i count:i on_critical_path:b parts:a "
     "gain_source:s best_first:i? best_last:i?"},
    {"sharing[]", "kind:s data:s variable:s? code:s other_code:s grain:s? other_grain:s? "
                  "transfers:i max_ns:i lines:i distance_bytes:i offset_bytes:i? block_bytes:i? "
                  "sampled_of:i"},
    {"mutexes[]", "kind:s file:s? line:i? function:s? place:s? acquired:i contended:i wait_ns:i "
                  "max_wait_ns:i held_ns:i"},
    {"marks[]", "name:s? count:i wall_ns:i self_ns:i max_ns:i work_ns:i"},
    {"labels[]", "label:s grains:i work_ns:i max_work_ns:i"},
    {"threads[]", "thread:i os_tid:i grains:i region_ns:i work_ns:i creation_ns:i dispatch_ns:i "
                  "scheduling_ns:i leaving_ns:i mutex_ns:i? mpi_ns:i? serial_mpi_ns:i? paused_ns:i "
                  "idle_ready_ns:i "
                  "idle_empty_ns:i forking_ns:i "
                  "nested_forking_ns:i serial_ns:i lost_ns:i off_cpu_ns:i? blocked_ns:i? "
                  "off_cpu_unknown_ns:i? recording_ns:i?"},
    {"anomalies", "unmatched:i incomplete:i never_started:i group_approx:i lost:i parts_unseen:i "
                  "counts_unknown:i"},
};

static bool
is_type(const json_t *value, const char *type)
{
	if (json_is_null(value))
		return type[1] == '?';
	switch (type[0]) {
	case 's':
		return json_is_string(value);
	case 'i':
		return json_is_integer(value) && json_integer_value(value) >= 0;
	case 'n':
		return json_is_number(value);
	case 'b':
		return json_is_boolean(value);
	case 'a':
		return json_is_array(value);
	case 'o':
		return json_is_object(value);
	default:
		return false;
	}
}

/* Does the object have these keys, of these types, and no other? */
static bool
is_like(const json_t *object, const char *keys, const char *where)
{
	char copy[1024], *rest, *word;
	size_t n = 0;
	snprintf(copy, sizeof copy, "%s", keys);
	for (word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest), n++) {
		char *type = strchr(word, ':');
		*type++ = '\0';
		const json_t *value = json_object_get(object, word);
		if (!value || !is_type(value, type)) {
			note("%s: %s is not %s", where, word, type);
			return false;
		}
	}
	return json_object_size(object) == n;
}

static bool
matches(const json_t *report, const char *where, const char *keys)
{
	char name[32];
	size_t n = strcspn(where, "[");
	snprintf(name, sizeof name, "%.*s", (int)n, where);
	const json_t *value = *name ? json_object_get(report, name) : report;
	if (where[n] != '[')
		return is_like(value, keys, where);
	for (size_t i = 0; i < json_array_size(value); i++)
		if (!is_like(json_array_get(value, i), keys, where))
			return false;
	return true;
}

/* The only objects two lists deep. */
static bool
parts_match(const json_t *report)
{
	size_t i, k;
	const json_t *finding, *part;
	json_array_foreach(json_object_get(report, "advice"), i, finding) json_array_foreach(
	    json_object_get(finding, "parts"), k,
	    part) if (!is_like(part, "file:s? line:i? function:s? place:s? share_percent:n",
	                       "parts[]")) return false;
	return true;
}

static void
test_schema(const char *run, const char *text)
{
	json_error_t error;
	json_t *report = json_loads(text, 0, &error);
	if (!ok(report != NULL, "the report of '%s' is JSON", run))
		return;
	for (size_t i = 0; i < sizeof schema / sizeof schema[0]; i++)
		ok(matches(report, schema[i].object, schema[i].keys), "'%s': '%s' has all its keys",
		   run, schema[i].object);
	ok(parts_match(report), "'%s': parts of findings have all their keys", run);
	ok(strcmp(json_string_value(json_object_get(report, "schema")), "winnow.report/1") == 0,
	   "'%s' names its schema", run);
	json_decref(report);
}

/* The shares of time are all of it. */
static void
test_shares(const char *run, const char *text)
{
	json_t *report = json_loads(text, 0, NULL);
	const char *key;
	json_t *value;
	double sum = 0;
	json_object_foreach(json_object_get(report, "time"), key,
	                    value) if (strstr(key, "_percent")) sum += json_number_value(value);
	ok(sum > 99.99 && sum < 100.01, "'%s': the shares of time add up to 100 %% (%g)", run, sum);
	json_decref(report);
}

int
main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	for (const struct run *run = runs; run->name; run++) {
		wn_status st;
		char file[64];
		struct rendered *r = render_open(run->name, &st);
		if (!r)
			continue;
		char *text = render_json(r);
		snprintf(file, sizeof file, "%s.json", run->name);
		if (!strchr(run->name, '-')) /* a variant of another run */
			ok(is_golden(argv[1], file, text), "the JSON is that of %s", file);
		test_schema(run->name, text);
		test_shares(run->name, text);
		free(text);
		render_close(r);
	}
	return done();
}
