# an emulator that is built without plug-ins does not count
[ "$(uname -m)" = x86_64 ] || { echo "other names"; exit 77; }
mkdir bin
printf '#!/bin/sh\necho "-cpu model"\n' > bin/qemu-x86_64
chmod +x bin/qemu-x86_64
PATH=$PWD/bin:$PATH winnow doctor | sed -n "s#$PWD/##; /^  count /p"
#= stdout
#|   count         'winnow count' follows programs in their own process; not in an emulator: bin/qemu-x86_64 is built without plug-ins, and one of them counts; install a QEMU that has them (Debian 12's has, Debian 13's has not)
