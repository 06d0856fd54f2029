# Libraries of a few verbs are not loaded when the command starts
LD_TRACE_LOADED_OBJECTS=1 winnow > libraries
grep -c 'libdw' libraries
! grep -E 'libpfm|libexpat|liblapack' libraries
#= stdout
#| 1
