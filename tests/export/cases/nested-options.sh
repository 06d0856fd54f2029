# Options of nested documents that cannot be kept
"$MAKE_RUN" tree > tree.winnow
for options in "--format dot --nested" "--format graphml --form fragments --nested" "--format graphml --view all" \
	"--format graphml --nested --flat-red" "--format graphml --nested --view all" "--format graphml --nested --view slowness"; do
	status=0
	# shellcheck disable=SC2086
	winnow export tree.winnow $options || status=$?
	echo "$status"
done
#= stdout
#| 2
#| 2
#| 2
#| 2
#| 2
#| 2
#= stderr
#| winnow export: --nested: only graphml has groups to open
#| winnow export: --nested: groups are of the reduced form only
#| winnow export: --view: only with --nested, --map or --structure
#| winnow export: --flat-red: only with --view
#| winnow export: --view all: several files; give the first one's name by -o
#| winnow export: --view 'slowness': no problem is called so; winnow report --json lists them
