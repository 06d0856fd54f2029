# OMP_TOOL_LIBRARIES and OMP_TOOL of the user stay
OMP_TOOL=enabled OMP_TOOL_LIBRARIES=/a/tool.so:/b/tool.so winnow record \
	sh -c 'echo "$OMP_TOOL_LIBRARIES $OMP_TOOL"' 2> /dev/null
#= stdout glob
#| /*/libwinnow-record.so:/a/tool.so:/b/tool.so enabled
