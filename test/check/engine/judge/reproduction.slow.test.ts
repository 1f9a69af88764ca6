import { execFile } from 'node:child_process';
import { toCommands } from '../../../../src/check/engine/judge/make-finding.ts';
import { defectsTogether } from '../../fixture/defects-together.ts';
import { promisify } from 'node:util';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { checkTarget } from '../../../../src/check/engine/check-target.ts';
import { readAnswer } from '../../../../src/check/reading/read-answer.ts';
import { separate } from '../../../../src/check/engine/judge/evidence.ts';
import { makeCase } from '../../../../src/check/model/case.ts';
import type { Step } from '../../../../src/check/model/step.ts';
import { parseContract } from '../../../../src/contract/load.ts';
import { libraryContract } from '../../fixture/library-contract.ts';
import {
  type Defect,
  type Library,
  openLibrary,
  startLibrary,
} from '../../fixture/library-server.ts';
import { shared } from '../../fixture/notice-each.ts';

let library: Library | undefined;
afterEach(() => library?.close());

const run = promisify(execFile);

/** Runs the commands as a person would paste them, and answers what the shell printed. */
async function paste(commands: readonly string[], token: string): Promise<string> {
  const { stdout, stderr } = await run('sh', ['-c', commands.join('\n')], {
    env: { PATH: process.env['PATH'] ?? '', VOUCH_TOKEN: token, no_proxy: '*' },
  });
  return `${stdout}${stderr}`;
}

describe('the printed commands reproduce the finding in a shell', () => {
  /** The defects of one server are found by different checks. */
  const servers: readonly (readonly (readonly [Defect, string, RegExp])[])[] = [
    [
      ['list-500', 'no-server-error', /^HTTP\/1\.1 500 /],
      ['accepts-missing-title', 'invalid-refused', /^HTTP\/1\.1 201 /],
      ['rounds-integers', 'created-is-returned', /"shelfId":9007199254740992\b/],
      ['prefix-token', 'credential-required', /^HTTP\/1\.1 200 /],
    ],
    [
      ['malformed-500', 'no-server-error', /^HTTP\/1\.1 500 /],
      ['any-token', 'credential-required', /^HTTP\/1\.1 200 /],
    ],
    [['accepts-broken-json', 'invalid-refused', /^HTTP\/1\.1 201 /]],
  ];
  const opened: Library[] = [];
  afterAll(async () => {
    for (const own of opened) await own.close();
  });

  for (const defects of servers) {
    const checked = shared(async () => {
      const own = await startLibrary({ defect: defects.map(([defect]) => defect) });
      opened.push(own);
      const { url, token } = own;
      const contract = libraryContract();
      const { findings } = await checkTarget({ url, contract, token, seed: 'paste' });
      return { token, findings: findings.flatMap(separate) };
    });
    test.each(defects)('%s', async (_defect, check, expected) => {
      const { token, findings } = await checked();
      const finding = findings.find(
        (candidate) => candidate.check === check && candidate.severity === 'error',
      );
      expect(finding?.curl.join('\n')).not.toContain(token);
      expect(await paste(finding?.curl ?? [], token)).toMatch(expected);
    });
  }
});

test('commands pass the new identifier on, also on a fresh server', async () => {
  library = await startLibrary({ defect: 'loses-writes' });
  const { findings } = await checkTarget({
    url: library.url,
    contract: libraryContract(),
    token: library.token,
    seed: 'paste',
  });
  const commands = findings.find(({ check }) => check === 'created-is-readable')?.curl ?? [];
  const { url, token } = library;
  await library.close();
  library = await startLibrary({ defect: 'loses-writes' });
  const fresh = library.url;
  const printed = await paste(
    commands.map((command) => command.replaceAll(url, fresh)),
    token,
  );
  expect(printed).toMatch(/^HTTP\/1\.1 404 /);
  expect(library.log.map(({ method, target }) => `${method} ${target}`)).toEqual([
    'POST /v1/books',
    'GET /v1/books/112',
  ]);
});

test('each level of nested records has its own shell variable', () => {
  const contract = parseContract(
    `openapi: 3.1.0
info: { title: Lists, version: '1' }
servers: [{ url: http://lists.example }]
paths:
  /lists:
    post: { operationId: createList, requestBody: { content: { application/json: { schema: {
        $ref: '#/components/schemas/Named' } } } }, responses: { '201': { description: made,
        content: { application/json: { schema: { $ref: '#/components/schemas/Named' } } } } } }
  /lists/{listId}/items:
    parameters: [{ name: listId, in: path, required: true, schema: { type: integer } }]
    post: { operationId: createItem, requestBody: { content: { application/json: { schema: {
        $ref: '#/components/schemas/Named' } } } }, responses: { '201': { description: made,
        content: { application/json: { schema: { $ref: '#/components/schemas/Named' } } } } } }
  /lists/{listId}/items/{itemId}:
    parameters: [{ name: listId, in: path, required: true, schema: { type: integer } }, {
        name: itemId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getItem, responses: { '200': { description: one, content: {
        application/json: { schema: { $ref: '#/components/schemas/Named' } } } } } }
  /lists/{listId}:
    parameters: [{ name: listId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getList, responses: { '200': { description: one, content: {
        application/json: { schema: { $ref: '#/components/schemas/Named' } } } } } }
components: { schemas: { Named: { type: object, properties: { id: { type: integer, readOnly: true },
    name: { type: string } } } } }
`,
    'lists.yaml',
  );
  const step = (id: string, target: string, body: string): Step => {
    const operation = contract.operations.find((each) => each.id === id);
    if (operation === undefined) throw new Error(id);
    const created = operation.parameters.map((parameter) => ({
      parameter,
      source: { kind: 'created', resource: 'lists' } as const,
    }));
    const single = makeCase({
      title: id,
      phase: 'sequence',
      operation,
      request: { arguments: created, credential: 'none' },
      intent: { kind: 'valid', rigour: 'plain', at: operation.pointer },
    });
    const response = {
      status: 200,
      headers: [['content-type', 'application/json'] as const],
      body: Buffer.from(body),
    };
    const request = { method: operation.method, target, headers: [], body: new Uint8Array(0) };
    return {
      case: single,
      sent: { arguments: new Map() },
      exchange: { baseUrl: 'http://127.0.0.1:4010', request, response, durationMs: 1 },
      answer: readAnswer(response),
    };
  };
  const commands = toCommands(
    [
      step('createList', '/lists', '{"id":7}'),
      step('createItem', '/lists/7/items', '{"id":7}'),
      step('getItem', '/lists/7/items/7?of=7', '{}'),
    ],
    contract,
    [],
  );
  expect(
    commands.map((command) => /^(VOUCH_ID(?:_2)?)?=?.*(https?:\/\/[^ ]+)/.exec(command)?.slice(1)),
  ).toEqual([
    ['VOUCH_ID', "http://127.0.0.1:4010/lists'"],
    ['VOUCH_ID_2', `http://127.0.0.1:4010/lists/'"$VOUCH_ID"'/items'`],
    [undefined, `http://127.0.0.1:4010/lists/'"$VOUCH_ID"'/items/'"$VOUCH_ID_2"'?of=7'`],
  ]);
});

test('a binary body is piped byte for byte', async () => {
  library = await startLibrary({ defect: 'accepts-broken-json' });
  const { events } = await checkTarget({
    url: library.url,
    contract: libraryContract(),
    token: library.token,
    seed: 'paste',
  });
  const sent = library.log.filter(({ body }) => body.includes('\uFFFD')).length;
  expect(sent).toBeGreaterThan(0);
  expect(
    events.some(
      (event) => event.type === 'exchange-recorded' && event.exchange.request.body.includes(0xff),
    ),
  ).toBe(true);
});

describe('curl commands reproduce the finding on a fresh server with the same defects', () => {
  /** Findings that are shown by an answer, and so by its status and its body. */
  const servers: readonly (readonly Defect[])[] = [
    ...defectsTogether,
    ['prefix-token', 'missing-is-400'],
    ['wrong-type'],
    ['enum-left'],
    ['field-missing'],
    ['refuses-limit-50'],
    ['keeps-deleted'],
    ['loses-writes'],
    ['ignores-limit'],
    ['replace-not-kept'],
  ];
  test.each(servers.map((defects) => ({ name: defects.join(', '), defects })))(
    '$name',
    async ({ defects }) => {
      const { url, token, target } = await openLibrary({ defect: defects });
      const { findings } = await checkTarget({
        ...target,
        contract: libraryContract(),
        seed: 'fresh',
      });
      const errors = findings.filter(
        ({ severity, exchange }) => severity === 'error' && exchange?.response !== undefined,
      );
      expect(errors.length).toBeGreaterThanOrEqual(defects.length);
      for (const { curl, exchange, replay } of errors) {
        library = await startLibrary({ defect: defects });
        const fresh = library.url;
        const printed = await paste(
          curl.map((command) => command.replaceAll(url, fresh)),
          token,
        );
        expect(curl).toHaveLength(replay?.steps.length ?? 0);
        expect(printed.match(/^HTTP\/1\.1 \d{3}/gm)?.at(-1)).toBe(
          `HTTP/1.1 ${String(exchange?.response?.status)}`,
        );
        await library.close();
      }
    },
  );
});
