# A file that ends in its header is refused, with the place
"$MAKE_TRACE" loop | head -c 100 > cut.winnow
winnow report cut.winnow
