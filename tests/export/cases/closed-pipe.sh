# A reader that goes away is no news
"$MAKE_RUN" tree > tree.winnow
trap "" PIPE
{
	sleep 0.2
	status=0
	winnow export tree.winnow --format graphml || status=$?
	echo "$status" > status
} | true
cat status
#= stdout
#| 1
