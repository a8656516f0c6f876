// SPDX-License-Identifier: GPL-3.0-or-later
import path from 'node:path';
// Turns the four request dialects into one shape, so that scenarios do not care which API was called.
//
//   { api, model, stream, system, tools:[{name,kind,params}], turns:[{role,text,calls,results}], json, raw }
//
// role: 'user' | 'assistant' | 'tool' ('tool' = a turn that carries tool results, whatever the API calls it)

const txt = (c) => {
  if (c == null) return '';
  if (typeof c === 'string') return c;
  if (Array.isArray(c)) return c.map(txt).filter(Boolean).join('\n');
  if (typeof c === 'object') {
    if (typeof c.text === 'string') return c.text;
    if (c.content !== undefined) return txt(c.content);
    if (typeof c.output === 'string') return c.output;
    if (c.parts) return txt(c.parts);
  }
  return '';
};

export function fromOpenAIChat(b) {
  const system = [], turns = [];
  for (const m of b.messages ?? []) {
    if (m.role === 'system' || m.role === 'developer') system.push(txt(m.content));
    else if (m.role === 'user') turns.push({ role: 'user', text: txt(m.content), calls: [], results: [] });
    else if (m.role === 'assistant') turns.push({ role: 'assistant', text: txt(m.content), calls: (m.tool_calls ?? []).map((t) => ({ id: t.id, name: t.function?.name, args: t.function?.arguments })), results: [] });
    else if (m.role === 'tool') turns.push({ role: 'tool', text: '', calls: [], results: [{ id: m.tool_call_id, text: txt(m.content) }] });
  }
  const tools = (b.tools ?? []).map((t) => ({ name: t.function?.name ?? t.custom?.name ?? t.name, kind: t.type, params: t.function?.parameters ?? {} }));
  return { api: 'openai-chat', model: b.model, stream: !!b.stream, system: system.join('\n'), tools, turns, json: !!b.response_format && b.response_format.type !== 'text', raw: b };
}

export function fromOpenAIResponses(b) {
  const system = [b.instructions ?? ''], turns = [];
  const input = typeof b.input === 'string' ? [{ type: 'message', role: 'user', content: b.input }] : b.input ?? [];
  const lastAssistant = () => (turns.at(-1)?.role === 'assistant' ? turns.at(-1) : (turns.push({ role: 'assistant', text: '', calls: [], results: [] }), turns.at(-1)));
  for (const it of input) {
    const t = it.type ?? 'message';
    if (t === 'message') {
      if (it.role === 'system' || it.role === 'developer') system.push(txt(it.content));
      else if (it.role === 'assistant') lastAssistant().text += txt(it.content);
      else turns.push({ role: 'user', text: txt(it.content), calls: [], results: [] });
    } else if (t === 'function_call' || t === 'custom_tool_call' || t === 'local_shell_call') {
      lastAssistant().calls.push({ id: it.call_id, name: it.name ?? t, args: it.arguments ?? it.input ?? it.action });
    } else if (/_output$/.test(t)) {
      turns.push({ role: 'tool', text: '', calls: [], results: [{ id: it.call_id, text: typeof it.output === 'string' ? it.output : txt(it.output) || JSON.stringify(it.output) }] });
    } else if (t === 'reasoning') lastAssistant();
  }
  const tools = [];
  for (const t of b.tools ?? []) {
    if (t.type === 'namespace') for (const x of t.tools ?? []) tools.push({ name: x.name, ns: t.name, kind: x.type, params: x.parameters ?? {} });
    else tools.push({ name: t.name ?? t.type, kind: t.type, params: t.parameters ?? {} });
  }
  return { api: 'openai-responses', model: b.model, stream: !!b.stream, system: system.filter(Boolean).join('\n'), tools, turns, json: !!b.text?.format && b.text.format.type !== 'text', raw: b };
}

export function fromAnthropic(b) {
  const turns = [];
  for (const m of b.messages ?? []) {
    const blocks = typeof m.content === 'string' ? [{ type: 'text', text: m.content }] : m.content ?? [];
    if (m.role === 'assistant') {
      turns.push({ role: 'assistant', text: blocks.filter((x) => x.type === 'text').map((x) => x.text).join('\n'), calls: blocks.filter((x) => x.type === 'tool_use').map((x) => ({ id: x.id, name: x.name, args: x.input })), results: [] });
    } else if (m.role === 'system') {
      continue;
    } else {
      const results = blocks.filter((x) => x.type === 'tool_result').map((x) => ({ id: x.tool_use_id, text: txt(x.content), isError: !!x.is_error }));
      // claude hands over a message typed mid-turn inside the tool result, as a <system-reminder>
      const steered = results.map((x) => x.text.match(/The user sent a new message while you were working:\n([\s\S]*?)\n\nThis is how Claude Code/)?.[1]).filter(Boolean);
      const text = [...blocks.filter((x) => x.type === 'text').map((x) => x.text), ...steered].join('\n');
      if (results.length) turns.push({ role: 'tool', text, calls: [], results });
      else turns.push({ role: 'user', text, calls: [], results: [] });
    }
  }
  const sys = [txt(b.system), ...(b.messages ?? []).filter((m) => m.role === 'system').map((m) => txt(m.content))].join('\n');
  const tools = (b.tools ?? []).map((t) => ({ name: t.name, kind: t.type ?? 'function', params: t.input_schema ?? {} }));
  return { api: 'anthropic', model: b.model, stream: !!b.stream, system: sys, tools, turns, json: !!(b.output_config?.format || b.output_format), raw: b };
}

export function fromGemini(b, model, stream) {
  const turns = [];
  for (const c of b.contents ?? []) {
    const parts = c.parts ?? [];
    const calls = parts.filter((p) => p.functionCall).map((p) => ({ id: p.functionCall.id, name: p.functionCall.name, args: p.functionCall.args }));
    const results = parts.filter((p) => p.functionResponse).map((p) => ({ id: p.functionResponse.id, text: JSON.stringify(p.functionResponse.response) }));
    const text = parts.filter((p) => typeof p.text === 'string' && !p.thought).map((p) => p.text).join('\n');
    if (c.role === 'model') turns.push({ role: 'assistant', text, calls, results: [] });
    else if (results.length) turns.push({ role: 'tool', text, calls: [], results });
    else turns.push({ role: 'user', text, calls: [], results: [] });
  }
  const tools = (b.tools ?? []).flatMap((t) => (t.functionDeclarations ?? []).map((f) => ({ name: f.name, kind: 'function', params: f.parametersJsonSchema ?? f.parameters ?? {} })));
  const gc = b.generationConfig ?? {};
  return { api: 'gemini', model, stream, system: txt(b.systemInstruction), tools, turns, json: gc.responseMimeType === 'application/json', schema: gc.responseJsonSchema ?? gc.responseSchema, raw: b };
}

// "[[mock:NAME {json}]]": the last one in a text, or null. The JSON part is optional and may contain "]]" inside strings.
export function findDirective(text) {
  let found = null, i = 0;
  while ((i = text.indexOf('[[mock:', i)) >= 0) {
    let j = i + 7, name = '';
    while (j < text.length && /[\w.-]/.test(text[j])) name += text[j++];
    while (text[j] === ' ') j++;
    let args = {};
    if (text[j] === '{') {
      let d = 0, q = false, k = j;
      for (; k < text.length; k++) {
        const c = text[k];
        if (q) { if (c === '\\') k++; else if (c === '"') q = false; }
        else if (c === '"') q = true;
        else if (c === '{') d++;
        else if (c === '}' && --d === 0) { k++; break; }
      }
      try { args = JSON.parse(text.slice(j, k)); } catch (e) { args = { __bad: String(e) }; }
      j = k;
    }
    if (name) found = { name, args };
    i = Math.max(j, i + 7);
  }
  return found;
}

// The agent's working directory, read out of whatever prompt the CLI sent. Order: newest phrasing first.
export function findCwd(r) {
  const all = r.system + '\n' + r.turns.filter((t) => t.role === 'user').map((t) => t.text).join('\n');
  for (const re of [/Primary working directory: (\S+)/, /[Cc]urrent working directory(?: is)?:? `?([^\s`]+)/, /<cwd>([^<]+)<\/cwd>/, /Working directory: (\S+)/, /working directory: (\S+)/i, /Workspace Directories:\*{0,2}\s+- ([^\s]+)/]) {
    const m = all.match(re);
    if (m) return m[1].replace(/[.,]$/, '');
  }
  return null;
}

// The plan file a CLI tells its model to write in plan mode (claude: <config>/plans/<slug>.md; gemini: <tmp>/plans/...).
export function findPlanFile(r) {
  const all = JSON.stringify(r.raw);
  const ok = (x) => x && !x.includes('/../') && !x.startsWith('/..');
  const m = [...all.matchAll(/(?<![\w.])(\/[\w.\/-]*\/plans\/[\w.-]+\.md)/g)].map((x) => x[1]).find(ok);
  if (m) return m;
  const d = [...all.matchAll(/(?<![\w.])(\/[\w.\/-]*\/plans)\/?[`"' \\]/g)].map((x) => x[1]).find(ok);
  if (d) return d + '/mock-plan.md';
  const rel = all.match(/((?:\.\.\/)+[\w.\/-]*\/plans)\b/), cwd = findCwd(r);   // gemini names the folder relative to the workspace
  return rel && cwd ? path.resolve(cwd, rel[1], 'mock-plan.md') : null;
}
