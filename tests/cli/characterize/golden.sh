# From a table to scores, clusters and errors as R has them
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
golden=$PROGRAMS/../../characterize/golden
block() { # FILE NAME: the numbers of a block, one in each line
	awk -v name="$2" '$1 == "block" { on = $2 == name; next } on { for (i = 1; i <= NF; i++) print $i }' "$1"
}
near() { # two lists of numbers, up to sign: how many differ by 1e-9
	paste "$1" "$2" | LC_ALL=C awk 'function abs(x) { return x < 0 ? -x : x }
		NF != 2 || abs(abs($1) - abs($2)) > 1e-9 { n++ } END { print n + 0, "of", NR, "differ" }'
}
for name in usarrests mtcars programs; do
	winnow characterize --table "$golden/$name.csv" --json > found.json
	echo "$name: $(jq -c '[.schema, .analysis, .kept, .cross_validation.best]' found.json)"
	for what in scores sdev loadings errors height.ward.D2; do
		block "$golden/$name.golden" "$what" > wanted
		case $what in
		scores) jq '.cases[].scores[]' found.json ;;
		sdev) jq '.components[].sd' found.json ;;
		loadings) jq '.properties[].loadings[]' found.json ;;
		errors) jq '.cross_validation.errors[]' found.json ;;
		*) jq '.tree.merges[].height' found.json ;;
		esac > found
		echo "$what: $(near found wanted | sed 's/^0 of [1-9][0-9]* differ/none differs/')"
	done
	block "$golden/$name.golden" merge.ward.D2 > wanted
	jq '.tree.merges[] | .a, .b' found.json > found
	cmp found wanted && echo "merges: the same"
	block "$golden/$name.golden" cut.ward.D2 > wanted
	jq '.cases[].cluster' found.json > found
	cmp found wanted && echo "clusters: the same"
	winnow characterize --table "$golden/$name.csv" --json --ward D | jq '.tree.merges[].height' > found
	block "$golden/$name.golden" height.ward.D > wanted
	echo "ward.D: $(near found wanted | sed 's/^0 of [1-9][0-9]* differ/none differs/')"
done
#= stdout
#| usarrests: ["winnow.characterize/1","done",2,2]
#| scores: none differs
#| sdev: none differs
#| loadings: none differs
#| errors: none differs
#| height.ward.D2: none differs
#| merges: the same
#| clusters: the same
#| ward.D: none differs
#| mtcars: ["winnow.characterize/1","done",3,3]
#| scores: none differs
#| sdev: none differs
#| loadings: none differs
#| errors: none differs
#| height.ward.D2: none differs
#| merges: the same
#| clusters: the same
#| ward.D: none differs
#| programs: ["winnow.characterize/1","done",6,3]
#| scores: none differs
#| sdev: none differs
#| loadings: none differs
#| errors: none differs
#| height.ward.D2: none differs
#| merges: the same
#| clusters: the same
#| ward.D: none differs
