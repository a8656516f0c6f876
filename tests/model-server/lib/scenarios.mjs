// SPDX-License-Identifier: GPL-3.0-or-later
// Built-in scenarios. A scenario is a list of steps (or a function (args, ctx) => steps). Step number =
// how many assistant turns came after the user message holding the directive, so it needs no server state.
//
// Step fields: text, thinking, tools:[{tool:'write'|'edit'|'read'|'shell'|'subagent'|'plan'|'exitplan', ...} | {name, args}],
//   usage:{input,output,cacheRead,cacheWrite,reasoning}, stop:'length', chunk (code points per delta; 0 = one delta),
//   delay (ms between deltas), wait (ms before the first byte), hang:true, hangAfter:n,
//   error:{status,message,code,type,retryAfter,html}, breakAfter:n (socket destroyed after n deltas),
//   cutAfter:n (clean EOF without a final event), errorAfter:{chunks,message,code,type} (error event inside the stream),
//   times:k + then:{step} (the first k requests that reach this step get the fault, later ones get `then`).

export const UNICODE = 'Zażółć gęślą jaźń — 日本語テキスト 한국어 中文 العربية עברית 🚀👩‍👩‍👧‍👦🇵🇱 e\u0301 NBSP[\u00a0] ZWJ[\u200d] RLO[\u202e] LS[\u2028] PS[\u2029] NEL[\u0085] BOM[\ufeff] \u001b[31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007 tab[\t] bell[\u0007] nul-free "quotes" \\backslash\\ </script> ${x} `code`';

const lorem = (n) => { let s = ''; for (let i = 0; s.length < n; i++) s += `Line ${i}: the quick brown fox jumps over the lazy dog. `; return s.slice(0, n); };
const done = (t) => ({ text: t, usage: { input: 1500, output: 12, cacheRead: 900 } });
const overflow = { 'openai-chat': { status: 400, code: 'context_length_exceeded', message: "This model's maximum context length is 128000 tokens. However, your messages resulted in 150000 tokens. Please reduce the length of the messages." }, 'openai-responses': { status: 400, code: 'context_length_exceeded', message: 'Your input exceeds the context window of this model. Please adjust your input and try again.' }, anthropic: { status: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' }, gemini: { status: 400, message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).' } };

export const scenarios = {
  simple: (a) => [{ text: a.text ?? 'Hello from the mock model.', usage: { input: 1200, output: 7, cacheRead: 300, cacheWrite: 100 } }],
  write: (a) => [{ text: 'I will write the file.', tools: [{ tool: 'write', path: a.path ?? 'hello.txt', content: a.content ?? 'Hello, file!\n' }] }, done(`Wrote ${a.path ?? 'hello.txt'}.`)],
  shell: (a) => [{ text: 'Running a command.', tools: [{ tool: 'shell', command: a.command ?? 'echo out-line; echo err-line >&2; exit 3' }] }, done('The command ran.')],
  multi: () => [
    { text: 'Step 1: write.', tools: [{ tool: 'write', path: 'notes.txt', content: 'alpha\nbeta\n' }] },
    { text: 'Step 2: read it back.', tools: [{ tool: 'read', path: 'notes.txt' }] },
    { text: 'Step 3: edit it.', tools: [{ tool: 'edit', path: 'notes.txt', find: 'beta', replace: 'gamma' }] },
    { text: 'Step 4: check.', tools: [{ tool: 'shell', command: 'cat notes.txt' }] },
    done('All four steps are done.'),
  ],
  parallel: () => [{ text: 'Three at once.', tools: [{ tool: 'shell', command: 'sleep 0.3; echo one' }, { tool: 'shell', command: 'echo two' }, { tool: 'write', path: 'three.txt', content: 'three\n' }] }, done('All three finished.')],
  reasoning: () => [{ thinking: 'The user asks for the answer. First I consider the options, then I decide: forty-two.', text: 'The answer is 42.', usage: { input: 1100, output: 6, reasoning: 20 } }],
  'reasoning-tool': () => [{ thinking: 'I need a file, so I call the tool.', text: 'Writing.', tools: [{ tool: 'write', path: 'thought.txt', content: 'x\n' }] }, { thinking: 'It worked.', text: 'Done thinking.' }],
  'long-line': (a) => [{ text: lorem(a.n ?? 1_000_000), chunk: a.chunk ?? 0, usage: { input: 1000, output: 250000 } }],
  'long-tool': (a) => [{ text: 'A command with one very long line.', tools: [{ tool: 'shell', command: `head -c ${a.n ?? 1000000} /dev/zero | tr '\\0' x; echo` }] }, done('That was long.')],
  'many-deltas': (a) => [{ text: lorem((a.n ?? 3000) * 4), chunk: 4 }],
  unicode: () => [{ text: UNICODE, chunk: 5 }],
  'unicode-tool': () => [{ text: 'żółć 🚀', tools: [{ tool: 'write', path: 'zażółć 日本.txt', content: UNICODE + '\n' }, { tool: 'shell', command: "printf '\\033[31mred\\033[0m żółć 🚀 \\xff\\xfe invalid\\r\\nover\\rwrite\\n'" }] }, done('żółć done 🚀')],
  'retry-429': () => [{ error: { status: 429, message: 'Rate limit reached for requests', type: 'rate_limit_error', retryAfter: 1 }, times: 1, then: { text: 'Recovered after 429.' } }],
  'retry-500': () => [{ error: { status: 500 }, times: 1, then: { text: 'Recovered after 500.' } }],
  'retry-529': () => [{ error: { status: 529, message: 'Overloaded' }, times: 1, then: { text: 'Recovered after 529.' } }],
  'retry-break': () => [{ text: lorem(400), breakAfter: 4, times: 1, then: { text: 'Recovered after a broken stream.' } }],
  'retry-mid': () => [{ text: lorem(400), errorAfter: { chunks: 4, message: 'Overloaded', code: 'server_is_overloaded' }, times: 1, then: { text: 'Recovered after an error event.' } }],
  'always-429': () => [{ error: { status: 429, message: 'You exceeded your current quota, please check your plan and billing details.', code: 'insufficient_quota', type: 'insufficient_quota' } }],
  'always-500': () => [{ error: { status: 500 } }],
  'always-529': () => [{ error: { status: 529, message: 'Overloaded' } }],
  'always-break': () => [{ text: lorem(400), breakAfter: 4 }],
  'always-cut': () => [{ text: lorem(400), cutAfter: 4 }],
  'fatal-401': () => [{ error: { status: 401, message: 'invalid x-api-key', code: 'invalid_api_key' } }],
  'fatal-400': () => [{ error: { status: 400, message: 'Some parameter is wrong' } }],
  'fatal-404': () => [{ error: { status: 404, message: 'The model does not exist', code: 'model_not_found' } }],
  'html-502': () => [{ error: { status: 502, html: true, message: 'Bad Gateway' } }],
  overflow: (a, ctx) => [{ error: overflow[ctx.api] }],
  slow: (a) => [{ text: lorem(a.n ?? 6000), chunk: 12, delay: a.delay ?? 150 }],
  hang: () => [{ hang: true }],
  'slow-tool': (a) => [{ text: 'A slow command.', tools: [{ tool: 'shell', command: a.command ?? 'echo started; sleep 60; echo finished' }] }, done('The slow command ended.')],
  ticking: (a) => [{ text: 'Ticks.', tools: [{ tool: 'shell', command: `for i in $(seq 1 ${a.n ?? 5}); do echo tick $i; sleep ${a.s ?? 0.4}; done` }] }, done('Ticks done.')],
  grandchild: (a) => [{ text: 'Starting a daemon.', tools: [{ tool: 'shell', command: `${a.setsid === false ? 'nohup' : 'setsid nohup'} sleep ${a.s ?? 97} >/dev/null 2>&1 & echo grandchild=$!` }] }, done('The daemon is running.')],
  'grandchild-pipe': (a) => [{ text: 'Starting a daemon that keeps the pipe.', tools: [{ tool: 'shell', command: `sleep ${a.s ?? 20} & echo grandchild=$!` }] }, done('The daemon is running and holds stdout.')],
  'bad-args': () => [{ text: 'Broken arguments.', tools: [{ tool: 'shell', command: 'x' }], rawArgs: '{"command": "echo unterminated' }, done('Recovered from broken arguments.')],
  'bad-schema': () => [{ text: 'Wrong arguments.', tools: [{ tool: 'write', path: 'x', content: 'x' }], dropArgs: true }, done('Recovered from wrong arguments.')],
  'unknown-tool': () => [{ text: 'A tool that does not exist.', tools: [{ name: 'no_such_tool', args: { a: 1 } }] }, done('Recovered from an unknown tool.')],
  length: () => [{ text: 'This reply was cut by the token limit', stop: 'length' }],
  empty: () => [{ text: '' }],
  subagent: (a) => [{ text: 'Delegating.', tools: [{ tool: 'subagent', prompt: a.prompt ?? 'You are the sub agent. [[mock:write {"path":"sub.txt","content":"from sub\\n"}]]', agent: a.agent, ...(a.background !== undefined ? { background: a.background } : {}) }] }, ...(a.wait ? [a.wait] : []), done('The sub agent finished.')],
  subagents: () => [{ text: 'Delegating twice.', tools: [{ tool: 'subagent', description: 'first', prompt: 'First. [[mock:simple {"text":"first result"}]]', background: false }, { tool: 'subagent', description: 'second', prompt: 'Second. [[mock:shell {"command":"echo second"}]]', background: false }] }, done('Both sub agents finished.')],
  todo: () => [{ text: 'Planning.', tools: [{ tool: 'plan', items: [{ text: 'First', status: 'completed' }, { text: 'Second', status: 'in_progress' }, { text: 'Third', status: 'pending' }] }] }, done('Plan noted.')],
  exitplan: (a) => [{ text: 'Here is my plan.', tools: [{ tool: 'exitplan', plan: a.plan ?? '# Plan\n1. Write hello.txt\n2. Done' }] }, { text: 'Plan accepted, writing.', tools: [{ tool: 'write', path: 'planned.txt', content: 'planned\n' }] }, done('Planned work done.')],
  planfile: (a, ctx) => [{ text: 'I write the plan file.', tools: [{ tool: 'write', path: ctx.planFile ?? 'plan.md', content: a.plan ?? '# Plan\n\n1. Write planned.txt\n2. Done\n' }] }, { text: 'The plan is ready.', tools: [{ tool: 'exitplan', plan: a.plan ?? '# Plan\n\n1. Write planned.txt\n2. Done\n' }] }, { text: 'Plan accepted, writing.', tools: [{ tool: 'write', path: 'planned.txt', content: 'planned\n' }] }, done('Planned work done.')],
  call: (a) => [{ text: a.text ?? `Calling ${a.name}.`, tools: a.calls ?? [{ name: a.name, args: a.args ?? {} }] }, ...(a.more ?? []), { text: a.then ?? 'Call finished.' }],
  script: (a) => a.steps ?? [{ text: 'empty script' }],
};
