// SPDX-License-Identifier: GPL-3.0-or-later
// Counts texts with the tokenizers that npm carries and with foredeckctl, and prints one line of JSON a family.
//
//   compare-tokens.mjs FOREDECKCTL MODULES [--fuzz N] [--seed N] [--write FILE] [FOLDER…]
//
// MODULES is a folder with tiktoken and @anthropic-ai/tokenizer in its node_modules. Texts are the files below
// FOLDER… (windows of up to 100,000 characters) and N strings made on purpose to be hard. --write keeps the
// hard strings with their counts as a fixture: one JSON array [text, o200k, claude] a line.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [ctl, modules, ...rest] = process.argv.slice(2);
const options = { fuzz: 10000, seed: 1, write: null };
const folders = [];
for (let i = 0; i < rest.length; i++) {
  if (rest[i].startsWith('--')) options[rest[i].slice(2)] = rest[++i];
  else folders.push(rest[i]);
}

const require = createRequire(join(modules, 'node_modules', 'x.js'));
const { Tiktoken } = require('tiktoken');
const o200k = require('tiktoken/encoders/o200k_base.json');
const claude = JSON.parse(readFileSync(join(modules, 'node_modules/@anthropic-ai/tokenizer/claude.json'), 'utf8'));
const encoders = {
  o200k: new Tiktoken(o200k.bpe_ranks, {}, o200k.pat_str),
  claude: new Tiktoken(claude.bpe_ranks, {}, claude.pat_str),
};
const count = {
  o200k: text => encoders.o200k.encode(text, [], []).length,
  claude: text => encoders.claude.encode(text.normalize('NFKC'), [], []).length,
};

// xorshift32: the same strings for the same seed everywhere.
let state = (Number(options.seed) * 2654435761) >>> 0 || 1;
function random(n) {
  state ^= state << 13; state >>>= 0;
  state ^= state >>> 17;
  state ^= state << 5; state >>>= 0;
  return state % n;
}

const pick = list => list[random(list.length)];
const ranges = [[0x20, 0x7e], [0x09, 0x0d], [0xa0, 0x17f], [0x370, 0x52f], [0x5d0, 0x6ff], [0x900, 0xdff],
  [0xe00, 0xeff], [0x1e00, 0x1fff], [0x2000, 0x206f], [0x2100, 0x27bf], [0x3000, 0x30ff], [0x4e00, 0x9fff],
  [0xac00, 0xd7a3], [0xfb00, 0xfdff], [0x1d400, 0x1d7ff], [0x1f300, 0x1faff], [0x20000, 0x2a6df], [0x300, 0x36f]];
const words = ["don't", "I'LL", "we've", 'HTMLElement', 'snake_case', 'x', 'the', 'ISBN', 'Straße', 'ʼn', '\r\n', '\n\n',
  '   ', '\t', ' \n ', '//', '/*', '*/', '->', '===', '1234567', '3.14', '```', 'e\u0301', '\u200d', '\ufeff', '\u0000',
  "'S", "'ſ", 'ǅ', 'ª', '\u00a0', '\u2028', '\u0085', '\u001c', '…', '﷽', 'ﬁ', '①', '½', '٣'];

function character() {
  const [low, high] = pick(ranges);
  return String.fromCodePoint(low + random(high - low + 1));
}

function hard() {
  let text = '';
  const n = 1 + random(random(20) === 0 ? 400 : 40);
  for (let i = 0; i < n; i++) {
    if (random(3) === 0) text += pick(words);
    else if (random(8) === 0) text += character().repeat(1 + random(30));
    else text += character();
  }
  return text;
}

function* filesBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile() && statSync(path).size < 1 << 20) yield path;
  }
}

const scratch = mkdtempSync(join(tmpdir(), 'foredeck-tokens-'));
const paths = [];
const truths = [];
const fixture = [];
function add(text, keep) {
  const path = join(scratch, String(paths.length));
  writeFileSync(path, text);
  const truth = { o200k: count.o200k(text), claude: count.claude(text), bytes: Buffer.byteLength(text) };
  paths.push(path);
  truths.push(truth);
  if (keep) fixture.push(JSON.stringify([text, truth.o200k, truth.claude]));
}

for (let i = 0; i < Number(options.fuzz); i++) add(hard(), true);
let nFiles = 0;
for (const folder of folders)
  for (const path of filesBelow(folder)) {
    const text = readFileSync(path, 'utf8').slice(0, 100000);
    if (text.length === 0 || text.includes('\u0000')) continue;
    add(text, false);
    nFiles++;
  }
if (options.write) writeFileSync(options.write, fixture.join('\n') + '\n');

function ours(model) {
  const counts = [];
  for (let i = 0; i < paths.length; i += 500) {
    const out = execFileSync(ctl, ['tokens', '--json', '--model', model, ...paths.slice(i, i + 500)], { maxBuffer: 1 << 28 });
    const parsed = JSON.parse(out);
    for (const row of Array.isArray(parsed) ? parsed : [parsed]) counts.push(row.tokens);
  }
  return counts;
}

let wrong = 0;
for (const [family, model, factor] of [['o200k', 'gpt-5', 1], ['claude', 'claude-2', 1.1]]) {
  const counts = ours(model);
  let mismatches = 0;
  truths.forEach((truth, i) => {
    if (counts[i] === Math.floor(truth[family] * factor + 0.5)) return;
    if (mismatches++ < 5)
      console.error(`${family}: ${truth[family]} × ${factor} expected, ${counts[i]} counted: ${JSON.stringify(readFileSync(paths[i], 'utf8').slice(0, 200))}`);
  });
  wrong += mismatches;
  console.log(JSON.stringify({ family, hard: Number(options.fuzz), files: nFiles, mismatches }));
}
rmSync(scratch, { recursive: true });
process.exit(wrong > 0 ? 1 : 0);
