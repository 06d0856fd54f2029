# On a terminal there is colour, unless NO_COLOR says otherwise
command -v script > /dev/null || { echo "script is missing"; exit 77; }
"$MAKE_RUN" loop > loop.winnow
export TERM=xterm
script -qec "winnow tree loop.winnow" /dev/null > coloured
NO_COLOR=1 script -qec "winnow tree loop.winnow" /dev/null > plain
grep -q "$(printf "\\033")" coloured
! grep -q "$(printf "\\033")" plain
