# SPDX-License-Identifier: MIT
#
# check-graph.awk - is this GraphML of a reduced grain graph well-formed? Reads the lines that winnow
# writes, knows nothing else of it, and prints complaints.
#
#     graph := S seq E    seq := grain | grain fj+ | fj+    fj := fork seq{1..} join

function value(name,    at) {
	at = index($0, name "=\"") + length(name) + 2
	return substr($0, at, index(substr($0, at), "\"") - 1)
}

function complain(what) {
	print what
	bad = 1
}

# What follows a grain, when its own fork-joins are over.
function branch_end(x,    at) {
	for (at = next_of[x]; kind[at] == "fork"; at = next_of["j" substr(at, 2)])
		;
	return at
}

/<node id=/ { node = value("id"); n_nodes++ }
/<data key="d1">/ { kind[node] = substr($0, index($0, ">") + 1); sub(/<.*/, "", kind[node]) }
/<edge / { from = value("source"); to = value("target"); is_rogue = 0 }
/<data key="e1">/ { edge_kind = substr($0, index($0, ">") + 1); sub(/<.*/, "", edge_kind) }
/<data key="e4">true/ { is_rogue = 1 }
/<\/edge>/ {
	if (!(from in kind) || !(to in kind))
		complain("edge between unknown nodes: " from " " to)
	if (is_rogue || edge_kind == "depend")
		next
	n_in[to]++
	n_out[from]++
	next_of[from] = to
	wanted = "continue"
	if (kind[from] == "fork")
		wanted = "create"
	else if (kind[to] == "fork" && kind[from] != "join")
		wanted = "scope"
	else if (kind[to] == "join" && kind[from] != "join")
		wanted = "sync"
	if (edge_kind != wanted)
		complain(from " to " to " is " edge_kind ", not " wanted)
	if (kind[from] == "fork")
		branch[from, to] = 1
}
END {
	for (x in kind) {
		k = kind[x]
		if (k == "gate") {
			n_gates++
			continue
		}
		i = n_in[x] + 0
		o = n_out[x] + 0
		is_fine = k == "start" ? i == 0 && o >= 1 : k == "end" ? i >= 1 && o == 0 : \
			k == "fork" ? i == 1 && o >= 1 : k == "join" ? i >= 1 && o == 1 : i == 1 && o == 1
		if (!is_fine)
			complain(x " (" k ") has " i " edges in and " o " out")
		n_forks += k == "fork"
		n_joins += k == "join"
		n_grains += k != "fork" && k != "join" && k != "start" && k != "end"
	}
	if (n_forks != n_joins || n_nodes != n_grains + 2 * n_forks + n_gates + 2)
		complain(n_nodes " nodes, " n_grains " grains, " n_forks " forks, " n_joins " joins")
	for (pair in branch) {
		split(pair, end, SUBSEP)
		if (branch_end(end[2]) != "j" substr(end[1], 2))
			complain("the branch " end[2] " of " end[1] " ends in " branch_end(end[2]))
	}
	exit bad
}
