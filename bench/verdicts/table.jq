# SPDX-License-Identifier: MIT
# table.jq - from the lines of verdict.sh to shares, a confusion table and the wrong verdicts (doc/verdicts.md).

def median: sort | if length == 0 then null else .[(length - 1) / 2 | floor] end;
def percent($n; $of): if $of == 0 then "-" else "\(1000 * $n / $of | round / 10) % (\($n) of \($of))" end;
def ms: if . == null then "?" else "\(. / 1e5 | round / 10) ms" end;

# What a finding states: an upper bound, and a range where there is one.
def stated: {low: (.gain_low_ns // 0), high: (.gain_high_ns // .gain_ns // 0), bound: (.gain_ns // 0)};
def share: if (.of_ns // 0) > 0 then (.gain_expected_ns // .gain_ns) / .of_ns else 0 end;

# A construct's line is its directive's or the statement's below; gcc's may be that of what comes before.
def is_at($r): .line as $line | (.file // "" | sub(".*/"; "")) == $r.file and any($r.lines[]; . - 1 <= $line and $line <= . + 2);
def has_cause($r): .rule as $rule | any($r.causes[]; . == $rule);
# Causes outside the program, and some that are counted for the whole process, have no place.
def is_right($r): has_cause($r) and ($r.kind == "setting" or is_at($r) or (.line == null and .place == null and .rule != "unexplained"));

def about: {low: (([.[].plain_ns] | min) - ([.[].fixed_ns] | max)), high: (([.[].plain_ns] | max) - ([.[].fixed_ns] | min)),
	least: (([.[] | .plain_ns, .recorded_ns] | min) - ([.[].fixed_ns] | max)), real: (([.[].plain_ns] | median) - ([.[].fixed_ns] | median)), plain: ([.[].plain_ns] | median)};

# More threads than CPUs, and CPUs that were measured to differ, are right findings about any program, which say nothing about this one.
def about_program($r): map(select((.rule == "cpu_speeds" or (.rule == "oversubscription" and $r.threads > ($r.report.program.cpus // infinite))) and
	(has_cause($r) | not) | not));

# Each run with what its group's repeats say of the real gain: an interval, from all of them.
# A setting that leaves cores unused is named, but no finding: it may be intended.
def is_limited: (.causes | any(. == "limited_by")) and .report.program.limited_by != null;

# One thread waits for no other, and shares nothing: such a fault is none there, and its twin has other work or other code.
def exists: .threads > 1 or (.causes | all(IN("false_sharing", "true_sharing", "work_inflation", "busy_wait", "blocked_time", "uneven_loop", "uneven_region", "uneven_tasks", "uneven_sections", "few_tasks")) | not);

# What recording hid is said to be unknown, and is no all-clear.
def is_unresolved: any(.report.headline[]; startswith("No finding, but recording took"));

def judged: group_by([.case, .compiler, .threads, .disturbed])
	| map(about as $gain | map(. as $r | .is_empty = (.report.advice | length == 0) | .report.advice |= about_program($r) | . + {gain: $gain, first: .report.advice[0]}
		| . as $r
		| .is_withheld = (.report.recording.withheld_because != null)
		# a fault that costs nothing here is none: with one thread, or in a runtime that copes with it
		| .costs = (.kind != "sound" and exists and $gain.low > 0.05 * $gain.plain)
		| .costs_much = (.kind != "sound" and exists and $gain.low > 0.1 * $gain.plain)
		| .named = (is_limited or (.first != null and (.first | is_right($r))))
		| .cause = (is_limited or (.first != null and (.first | has_cause($r))))
		| .listed = any(.report.advice[]; is_right($r))
		| .has_saving = (.named and .first != null)
		| .in_range = (.has_saving and (.first | stated) as $s | $gain.high >= $s.low and $gain.low <= $s.high)
		| .bound = (.has_saving and (.first | stated) as $s | $gain.least <= $s.bound)
		| .bound_of_plain = (.has_saving and (.first | stated) as $s | $gain.low <= $s.bound)
		| .alarm = any(.report.advice[]; share > 0.05)
		| .silent = ((.is_withheld | not) and .is_empty and (is_limited | not) and (is_unresolved | not))))
	| add // [];

def said: if is_limited and .first == null then "limited_by" elif .is_withheld then "withheld" elif .first == null then "nothing" else .first.rule end;
def place: if .first == null then "" else " at \(.first.place // "no place")" end;
def run: "\(.case) \(.compiler) \(.threads)\(if .disturbed then " disturbed" else "" end)";
def counted($list): $list | group_by(.) | map({key: .[0], n: length}) | sort_by(-.n) | map("\(.key) \(.n)") | join(", ");
def wrong($title; f): [.[] | select(f)] as $list | if ($list | length) == 0 then empty else
	"", "\($title):", ($list | group_by(run) | sort_by(-length) | .[] | .[0] as $r
		| "  \(length) x \($r | run): \(counted(map(said + place))); expected \($r.causes | join(" or "))" +
			(if $r.kind == "fault" then " at \($r.file):\($r.lines | map(tostring) | join(","))" else "" end) +
			"; real \($r.gain.real | ms) of \($r.gain.plain | ms)" +
			(if $r.first then ", stated \(map(.first.gain_low_ns) | median | ms) to \(map(.first.gain_high_ns) | median | ms), at most \(map(.first.gain_ns) | median | ms)" else "" end)) end;

# Kendall's rank correlation of [[x, y], ...].
def kendall: . as $all | [range(1; length) as $i | range($i) as $k | ($all[$i][0] - $all[$k][0]) * ($all[$i][1] - $all[$k][1])
	| if . > 0 then 1 elif . < 0 then -1 else 0 end] | if length == 0 then "-" else 100 * add / length | round / 100 end;
def savings: [.[] | select(.has_saving) | [(.first.gain_expected_ns // .first.gain_ns), .gain.real]];
def savings_by_time: [.[] | select(.has_saving) | [(.first.gain_expected_ns // .first.gain_ns) / .gain.plain, .gain.real / .gain.plain]];

# The same by cases, from medians; and only of two cases whose measured savings do not overlap, as the order of others is not known.
def by_case: [.[] | select(.has_saving)] | group_by([.case, .compiler, .threads, .disturbed])
	| map({expected: (map(.first.gain_expected_ns // .first.gain_ns) | median), gain: .[0].gain});
def kendall_by_case: by_case | map([.expected, .gain.real]) | kendall;
def kendall_of_known: by_case | . as $all | [range(1; length) as $i | range($i) as $k | $all[$i] as $a | $all[$k] as $b
	| select($a.gain.low > $b.gain.high or $b.gain.low > $a.gain.high) | ($a.expected - $b.expected) * ($a.gain.real - $b.gain.real)
	| if . > 0 then 1 elif . < 0 then -1 else 0 end] | if length == 0 then "-" else "\(100 * add / length | round / 100) (\(length) pairs)" end;

# What a single measurement of the change itself reaches: the real saving of each round against the mean of the others'.
def repeated: group_by([.case, .compiler, .threads, .disturbed]) | map(select(length >= 3) | [.[] | .plain_ns - .fixed_ns]);
def kendall_of_rounds: repeated | if length < 2 then "-" else . as $all | [range(3) as $i | [$all[] | .[$i] as $one | [$one, ((add - $one) / (length - 1))]] | kendall]
	| "\(min) to \(max)" end;

judged
| [.[] | select(.kind == "fault" and .costs)] as $faults
| [.[] | select(.kind == "setting" and .costs)] as $settings
| [.[] | select(.kind != "sound" and (.costs | not))] as $harmless
| [.[] | select(.kind == "sound")] as $sound
| [$faults[], $settings[]] as $both
| def row($title; $list): "\($title): first finding names place and cause \(percent([$list[] | select(.named)] | length; $list | length))",
	"    cause \(percent([$list[] | select(.cause)] | length; $list | length)); listed anywhere \(percent([$list[] | select(.listed)] | length; $list | length)); withheld \([$list[] | select(.is_withheld)] | length)",
	"    of these: real gain in the stated range \(percent([$list[] | select(.in_range)] | length; [$list[] | select(.has_saving)] | length)), at most the bound \(percent([$list[] | select(.bound)] | length; [$list[] | select(.has_saving)] | length)), without recorded times \(percent([$list[] | select(.bound_of_plain)] | length; [$list[] | select(.has_saving)] | length))";
"\(length) runs of \([.[].case] | unique | length) cases",
row("faults that cost over 5 %"; $faults),
row("settings that cost over 5 %"; $settings),
"rank correlation (Kendall) of stated and real savings: \($both | savings | kendall), as shares of the time \($both | savings_by_time | kendall)",
"    by medians of the cases \($both | kendall_by_case), of two cases whose real savings do not overlap \($both | kendall_of_known)",
"    of one measured saving and the mean of the others \([$both[] | select(.has_saving)] | kendall_of_rounds)",
"sound runs with a finding over 5 %: \(percent([$sound[] | select(.alarm)] | length; $sound | length))",
"runs without a finding that lose over 10 %: \(percent([.[] | select(.costs_much and .silent)] | length; [.[] | select(.costs_much)] | length))",
"faults and settings that cost nothing there: \($harmless | length) runs, \([$harmless[] | select(.alarm)] | length) with a finding over 5 %",
"",
"expected (first accepted cause): first finding",
($both | group_by(.causes[0]) | .[] | "  \(.[0].causes[0]): \(counted(map(said)))"),
($sound | if length > 0 then "  none: \(counted(map(said)))" else empty end),
($both | wrong("Wrong or no first finding"; .named | not)),
($both | wrong("Real gain above the bound"; .has_saving and (.bound | not))),
($both | wrong("Real gain outside the range, and below the bound"; .has_saving and .bound and (.in_range | not))),
($sound | wrong("Findings over 5 % in sound runs"; .alarm))
