/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "text/fore-token-vocabulary.h"

G_BEGIN_DECLS

guint fore_token_merge (const ForeTokenVocabulary *vocabulary, const guint8 *text, guint length);

G_END_DECLS
