/* SPDX-License-Identifier: MIT */
#include "import/expat.h"

#include "base/load.h"

wn_status
expat_open(struct expat *out, wn_err *err)
{
	static const struct wn_load_function functions[] = {
	    {"XML_ParserCreate", offsetof(struct expat, create)},
	    {"XML_ParserFree", offsetof(struct expat, free)},
	    {"XML_SetUserData", offsetof(struct expat, set_user_data)},
	    {"XML_SetElementHandler", offsetof(struct expat, set_element_handler)},
	    {"XML_SetCharacterDataHandler", offsetof(struct expat, set_text_handler)},
	    {"XML_SetStartDoctypeDeclHandler", offsetof(struct expat, set_doctype_handler)},
	    {"XML_Parse", offsetof(struct expat, parse)},
	    {"XML_StopParser", offsetof(struct expat, stop)},
	    {"XML_GetErrorCode", offsetof(struct expat, error_code)},
	    {"XML_ErrorString", offsetof(struct expat, error_text)},
	    {"XML_GetCurrentLineNumber", offsetof(struct expat, line)},
	    {NULL, 0},
	};
	static const struct wn_load_library expat = {"Expat", "libexpat.so.1", "libexpat1",
	                                             functions};
	return wn_load(&expat, out, &out->library, err);
}

void
expat_close(struct expat *expat)
{
	wn_unload(expat->library);
	*expat = (struct expat){0};
}
