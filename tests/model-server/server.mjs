#!/usr/bin/env node
// SPDX-License-Identifier: GPL-3.0-or-later
// Scripted mock LLM server. Plain Node (>=18), no dependencies, deterministic, loopback only.
// usage: node server.mjs [--port 0] [--rules rules.mjs|json] [--scenarios my.mjs] [--log requests.jsonl] [--quiet] [--until-stdin-ends]
// Prints one JSON line when ready: {"ready":true,"port":N,"url":"http://127.0.0.1:N"}
import http from 'node:http';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { fromOpenAIChat, fromOpenAIResponses, fromAnthropic, fromGemini, findDirective, findCwd, findPlanFile } from './lib/normalise.mjs';
import { emitOpenAIChat, emitOpenAIResponses, emitAnthropic, emitGemini, sendError, json, sleep, resetIds } from './lib/emit.mjs';
import { concreteCalls } from './lib/tools.mjs';
import { scenarios as builtin } from './lib/scenarios.mjs';

const EMIT = { 'openai-chat': emitOpenAIChat, 'openai-responses': emitOpenAIResponses, anthropic: emitAnthropic, gemini: emitGemini };

// Side requests that CLIs make on their own: titles, summaries, classifiers. They never count as a scenario step.
function auxReply(r) {
  const sys = r.system, last = r.turns.at(-1)?.text ?? '';
  if (r.json) return { aux: 'json', text: JSON.stringify(fromSchema(r.schema ?? r.raw.output_config?.format?.schema ?? r.raw.text?.format?.schema ?? r.raw.response_format?.json_schema?.schema ?? {})) };
  if (r.tools.length) return null;
  if (/title/i.test(sys.slice(0, 4000)) || /generate a title/i.test(last)) return { aux: 'title', text: 'Mock title' };
  if (/summar|compact|checkpoint/i.test(sys.slice(0, 4000) + last.slice(0, 1500) + last.slice(-1500))) return { aux: 'summary', text: '## Goal\nMock summary of the conversation.\n\n## Next Steps\n1. Continue.' };
  return null;
}
function fromSchema(s) {
  if (!s || typeof s !== 'object') return {};
  if (s.enum) return s.enum[0];
  const t = (Array.isArray(s.type) ? s.type[0] : s.type)?.toLowerCase?.();
  if (t === 'object' || s.properties) return Object.fromEntries(Object.entries(s.properties ?? {}).map(([k, v]) => [k, fromSchema(v)]));
  if (t === 'array') return [];
  if (t === 'number' || t === 'integer') return s.minimum ?? 0;
  if (t === 'boolean') return false;
  return 'mock';
}

function matches(m, r, userText) {
  const re = (x) => (x instanceof RegExp ? x : new RegExp(x, 's'));
  if (m.api && m.api !== r.api) return false;
  if (m.model && !re(m.model).test(r.model ?? '')) return false;
  if (m.system && !re(m.system).test(r.system)) return false;
  if (m.user && !re(m.user).test(userText)) return false;
  if (m.any && !re(m.any).test(r.system + '\n' + userText)) return false;
  if (m.tool && !r.tools.some((t) => t.name === m.tool)) return false;
  if (m.noTool && r.tools.some((t) => t.name === m.noTool)) return false;
  return true;
}

export async function startMock(opts = {}) {
  const lib = { ...builtin, ...(opts.scenarios ?? {}) };
  let rules = opts.rules ?? [];
  const hits = new Map();               // (scenario,step,key) -> how many requests reached it
  const log = [];
  const logFile = opts.log ? fs.openSync(opts.log, 'a') : null;
  let count = 0, inflight = 0;

  function choose(r) {
    const users = r.turns.map((t, i) => ({ t, i })).filter(({ t }) => t.role !== 'assistant');
    const userText = users.map(({ t }) => t.text).join('\n');
    const after = (i) => r.turns.slice(i + 1).filter((t) => t.role === 'assistant').length;
    const ctxBase = { api: r.api, model: r.model, cwd: findCwd(r), planFile: findPlanFile(r), r, userText, lastUser: users.at(-1)?.t.text ?? '', lastResults: r.turns.at(-1)?.results ?? [] };
    const aux = auxReply(r);
    for (const rule of rules) {
      if (!matches(rule.match ?? {}, r, userText)) continue;
      if (aux && !rule.aux) continue;
      const first = users[0]?.i ?? -1;
      const n = after(rule.from === 'last' ? users.filter(({ t }) => t.role === 'user').at(-1)?.i ?? first : first);
      const def = rule.steps ?? (typeof rule.scenario === 'function' ? rule.scenario : lib[rule.scenario]);
      const steps = typeof def === 'function' ? def(rule.args ?? {}, ctxBase) : def;
      return { name: rule.name ?? rule.scenario ?? 'rule', key: rule.key ?? rule.name ?? '', steps, n, ctx: ctxBase };
    }
    if (aux) return { name: `aux-${aux.aux}`, key: '', steps: [aux], n: 0, ctx: ctxBase };
    for (const { t, i } of [...users].reverse()) {
      const d = findDirective(t.text);
      if (!d) continue;
      const def = lib[d.name];
      if (!def) return { name: 'unknown', key: '', steps: [{ text: `mock: no scenario "${d.name}"` }], n: 0, ctx: ctxBase };
      const steps = typeof def === 'function' ? def(d.args, ctxBase) : def;
      return { name: d.name, key: d.args.key ?? '', steps, n: after(i), ctx: ctxBase };
    }
    const dflt = opts.default ?? lib.default ?? [{ text: 'Mock default reply.' }];
    return { name: 'default', key: '', steps: typeof dflt === 'function' ? dflt({}, ctxBase) : dflt, n: 0, ctx: ctxBase };
  }

  async function answer(r, res, signal, entry) {
    const pick = choose(r);
    const n = Math.min(pick.n, pick.steps.length);
    let step = pick.steps[n] ?? { text: 'Mock script finished.' };
    if (typeof step === 'function') step = step(pick.ctx);
    const hk = `${pick.name}|${pick.key}|${n}`;
    const hit = (hits.get(hk) ?? 0) + 1; hits.set(hk, hit);
    if (step.times !== undefined && hit > step.times) step = step.then ?? { text: 'Recovered.' };
    let calls = concreteCalls(r, { cwd: pick.ctx.cwd, planFile: pick.ctx.planFile, ...step.ctx }, step.tools);
    if (step.rawArgs) calls = calls.map((c) => ({ ...c, rawArgs: step.rawArgs }));
    if (step.dropArgs) calls = calls.map((c) => ({ ...c, args: {} }));
    Object.assign(entry, { scenario: pick.name, step: n, hit, cwd: pick.ctx.cwd, reply: step.error ? { error: step.error } : { text: (step.text ?? '').slice(0, 200), calls: calls.map((c) => c.name) } });
    if (step.wait) await sleep(step.wait, signal);
    if (step.hang) return new Promise((ok) => signal.addEventListener('abort', ok, { once: true }));
    if (step.error) return sendError(r.api, res, step.error);
    return EMIT[r.api](r, step, calls, res, signal);
  }

  const server = http.createServer(async (req, res) => {
    const url = new URL(req.url, 'http://x');
    const p = url.pathname.replace(/\/{2,}/g, '/');
    const chunks = []; for await (const c of req) chunks.push(c);
    let body = Buffer.concat(chunks);
    if (req.headers['content-encoding'] === 'gzip') body = (await import('node:zlib')).gunzipSync(body);
    if (req.headers['content-encoding'] === 'zstd') { const z = await import('node:zlib'); if (z.zstdDecompressSync) body = z.zstdDecompressSync(body); }
    let b = {}; try { b = body.length ? JSON.parse(body.toString('utf8')) : {}; } catch { b = { __unparsed: body.toString('latin1').slice(0, 400) }; }
    const ac = new AbortController(); const t0 = Date.now();
    res.on('close', () => { if (!res.writableFinished) ac.abort(); });

    if (p.startsWith('/__mock/')) {
      if (p === '/__mock/health') return json(res, 200, { ok: true, count, inflight });
      if (p === '/__mock/log') return json(res, 200, url.searchParams.get('bodies') ? log : log.map(({ body: _b, ...e }) => e));
      if (p === '/__mock/reset') { hits.clear(); log.length = 0; resetIds(); return json(res, 200, { ok: true }); }
      if (p === '/__mock/rules') { rules = b.rules ?? []; return json(res, 200, { ok: true, rules: rules.length }); }
      if (p === '/__mock/stop') { json(res, 200, { ok: true }); return server.close(); }
      return json(res, 404, { error: 'no such control path' });
    }
    const entry = { n: ++count, at: t0, method: req.method, path: p, ua: req.headers['user-agent'] };
    const keep = () => { entry.ms = Date.now() - t0; entry.aborted = ac.signal.aborted; const full = { ...entry, headers: redact(req.headers), body: b }; log.push(full); if (log.length > 2000) log.shift(); if (logFile) fs.writeSync(logFile, JSON.stringify(full) + '\n'); if (!opts.quiet) process.stderr.write(`[mock] ${entry.n} ${entry.method} ${p} ${entry.scenario ?? '-'}#${entry.step ?? ''} hit=${entry.hit ?? ''} ${entry.ms}ms${entry.aborted ? ' ABORTED' : ''}\n`); };
    inflight++;
    try {
      let m;
      if (req.method === 'GET' && (m = p.match(/\/models(?:\/(.+))?$/))) {
        const one = (id) => ({ id, object: 'model', type: 'model', display_name: id, created: 1700000000, owned_by: 'mock' });
        json(res, 200, m[1] ? one(m[1]) : { object: 'list', data: ['mock-model', 'mock-small'].map(one), has_more: false, models: [] });
      } else if (p.endsWith('/chat/completions')) { const r = fromOpenAIChat(b); entry.model = r.model; entry.tools = r.tools.map((t) => t.name); await answer(r, res, ac.signal, entry); }
      else if (p.endsWith('/responses')) { const r = fromOpenAIResponses(b); entry.model = r.model; entry.tools = r.tools.map((t) => t.name); await answer(r, res, ac.signal, entry); }
      else if (p.endsWith('/messages/count_tokens')) json(res, 200, { input_tokens: 1234 });
      else if (p.endsWith('/messages')) { const r = fromAnthropic(b); entry.model = r.model; entry.tools = r.tools.map((t) => t.name); await answer(r, res, ac.signal, entry); }
      else if ((m = p.match(/\/models\/([^/:]+):(generateContent|streamGenerateContent|countTokens|embedContent)$/))) {
        if (m[2] === 'countTokens') json(res, 200, { totalTokens: 1234 });
        else { const r = fromGemini(b, m[1], m[2] === 'streamGenerateContent'); entry.model = r.model; entry.tools = r.tools.map((t) => t.name); await answer(r, res, ac.signal, entry); }
      } else json(res, 404, { error: { message: `mock: no route ${req.method} ${p}`, type: 'not_found' } });
    } catch (e) {
      entry.failed = String(e?.stack ?? e);
      try { if (!res.headersSent) json(res, 500, { error: { message: 'mock bug: ' + e } }); else res.destroy(); } catch {}
    } finally { inflight--; keep(); }
  });
  await new Promise((ok) => server.listen(opts.port ?? 0, '127.0.0.1', ok));
  const port = server.address().port;
  return { server, port, url: `http://127.0.0.1:${port}`, log, setRules: (x) => { rules = x; }, reset: () => { hits.clear(); log.length = 0; resetIds(); }, close: () => new Promise((ok) => { server.closeAllConnections?.(); server.close(ok); }) };
}

const redact = (h) => Object.fromEntries(Object.entries(h).map(([k, v]) => [k, /authorization|api-key|cookie/i.test(k) ? '<redacted>' : v]));

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const a = process.argv.slice(2), o = {};
  for (let i = 0; i < a.length; i++) {
    if (a[i] === '--port') o.port = Number(a[++i]);
    else if (a[i] === '--log') o.log = a[++i];
    else if (a[i] === '--quiet') o.quiet = true;
    else if (a[i] === '--until-stdin-ends') process.stdin.on('end', () => process.exit(0)).resume();
    else if (a[i] === '--rules') { const f = path.resolve(a[++i]); o.rules = f.endsWith('.json') ? JSON.parse(fs.readFileSync(f, 'utf8')) : (await import(pathToFileURL(f))).default; }
    else if (a[i] === '--scenarios') o.scenarios = (await import(pathToFileURL(path.resolve(a[++i])))).default;
    else { console.error('unknown option ' + a[i]); process.exit(2); }
  }
  const m = await startMock(o);
  process.stdout.write(JSON.stringify({ ready: true, port: m.port, url: m.url, pid: process.pid }) + '\n');
  const bye = () => m.close().then(() => process.exit(0));
  process.on('SIGINT', bye); process.on('SIGTERM', bye);
}
