// SPDX-License-Identifier: GPL-3.0-or-later
// write-pi-config.mjs FOLDER URL: a pi agent folder that knows only the scripted model server.
import fs from 'node:fs';
import path from 'node:path';

const [, , folder, url] = process.argv;
const cost = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const model = { id: 'mock-model', name: 'mock-model', reasoning: true, input: ['text'], cost, contextWindow: 128000, maxTokens: 16384 };
const provider = { baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: 'mock-key', models: [model] };
const settings = {
  defaultProvider: 'mock', defaultModel: 'mock-model', defaultThinkingLevel: 'low',
  enableInstallTelemetry: false, quietStartup: true,
  retry: { enabled: true, maxRetries: 2, baseDelayMs: 200 },
};
const write = (name, value) => fs.writeFileSync(path.join(folder, name), JSON.stringify(value, null, 2));

fs.mkdirSync(folder, { recursive: true });
write('models.json', { providers: { mock: provider } });
write('settings.json', settings);
