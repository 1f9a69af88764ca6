import { expect, test } from 'vitest';
import { httpSemantics } from '../../../../src/check/topics/http/http-semantics.ts';
import type { Step } from '../../../../src/check/model/step.ts';
import type { HeaderList } from '../../../../src/http/message.ts';
import { libraryContract } from '../../fixture/library-contract.ts';
import { talk } from '../../fixture/talk.ts';

interface Head {
  readonly status?: number;
  readonly headers?: HeaderList;
}

const contract = libraryContract();
const json = ['Content-Type', 'application/json'] as const;

/** What is said of the answer to a HEAD between two GETs that were answered alike. */
function said(
  { status = 200, headers = [json] }: Head,
  both: HeaderList = [],
): string[] | undefined {
  const [get, last] = [1, 2].map(() =>
    talk(contract, [{ ask: 'GET /books', answer: [], headers: both }]),
  );
  if (get === undefined || last === undefined) throw new Error('Nothing was said.');
  const head: Step = {
    ...get,
    case: { ...get.case, intent: { kind: 'method', method: 'HEAD', wanted: 'like GET' } },
    exchange: { ...get.exchange, response: { status, headers, body: new Uint8Array() } },
  };
  return httpSemantics
    .inspect({ ...last, earlier: [get, head] })
    ?.map(({ severity, cause }) => `${severity ?? 'as ever'}: ${cause ?? ''}`);
}

test.each<[string, Head, HeaderList, string[]]>([
  ['the same', {}, [], []],
  ['no HEAD, as a note', { status: 405 }, [], ['note: no HEAD']],
  ['no such method, as a note', { status: 501 }, [], ['note: no HEAD']],
  ['another success', { status: 204 }, [], ['as ever: HEAD the status']],
  ['a redirection', { status: 302 }, [], ['as ever: HEAD the status']],
  ['not a failure, which is a finding of its own', { status: 500 }, [], []],
  ['not a wish to come later', { status: 429 }, [], []],
  [
    'another type',
    { headers: [['Content-Type', 'text/html']] },
    [],
    ['as ever: HEAD the Content-Type'],
  ],
  [
    'not the same type in another case',
    { headers: [['content-type', 'Application/JSON']] },
    [],
    [],
  ],
  ['not a type that is left out', { headers: [] }, [], []],
  [
    'another length',
    { headers: [json, ['Content-Length', '0']] },
    [['Content-Length', '2']],
    ['as ever: HEAD the Content-Length'],
  ],
])('a HEAD response is compared with GET: %s', (_name, head, both, expected) => {
  expect(said(head, both)).toEqual(expected);
});
