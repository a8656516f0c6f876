// SPDX-License-Identifier: GPL-3.0-or-later
// Writes one reply (a "step") in each of the four dialects, streamed or not. Everything is deterministic:
// ids are counters, no clocks, no randomness.
let seq = 0;
export const resetIds = () => { seq = 0; };
const nid = (p) => `${p}_mock_${String(++seq).padStart(4, '0')}`;
const sleep = (ms, sig) => new Promise((res) => { const t = setTimeout(res, ms); sig?.addEventListener('abort', () => { clearTimeout(t); res(); }, { once: true }); });
export { sleep };

const EPOCH = 1700000000;

export function pieces(s, n) {
  if (!s) return [];
  if (!n || n <= 0) return [s];
  const cps = Array.from(s), out = [];           // by code point: never cuts a surrogate pair
  for (let i = 0; i < cps.length; i += n) out.push(cps.slice(i, i + n).join(''));
  return out;
}

export function usageOf(step) {
  const u = step.usage ?? {};
  const out = u.output ?? Math.max(1, Math.ceil((step.text ?? '').length / 4));
  return { input: u.input ?? 1000, output: out, cacheRead: u.cacheRead ?? 0, cacheWrite: u.cacheWrite ?? 0, reasoning: u.reasoning ?? (step.thinking ? Math.ceil(step.thinking.length / 4) : 0) };
}

class Sse {
  constructor(res, step, signal) { this.res = res; this.step = step; this.signal = signal; this.n = 0; this.dead = false; }
  open() { this.res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', 'x-request-id': 'req_mock', 'request-id': 'req_mock', ...(this.step.headers ?? {}) }); this.res.flushHeaders?.(); }
  async send(obj, event) {
    if (this.dead || this.signal.aborted) return false;
    let s = typeof obj === 'string' ? obj : JSON.stringify(obj);
    // @google/genai splits SSE with /^data: (.*).../ where "." stops at U+2028/U+2029, so a raw one breaks it ("Incomplete JSON segment at the end")
    if (this.escapeSeparators) s = s.replace(/[\u2028\u2029]/g, (c) => '\\u' + c.charCodeAt(0).toString(16));
    this.res.write((event ? `event: ${event}\n` : '') + `data: ${s}\n\n`);
    return true;
  }
  // call between content deltas: delay, and the scripted way to break the stream
  async tick(onMidError) {
    this.n++;
    const s = this.step;
    if (s.breakAfter && this.n >= s.breakAfter) { this.dead = true; await sleep(20); this.res.destroy(); return false; }
    if (s.cutAfter && this.n >= s.cutAfter) { this.dead = true; this.res.end(); return false; }
    if (s.errorAfter && this.n >= s.errorAfter.chunks) { await onMidError?.(s.errorAfter); this.dead = true; this.res.end(); return false; }
    if (s.hangAfter && this.n >= s.hangAfter) { await new Promise((r) => { if (this.signal.aborted) r(); else this.signal.addEventListener('abort', r, { once: true }); }); this.dead = true; return false; }
    if (s.delay) await sleep(s.delay, this.signal);
    return !this.dead && !this.signal.aborted;
  }
  end() { if (!this.dead && !this.signal.aborted) this.res.end(); }
}

const json = (res, status, body, headers = {}) => { const s = JSON.stringify(body); res.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_mock', ...headers }); res.end(s); };
export { json };

// ---------------------------------------------------------------- errors
export function sendError(api, res, e) {
  const status = e.status ?? 500;
  const msg = e.message ?? { 400: 'Bad request', 401: 'Invalid API key', 403: 'Forbidden', 404: 'Model not found', 429: 'Rate limit reached', 500: 'Internal server error', 503: 'Service unavailable', 529: 'Overloaded' }[status] ?? 'Error';
  const headers = { ...(e.retryAfter !== undefined ? { 'retry-after': String(e.retryAfter) } : {}), ...(e.headers ?? {}) };
  if (e.html) { res.writeHead(status, { 'content-type': 'text/html', ...headers }); return res.end(`<html><body><h1>${status} ${msg}</h1></body></html>`); }
  if (api === 'anthropic') {
    const type = e.type ?? { 400: 'invalid_request_error', 401: 'authentication_error', 403: 'permission_error', 404: 'not_found_error', 413: 'request_too_large', 429: 'rate_limit_error', 529: 'overloaded_error' }[status] ?? 'api_error';
    return json(res, status, { type: 'error', error: { type, message: msg }, request_id: 'req_mock' }, headers);
  }
  if (api === 'gemini') {
    const st = { 400: 'INVALID_ARGUMENT', 401: 'UNAUTHENTICATED', 403: 'PERMISSION_DENIED', 404: 'NOT_FOUND', 429: 'RESOURCE_EXHAUSTED', 500: 'INTERNAL', 503: 'UNAVAILABLE' }[status] ?? 'UNKNOWN';
    return json(res, status, { error: { code: status, message: msg, status: e.type ?? st, ...(e.details ? { details: e.details } : {}) } }, headers);
  }
  const type = e.type ?? { 400: 'invalid_request_error', 401: 'invalid_request_error', 429: 'rate_limit_error', 500: 'server_error', 503: 'server_error' }[status] ?? 'server_error';
  return json(res, status, { error: { message: msg, type, param: null, code: e.code ?? null } }, headers);
}

// ---------------------------------------------------------------- OpenAI chat completions
export async function emitOpenAIChat(r, step, calls, res, signal) {
  const id = nid('chatcmpl'), u = usageOf(step);
  const usage = { prompt_tokens: u.input + u.cacheRead, completion_tokens: u.output + u.reasoning, total_tokens: u.input + u.cacheRead + u.output + u.reasoning, prompt_tokens_details: { cached_tokens: u.cacheRead }, completion_tokens_details: { reasoning_tokens: u.reasoning } };
  const finish = step.stop ?? (calls.length ? 'tool_calls' : 'stop');
  const tc = calls.map((c) => ({ id: nid('call'), type: 'function', function: { name: c.name, arguments: c.rawArgs ?? JSON.stringify(c.args ?? { input: c.input }) } }));
  if (!r.stream) return json(res, 200, { id, object: 'chat.completion', created: EPOCH, model: r.model, choices: [{ index: 0, message: { role: 'assistant', content: step.text ?? null, ...(step.thinking ? { reasoning_content: step.thinking } : {}), ...(tc.length ? { tool_calls: tc } : {}) }, finish_reason: finish }], usage });
  const s = new Sse(res, step, signal); s.open();
  const ch = (delta, finish_reason = null) => ({ id, object: 'chat.completion.chunk', created: EPOCH, model: r.model, choices: [{ index: 0, delta, finish_reason }] });
  const mid = (e) => s.send({ error: { message: e.message ?? 'stream error', type: e.type ?? 'server_error', code: e.code ?? null } });
  await s.send(ch({ role: 'assistant', content: '' }));
  for (const p of pieces(step.thinking, step.chunk ?? 24)) { await s.send(ch({ reasoning_content: p })); if (!(await s.tick(mid))) return; }
  for (const p of pieces(step.text, step.chunk ?? 24)) { await s.send(ch({ content: p })); if (!(await s.tick(mid))) return; }
  for (const [i, t] of tc.entries()) {
    await s.send(ch({ tool_calls: [{ index: i, id: t.id, type: 'function', function: { name: t.function.name, arguments: '' } }] }));
    for (const p of pieces(t.function.arguments, step.argChunk ?? 64)) { await s.send(ch({ tool_calls: [{ index: i, function: { arguments: p } }] })); if (!(await s.tick(mid))) return; }
  }
  await s.send(ch({}, finish));
  await s.send({ id, object: 'chat.completion.chunk', created: EPOCH, model: r.model, choices: [], usage });
  await s.send('[DONE]'); s.end();
}

// ---------------------------------------------------------------- OpenAI responses
export async function emitOpenAIResponses(r, step, calls, res, signal) {
  const id = nid('resp'), u = usageOf(step);
  const usage = { input_tokens: u.input + u.cacheRead, input_tokens_details: { cached_tokens: u.cacheRead }, output_tokens: u.output + u.reasoning, output_tokens_details: { reasoning_tokens: u.reasoning }, total_tokens: u.input + u.cacheRead + u.output + u.reasoning };
  const base = (status, output, extra = {}) => ({ id, object: 'response', created_at: EPOCH, status, model: r.model, output, parallel_tool_calls: true, tools: [], usage: null, error: null, incomplete_details: null, ...extra });
  const output = [];
  const items = [];
  if (step.thinking) items.push({ kind: 'reasoning', it: { id: nid('rs'), type: 'reasoning', summary: [{ type: 'summary_text', text: step.thinking }], encrypted_content: 'bW9jaw==' } });
  if (step.text) items.push({ kind: 'msg', it: { id: nid('msg'), type: 'message', status: 'completed', role: 'assistant', content: [{ type: 'output_text', text: step.text, annotations: [] }] } });
  for (const c of calls) items.push(c.custom ? { kind: 'custom', it: { id: nid('ctc'), type: 'custom_tool_call', status: 'completed', call_id: nid('call'), name: c.name, ...(c.ns ? { namespace: c.ns } : {}), input: c.input ?? JSON.stringify(c.args) } } : { kind: 'fn', it: { id: nid('fc'), type: 'function_call', status: 'completed', call_id: nid('call'), name: c.name, ...(c.ns ? { namespace: c.ns } : {}), arguments: c.rawArgs ?? JSON.stringify(c.args ?? {}) } });
  if (!r.stream) return json(res, 200, base('completed', items.map((x) => x.it), { usage }));
  const s = new Sse(res, step, signal); s.open();
  let n = 0;
  const ev = (type, o) => s.send({ type, sequence_number: n++, ...o }, type);
  const mid = (e) => ev('response.failed', { response: base('failed', output, { error: { code: e.code ?? 'server_error', message: e.message ?? 'The server had an error' } }) });
  await ev('response.created', { response: base('in_progress', []) });
  await ev('response.in_progress', { response: base('in_progress', []) });
  for (const [i, { kind, it }] of items.entries()) {
    const a = { item_id: it.id, output_index: i };
    if (kind === 'reasoning') {
      await ev('response.output_item.added', { output_index: i, item: { ...it, summary: [] } });
      await ev('response.reasoning_summary_part.added', { ...a, summary_index: 0, part: { type: 'summary_text', text: '' } });
      for (const p of pieces(step.thinking, step.chunk ?? 24)) { await ev('response.reasoning_summary_text.delta', { ...a, summary_index: 0, delta: p }); if (!(await s.tick(mid))) return; }
      await ev('response.reasoning_summary_text.done', { ...a, summary_index: 0, text: step.thinking });
      await ev('response.reasoning_summary_part.done', { ...a, summary_index: 0, part: it.summary[0] });
    } else if (kind === 'msg') {
      await ev('response.output_item.added', { output_index: i, item: { ...it, status: 'in_progress', content: [] } });
      await ev('response.content_part.added', { ...a, content_index: 0, part: { type: 'output_text', text: '', annotations: [] } });
      for (const p of pieces(step.text, step.chunk ?? 24)) { await ev('response.output_text.delta', { ...a, content_index: 0, delta: p }); if (!(await s.tick(mid))) return; }
      await ev('response.output_text.done', { ...a, content_index: 0, text: step.text });
      await ev('response.content_part.done', { ...a, content_index: 0, part: it.content[0] });
    } else if (kind === 'custom') {
      await ev('response.output_item.added', { output_index: i, item: { ...it, status: 'in_progress', input: '' } });
      for (const p of pieces(it.input, step.argChunk ?? 64)) { await ev('response.custom_tool_call_input.delta', { ...a, delta: p }); if (!(await s.tick(mid))) return; }
      await ev('response.custom_tool_call_input.done', { ...a, input: it.input });
    } else {
      await ev('response.output_item.added', { output_index: i, item: { ...it, status: 'in_progress', arguments: '' } });
      for (const p of pieces(it.arguments, step.argChunk ?? 64)) { await ev('response.function_call_arguments.delta', { ...a, delta: p }); if (!(await s.tick(mid))) return; }
      await ev('response.function_call_arguments.done', { ...a, arguments: it.arguments });
    }
    output.push(it);
    await ev('response.output_item.done', { output_index: i, item: it });
  }
  if (step.stop === 'length') await ev('response.incomplete', { response: base('incomplete', output, { usage, incomplete_details: { reason: 'max_output_tokens' } }) });
  else await ev('response.completed', { response: base('completed', output, { usage, end_turn: calls.length ? undefined : true }) });
  s.end();
}

// ---------------------------------------------------------------- Anthropic messages
export async function emitAnthropic(r, step, calls, res, signal) {
  const id = nid('msg'), u = usageOf(step);
  const usage = { input_tokens: u.input, cache_creation_input_tokens: u.cacheWrite, cache_read_input_tokens: u.cacheRead, output_tokens: u.output + u.reasoning, service_tier: 'standard' };
  const stop_reason = { length: 'max_tokens' }[step.stop] ?? step.stop ?? (calls.length ? 'tool_use' : 'end_turn');
  const blocks = [];
  if (step.thinking) blocks.push({ type: 'thinking', thinking: step.thinking, signature: 'bW9jay1zaWduYXR1cmU=' });
  if (step.text) blocks.push({ type: 'text', text: step.text });
  for (const c of calls) blocks.push({ type: 'tool_use', id: nid('toolu'), name: c.name, input: c.args ?? { input: c.input } , raw: c.rawArgs});
  if (!blocks.length) blocks.push({ type: 'text', text: '' });
  if (!r.stream) return json(res, 200, { id, type: 'message', role: 'assistant', model: r.model, content: blocks.map(({ raw, ...b }) => b), stop_reason, stop_sequence: null, usage });
  const s = new Sse(res, step, signal); s.open();
  const ev = (type, o = {}) => s.send({ type, ...o }, type);
  const mid = (e) => ev('error', { error: { type: e.type ?? 'overloaded_error', message: e.message ?? 'Overloaded' } });
  await ev('message_start', { message: { id, type: 'message', role: 'assistant', model: r.model, content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } } });
  await ev('ping');
  for (const [index, b] of blocks.entries()) {
    if (b.type === 'thinking') {
      await ev('content_block_start', { index, content_block: { type: 'thinking', thinking: '', signature: '' } });
      for (const p of pieces(b.thinking, step.chunk ?? 24)) { await ev('content_block_delta', { index, delta: { type: 'thinking_delta', thinking: p } }); if (!(await s.tick(mid))) return; }
      await ev('content_block_delta', { index, delta: { type: 'signature_delta', signature: b.signature } });
    } else if (b.type === 'text') {
      await ev('content_block_start', { index, content_block: { type: 'text', text: '' } });
      for (const p of pieces(b.text, step.chunk ?? 24)) { await ev('content_block_delta', { index, delta: { type: 'text_delta', text: p } }); if (!(await s.tick(mid))) return; }
    } else {
      await ev('content_block_start', { index, content_block: { type: 'tool_use', id: b.id, name: b.name, input: {} } });
      for (const p of pieces(b.raw ?? JSON.stringify(b.input), step.argChunk ?? 64)) { await ev('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: p } }); if (!(await s.tick(mid))) return; }
    }
    await ev('content_block_stop', { index });
  }
  await ev('message_delta', { delta: { stop_reason, stop_sequence: null }, usage });
  await ev('message_stop');
  s.end();
}

// ---------------------------------------------------------------- Google generateContent
export async function emitGemini(r, step, calls, res, signal) {
  const u = usageOf(step), responseId = nid('gem');
  const usageMetadata = { promptTokenCount: u.input + u.cacheRead, candidatesTokenCount: u.output, thoughtsTokenCount: u.reasoning, cachedContentTokenCount: u.cacheRead, totalTokenCount: u.input + u.cacheRead + u.output + u.reasoning };
  const finishReason = { length: 'MAX_TOKENS' }[step.stop] ?? step.stop ?? 'STOP';
  const fc = calls.map((c) => ({ functionCall: { id: nid('fc'), name: c.name, args: c.args ?? {} }, thoughtSignature: 'bW9jaw==' }));
  const chunk = (parts, extra = {}) => ({ candidates: [{ content: { role: 'model', parts }, index: 0, ...(extra.finishReason ? { finishReason: extra.finishReason } : {}) }], ...(extra.usage ? { usageMetadata } : {}), modelVersion: r.model, responseId });
  if (!r.stream) {
    const parts = [...(step.thinking ? [{ text: step.thinking, thought: true }] : []), ...(step.text ? [{ text: step.text }] : []), ...fc];
    return json(res, 200, chunk(parts, { finishReason, usage: true }));
  }
  const s = new Sse(res, step, signal); s.escapeSeparators = !step.rawSeparators; s.open();
  const mid = (e) => s.send({ error: { code: e.status ?? 503, message: e.message ?? 'The model is overloaded', status: e.type ?? 'UNAVAILABLE' } });
  for (const p of pieces(step.thinking, step.chunk ?? 24)) { await s.send(chunk([{ text: p, thought: true }])); if (!(await s.tick(mid))) return; }
  for (const p of pieces(step.text, step.chunk ?? 24)) { await s.send(chunk([{ text: p }])); if (!(await s.tick(mid))) return; }
  for (const f of fc) { await s.send(chunk([f])); if (!(await s.tick(mid))) return; }
  await s.send(chunk([{ text: '' }], { finishReason, usage: true }));
  s.end();
}
