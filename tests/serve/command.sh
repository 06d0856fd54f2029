#!/bin/bash
# SPDX-License-Identifier: MIT
#
# command.sh BUILD WORK - winnow view --serve: which listener it opens, what it prints, that it serves what
# winnow view writes, what it leaves behind when it ends, and what it says when it cannot. TAP.
set -u
unset MALLOC_PERTURB_ # as in tests/crash/common.bash
unset SSH_CONNECTION SSH_TTY DISPLAY WAYLAND_DISPLAY TMPDIR

build=$(realpath "$1")
mkdir -p "$2"
work=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
winnow=$build/winnow
get=$build/tests/serve/get
# shellcheck source-path=SCRIPTDIR source=../tap.bash
. "$here/../tap.bash"
cd "$work" || exit 1
rm -rf ./*
# short: a socket's path has 107 bytes
runtime=$(mktemp -d /tmp/winnow-command.XXXXXX)
export XDG_RUNTIME_DIR=$runtime
trap 'kill "${server:-}" 2> /dev/null; rm -rf "$runtime"' EXIT

"$build/tests/report/make_trace" loop > loop.winnow || exit 1
"$winnow" view -o loop.grains loop.winnow > /dev/null || exit 1

# start ARGUMENT...: in the background, until it has said where; `server` is its number
start() {
	rm -f out.txt err.txt
	"$winnow" view --serve "$@" > out.txt 2> err.txt &
	server=$!
	for ((i = 0; i < 500; i++)); do
		grep -qs served err.txt && return
		kill -0 "$server" 2> /dev/null || return
		sleep 0.02
	done
}

# stop SIGNAL: `ended` is what speaks against how it went
stop() {
	kill "-$1" "$server"
	wait "$server"
	local status=$?
	server='' ended=''
	[ "$status" -eq 0 ] || ended="exit status $status"
}

# refused STATUS PATTERN ARGUMENT...: one line on stderr, nothing on stdout
refused() {
	local wanted=$1 pattern=$2
	shift 2
	timeout 20 "$winnow" view "$@" > out.txt 2> err.txt
	local status=$?
	[ "$status" -eq "$wanted" ] || echo "exit status $status, not $wanted"
	[ "$(wc -l < err.txt)" -eq 1 ] || echo "not one line: $(cat err.txt)"
	grep -qE -- "$pattern" err.txt || echo "it says: $(cat err.txt)"
	[ ! -s out.txt ] || echo "it prints: $(cat out.txt)"
}

body() { sed '1,/^\r$/d'; }
status_of() { "$get" "$@" | head -n 1 | cut -d ' ' -f 2; }

# --- a socket, where there is no screen ---
start loop.winnow
socket=$runtime/winnow-$server.sock
result "without a screen it serves on a socket of mode 0600" \
	"$([ "$(stat -c %a-%F "$socket")" = 600-socket ] || ls -la "$runtime")"
result "it prints the line to paste for ssh, and nothing else" \
	"$([ "$(cat out.txt)" = "ssh -L 8098:$socket $(uname -n)    # then http://localhost:8098/" ] || cat out.txt)"
result "it serves the data that winnow view writes" \
	"$("$get" "$socket" /run.grains | body | cmp - loop.grains 2>&1)"
"$get" "$socket" / | body > page.html
result "it serves a page without marks" "$(grep -oE '@(FIRST|DATA|CONNECT)@' page.html; grep -q '<title>Winnow' page.html || head -c 300 page.html)"
result "which may fetch from where it comes, and from nowhere else" \
	"$(grep -oq "connect-src 'self';" page.html || grep -o 'Content-Security-Policy.\{200\}' page.html)"
result "a range of the data is that range" \
	"$("$get" "$socket" /run.grains 'Range: bytes=100-199' | body | cmp - <(tail -c +101 loop.grains | head -c 100) 2>&1)"
result "another host gets nothing" \
	"$([ "$(status_of "$socket" / 'Host: evil.example')" = 403 ] || "$get" "$socket" / 'Host: evil.example' | head -n 3)"
one=$server
start loop.winnow
result "a second server beside it has its own socket" \
	"$([ "$(status_of "$runtime/winnow-$server.sock" /) $(status_of "$runtime/winnow-$one.sock" /)" = '200 200' ] || ls "$runtime")"
stop INT
result "Ctrl-C ends one, with status 0" "$ended"
server=$one
stop TERM
result "and SIGTERM the other" "$ended"
result "no socket is left" "$(ls "$runtime")"
start loop.winnow
stop HUP
result "a terminal that goes away ends it, too" "$ended$(ls "$runtime")"

# --- a socket of the user's choice ---
start --socket "$runtime/own" loop.grains
result "--socket says where; a .grains is served as it is" \
	"$("$get" "$runtime/own" /run.grains | body | cmp - loop.grains 2>&1)"
result "a second server does not take the place" "$(refused 1 'exists already' --serve --socket "$runtime/own" loop.winnow)"
kill -9 "$server"
wait "$server" 2> killed.txt
start --socket "$runtime/own" loop.winnow
result "what a killed one left does not stop the next" "$([ "$(status_of "$runtime/own" /)" = 200 ] || cat err.txt)"
stop INT

# --- a job: its page, and a rank's ---
for rank in 0 1; do
	PMIX_NAMESPACE=7 OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=$rank "$winnow" record -o job.winnow.d "$build/tests/programs/cli-omp.c.gcc" > /dev/null 2> record.txt
done
start --socket "$runtime/job" job.winnow.d
"$get" "$runtime/job" / | body > page.html
# its row of each rank; which ranks the findings link to depends on times
result "a job is served as its page" "$(grep -q '<title>Winnow' page.html && [ "$(grep -o '<tr id="r[01]">' page.html | wc -l)" = 2 ] ||
	cat err.txt record.txt page.html)"
result "the line says how long that is" "$(grep -q 'job.winnow.d: [1-9]' err.txt || cat err.txt)"
stop INT
start --socket "$runtime/job" --rank 1 job.winnow.d
"$winnow" view -o rank.grains --rank 1 job.winnow.d > /dev/null
result "a rank of it is served as a recording" "$("$get" "$runtime/job" /run.grains | body | cmp - rank.grains 2>&1)"
stop INT

# --- a port ---
start --port 0 loop.winnow
address=$(cat out.txt)
port=$(sed -nE 's|^http://127\.0\.0\.1:([0-9]+)/[0-9a-f]{32}/$|\1|p' out.txt)
path=/${address#http://*/}
result "--port prints an address with a token" "$([ -n "$port" ] || cat out.txt err.txt)"
result "which gives the page" "$([ "$(status_of "$port" "$path")" = 200 ] || "$get" "$port" "$path" | head -n 3)"
result "and the data beside it" "$("$get" "$port" "${path}run.grains" | body | cmp - loop.grains 2>&1)"
result "without the token there is nothing" "$([ "$(status_of "$port" /)" = 401 ] || "$get" "$port" / | head -n 3)"
result "it listens on 127.0.0.1 alone" \
	"$(awk -v port="$(printf ':%04X' "$port")" '$4 == "0A" && index($2, port) && $2 !~ /^0100007F:/' /proc/net/tcp /proc/net/tcp6 2> /dev/null)"
result "a port that is taken is said" "$(refused 1 "port $port: Address already in use" --serve --port "$port" loop.winnow)"
stop INT
result "it ends with status 0" "$ended$(ls "$runtime")"

# --- browsers ---
mkdir bin
# shellcheck disable=SC2016 # the script's own
printf '#!/bin/sh\ncp "$1" "%s/note"\n' "$work" > bin/xdg-open
chmod +x bin/xdg-open
path=$PATH
PATH=$work/bin:$PATH
export DISPLAY=:7
start loop.winnow
for ((i = 0; i < 250; i++)); do [ -s note ] && break; sleep 0.02; done
result "with a screen a browser opens the address" "$(grep -qF "$(cat out.txt)" note || cat out.txt note)"
stop INT
rm -f note
result "and the file that leads there goes with the server" "$(ls "$runtime")"
start --no-open loop.winnow
sleep 0.3
result "--no-open opens none" "$(ls note 2> /dev/null; grep -q '^http://127' out.txt || cat out.txt)"
stop INT
export SSH_CONNECTION='10.0.0.1 50000 10.0.0.2 22'
start --port 0 loop.winnow
sleep 0.3
result "over ssh none opens, and the line to paste is printed" \
	"$(ls note 2> /dev/null; grep -q "^ssh -L 8098:127.0.0.1:[0-9]* .*    # then http://localhost:8098/[0-9a-f]*/$" out.txt || cat out.txt)"
stop INT
start loop.winnow
result "over ssh a screen is not ours: a socket" "$(grep -q '^ssh -L 8098:/' out.txt || cat out.txt)"
stop INT
unset DISPLAY SSH_CONNECTION
PATH=$path

# --- what cannot be ---
long=$runtime/$(printf 'a%.0s' {1..120})
result "a path too long for a socket" "$(refused 2 'at most 107; nothing served' --serve --socket "$long" loop.winnow)"
result "a folder that is not there" "$(refused 1 'No such file or directory; nothing served' --serve --socket "$runtime/no/where" loop.winnow)"
result "a folder that takes no files" "$(refused 1 'nothing served' --serve --socket /proc/winnow.sock loop.winnow)"
XDG_RUNTIME_DIR=/nowhere TMPDIR=/proc result "no folder for a socket at all" \
	"$(XDG_RUNTIME_DIR=/nowhere TMPDIR=/proc refused 1 'no folder for the server.s socket can be made in /proc' --serve loop.grains)"
result "no such recording" "$(refused 1 'none.winnow' --serve none.winnow)"
printf 'WINGRAINS are not enough' > short
head -c 100 loop.winnow > cut.winnow
result "what is no recording" "$(refused 1 'cut.winnow' --serve cut.winnow)"
result "--socket and --port" "$(refused 2 'only one of them' --serve --socket a --port 1 loop.winnow)"
result "a port that is none" "$(refused 2 "port '70000'" --serve --port 70000 loop.winnow)"
result "--port without --serve" "$(refused 2 'port is of --serve' --port 1 loop.winnow)"
result "--serve with a file to write" "$(refused 2 'leave out -o' --serve -o a.html loop.winnow)"
start short
result "a damaged .grains is the page's to complain of" "$([ "$(status_of "$runtime/winnow-$server.sock" /run.grains)" = 200 ] || cat err.txt)"
stop INT
result "nothing is left in the runtime folder" "$(ls "$runtime")"
done_testing
