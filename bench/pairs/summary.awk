# SPDX-License-Identifier: MIT
# summary.awk - errors of predictions from the results of predict.sh, by kind of change; with -v as_table=1, all pairs in
# Markdown. A saving is the time before less the time after; those below 3 % of the time before have no sign, and a race
# with a gain and a loss as outcomes has no predicted sign. An effect is
# seen where the runs tell it from chance: each run after the change is faster than each before it, or each is slower. The
# savings of two pairs are likewise told apart where those that their runs allow have none in common.
function abs(x) { return x < 0 ? -x : x }
function sorted(values, n,   i, k, v) {
	for (i = 2; i <= n; i++) {
		v = values[i]
		for (k = i; k > 1 && values[k - 1] > v; k--) values[k] = values[k - 1]
		values[k] = v
	}
}
function quantile(values, n, q) { return n ? values[int(1 + q * (n - 1) + 0.5)] : 0 }
function line(name, values, n) {
	sorted(values, n)
	if (n) printf "| %s | %d | %.1f | %.1f | %.1f | %.1f | %.1f |\n", name, n, quantile(values, n, 0.5), quantile(values, n, 0.75),
		quantile(values, n, 0.9), quantile(values, n, 0.95), values[n]
}
function line_of(name, all, n_all, kind, what,   values, n, i) {
	for (i = 1; i <= n_all; i++) if (is_open[i]) continue; else if (kind == "" ? kinds[i] != "threads" : kinds[i] == kind) values[++n] = all[i]
	line(name, values, n)
}
BEGIN { FS = "\t"; least = 3 }
/^#/ { next }
{ pair = $1 " " $5 " → " ($6 == "" ? $4 " threads" : $6) }
$7 == "refused" {
	n_refused++
	refusals = refusals sprintf("| `%s` | %s | %s | %s → %s | %s | refused: %s |\n", $5, $1, $2, $3, $4, $6, $8)
	next
}
{
	n++
	halves[n] = half_of($5)
	kinds[n] = $2; before = $7; after = $8
	error = 100 * ($9 / after - 1); errors[n] = abs(error)
	nearest_error[n] = error
	if ($12 > 0) {
		n_races++
		is_race[n] = 1
		for (i = 12; i <= 13; i++) if (abs($i / after - 1) < abs(nearest_error[n]) / 100) nearest_error[n] = 100 * ($i / after - 1)
	}
	nearest[n] = abs(nearest_error[n])
	is_in[n] = $10 <= after && after <= $11
	greedy[n] = abs(100 * ($14 / after - 1)); bound[n] = abs(100 * ($16 / after - 1))
	burdened[n] = abs(100 * ($15 / after - 1))
	is_open[n] = $18; n_open += $18 != 0
	has_no_sign[n] = $18 && $12 > 0 && ($12 < $17) != ($13 < $17)
	replay[n] = abs($19)
	saving[n] = 1 - after / before; guess[n] = 1 - $9 / $17
	set_extremes(n)
	guess_greedy[n] = 1 - $14 / $17; guess_bound[n] = 1 - $16 / $17
	n_all_in += is_in[n]
	if ($2 != "threads") { n_changes++; n_in_changes += is_in[n] }
	if ($2 == "cutoff" && $6 !~ /learnt/) {
		family = $1 " " $5 " on " $4
		if (!(family in best) || after < best[family]) best[family] = after
		if (!(family in guessed) || $9 < guessed[family]) { guessed[family] = $9; taken[family] = after }
		if ($3 == $4) {
			if (before < best[family]) best[family] = before
			if ($17 < guessed[family]) { guessed[family] = $17; taken[family] = before }
		}
	}
	rows = rows sprintf("| `%s` | %s | %s | %s → %s | %s | %.2f | %.2f | %s | %s | %.2f to %.2f%s | %+.1f | %+.1f | %+.1f | %+.1f |\n", $5, $1, $2, $3,
		$4, $6 == "" ? "" : "`" $6 "`", before / 1e6, after / 1e6, predicted(n),
		is_open[n] ? sprintf("(%+.1f)", is_race[n] ? nearest_error[n] : error) : sprintf("%+.1f", error), $10 / 1e6, $11 / 1e6, is_in[n] ? "" : ", outside", $19,
		100 * ($16 / after - 1), 100 * ($15 / after - 1), 100 * ($14 / after - 1))
}
# The predicted time in the table; of a race both, as its error is that of the nearer one.
function predicted(i) {
	return !is_open[i] ? sprintf("%.2f", $9 / 1e6) : is_race[i] ? sprintf("%.2f or %.2f", $12 / 1e6, $13 / 1e6) : sprintf("unknown (%.2f)", $9 / 1e6)
}
# From each run before and after: whether the effect is seen, and the least and largest saving.
function set_extremes(i,   b, a, n_b, n_a) {
	n_b = split($20, b, " "); n_a = split($21, a, " ")
	if (n_b == 0 || n_a == 0) {
		is_unseen[i] = 1
		return
	}
	n_seen_known++
	is_unseen[i] = a[1] <= b[n_b] && b[1] <= a[n_a]
	least_saving[i] = 1 - a[n_a] / b[1]; most_saving[i] = 1 - a[1] / b[n_b]
}
# 0 or 1: two halves of the programs, by a hash of what was recorded, so that constants chosen on one can be tried on the other.
function half_of(text,   i, hash) {
	for (i = 1; i <= length(text); i++) hash = (hash * 31 + index(" !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~", substr(text, i, 1))) % 65521
	return int(hash / 7) % 2
}
function half_line(h,   i, k, a, b, sum, pairs, values, n_values) {
	for (i = 1; i <= n; i++) {
		if (halves[i] != h) continue
		if (!is_open[i]) values[++n_values] = errors[i]
		for (k = 1; k < i; k++) {
			if (halves[k] != h) continue
			a = saving[i] - saving[k]; b = guess[i] - guess[k]
			pairs++
			sum += a * b > 0 ? 1 : a * b < 0 ? -1 : 0
		}
	}
	sorted(values, n_values)
	return sprintf("rank correlation %.2f, errors %.1f %% (median) and %.1f %% (90th percentile) of %d", pairs ? sum / pairs : 0,
		quantile(values, n_values, 0.5), quantile(values, n_values, 0.9), n_values)
}
function signs(guesses, with_threads, seen, stated,   i, right, all) {
	for (i = 1; i <= n; i++) {
		if (seen && is_unseen[i]) continue
		if (abs(100 * saving[i]) < least || (!with_threads && kinds[i] == "threads")) continue
		if (stated && has_no_sign[i]) continue
		all++
		right += (saving[i] > 0) == (guesses[i] > 0)
	}
	return all ? sprintf("%d of %d (%.0f %%)", right, all, 100 * right / all) : "none"
}
function kendall(guesses, with_threads, apart, seen,   i, k, sum, pairs, a, b) {
	for (i = 1; i <= n; i++)
		for (k = 1; k < i; k++) {
			if (!with_threads && (kinds[i] == "threads" || kinds[k] == "threads")) continue
			a = saving[i] - saving[k]; b = guesses[i] - guesses[k]
			if (abs(100 * a) < apart) continue
			if (seen && least_saving[i] <= most_saving[k] && least_saving[k] <= most_saving[i]) continue
			pairs++
			sum += a * b > 0 ? 1 : a * b < 0 ? -1 : 0
		}
	return pairs ? sum / pairs : 0
}
function ranges(kind,   i, all, in_range) {
	for (i = 1; i <= n; i++) {
		if (kind == "" ? kinds[i] == "threads" : kinds[i] != kind) continue
		all++; in_range += is_in[i]
	}
	return all ? sprintf("%d of %d (%.0f %%)", in_range, all, 100 * in_range / all) : "none"
}
END {
	if (as_table) {
		print "| recorded program | compiler | kind | threads | after | before, ms | after, ms | predicted, ms | error, % | range, ms | replay, % | bound, % | burdened, % | greedy, % |"
		print "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
		printf "%s%s", rows, refusals
		exit
	}
	print "| absolute error, % | pairs | median | 75th percentile | 90th | 95th | largest |"
	print "|---|---|---|---|---|---|---|"
	split("cutoff chunk schedule lock reduction split waits merge faster policy binding threads", names, " ")
	for (i = 1; i <= 12; i++) line_of(names[i], errors, n, names[i])
	line_of("all changes but threads", errors, n, "")
	for (i = 1; i <= n; i++) { all[i] = errors[i]; near[i] = nearest[i] }
	line("all, with the median where only the range is known", all, n)
	line("likewise, of a race the nearer outcome", near, n)
	for (i = 1; i <= n; i++) if (!is_open[i]) { one[++n_one] = errors[i]; one_near[n_one] = nearest[i] }
	line("with a predicted time", one, n_one)
	line("likewise, of a race the nearer outcome", one_near, n_one)
	for (i = 1; i <= n; i++) all[i] = replay[i]
	line("replay of the recorded run", all, n)
	for (i = 1; i <= n; i++) all[i] = bound[i]
	line("max(work / threads, span)", all, n)
	for (i = 1; i <= n; i++) all[i] = burdened[i]
	line("work / threads + burdened span", all, n)
	for (i = 1; i <= n; i++) all[i] = greedy[i]
	line("greedy schedule without costs", all, n)
	for (f in best) { n_families++; regret[n_families] = 100 * (taken[f] / best[f] - 1); n_best += regret[n_families] <= 5 }
	for (i = 1; i <= n; i++) n_no_sign += has_no_sign[i] && abs(100 * saving[i]) >= least
	printf "\nIn the range: %d of %d (%.0f %%). Sign of the saving, where it is %d %% or more: %s, and %d races with a gain and a loss; by the greedy schedule %s, by the bound %s.\n", n_all_in,
		n, n ? 100 * n_all_in / n : 0, least, signs(guess, 1, 0, 1), n_no_sign, signs(guess_greedy, 1), signs(guess_bound, 1)
	printf "Rank correlation (Kendall) of predicted and real savings: %.2f, of those that really differ by %d %% of the time or more %.2f; greedy %.2f, bound %.2f.\n",
		kendall(guess, 1, 0), least, kendall(guess, 1, least), kendall(guess_greedy, 1, 0), kendall(guess_bound, 1, 0)
	if (n_seen_known == n)
		printf "Where the runs show it: signs %s, by the greedy schedule %s; rank correlation %.2f, greedy %.2f.\n", signs(guess, 1, 1, 1),
			signs(guess_greedy, 1, 1), kendall(guess, 1, least, 1), kendall(guess_greedy, 1, least, 1)
	printf "Without changes of threads: signs %s, rank correlation %.2f and %.2f; in the range %d of %d.\n", signs(guess, 0, 0, 1), kendall(guess, 0, 0),
		kendall(guess, 0, least), n_in_changes, n_changes
	printf "Halves of the programs, by a hash of their names: %s; %s.\n", half_line(0), half_line(1)
	printf "Best cut-off: within 5 %% of the time of the really best one in %d of %d families.\n", n_best, n_families
	for (i = 1; i <= n; i++) n_open_in += is_open[i] && is_in[i]
	printf "%d races, %d without a single time (%d in the range), %d refused.\n", n_races, n_open, n_open_in, n_refused
}
