# Options of nested documents that cannot be kept
"$MAKE_RUN" tree > tree.winnow
for options in "--format dot --nested" "--format graphml --form fragments --nested" "--format graphml --view all" \
	"--format graphml --nested --flat-red" "--format graphml --nested --view all" "--format graphml --nested --view slowness"; do
	status=0
	# shellcheck disable=SC2086
	winnow export tree.winnow $options || status=$?
	echo "$status"
done
