# Options of folded drawings that cannot be kept
"$MAKE_RUN" tree > tree.winnow
for options in "--format csv --folded" "--format graphml --folded" "--format dot --form fragments --folded" \
	"--format dot --critical" "--format dot --folded --depth x" "--format svg --folded --problem slowness" \
	"--format profile --group P0.t0/L"; do
	status=0
	# shellcheck disable=SC2086
	winnow export tree.winnow $options || status=$?
	echo "$status"
done
for form in dot svg; do
	status=0
	winnow export tree.winnow --format "$form" --folded -o /dev/full || status=$?
	echo "$status"
done
