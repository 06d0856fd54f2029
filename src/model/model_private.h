/* SPDX-License-Identifier: MIT */
/* model_private.h - the passes of wn_model_build(). Private to this folder. */
#pragma once

#include "model/model.h"

/* Computes the bound of the run as it is, and what wn_model_floor() needs. */
void model_bounds(struct wn_model *x);
