import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as z from 'zod';
import { defined, type JsonObject, type JsonValue } from '../json/value.ts';
import type { ExchangePattern } from '../server/journal/claim.ts';
import type { ShownExchange } from '../server/journal/show-entry.ts';
import { takePage } from './bound-output.ts';
import { mockInput, type Mocks, sessionInput } from './mock-tools.ts';
import { addTool, pageInput, pageOutput, type McpHost, reading, changing } from './tool.ts';

const texts = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
);

/** The conditions of an exchange, as the control API has them. */
const patternInput = {
  operation: z.string().max(200).optional().describe('id of the operation that answered'),
  method: z.string().max(20).optional(),
  path: z.string().max(2_000).optional().describe('whole path; * or {name} matches one segment'),
  status: z
    .union([z.number(), z.string().max(3)])
    .optional()
    .describe('404, or a class such as 4XX'),
  session: sessionInput,
  since: z
    .union([z.number(), z.string().max(40)])
    .optional()
    .describe('only after the exchange with this id, or since this time (RFC 3339)'),
};

const shortOutput = {
  id: z.number(),
  at: z.string(),
  method: z.string(),
  target: z.string(),
  operation: z.string().nullable(),
  session: z.string().nullable(),
  status: z.number(),
  fault: z.string().nullable().describe('network fault of a scenario'),
  callbacks: z.number(),
  durationMs: z.number(),
};

const messageOutput = z.object({
  headers: z.array(z.array(z.string())),
  body: z.string().nullable().describe('as text, or as base64 after base64:'),
  bytes: z.number().describe('size of the whole body'),
});

/** Adds the tools that read and verify the traffic of a mock, and its scenarios. */
export function addTrafficTools(server: McpServer, host: McpHost, mocks: Mocks): void {
  addListTool(server, host, mocks);
  addVerifyTool(server, host, mocks);
  addScenarioTools(server, host, mocks);
}

function addListTool(server: McpServer, host: McpHost, mocks: Mocks): void {
  addTool(server, host, {
    name: 'list_traffic',
    title: 'List the traffic of a mock',
    description:
      'Lists the recorded exchanges of a mock, oldest first, with secrets redacted. Without an ' +
      'offset, shows the last ones.',
    input: {
      mock: mockInput,
      ...patternInput,
      messages: z.boolean().default(false).describe('also headers and bodies'),
      ...pageInput,
      offset: z
        .int()
        .min(0)
        .optional()
        .describe('index of the first exchange; default: the last page'),
    },
    output: {
      exchanges: z.array(
        z.object({
          ...shortOutput,
          request: messageOutput.optional(),
          response: messageOutput.optional(),
        }),
      ),
      page: pageOutput,
    },
    annotations: reading,
    quotes: ['exchanges'],
    run: async ({ mock, messages, offset, limit, ...pattern }) => {
      const all = mocks.find(mock).journal(patternOf(pattern));
      const shown = all.map((exchange) => showExchange(exchange, messages));
      const from = offset ?? Math.max(0, all.length - limit);
      const { items, page } = takePage(shown, { offset: from, limit });
      return { exchanges: items, page };
    },
  });
}

function patternOf(pattern: z.output<z.ZodObject<typeof patternInput>>): ExchangePattern {
  return defined(pattern);
}

function showExchange({ request, response, ...short }: ShownExchange, messages: boolean): object {
  return messages
    ? { ...short, request: showMessage(request), response: showMessage(response) }
    : short;
}

function showMessage({ headers, body, bytes }: ShownExchange['request']): object {
  const text = body === null ? null : 'text' in body ? body.text : `base64:${body.base64}`;
  return { headers, body: text, bytes };
}

function addVerifyTool(server: McpServer, host: McpHost, mocks: Mocks): void {
  addTool(server, host, {
    name: 'verify_traffic',
    title: 'Verify a claim about the traffic',
    description:
      'Verifies that matching requests reached a mock, as POST /__vouch/verify does: at least ' +
      'once, or as often as count, atLeast and atMost say. If not, lists the nearest misses.',
    input: {
      mock: mockInput,
      ...patternInput,
      query: texts.optional().describe('query parameters by name'),
      headers: texts.optional().describe('request headers by name'),
      body: z.unknown().optional().describe('members that the request body must have'),
      count: z.int().min(0).optional(),
      atLeast: z.int().min(0).optional(),
      atMost: z.int().min(0).optional(),
    },
    output: {
      verified: z.boolean(),
      count: z.number().describe('number of matching exchanges'),
      message: z.string(),
      forgotten: z.number().describe('exchanges that were discarded for lack of room'),
      fitting: z.array(z.object(shortOutput)).describe('matching exchanges, if there are too many'),
      nearMisses: z.array(
        z.object({
          exchange: z.object(shortOutput),
          failed: z.array(z.object({ condition: z.string(), message: z.string() })),
        }),
      ),
    },
    annotations: reading,
    quotes: ['message', 'fitting', 'nearMisses'],
    run: async ({ mock, query, headers, body, count, atLeast, atMost, ...pattern }) =>
      mocks.find(mock).verification({
        ...patternOf(pattern),
        // The schemas allow only JSON.
        ...(defined({ query, headers, body }) as { readonly body?: JsonValue }),
        count,
        atLeast,
        atMost,
      }),
  });
}

const scenarioOutput = {
  mock: z.string(),
  scenarios: z.array(z.object({ name: z.string(), active: z.boolean() })),
};

function listScenarios(mocks: Mocks, mock: string, session: string | undefined): object {
  const { scenarios } = mocks.find(mock).prepared.mock;
  const active = scenarios.active(session);
  return scenarios.names.map((name) => ({ name, active: active.includes(name) }));
}

function addScenarioTools(server: McpServer, host: McpHost, mocks: Mocks): void {
  addTool(server, host, {
    name: 'add_scenario',
    title: 'Add a scenario to a mock',
    description:
      'Adds scripted behaviour to a running mock, and activates it. The scenario has the form of ' +
      'its YAML file: {"description": "The list fails once.", "rules": [{"operation": ' +
      '"listThings", "answers": [{"status": 503}]}]}. It is lost when the mock stops.',
    input: {
      mock: mockInput,
      name: z.string().min(1).max(100).describe('a new name, without spaces'),
      scenario: z.record(z.string(), z.unknown()).describe('as in docs/reference/scenarios.md'),
      activate: z.boolean().default(true),
      session: sessionInput,
    },
    output: scenarioOutput,
    annotations: changing,
    quotes: ['scenarios'],
    run: async ({ mock, name, scenario, activate, session }) => {
      const running = mocks.find(mock);
      running.addScenario(name, scenario as JsonObject);
      if (activate) running.activate(name, session);
      return { mock, scenarios: listScenarios(mocks, mock, session) };
    },
  });
  addTool(server, host, {
    name: 'switch_scenario',
    title: 'Switch a scenario on or off',
    description: 'Activates a scenario of a mock at its first step, or deactivates it.',
    input: {
      mock: mockInput,
      name: z.string().min(1).max(200),
      active: z.boolean(),
      session: sessionInput,
    },
    output: scenarioOutput,
    annotations: { ...changing, idempotentHint: true },
    quotes: ['scenarios'],
    run: async ({ mock, name, active, session }) => {
      const running = mocks.find(mock);
      if (active) running.activate(name, session);
      else running.deactivate(name, session);
      return { mock, scenarios: listScenarios(mocks, mock, session) };
    },
  });
}
