# What is no recording is refused, whichever it is
"$MAKE_TRACE" loop > loop.winnow
echo no trace > text
: > empty
for other in text empty missing .; do
	winnow diff loop.winnow $other && echo "$other"
	winnow diff $other loop.winnow && echo "$other"
done
true
