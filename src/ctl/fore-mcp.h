/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ForeMcpCallFunc:
 * @name: a tool of the list
 * @text: what it is called with
 * @options: (nullable): answers to choose from
 * @reply: (transfer full): what fore_mcp_reply() takes, once
 * @user_data: what was given with the function
 *
 * Carries a tool out; may return before it is done.
 */
typedef struct _ForeMcpReply ForeMcpReply;
typedef void (*ForeMcpCallFunc) (const char *name,
                                 const char *text,
                                 const char *const *options,
                                 ForeMcpReply *reply,
                                 gpointer user_data);

/**
 * ForeMcpSendFunc:
 * @line: one line of JSON, without its end
 * @user_data: what was given with the function
 *
 * Sends something to the client.
 */
typedef void (*ForeMcpSendFunc) (const char *line, gpointer user_data);

/**
 * ForeMcpCancelFunc:
 * @id: a request of the client, as fore_mcp_reply_get_id() gives it
 * @timed_out: whether it only waited no longer
 * @user_data: what was given with the function
 *
 * The client does not want to hear of that request any more; it may be over, or none of ours.
 */
typedef void (*ForeMcpCancelFunc) (const char *id, gboolean timed_out, gpointer user_data);

/**
 * ForeMcp:
 *
 * The server's side of the Model Context Protocol on a stream of lines: initialize, ping,
 * tools/list, tools/call and notifications/cancelled,
 * https://modelcontextprotocol.io/specification/2025-06-18. Anything may be fed to it.
 */
typedef struct _ForeMcp ForeMcp;

ForeMcp *fore_mcp_new (ForeMcpCallFunc call,
                       ForeMcpCancelFunc cancel,
                       ForeMcpSendFunc send,
                       gpointer user_data);
void fore_mcp_free (ForeMcp *self);
void fore_mcp_take (ForeMcp *self, const char *line, gsize length, gboolean truncated);
const char *fore_mcp_reply_get_id (ForeMcpReply *reply);
void fore_mcp_reply_free (ForeMcpReply *reply);
char *fore_mcp_reply (ForeMcpReply *reply, const char *text, gboolean failed);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeMcp, fore_mcp_free)

G_END_DECLS
