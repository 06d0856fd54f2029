/* SPDX-License-Identifier: MIT */
/* expat.h - loads the few functions of Expat that are used when GraphML is imported (base/load.h).
 * Their types are those of its header. */
#pragma once

#include "winnow/base.h"

#include <expat.h>

struct expat {
	void *library;
	__typeof__(XML_ParserCreate) *create;
	__typeof__(XML_ParserFree) *free;
	__typeof__(XML_SetUserData) *set_user_data;
	__typeof__(XML_SetElementHandler) *set_element_handler;
	__typeof__(XML_SetCharacterDataHandler) *set_text_handler;
	__typeof__(XML_SetStartDoctypeDeclHandler) *set_doctype_handler;
	__typeof__(XML_Parse) *parse;
	__typeof__(XML_StopParser) *stop;
	__typeof__(XML_GetErrorCode) *error_code;
	__typeof__(XML_ErrorString) *error_text;
	/* XML_GetCurrentLineNumber, which newer headers call deprecated */
	XML_Size (*line)(XML_Parser parser);
};

/* WN_E_IO: Expat is not there; the message names its package. Release with expat_close(). */
WN_MUST_CHECK wn_status expat_open(struct expat *out, wn_err *err);
void expat_close(struct expat *expat);
