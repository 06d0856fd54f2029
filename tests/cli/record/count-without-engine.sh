# A winnow beside which there is nothing that counts says so, and how to come by it
from=$(dirname "$(command -v winnow)")
mkdir part
cp "$from/winnow" "$from/libwinnow-record.so" part
part/winnow count --engine native true > said 2>&1 || echo $?
sed "s|$PWD|HERE|" said
#= stdout
#| 1
#| winnow count: libwinnow-native.so is not found beside HERE/part/libwinnow-record.so; 'make' builds all that belongs together, and 'make install' puts it there
