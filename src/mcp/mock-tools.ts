import { wordsIn } from '../words-in.ts';
import { pick } from '../json/value.ts';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as z from 'zod';
import { suggestWord, usage, VouchError } from '../errors.ts';
import { type RunningMock, startMock } from '../library/start-mock.ts';
import type { Access } from './access.ts';
import { addTool, documentInput, type McpHost, reading, changing } from './tool.ts';

const maxMocks = 4;
/** The maximum number of names in the description of a mock. */
const maxNames = 50;

/** The arguments that select a mock. */
export const mockInput = z.string().max(40).describe('id of a mock, from start_mock');
/** The name of a session; its rules are those of the header `Vouch-Session`. */
export const sessionInput = z.string().max(64).optional().describe('session; default: all');

interface MockWish {
  readonly document?: string | undefined;
  readonly demo?: boolean | undefined;
  readonly scenarios?: readonly string[] | undefined;
  readonly seed?: string | undefined;
  readonly authentication?: 'known' | 'any' | 'off' | undefined;
}

/** The mocks of a server, by id. They listen on this machine only, and keep nothing on the disk. */
export class Mocks {
  readonly #access: Access;
  readonly #host: McpHost;
  readonly #running = new Map<string, RunningMock>();
  #starting = 0;
  #started = 0;

  constructor(access: Access, host: McpHost) {
    this.#access = access;
    this.#host = host;
  }

  get ids(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** The mock of an id. Throws a VouchError ('usage') if there is none. */
  find(id: string): RunningMock {
    const mock = this.#running.get(id);
    if (mock !== undefined) return mock;
    throw usage(`There is no mock ${id}.`, {
      hint: this.ids.length === 0 ? 'Start one with start_mock.' : suggestWord(id, this.ids),
    });
  }

  has(id: string): boolean {
    return this.#running.has(id);
  }

  async start(wish: MockWish): Promise<string> {
    if (this.#running.size + this.#starting >= maxMocks)
      throw new VouchError('refused-for-safety', `${String(maxMocks)} mocks are running.`, {
        hint: `Stop one with stop_mock: ${this.ids.join(', ')}.`,
      });
    this.#starting += 1;
    try {
      const mock = await this.#start(wish);
      if (this.#host.signal.aborted) {
        await mock.close();
        throw usage('The server is stopping.');
      }
      const id = `mock-${String((this.#started += 1))}`;
      this.#running.set(id, mock);
      return id;
    } finally {
      this.#starting -= 1;
    }
  }

  async #start(wish: MockWish): Promise<RunningMock> {
    const { document, demo, scenarios, seed, authentication } = wish;
    // The bundled example is not a document of the folder.
    const allowed =
      demo === true
        ? { contract: document, root: process.cwd() }
        : await this.#access.document(document);
    return this.#host.withDocumentErrors(allowed, () =>
      startMock({
        contract: allowed.contract,
        config: this.#host.config,
        demo,
        scenario: scenarios,
        seed,
        authentication,
        root: allowed.root,
        store: 'memory',
        port: 0,
        host: '127.0.0.1',
        onFault: (fault) => this.#host.log(`mock ${String(fault)}\n`),
      }),
    );
  }

  async stop(id: string): Promise<void> {
    const mock = this.find(id);
    this.#running.delete(id);
    await mock.close();
  }

  async close(): Promise<void> {
    await Promise.all(this.ids.map((id) => this.stop(id)));
  }
}

const mockOutput = {
  mock: z.string().describe('id for the other tools'),
  url: z.string().describe('base URL: send requests to it'),
  contracts: z.array(
    z.object({
      title: z.string(),
      version: z.string(),
      file: z.string(),
      operations: z.number(),
      faults: z.number().describe('errors of the document; lint_document lists them'),
    }),
  ),
  keys: z.array(z.string()).describe('credentials that the mock accepts'),
  resources: z.array(z.string()).describe('collections that keep records'),
  scenarios: z.array(z.string()).describe('scenarios for switch_scenario'),
};

function describeMock(id: string, mock: RunningMock): Record<keyof typeof mockOutput, unknown> {
  const { documents, scenarios } = mock.prepared;
  return {
    mock: id,
    url: mock.url,
    contracts: documents.slice(0, maxNames).map(({ contract }) => ({
      ...pick(contract, wordsIn('title version file')),
      operations: contract.operations.length,
      faults: contract.faults.length,
    })),
    keys: mock.keys.slice(0, maxNames),
    resources: documents
      .flatMap(({ contract }) => contract.resources.map(({ name }) => name))
      .slice(0, maxNames),
    scenarios: scenarios.map(({ name }) => name).slice(0, maxNames),
  };
}

/** The URL has the base path of the document, and the keys may be those of the configuration. */
const quotes = ['url', 'contracts', 'keys', 'resources', 'scenarios'];

/** Adds the tools that start, list, reset and stop mocks. */
export function addMockTools(server: McpServer, host: McpHost, mocks: Mocks): void {
  addTool(server, host, {
    name: 'start_mock',
    title: 'Start a mock',
    description:
      'Serves an OpenAPI document as a stateful mock on 127.0.0.1: what is posted is listed ' +
      `afterwards. At most ${String(maxMocks)} mocks run at a time. Records are kept in memory.`,
    input: {
      document: documentInput,
      demo: z.boolean().optional().describe('serve the bundled example instead'),
      scenarios: z.array(z.string().max(200)).max(20).optional().describe('scenarios to activate'),
      seed: z.string().max(200).optional().describe('the same seed gives the same values'),
      authentication: z
        .enum(['known', 'any', 'off'])
        .optional()
        .describe('accepted credentials: known keys (default), any well-formed one, none needed'),
    },
    output: mockOutput,
    annotations: changing,
    quotes,
    run: async (wish) => {
      const id = await mocks.start(wish);
      return describeMock(id, mocks.find(id));
    },
  });
  addTool(server, host, {
    name: 'list_mocks',
    title: 'List mocks',
    description: 'Lists the running mocks.',
    input: {},
    output: { mocks: z.array(z.object(mockOutput)) },
    annotations: reading,
    quotes: quotes.map((name) => `mocks[].${name}`),
    run: async () => ({ mocks: mocks.ids.map((id) => describeMock(id, mocks.find(id))) }),
  });
  addResetTools(server, host, mocks);
}

function addResetTools(server: McpServer, host: McpHost, mocks: Mocks): void {
  addTool(server, host, {
    name: 'reset_mock',
    title: 'Reset a mock',
    description: 'Restores the initial records, restarts scenarios and clears the traffic.',
    input: { mock: mockInput, session: sessionInput },
    output: { mock: z.string() },
    annotations: { ...changing, destructiveHint: true, idempotentHint: true },
    quotes: [],
    run: async ({ mock, session }) => {
      await mocks.find(mock).reset(session);
      return { mock };
    },
  });
  addTool(server, host, {
    name: 'stop_mock',
    title: 'Stop a mock',
    description: 'Stops a mock; its records and its traffic are lost.',
    input: { mock: mockInput },
    output: { stopped: z.string(), running: z.array(z.string()) },
    annotations: { ...changing, destructiveHint: true },
    quotes: [],
    run: async ({ mock }) => {
      await mocks.stop(mock);
      return { stopped: mock, running: mocks.ids };
    },
  });
}
