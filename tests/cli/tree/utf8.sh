# Lines are drawn where the locale has them
"$MAKE_RUN" loop > loop.winnow
LC_ALL=C.UTF-8 winnow tree loop.winnow
