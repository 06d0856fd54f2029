# What is no recording is refused, whichever it is
"$MAKE_TRACE" loop > loop.winnow
echo no trace > text
: > empty
for other in text empty missing .; do
	winnow diff loop.winnow $other && echo "$other"
	winnow diff $other loop.winnow && echo "$other"
done
true
#= stderr glob
#| winnow diff: text: *
#| winnow diff: text: *
#| winnow diff: empty: *
#| winnow diff: empty: *
#| winnow diff: missing: *
#| winnow diff: missing: *
#| winnow diff: .: *
#| winnow diff: .: *
