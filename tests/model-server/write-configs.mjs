// SPDX-License-Identifier: GPL-3.0-or-later
// write-configs.mjs HOME URL: settings in a home with which pi, codex, gemini and opencode know only
// the scripted model server. pi's go to HOME/pi and codex's to HOME/codex. Claude Code takes
// environment variables.
import fs from 'node:fs';
import path from 'node:path';

const [, , home, url] = process.argv;
const cost = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const write = (name, value) => {
  const file = path.join(home, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value, null, 2));
};

const piModel = { id: 'mock-model', name: 'mock-model', reasoning: true, input: ['text'], cost, contextWindow: 128000, maxTokens: 16384 };
write('pi/models.json', { providers: { mock: { baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: 'mock-key', models: [piModel] } } });
write('pi/settings.json', {
  defaultProvider: 'mock', defaultModel: 'mock-model', defaultThinkingLevel: 'low',
  enableInstallTelemetry: false, quietStartup: true,
  retry: { enabled: true, maxRetries: 2, baseDelayMs: 200 },
});

write('codex/config.toml', `model = "gpt-5.5"
model_provider = "mock"
model_reasoning_summary = "detailed"
check_for_update_on_startup = false

[model_providers.mock]
name = "Mock"
base_url = "${url}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
request_max_retries = 2
stream_max_retries = 2
stream_idle_timeout_ms = 20000

[analytics]
enabled = false
`);

write('.gemini/settings.json', {
  model: { name: 'gemini-2.5-pro' },
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 2 },
  telemetry: { enabled: false },
  ide: { enabled: false },
});

const opencodeModel = (name, more) => ({ name, tool_call: true, limit: { context: 128000, output: 16384 }, ...more });
write('.config/opencode/opencode.json', {
  $schema: 'https://opencode.ai/config.json',
  model: 'mock/mock-model', small_model: 'mock/mock-small', autoupdate: false, share: 'disabled',
  provider: {
    mock: {
      npm: '@ai-sdk/openai-compatible', name: 'Mock',
      options: { baseURL: `${url}/v1`, apiKey: 'mock-key' },
      models: {
        'mock-model': opencodeModel('Mock Model', { reasoning: true, cost: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 } }),
        'mock-small': opencodeModel('Mock Small', {}),
      },
    },
  },
});
