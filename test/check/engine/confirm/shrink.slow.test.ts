import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { checkTarget, type CheckReport } from '../../../../src/check/engine/check-target.ts';
import { separate } from '../../../../src/check/engine/judge/evidence.ts';
import type { Finding } from '../../../../src/check/model/finding.ts';
import { lessOf, shorterValues } from '../../../../src/check/engine/confirm/shrink.ts';
import { parseContract } from '../../../../src/contract/load.ts';
import { libraryContract } from '../../fixture/library-contract.ts';
import { openLibrary, type Defect, type Library } from '../../fixture/library-server.ts';

let library: Library | undefined;
afterEach(() => library?.close());

const contract = libraryContract();

async function check(
  defect: Defect,
  options: Partial<Parameters<typeof checkTarget>[0]> = {},
): Promise<CheckReport> {
  library = await openLibrary({ defect });
  const report = await checkTarget({
    ...library.target,
    contract,
    seed: 'shrink',
    ...options,
  });
  await library.close();
  return report;
}

/**
 * The requests of a finding as lines: method, path and body, without what differs from run to run.
 */
function requestsOf({ curl }: Finding): string[] {
  return curl.map((command) => {
    const method = /-X (\w+)/.exec(command)?.[1] ?? 'GET';
    const path = (/['"]https?:\/\/[^/]+\/v1([^ ]*)/.exec(command)?.[1] ?? '').replaceAll(
      /['"]/g,
      '',
    );
    const body = /--data-raw '([^']*)'/.exec(command)?.[1] ?? '';
    return `${method} ${path} ${body}`
      .trim()
      .replaceAll(/ vouch-[\w-]+/g, ' MARK')
      .replaceAll(/"shelfId":\d(?=\})/g, '"shelfId":N');
  });
}

const errorsOf = ({ findings }: CheckReport): Finding[] =>
  findings.flatMap(separate).filter(({ severity }) => severity === 'error');

describe('a finding is shown by minimal requests that stand alone', () => {
  test.each<[Defect, string, string[]]>([
    ['accepts-missing-title', 'invalid-refused', ['POST /books {"shelfId":N}']],
    ['accepts-limit-0', 'invalid-refused', ['GET /books?limit=0']],
    [
      'rounds-integers',
      'created-is-returned',
      ['POST /books {"title":"The Long Road MARK","shelfId":9007199254740993}'],
    ],
    [
      'loses-writes',
      'created-is-readable',
      ['POST /books {"title":"The Long Road MARK","shelfId":N}', 'GET /books/$VOUCH_ID'],
    ],
    ['refuses-limit-50', 'valid-accepted', ['GET /books?limit=50']],
    ['any-token', 'credential-required', ['GET /books']],
  ])('%s', async (defect, id, requests) => {
    const finding = errorsOf(await check(defect)).find((candidate) => candidate.check === id);
    expect(finding && requestsOf(finding)).toEqual(requests);
  });

  test('a change of a record is shown on one created for it', async () => {
    const findings = errorsOf(await check('resets-on-replace', { timeoutMs: 500 })).filter(
      ({ operation }) => operation.id === 'replaceBook',
    );
    expect(findings).not.toEqual([]);
    expect(requestsOf(findings[0] as Finding)).toEqual([
      'POST /books {"title":"The Long Road MARK","shelfId":N}',
      expect.stringMatching(/^PUT \/books\/\$VOUCH_ID \{/),
    ]);
  });
});

describe('a shrunk finding', () => {
  const defects: readonly Defect[] = [
    'accepts-everything',
    'accepts-missing-title',
    'accepts-limit-0',
    'accepts-unknown-status',
    'accepts-broken-json',
  ];

  test.each(defects)('%s: an invalid request stays invalid for one reason', async (defect) => {
    const findings = errorsOf(await check(defect)).filter(
      ({ check: id }) => id === 'invalid-refused',
    );
    expect(findings).not.toEqual([]);
    for (const { operation, exchange, replay } of findings) {
      const found = contract.operations.find(({ id }) => id === operation.id);
      const last = replay?.steps.at(-1);
      const rule = last?.intent['at'];
      const text = new TextDecoder().decode(exchange?.request.body);
      const issues =
        text.startsWith('{') && last?.request.body?.['kind'] === 'json'
          ? (found?.requestBody?.content[0]?.schema?.validate(
              JSON.parse(text) as never,
              'request',
            ) ?? [])
          : [];
      expect(
        issues.filter(
          ({ pointer }) =>
            pointer !== rule &&
            !String(rule).startsWith(pointer) &&
            !pointer.startsWith(String(rule)),
        ),
      ).toEqual([]);
    }
  });

  test('costs at most ten requests for each finding, besides its confirmation', async () => {
    const { events, findings } = await check('accepts-everything');
    const confirming = events.filter(
      (event) => event.type === 'exchange-recorded' && event.case.phase === 'confirm',
    ).length;
    const sure = findings.flatMap(separate).filter(({ severity }) => severity !== 'note').length;
    expect(sure).toBeGreaterThan(3);
    // A suspicion that was let go took a control and a replay too.
    expect(confirming).toBeLessThanOrEqual(sure * (10 + 4) + 60);
  });

  test('is the same from run to run', async () => {
    const [one, two] = [
      await check('accepts-everything', { concurrency: 1 }),
      await check('accepts-everything', { concurrency: 1 }),
    ];
    expect(errorsOf(one).map(requestsOf)).toEqual(errorsOf(two).map(requestsOf));
  });

  test('sends nothing unsafe in a read-only run', async () => {
    const { events } = await check('list-500', { mode: 'read-only' });
    const methods = new Set(
      events.flatMap((event) =>
        event.type === 'exchange-recorded' ? [event.exchange.request.method] : [],
      ),
    );
    expect([...methods].filter((method) => !['GET', 'HEAD', 'OPTIONS'].includes(method))).toEqual(
      [],
    );
  });

  test('leaves no record', async () => {
    const sound = await openLibrary();
    const before = sound.size();
    await sound.close();
    await check('accepts-missing-title');
    expect(library?.size()).toBe(before);
  });

  test('stays within the budget', async () => {
    const { events } = await check('accepts-everything', { maxRequests: 150 });
    const sent = events.filter(
      (event) => event.type === 'exchange-recorded' && event.case.phase !== 'cleanup',
    );
    expect(sent.length).toBeLessThanOrEqual(150);
  });
});

describe('the values of a shrunk request', () => {
  const keeping = { fields: new Set(['kept']), mark: 'vouch-1' };
  test('lose their other members: first all, then each', () => {
    expect(lessOf({ kept: 1, name: 'A vouch-1-x', a: 1, b: 2 }, keeping)).toEqual([
      { kept: 1, name: 'A vouch-1-x' },
      { kept: 1, name: 'A vouch-1-x', b: 2 },
      { kept: 1, name: 'A vouch-1-x', a: 1 },
    ]);
  });
  test.each([
    ['a long text', 'x'.repeat(100), ['x', 'x'.repeat(40), 'x'.repeat(50)]],
    ['a text with the mark', `${'x'.repeat(100)} vouch-1`, []],
    ['a short text', 'short', []],
    ['a large number', 9007199254740993n, [1, 0, -1]],
    ['a list', [1, 2], [[1], [2]]],
    [
      'a member',
      { a: [1, 2], b: 'b' },
      [
        { a: [1], b: 'b' },
        { a: [2], b: 'b' },
      ],
    ],
  ])('%s is made shorter', (_name, value, shorter) =>
    expect(shorterValues(value, 'vouch-1')).toEqual(shorter),
  );
});

describe('a long value that causes a finding', () => {
  const text = `openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
paths:
  /notes:
    post:
      operationId: addNote
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [text], properties: {
            text: { type: string }, tags: { type: array, items: { type: string } } } } } }
      responses:
        '201': { description: Added }
        '400': { description: Refused }
`;

  test('is shortened, and the finding names the short value', async () => {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const status = (() => {
          try {
            const value: unknown = JSON.parse(body);
            const note =
              typeof value === 'object' && value !== null && 'text' in value
                ? value.text
                : undefined;
            if (typeof note !== 'string') return 400;
            return Array.from(note).length > 300 ? 500 : 201;
          } catch {
            return 400;
          }
        })();
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { findings } = await checkTarget({
      url: `http://127.0.0.1:${String(port)}`,
      contract: parseContract(text, 'notes.yaml'),
      seed: 'long',
      only: ['no-server-error'],
    });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const body = new TextDecoder().decode(findings[0]?.exchange?.request.body);
    const { text: sent } = JSON.parse(body) as { text: string };
    expect(Array.from(sent).length).toBeGreaterThan(300);
    expect(Array.from(sent).length).toBeLessThanOrEqual(625);
    expect(findings).toHaveLength(1);
    expect(findings[0]?.message).toMatch(
      /^The server answered 500 to a request in which text is ".{79}… \(\d+ characters\)\.$/,
    );
  });
});
