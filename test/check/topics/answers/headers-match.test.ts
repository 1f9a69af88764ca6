import { expect, test } from 'vitest';
import type { Intent } from '../../../../src/check/model/case.ts';
import { headersMatch } from '../../../../src/check/topics/answers/headers-match.ts';
import type { HeaderList } from '../../../../src/http/message.ts';
import { makeContract } from '../../../contract/make-contract.ts';
import { libraryContract } from '../../fixture/library-contract.ts';
import { talk } from '../../fixture/talk.ts';

/** What is said of the headers of a list, which has to have an X-Total. */
function said(
  headers: HeaderList,
  { status = 200, intent }: { readonly status?: number; readonly intent?: Intent } = {},
): string[] | undefined {
  const subject = talk(libraryContract(), [{ ask: 'GET /books', status, headers, answer: [] }]);
  return headersMatch
    .inspect(intent === undefined ? subject : { ...subject, case: { ...subject.case, intent } })
    ?.map(({ message }) => message);
}

test.each<[string, HeaderList, string[]]>([
  ['a header that keeps its schema', [['x-total', '5']], []],
  ['one that is missing', [], ['The response header X-Total is missing.']],
  [
    'one that is no integer',
    [['X-Total', 'many']],
    ['The response header X-Total must be an integer, but is `many`.'],
  ],
  [
    'one below its minimum',
    [['X-Total', '-1']],
    ['The response header X-Total must be 0 or more.'],
  ],
])('%s', (_name, headers, expected) => {
  expect(said(headers)).toEqual(expected);
});

test.each<[string, Parameters<typeof said>[1]]>([
  ['a status of which no header is documented', { status: 401 }],
  ['a status that is not documented', { status: 500 }],
  [
    'what a method that the contract does not have is answered',
    { intent: { kind: 'method', method: 'POST', wanted: 'refused' } },
  ],
])('nothing is asked of %s', (_name, of) => {
  expect(said([], of)).toBeUndefined();
});

test.each([
  [413, undefined],
  [400, ['The response header X-Total is missing.']],
])(
  'where any status is documented, what a proxy answers of its own has no ' +
    'headers of the contract: %i',
  (status, expected) => {
    const headers = { 'X-Total': { required: true, schema: { type: 'integer' } } };
    const contract = makeContract({
      paths: { '/things': { get: { responses: { default: { description: 'any', headers } } } } },
    });
    expect(
      headersMatch
        .inspect(talk(contract, [{ ask: 'GET /things', status }]))
        ?.map(({ message }) => message),
    ).toEqual(expected);
  },
);

test.each([
  ['Location', 'url', '/things/5', 0],
  ['Content-Location', 'url', '/things/5', 0],
  // A relative reference is no URI (RFC 3986, section 4.1).
  ['Location', 'uri', '/things/5', 1],
  ['Location', 'url', 'not a place', 1],
  ['X-Next', 'url', '/things/5', 1],
])('a %s with the format %s may hold %s: %i findings', (name, format, value, count) => {
  const headers = { [name]: { schema: { type: 'string', format } } };
  const contract = makeContract({
    paths: { '/things': { get: { responses: { 200: { description: 'ok', headers } } } } },
  });
  const subject = talk(contract, [{ ask: 'GET /things', status: 200, headers: [[name, value]] }]);
  expect(headersMatch.inspect(subject)).toHaveLength(count);
});

test('each Set-Cookie is one value (RFC 6265, section 3)', () => {
  const headers = { 'Set-Cookie': { schema: { type: 'string', pattern: '^(a|b)=\\w+; Secure$' } } };
  const contract = makeContract({
    paths: { '/things': { get: { responses: { 200: { description: 'ok', headers } } } } },
  });
  const answered = (...cookies: string[]): unknown =>
    headersMatch.inspect(
      talk(contract, [
        {
          ask: 'GET /things',
          status: 200,
          headers: cookies.map((cookie) => ['Set-Cookie', cookie] as const),
        },
      ]),
    );
  expect(answered('a=1; Secure', 'b=2; Secure')).toEqual([]);
  expect(answered('a=1; Secure', 'c=2; Secure')).toHaveLength(1);
});
