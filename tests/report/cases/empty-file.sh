# An empty file is refused
: > empty.winnow
winnow report empty.winnow
