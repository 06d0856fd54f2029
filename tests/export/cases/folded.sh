# A view that is open down to the grains is the graph; one that is not has as many nodes as it says
for run in tree loop threads depend hostile; do
	"$MAKE_RUN" "$run" > "$run.winnow"
	winnow export "$run.winnow" -o flat.dot
	winnow export "$run.winnow" -o open.dot --folded --depth 100 --max-nodes 100000
	# without gates, dependences and creators of what others joined
	grep -v "style=dashed\|style=dotted\|shape=diamond" flat.dot > whole.dot
	grep -v "style=dashed\|style=dotted" open.dot > forks.dot
	for what in " -> " "^	\"[^\"]*\" \[shape"; do
		[ "$(grep -c "$what" whole.dot)" = "$(grep -c "$what" forks.dot)" ] || echo "$run: $what"
	done
	# those are beside: as many, where there is no gate between
	if ! grep -q shape=diamond flat.dot; then
		for what in dashed dotted; do
			[ "$(grep -c "style=$what" flat.dot)" = "$(grep -c "style=$what" open.dot)" ] || echo "$run: $what"
		done
		grep "style=dashed\|style=dotted" open.dot >> links.dot || true
	fi
	for option in --critical --depth=1 --depth=3 --problem=parallel_benefit; do
		winnow export "$run.winnow" -o view.dot --folded "$option"
		winnow export "$run.winnow" -o view.svg --folded "$option"
		said=$(sed -n "s/.*; \([0-9]*\) nodes in view<.*/\1/p" view.svg)
		[ "$(grep -c "^	\"[^\"]*\" \[shape" view.dot)" = $((said + 2)) ] || echo "$run $option: $said"
		# as many dependences in both, and none from a node to itself
		awk '/style=dashed/ && $1 == $3 { print "to itself" }' view.dot
		in_dot=$(sed -n '/style=dashed/{s/.*label="\([0-9,]*\)".*/\1/p;t;s/.*/1/p}' view.dot | tr -d , | awk '{ n += $1 } END { print n + 0 }')
		in_svg=$(sed -n 's/.*<title>\([0-9,]*\) dependences*<.*/\1/p' view.svg | tr -d , | awk '{ n += $1 } END { print n + 0 }')
		[ "$in_dot" = "$in_svg" ] || echo "$run $option: $in_dot and $in_svg dependences"
		# all are between S and E
		sed -n "s/^	\"\([^\"]*\)\" -> \"\([^\"]*\)\".*/\1 \2/p" view.dot |
			awk -v run="$run$option" "{ out[\$1]; in_[\$2]; all[\$1]; all[\$2] }
				END { for (x in all) if ((x != \"S\" && !(x in in_)) || (x != \"E\" && !(x in out))) print run, x }"
	done
done
[ -s links.dot ] || echo 'nothing beside the forks'
