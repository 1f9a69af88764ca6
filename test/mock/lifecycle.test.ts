import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { headerValues } from '../../src/http/message.ts';
import { parseClock } from '../../src/mock/control/clock.ts';
import { mockOf, send } from './workshop.ts';

function contractOf(marks: string): string {
  return `
openapi: 3.1.0
info: { title: Life, version: '1' }
servers: [{ url: /v1 }, { url: /v2 }]
paths:
  /old/{id}:
    get:
      operationId: getOld
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
${marks}
      responses: { '200': { description: Fine } }
  /new/{id}: { get: { operationId: getNew, responses: { '200': { description: Fine } } } }
  /other/{key}: { get: { operationId: getOther, responses: { '200': { description: Fine } } } }
`;
}

async function ask(marks: string, now: string, target = '/v1/old/a%2Fb'): Promise<string[]> {
  const mock = await mockOf({
    contract: parseContract(contractOf(marks), 'life.yaml'),
    clock: () => new Date(now),
  });
  const answer = await send(mock, `GET ${target}`);
  return [
    String(answer.status),
    ...['Deprecation', 'Sunset', 'Link'].flatMap((name) =>
      headerValues(answer.headers, name).map((value) => `${name}: ${value}`),
    ),
  ];
}

describe('a deprecated operation', () => {
  test.each([
    ['says nothing where nothing is known', '      deprecated: true', []],
    [
      'says since when (RFC 9745)',
      "      deprecated: true\n      x-deprecated-at: '2029-01-01'",
      ['Deprecation: @1861920000'],
    ],
    [
      'says until when (RFC 8594)',
      "      x-sunset: '2030-12-05'",
      ['Sunset: Thu, 05 Dec 2030 00:00:00 GMT'],
    ],
    [
      'names its successor, with the request’s own base path and values',
      '      x-replaced-by: getNew',
      ['Link: </v1/new/a%2Fb>; rel="successor-version"'],
    ],
    ['names no successor that it cannot point at', '      x-replaced-by: getOther', []],
    ['names no successor that is not there', '      x-replaced-by: getNone', []],
    [
      'says nothing of dates that are none',
      "      x-sunset: soon\n      x-deprecated-at: '2029-02-30'",
      [],
    ],
  ])('%s', async (_what, marks, headers) => {
    expect(await ask(marks, '2030-01-01T00:00:00Z')).toEqual(['200', ...headers]);
  });

  test('has a link under the requested base path', async () => {
    expect(await ask('      x-replaced-by: getNew', '2030-01-01T00:00:00Z', '/v2/old/x')).toEqual([
      '200',
      'Link: </v2/new/x>; rel="successor-version"',
    ]);
  });

  test.each([
    ["x-sunset: '2030-12-05'", '2030-12-04T23:59:59Z', '200'],
    ["x-sunset: '2030-12-05'", '2030-12-05T23:59:59.999Z', '200'],
    ["x-sunset: '2030-12-05'", '2030-12-06T00:00:00Z', '410'],
    ["x-sunset: '2030-12-05T12:00:00Z'", '2030-12-05T11:59:59Z', '200'],
    ["x-sunset: '2030-12-05T12:00:00Z'", '2030-12-05T12:00:00Z', '410'],
    ["x-sunset: '2030-12-05T12:00:00+02:00'", '2030-12-05T10:00:00Z', '410'],
  ])('with %s gets at %s a %s', async (mark, now, status) => {
    expect((await ask(`      ${mark}`, now))[0]).toBe(status);
  });
});

describe('a date in Sunset and Deprecation', () => {
  test.each([
    ['2030-12-06', '2030-12-06T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2030-12-06T10:30:00Z', '2030-12-06T10:30:00.000Z'],
    ['2030-12-06T10:30+02:00', '2030-12-06T08:30:00.000Z'],
    ['2030-02-29', undefined],
    ['2030-13-01', undefined],
    ['2030-12-06T25:00:00Z', undefined],
    ['2030-12-06T10:30:00', undefined],
    ['06.12.2030', undefined],
    ['', undefined],
  ])('%j is %s', (text, expected) => {
    expect(parseClock(text)?.toISOString()).toBe(expected);
  });
});
