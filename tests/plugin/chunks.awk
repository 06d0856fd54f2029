# SPDX-License-Identifier: MIT
#
# chunks.awk - from `winnow dump`, for each thread of the team and each loop, as loops.c prints it:
# THREAD TRIP-COUNT LOWER STEP CHUNK: FIRST+ITERATIONS ...
# Sorted by thread, then time, with the time in front.

function value(name,    i, parts) {
	for (i = 3; i <= NF; i++) {
		split($i, parts, "=")
		if (parts[1] == name)
			return parts[2]
	}
	return "?"
}

$2 == "IMPLICIT_BEGIN" { member = value("thread_num") }
$2 == "LOOP_BEGIN" {
	loop = sprintf("%s %s %s %s %s:", member, value("trip_count"), value("lower"), value("step"), value("chunk"))
	begin = $1
	next_first = 0
	is_open = 1
}
$2 == "WORK_BEGIN" && $3 ~ /^loop/ {
	loop = sprintf("%s %s - - -:", member, value("count"))
	begin = $1
	next_first = 0
	is_open = 1
}
$2 == "CHUNK_BEGIN" {
	first = next_first + value("gap")
	loop = loop " " first "+" value("iterations")
	next_first = first + value("iterations")
	n_begun++
}
$2 == "CHUNK_END" { n_ended++ }
$2 == "STATIC_BEGIN" { loop = loop " a whole share" }
$2 == "WORK_END" && is_open {
	printf "%s %020d %s\n", member, begin, loop
	is_open = 0
}
END {
	if (n_begun != n_ended)
		print "chunks: " n_begun " begun, " n_ended " ended"
}
