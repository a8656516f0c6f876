/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-decoder.h"

G_BEGIN_DECLS

/* The client's side of the Agent Client Protocol, version 1, on an agent's stdin and stdout. */
extern const ForeDecoderClass fore_acp_decoder_class;

G_END_DECLS
