# A run and itself: nothing differs, all ratios are 1
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
for run in loop tasks regions lone producer mutex serial killed; do
	"$MAKE_TRACE" $run > a.winnow
	cp a.winnow b.winnow
	winnow diff --json a.winnow b.winnow > diff.json 2> /dev/null
	jq -e '.word == "repeat" and .structure.is_same and
		(.grains | .only_a == 0 and .only_b == 0 and .moved == 0) and
		(.groups | .changed + .created + .vanished + .moved + .by_difference == []) and
		(.totals | [.speedup, .efficiency, .work_ratio, .span_ratio, .time_ratio] | all(. == 1 or . == null)) and
		([.sites[] | .work_ratio, .median_deviation] | all(. == 1 or . == null)) and
		([.sites[] | .work_difference_ns] | all(. == 0 or . == null)) and
		all(.problems[]; .count == 0 or .count == null)' diff.json > /dev/null || { echo $run; cat diff.json; }
done
