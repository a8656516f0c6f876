// SPDX-License-Identifier: GPL-3.0-or-later
// Abstract tool calls -> the concrete tool the calling CLI offers in this very request.
// A scenario says {tool:'write', path, content} and the same scenario works for pi, claude, codex, gemini, opencode.
import path from 'node:path';

const has = (r, n) => r.tools.find((t) => t.name === n);
const prop = (t, ...names) => names.find((n) => t?.params?.properties?.[n]) ?? names[0];

const abs = (r, ctx, p) => (path.isAbsolute(p) ? p : path.join(ctx.cwd ?? '/tmp', p));

const patchAdd = (p, c) => `*** Begin Patch\n*** Add File: ${p}\n${c.replace(/\n$/, '').split('\n').map((l) => '+' + l).join('\n')}\n*** End Patch\n`;

const MAKE = {
  write(r, ctx, { path: p, content }) {
    let t;
    if ((t = has(r, 'Write'))) return { name: 'Write', args: { file_path: abs(r, ctx, p), content } };
    if ((t = has(r, 'write_file'))) return { name: 'write_file', args: { [prop(t, 'file_path', 'path')]: abs(r, ctx, p), content } };
    if ((t = has(r, 'write'))) { const k = prop(t, 'filePath', 'path'); return { name: 'write', args: { [k]: k === 'path' ? p : abs(r, ctx, p), content } }; }
    if ((t = has(r, 'apply_patch'))) return t.kind === 'custom' ? { name: 'apply_patch', custom: true, input: patchAdd(p, content) } : { name: 'apply_patch', args: { [prop(t, 'input', 'patch', 'patchText')]: patchAdd(p, content) } };
    return MAKE.shell(r, ctx, { command: `cat > ${p} <<'MOCK_EOF'\n${content}\nMOCK_EOF` });
  },
  edit(r, ctx, { path: p, find, replace }) {
    let t;
    if ((t = has(r, 'Edit'))) return { name: 'Edit', args: { file_path: abs(r, ctx, p), old_string: find, new_string: replace } };
    if ((t = has(r, 'replace'))) return { name: 'replace', args: { file_path: abs(r, ctx, p), old_string: find, new_string: replace, instruction: 'mock edit' } };
    if ((t = has(r, 'edit'))) {
      if (t.params?.properties?.edits) return { name: 'edit', args: { path: p, edits: [{ oldText: find, newText: replace }] } };
      if (t.params?.properties?.oldText) return { name: 'edit', args: { path: p, oldText: find, newText: replace } };
      return { name: 'edit', args: { [prop(t, 'filePath', 'path')]: abs(r, ctx, p), oldString: find, newString: replace } };
    }
    return MAKE.shell(r, ctx, { command: `sed -i 's/${find}/${replace}/' ${p}` });
  },
  read(r, ctx, { path: p }) {
    let t;
    if ((t = has(r, 'Read'))) return { name: 'Read', args: { file_path: abs(r, ctx, p) } };
    if ((t = has(r, 'read_file'))) return { name: 'read_file', args: { [prop(t, 'file_path', 'absolute_path', 'path')]: abs(r, ctx, p) } };
    if ((t = has(r, 'read'))) { const k = prop(t, 'filePath', 'path'); return { name: 'read', args: { [k]: k === 'path' ? p : abs(r, ctx, p) } }; }
    return MAKE.shell(r, ctx, { command: `cat ${p}` });
  },
  shell(r, ctx, { command, background, timeout }) {
    let t;
    if ((t = has(r, 'Bash'))) return { name: 'Bash', args: { command, description: 'mock shell command', ...(background ? { run_in_background: true } : {}), ...(timeout ? { timeout } : {}) } };
    if ((t = has(r, 'run_shell_command'))) return { name: 'run_shell_command', args: { command, description: 'mock shell command', ...(background ? { is_background: true } : {}) } };
    if ((t = has(r, 'bash'))) return { name: 'bash', args: { command, ...(t.params?.properties?.description ? { description: 'mock shell command' } : {}), ...(timeout && t.params?.properties?.timeout ? { timeout } : {}) } };
    if ((t = has(r, 'exec_command'))) return { name: 'exec_command', args: { cmd: command } };
    if ((t = has(r, 'shell_command'))) return { name: 'shell_command', args: { command } };
    if ((t = has(r, 'shell'))) return { name: 'shell', args: { command: ['bash', '-lc', command] } };
    if ((t = has(r, 'execute'))) return { name: 'execute', args: { command } };
    return { name: 'bash', args: { command } };
  },
  subagent(r, ctx, { prompt, description = 'mock subtask', agent, background }) {
    let t;
    if ((t = has(r, 'Agent') ?? has(r, 'Task'))) return { name: t.name, args: { description, prompt, ...(t.params?.properties?.subagent_type ? { subagent_type: agent ?? 'general-purpose' } : {}), ...(background !== undefined && t.params?.properties?.run_in_background ? { run_in_background: background } : {}) } };
    if ((t = has(r, 'task'))) return { name: 'task', args: { description, prompt, subagent_type: agent ?? 'general' } };
    if ((t = has(r, 'spawn_agent'))) return { name: 'spawn_agent', ns: t.ns, args: { ...(t.params?.properties?.task_name ? { task_name: 'mock_task' } : {}), message: prompt } };
    if ((t = has(r, 'invoke_agent') ?? has(r, 'delegate_to_agent'))) return { name: t.name, args: { agent_name: agent ?? 'generalist', prompt, objective: prompt } };
    return null;
  },
  plan(r, ctx, { items }) {
    let t;
    if ((t = has(r, 'TodoWrite'))) return { name: 'TodoWrite', args: { todos: items.map((x) => ({ content: x.text, activeForm: x.text, status: x.status })) } };
    if ((t = has(r, 'todowrite'))) return { name: 'todowrite', args: { todos: items.map((x, i) => ({ id: String(i + 1), content: x.text, status: x.status, priority: 'medium' })) } };
    if ((t = has(r, 'update_plan'))) return { name: 'update_plan', args: { plan: items.map((x) => ({ step: x.text, status: x.status })) } };
    if ((t = has(r, 'write_todos'))) return { name: 'write_todos', args: { todos: items.map((x) => ({ description: x.text, status: x.status })) } };
    if ((t = has(r, 'TaskCreate') ?? has(r, 'ToolSearch'))) return { name: 'TaskCreate', args: { subject: items[0].text, description: items[0].text } };
    return null;
  },
  exitplan(r, ctx, { plan }) {
    let t;
    // claude 2.1.3xx keeps ExitPlanMode, TodoWrite etc. behind its ToolSearch tool: not in the list, yet callable by name
    if ((t = has(r, 'ExitPlanMode') ?? has(r, 'ToolSearch'))) return { name: 'ExitPlanMode', args: { plan } };
    if ((t = has(r, 'exit_plan_mode'))) { const k = prop(t, 'plan_filename', 'plan_path', 'plan'); return { name: 'exit_plan_mode', args: { [k]: k === 'plan_filename' ? path.basename(ctx.planFile ?? 'plan.md') : ctx.planFile ?? 'plan.md' } }; }
    if ((t = has(r, 'plan_exit'))) return { name: 'plan_exit', args: {} };
    return null;
  },
};

export function concreteCalls(r, ctx, list = []) {
  return list.map((c) => {
    if (c.name) { const t = has(r, c.name); return { ns: t?.ns, ...c, custom: c.custom ?? t?.kind === 'custom' }; }
    const f = MAKE[c.tool];
    if (!f) return { name: c.tool, args: c.args ?? {} };
    return f(r, ctx, c);
  }).filter(Boolean);
}
