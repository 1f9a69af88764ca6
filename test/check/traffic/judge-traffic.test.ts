import { afterEach, describe, expect, test } from 'vitest';
import type { RunEvent } from '../../../src/check/model/event.ts';
import { judgeTraffic } from '../../../src/check/traffic/judge-traffic.ts';
import { readHar } from '../../../src/check/traffic/read-har.ts';
import { libraryContract } from '../fixture/library-contract.ts';
import { startLibrary, type Defect, type Library } from '../fixture/library-server.ts';

const contract = libraryContract();
let library: Library | undefined;
afterEach(() => library?.close());

interface Asked {
  readonly path: string;
  readonly method?: string;
  readonly body?: string;
}

/** A HAR as a browser would write it: the answers of a real server to requests of a page. */
async function recordHar(
  asked: readonly Asked[],
  defect?: Defect,
  change: (entry: Record<string, unknown>) => unknown = (entry) => entry,
): Promise<Uint8Array> {
  library = await startLibrary(defect === undefined ? {} : { defect });
  const entries = await Promise.all(
    asked.map(async ({ path, method = 'GET', body }) => {
      const url = /^https?:/.test(path) ? path : `${library?.url ?? ''}${path}`;
      const headers = {
        authorization: `Bearer ${library?.token ?? ''}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      };
      const response = await fetch(url, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      return change({
        time: 5,
        request: {
          method,
          url,
          headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
          ...(body === undefined ? {} : { postData: { mimeType: 'application/json', text: body } }),
        },
        response: {
          status: response.status,
          headers: [...response.headers].map(([name, value]) => ({ name, value })),
          content: { size: 1, text: await response.text() },
        },
      });
    }),
  );
  return new TextEncoder().encode(JSON.stringify({ log: { version: '1.2', entries } }));
}

async function judge(har: Uint8Array, url?: string): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of judgeTraffic({
    contract,
    traffic: readHar(har, 'traffic.har'),
    seed: 'har',
    ...(url === undefined ? {} : { url }),
  }))
    events.push(event);
  return events;
}

function told(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === 'finding-reported')
      return [
        `${event.finding.severity} ${event.finding.check} ` +
          `${event.finding.operation.id}: ${event.finding.message}`,
      ];
    return event.type === 'run-finished'
      ? [`${event.summary.verdict}: ${event.summary.reason}`]
      : [];
  });
}

const visit: readonly Asked[] = [
  { path: '/books' },
  { path: '/books?limit=2&status=lent' },
  { path: '/books', method: 'POST', body: '{"title":"Emma","shelfId":9007199254740993}' },
  { path: '/books/999999' },
];

describe('traffic of a conforming server', () => {
  test('passes, and every exchange is judged', async () => {
    const events = await judge(await recordHar(visit));
    expect(told(events)).toEqual([
      'passed: All judged traffic conforms; 4 of 4 recorded exchanges were judged.',
    ]);
    expect(events.at(-1)?.type).toBe('run-finished');
    expect(events.filter(({ type }) => type === 'exchange-recorded')).toHaveLength(4);
  });

  test('invalid requests that were refused are no finding', async () => {
    expect(
      told(
        await judge(
          await recordHar([
            { path: '/books?limit=5000' },
            { path: '/books', method: 'POST', body: '{}' },
          ]),
        ),
      ),
    ).toEqual([
      // The contract is silent, and says so.
      'note status-documented listBooks: The server answered 400 to a recorded ' +
        'request (entry 1) that the contract forbids (limit must be 50 or less); ' +
        'the contract documents no status for that.',
      'passed: All judged traffic conforms; 2 of 2 recorded exchanges were judged.',
    ]);
  });

  test('credentials are redacted in every event', async () => {
    const events = await judge(await recordHar(visit));
    const shown = JSON.stringify(events, (_key, value: unknown) =>
      value instanceof Uint8Array ? new TextDecoder().decode(value) : value,
    );
    expect(shown).not.toContain(library?.token);
    expect(shown).toContain('Bearer $VOUCH_TOKEN');
  });

  test('counts exchanges that are undocumented, went elsewhere or have no response', async () => {
    const har = await recordHar([{ path: '/books' }, { path: '/nothing' }]);
    const { log } = JSON.parse(new TextDecoder().decode(har)) as { log: { entries: object[] } };
    log.entries.push({
      request: { url: 'http://other.example/logo.png', method: 'GET', headers: [] },
      response: { status: 200, headers: [], content: {} },
    });
    log.entries.push({
      request: { url: 'http://other.example/x', method: 'GET', headers: [] },
      response: { status: 0, headers: [], content: {} },
    });
    expect(told(await judge(new TextEncoder().encode(JSON.stringify({ log }))))).toEqual([
      'passed: All judged traffic conforms; 1 of 4 recorded exchanges was ' +
        'judged. Not in the contract: GET /v1/nothing. 1 exchange went to other ' +
        'hosts or paths. 1 entry without a response.',
    ]);
  });

  test('with a base URL, only its exchanges count', async () => {
    const har = await recordHar([{ path: '/books' }]);
    expect(told(await judge(har, 'http://127.0.0.1:1/v1'))).toEqual([
      'inconclusive: Nothing was judged: none of the 1 recorded exchange in ' +
        'traffic.har belongs to an operation of the contract. 1 exchange went to ' +
        'other hosts or paths.',
    ]);
    expect(told(await judge(har, library?.url))).toHaveLength(1);
  });
});

describe('traffic of a server that breaks the contract', () => {
  test.each<{
    readonly defect: Defect;
    readonly finding: RegExp;
    readonly asked?: readonly Asked[];
  }>([
    { defect: 'list-500', finding: /^error no-server-error listBooks: / },
    { defect: 'undocumented-200', finding: /^error status-documented / },
    { defect: 'truncated-json', finding: /^error body-parses / },
    {
      defect: 'ignores-limit',
      finding: /^warning limit-holds listBooks: /,
      asked: [{ path: '/books?limit=1' }],
    },
    {
      defect: 'ignores-filter',
      finding: /^warning filter-holds listBooks: /,
      asked: [{ path: '/books?status=lent&limit=50' }],
    },
  ])('$defect is found', async ({ defect, finding, asked }) => {
    const lines = told(await judge(await recordHar(asked ?? visit, defect)));
    expect(lines[0]).toMatch(finding);
  });

  test('an exchange without a recorded body is judged by its status only', async () => {
    const withoutBody = (entry: Record<string, unknown>): unknown => ({
      ...entry,
      response: {
        ...(entry['response'] as object),
        content: { size: 12, mimeType: 'application/json' },
      },
    });
    expect(
      told(await judge(await recordHar([{ path: '/books' }], 'truncated-json', withoutBody))),
    ).toHaveLength(1);
    expect(
      told(await judge(await recordHar([{ path: '/books' }], 'list-500', withoutBody)))[0],
    ).toMatch(/^error no-server-error /);
  });
});
