# SPDX-License-Identifier: MIT
#
# counters.awk - what counters add, from how often they are read (program,reads) and samples
# (measure.c): see counters.sh. Variables: bar in percent, with and without counters ns per event.

BEGIN {
	FS = ","
	printf "%-18s %8s %12s %9s %9s %25s  %s\n", "program", "CPU s", "reads", "reads/s", "model", \
		"measured (quartiles)", "bar " bar " %"
}

# the value below which that part of the n values lies
function quantile(values, n, part,    i, k, v, sorted) {
	for (i = 1; i <= n; i++) {
		v = values[i]
		for (k = i - 1; k >= 1 && sorted[k] > v; k--)
			sorted[k + 1] = sorted[k]
		sorted[k + 1] = v
	}
	return sorted[int(part * (n - 1) + 0.5) + 1]
}

# by how many percent CPU time grew, round by round
function spread(program, tool,    i, n, ratios) {
	for (i = 0; i <= n_rounds; i++)
		if (((program, tool, i) in cpu) && ((program, "plain", i) in cpu))
			ratios[++n] = 100 * (cpu[program, tool, i] / cpu[program, "plain", i] - 1)
	lower = quantile(ratios, n, 0.25)
	middle = quantile(ratios, n, 0.5)
	upper = quantile(ratios, n, 0.75)
	return sprintf("%+.2f %% (%+.2f to %+.2f)", middle, lower, upper)
}

NF == 2 { reads[$1] = $2; order[++n_programs] = $1; next }
$1 == "program" { next }
{
	cpu[$1, $4, $5] = $6
	tools[$4] = 1
	if ($4 == "plain" && (!($1 in best) || $6 < best[$1]))
		best[$1] = $6
	if ($5 > n_rounds)
		n_rounds = $5
}

END {
	for (i = 1; i <= n_programs; i++) {
		p = order[i]
		model = 100 * reads[p] * (with - without) * 1e-9 / best[p]
		text = spread(p, "processor")
		verdict = model <= bar ? (upper <= bar ? "holds" : "holds?") : (lower > bar ? "FAILS" : "fails?")
		failed += model > bar
		printf "%-18s %8.2f %12d %9d %+7.2f %% %27s  %s\n", p, best[p], reads[p], reads[p] / best[p], \
			model, text, verdict
		if ("system-call" in tools)
			printf "%-18s %50s %27s\n", "", "system calls:", spread(p, "system-call")
	}
	printf "%d of %d programs within %s %% by the model\n", n_programs - failed, n_programs, bar
}
