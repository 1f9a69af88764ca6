import { describe, expect, test } from 'vitest';
import { joinCauses } from '../../../../src/check/engine/judge/join-causes.ts';
import type { Inspections } from '../../../../src/check/engine/judge/judge.ts';
import { readFacts } from '../../../../src/check/model/finding-facts.ts';
import type { Finding } from '../../../../src/check/model/finding.ts';
import type { JsonObject } from '../../../../src/json/value.ts';
import { libraryContract } from '../../fixture/library-contract.ts';

const contract = libraryContract();
const list = '/paths/~1books/get';
const title = '/components/schemas/NewBook/properties/title';

/** What a finding is about, as far as causes are told apart by it. */
interface Seen {
  readonly check: string;
  readonly on?: string;
  readonly at?: string;
  readonly cause?: string;
  readonly status?: number | undefined;
  readonly intent?: JsonObject;
  readonly message?: string;
}

function find({
  check,
  on = 'listBooks',
  at = list,
  cause = '',
  status,
  intent = {},
  message = 'It differs.',
}: Seen): Finding {
  const operation = contract.operations.find(({ id }) => id === on);
  if (operation === undefined) throw new Error(`The library has no ${on}.`);
  const request = { method: operation.method, target: '/', headers: [], body: new Uint8Array() };
  const answered =
    status === undefined ? {} : { response: { status, headers: [], body: new Uint8Array() } };
  const step = {
    operation: on,
    title: '',
    phase: 'basic',
    intent,
    request: { arguments: [], credential: 'given' },
  };
  return {
    id: `${check} ${on} ${at} ${cause}`,
    check,
    basis: 'contract',
    severity: 'error',
    blame: 'server',
    operation: { id: on, method: operation.method, path: operation.path },
    message,
    expected: '',
    actual: '',
    trying: '',
    pointer: at,
    place: { file: 'library.yaml', line: 1, column: 1 },
    frame: '',
    curl: [],
    count: 1,
    operations: [on],
    evidence: '',
    exchange: { baseUrl: 'http://host', request, durationMs: 1, ...answered },
    replay: {
      version: 1,
      check,
      at,
      cause,
      mark: '',
      contract: '',
      alone: true,
      times: 1,
      steps: [step],
    },
  };
}

describe('the facts of a finding', () => {
  test.each([
    [
      'the field that its place stands in',
      { check: 'body-matches-schema', at: `${title}/maxLength` },
      'title',
    ],
    ['the field that its place is', { check: 'body-matches-schema', at: title }, 'title'],
    [
      'the innermost of them',
      { check: 'body-matches-schema', at: `${title}/properties/short/type` },
      'short',
    ],
    [
      'a field that is called properties',
      {
        check: 'body-matches-schema',
        at: '/components/schemas/NewBook/properties/properties/type',
      },
      'properties',
    ],
    [
      'a field within one that is called so',
      {
        check: 'body-matches-schema',
        at: '/components/schemas/NewBook/properties/properties/properties/pages',
      },
      'pages',
    ],
    [
      'the field that is missing',
      { check: 'body-matches-schema', at: '/components/schemas/NewBook/required', cause: 'title' },
      'title',
    ],
    [
      'no field, where none is named as missing',
      { check: 'body-matches-schema', at: '/components/schemas/Book/required' },
      undefined,
    ],
    [
      'no field, where the cause is no name of one',
      { check: 'invalid-refused', at: '/components/schemas/NewBook/required', cause: 'every one' },
      undefined,
    ],
    [
      'no field, where the whole is wrong',
      { check: 'body-matches-schema', at: '/components/schemas/Book/type', cause: 'type' },
      undefined,
    ],
    [
      'no field, outside of any schema',
      { check: 'status-documented', at: `${list}/responses` },
      undefined,
    ],
  ])('%s', (_, seen: Seen, field) => {
    expect(readFacts(find(seen), contract).field).toBe(field);
  });

  test.each([
    [
      'the parameter that it points at',
      { check: 'limit-holds', at: `${list}/parameters/0` },
      'limit',
    ],
    [
      'the parameter that its place stands in',
      { check: 'limit-holds', at: `${list}/parameters/0/schema/maximum` },
      'limit',
    ],
    [
      'the one whose default is written elsewhere',
      { check: 'filter-holds', at: '/components/schemas/Status/default' },
      'status',
    ],
    [
      'no parameter, where its place only begins with the same digits',
      { check: 'filter-holds', at: `${list}/parameters/10/schema` },
      undefined,
    ],
    [
      'the one that was given an invalid value, wherever the rule stands',
      {
        check: 'invalid-refused',
        at: '/components/schemas/Status/enum',
        intent: { kind: 'invalid', part: 'query', subject: 'status' },
      },
      'status',
    ],
    [
      'no parameter, where a field of the body is invalid',
      {
        check: 'invalid-refused',
        on: 'createBook',
        at: `${title}/type`,
        intent: { kind: 'invalid', part: 'body', subject: 'title' },
      },
      undefined,
    ],
    [
      'no parameter, where nothing invalid was sent',
      { check: 'body-matches-schema', intent: { kind: 'valid', subject: 'limit' } },
      undefined,
    ],
  ])('%s', (_, seen: Seen, parameter) => {
    expect(readFacts(find(seen), contract).parameter).toBe(parameter);
  });
});

const cutEarly: Seen = {
  check: 'limit-holds',
  at: `${list}/parameters/0`,
  cause: 'before the filter',
};
const anyLimit: Seen = {
  check: 'invalid-refused',
  at: `${list}/parameters/0`,
  intent: { kind: 'invalid', part: 'query', subject: 'limit' },
  cause: 'every one',
};
const badLimit: Seen = {
  check: 'invalid-refused',
  at: `${list}/parameters/0/schema`,
  intent: { kind: 'invalid', part: 'query', subject: 'limit' },
};
const badStatus: Seen = {
  check: 'invalid-refused',
  at: `${list}/parameters/1`,
  intent: { kind: 'invalid', part: 'query', subject: 'status' },
};
const badTitle: Seen = {
  check: 'invalid-refused',
  at: `${title}/type`,
  on: 'createBook',
  intent: { kind: 'invalid', part: 'body', subject: 'title' },
};
const unreadable: Seen = {
  check: 'no-server-error',
  on: 'createBook',
  status: 500,
  intent: { kind: 'invalid', part: 'body', rule: 'the body is not JSON', unreadable: true },
};
const fails: Seen = {
  check: 'no-server-error',
  on: 'createBook',
  status: 500,
  intent: { kind: 'valid' },
};
const strange: Seen = { check: 'status-documented', status: 418 };
const headDiffers: Seen = {
  check: 'http-semantics',
  intent: { kind: 'valid' },
  cause: 'HEAD the Content-Type',
};
const anyIdentifier: Seen = {
  check: 'missing-refused',
  on: 'getBook',
  status: 200,
  intent: { kind: 'missing' },
};
const noIdentifier: Seen = {
  check: 'invalid-refused',
  on: 'getBook',
  status: 200,
  intent: { kind: 'invalid', part: 'path', subject: 'bookId' },
};
const emptied = (field: string): Seen => ({
  check: 'replaced-is-persisted',
  on: 'replaceBook',
  at: `/components/schemas/NewBook/properties/${field}`,
  cause: 'besides',
});
const taken: Seen = {
  check: 'unique-is-kept',
  on: 'createBook',
  at: '/paths/~1books/post/responses/409',
  cause: 'title is that of another record, again',
};
const followed: Seen = {
  check: 'body-matches-schema',
  on: 'getBook',
  intent: { kind: 'relation', rule: 'leads-to', field: 'Location' },
};
const wrongTitle: Seen = { check: 'body-matches-schema', on: 'getBook', at: `${title}/type` };

describe('violations with one cause', () => {
  test.each<[string, Seen, Seen]>([
    ['a list cut before the filter has looked shows too few', cutEarly, { check: 'filter-holds' }],
    ['and cuts its pages wrongly', cutEarly, { check: 'page-holds' }],
    ['and does not show what was created', cutEarly, { check: 'created-is-readable' }],
    ['and counts them wrongly', cutEarly, { check: 'total-holds', cause: 'count' }],
    ['who looks at no value of a parameter looks at none of the next', anyLimit, badStatus],
    [
      'and who looks at no field of a body looks at none of the next',
      { ...badTitle, cause: 'every one' },
      { ...badTitle, at: '/components/schemas/NewBook/properties/pages/type' },
    ],
    ...['filter-holds', 'limit-holds', 'page-holds', 'sort-holds'].map(
      (check): [string, Seen, Seen] => [
        `a parameter that is not looked at has no invalid values (${check})`,
        { check, at: `${list}/parameters/0` },
        badLimit,
      ],
    ),
    [
      'what cannot be read comes to no operation',
      unreadable,
      {
        ...unreadable,
        on: 'replaceBook',
        intent: {
          kind: 'invalid',
          part: 'path',
          rule: 'bookId, a byte that is not UTF-8',
          unreadable: true,
        },
      },
    ],
    [
      'an operation that fails accepts nothing valid',
      fails,
      { check: 'valid-accepted', on: 'createBook', status: 500 },
    ],
    [
      'a status for a value is that of its refusal',
      { ...strange, intent: { kind: 'valid', at: '/components/schemas/Status/enum' } },
      {
        check: 'valid-accepted',
        at: `${list}/parameters/1`,
        status: 418,
        intent: { kind: 'valid', at: '/components/schemas/Status/enum' },
      },
    ],
    [
      'a status that nobody knows stands in the error too',
      strange,
      { check: 'error-repeats-status', status: 418 },
    ],
    [
      'and refuses no missing record',
      { ...fails, on: 'getBook' },
      { check: 'missing-refused', on: 'getBook', status: 500 },
    ],
    [
      'and shows nothing of what was created',
      { ...fails, on: 'getBook' },
      { check: 'created-is-readable', on: 'getBook', status: 500 },
    ],
    ['HEAD is held against a GET that is wrong', strange, headDiffers],
    ['whatever is wrong with GET', { check: 'content-type-documented' }, headDiffers],
    [
      'where any identifier finds something, one that cannot be one does too',
      anyIdentifier,
      noIdentifier,
    ],
    [
      'and what it finds is not as described',
      anyIdentifier,
      { check: 'body-matches-schema', on: 'getBook', intent: { kind: 'missing' } },
    ],
    [
      'be it one that is none',
      anyIdentifier,
      { check: 'body-matches-schema', on: 'getBook', intent: { kind: 'invalid', part: 'path' } },
    ],
    [
      'what is found for one operation is found for its neighbour',
      anyIdentifier,
      { ...anyIdentifier, on: 'replaceBook' },
    ],
    ['what was let in with a wrong value shows it', badTitle, wrongTitle],
    [
      'what was not kept is not read',
      { ...wrongTitle, check: 'created-is-returned' },
      { ...wrongTitle, check: 'created-is-readable' },
    ],
    [
      'nor shown in the list',
      { ...wrongTitle, check: 'replaced-is-persisted' },
      { ...wrongTitle, check: 'item-equals-entry' },
    ],
    [
      'a list without a limit outgrows its schema, as others do',
      { check: 'limit-holds', cause: 'default' },
      { check: 'body-matches-schema', on: 'getReports', at: '/components/schemas/Page/maxItems' },
    ],
    [
      'one member is written alike in records of two kinds',
      { check: 'body-matches-schema', at: `${title}/format` },
      {
        check: 'body-matches-schema',
        on: 'getReports',
        at: '/components/schemas/Report/properties/title/format',
      },
    ],
    [
      'a value of another type is none of the listed ones',
      { check: 'body-matches-schema', at: '/components/schemas/Flag/type' },
      { check: 'body-matches-schema', at: '/components/schemas/Flag/enum', cause: 'enum' },
    ],
    ['a change that empties one member empties another', emptied('title'), emptied('pages')],
    [
      'no write looks for a value that must be unique',
      taken,
      { ...taken, on: 'replaceBook', at: '/paths/~1books~1{bookId}/put/responses/409' },
    ],
    [
      'and a value that is rewritten is not found again',
      taken,
      { check: 'created-is-returned', on: 'createBook', at: title, cause: 'rewritten' },
    ],
    [
      'a total that is that of the page leads beyond it',
      { check: 'total-holds', cause: 'page' },
      { check: 'page-holds', cause: 'beyond the end' },
    ],
    [
      'a wrong total makes another number of pages',
      { check: 'total-holds', cause: 'page' },
      { check: 'page-count-holds', cause: 'count' },
    ],
    [
      'a page after the last one is named for an empty list too',
      { check: 'page-holds', cause: 'beyond the end' },
      { check: 'page-holds', on: 'getReports', cause: 'never ends' },
    ],
    [
      'what selects no members selects none within them',
      { check: 'projection-holds', cause: 'not projected' },
      { check: 'expansion-holds', at: `${list}/parameters/1`, cause: 'select' },
    ],
    [
      'what one request of a story shows has one cause',
      { ...followed, check: 'body-matches-schema', at: '/components/schemas/Book/required' },
      { ...followed, check: 'headers-match', at: `${list}/responses/200/headers/ETag` },
    ],
  ])('%s', (_, leader, other) => {
    expect(told([leader, other])).toEqual([[leader.check, other.check]]);
  });
});

test('a finding without an exchange has only its place', () => {
  const {
    replay: _replay,
    exchange: _exchange,
    ...bare
  } = find({ check: 'body-matches-schema', at: `${title}/type` });
  expect(readFacts(bare, contract)).toMatchObject({
    operation: 'listBooks',
    root: '/books',
    cause: '',
    status: undefined,
    intent: {},
    field: 'title',
    parameter: undefined,
  });
});

describe('violations with two causes', () => {
  test.each<[string, Seen, Seen]>([
    ['a list that is not cut early', { ...cutEarly, cause: 'too many' }, { check: 'filter-holds' }],
    [
      'a list that is cut early, and another list',
      cutEarly,
      { check: 'filter-holds', on: 'getReports' },
    ],
    ['a total that is wrong in itself', cutEarly, { check: 'total-holds', cause: 'missing' }],
    ['invalid values of a parameter and of the body', anyLimit, { ...badTitle, on: 'listBooks' }],
    [
      'invalid values of the body and of a parameter',
      { ...badTitle, cause: 'every one' },
      { ...badStatus, on: 'createBook' },
    ],
    ['an invalid value that is told by itself', badLimit, badStatus],
    [
      'one member that is wrong in two ways in records of two kinds',
      { check: 'body-matches-schema', at: `${title}/format` },
      {
        check: 'body-matches-schema',
        on: 'getReports',
        at: '/components/schemas/Report/properties/title/pattern',
      },
    ],
    [
      'values that must be unique, of two members',
      taken,
      {
        ...taken,
        on: 'replaceBook',
        at: '/paths/~1books~1{bookId}/put/responses/409',
        cause: 'pages is that of another record, again',
      },
    ],
    [
      'what two requests of a story show',
      { ...followed, at: '/components/schemas/Book/required' },
      {
        ...followed,
        check: 'headers-match',
        at: `${list}/responses/200/headers/ETag`,
        intent: { kind: 'relation', rule: 'leads-to', field: 'self' },
      },
    ],
    [
      'a total that is wrong on each page, and a page beyond the last one',
      { check: 'total-holds', cause: 'count' },
      { check: 'page-holds', cause: 'beyond the end' },
    ],
    [
      'a total of one list, and the number of pages of another',
      { check: 'total-holds', cause: 'page' },
      { check: 'page-count-holds', on: 'getReports', cause: 'count' },
    ],
    [
      'a parameter that is not looked at, and another one',
      { check: 'sort-holds', at: `${list}/parameters/0` },
      badStatus,
    ],
    [
      'lists and totals that are about no parameter',
      { check: 'sort-holds' },
      { ...badTitle, on: 'listBooks' },
    ],
    ['what cannot be read, and what can', unreadable, { ...fails, on: 'replaceBook' }],
    [
      'what cannot be read, answered in two ways',
      unreadable,
      { ...unreadable, on: 'replaceBook', status: 503 },
    ],
    [
      'what cannot be read, and what never was answered',
      { ...unreadable, status: undefined },
      { ...unreadable, on: 'replaceBook', status: undefined },
    ],
    [
      'two operations that fail',
      fails,
      { check: 'valid-accepted', on: 'replaceBook', status: 500 },
    ],
    [
      'a GET that is wrong, and HEAD of another operation',
      { ...strange, on: 'getBook' },
      headDiffers,
    ],
    ['two statuses', strange, { check: 'error-repeats-status', status: 404 }],
    [
      'HEAD, where another method was asked for',
      strange,
      { ...headDiffers, intent: { kind: 'method' } },
    ],
    [
      'semantics that are not about HEAD',
      strange,
      { ...headDiffers, cause: '401 without WWW-Authenticate' },
    ],
    [
      'a missing record that is refused strangely, and an identifier that is let in',
      { ...anyIdentifier, status: 300 },
      noIdentifier,
    ],
    [
      'any identifier, and an invalid filter',
      anyIdentifier,
      { ...noIdentifier, intent: { kind: 'invalid', part: 'query', subject: 'full' } },
    ],
    [
      'any identifier, and a valid record that is wrong',
      anyIdentifier,
      { check: 'body-matches-schema', on: 'getBook', intent: { kind: 'valid' } },
    ],
    [
      'neighbours that answer differently',
      anyIdentifier,
      { ...anyIdentifier, on: 'replaceBook', status: 500 },
    ],
    [
      'two fields',
      badTitle,
      { ...wrongTitle, at: '/components/schemas/NewBook/properties/pages/type' },
    ],
    [
      'two findings about no field',
      { check: 'body-matches-schema', on: 'getBook', at: '/components/schemas/Book/type' },
      { check: 'created-is-returned', on: 'createBook', at: '/components/schemas/Book' },
    ],
    ['fields of one name in two kinds of record', badTitle, { ...wrongTitle, on: 'sendNote' }],
    [
      'a status for one value, and its refusal of another',
      { ...strange, intent: { kind: 'valid', at: `${list}/parameters/0/schema/maximum` } },
      {
        check: 'valid-accepted',
        at: `${list}/parameters/1`,
        status: 418,
        intent: { kind: 'valid', at: '/components/schemas/Status/enum' },
      },
    ],
  ])('%s', (_, leader, other) => {
    expect(told([leader, other])).toEqual([[leader.check], [other.check]]);
  });
});

test('one member of one kind of record, in whichever operation, is one thing', () => {
  const elsewhere = '/components/schemas/Book/properties/title/type';
  expect(told([badTitle, { ...badTitle, on: 'replaceBook', at: elsewhere }])).toEqual([
    [badTitle.check, badTitle.check],
  ]);
});

function told(seen: readonly Seen[]): string[][] {
  return joinCauses(seen.map(find), contract).map(({ check, alsoSeenAs = [] }) => [
    check,
    ...alsoSeenAs.map((other) => other.check),
  ]);
}

describe('one fault that many operations refuse with a status that none documents', () => {
  const refused = (on: string, status: number, at = ''): Finding =>
    find({
      check: 'status-documented',
      on,
      at: `/paths/${on}/responses${at}`,
      cause: `${String(status)} refusal`,
      status,
      intent: { kind: 'invalid', part: 'body', rule: 'the body is cut', subject: 'the body' },
    });
  const operations = ['createBook', 'replaceBook', 'sendNote', 'listBooks', 'getBook'];
  const counts = (findings: readonly Finding[]): number[] =>
    joinCauses(findings, contract).map(({ alsoSeenAs = [] }) => 1 + alsoSeenAs.length);

  test('is one finding', () => {
    expect(counts(operations.map((on) => refused(on, 400)))).toEqual([5]);
  });

  test('is several findings where the statuses differ, or few operations refuse it', () => {
    const [first = '', ...others] = operations;
    expect(counts([refused(first, 409), ...others.map((on) => refused(on, 400))])).toEqual([
      1, 1, 1, 1, 1,
    ]);
  });
});

describe('what one part of a service does for all operations', () => {
  const operations = ['listBooks', 'getBook', 'getReports'];
  const looked = (check: string): Inspections =>
    new Map(operations.map((on) => [on, new Map([[check, 1]])]));
  const counts = (check: string, seen: readonly Partial<Seen>[]): number[] =>
    joinCauses(
      seen.map((one) => find({ check, at: `/paths/${one.on ?? ''}/responses`, ...one })),
      contract,
      looked(check),
    ).map(({ alsoSeenAs = [] }) => 1 + alsoSeenAs.length);

  test('is one finding where two of three show it', () => {
    const cause = 'stale 304';
    expect(
      counts('condition-holds', [
        { on: 'listBooks', cause },
        { on: 'getBook', cause },
      ]),
    ).toEqual([2]);
    expect(
      counts('page-holds', [
        { on: 'listBooks', cause },
        { on: 'getReports', cause },
      ]),
    ).toEqual([2]);
  });

  test('is two where they show two things, or do no more than answer wrongly', () => {
    expect(
      counts('condition-holds', [
        { on: 'listBooks', cause: 'stale 304' },
        { on: 'getBook', cause: 'no 304' },
      ]),
    ).toEqual([1, 1]);
    expect(
      counts('headers-match', [
        { on: 'listBooks', cause: 'ETag' },
        { on: 'getBook', cause: 'ETag' },
      ]),
    ).toEqual([1, 1]);
  });
});

describe('an operation that takes what it forbids of many parameters', () => {
  const of = (index: number): Seen => ({
    check: 'invalid-refused',
    at: `${list}/parameters/${String(index)}/schema/enum`,
    cause: `value ${String(index)}`,
    intent: { kind: 'invalid', part: 'query', subject: `of ${String(index)}` },
  });

  test('looks at none, and at some of them where it takes two', () => {
    expect(told([of(0), of(1), of(2)])).toHaveLength(1);
    expect(told([of(0), of(1)])).toHaveLength(2);
  });
});

test('an operation that takes many read-only fields takes what is sent', () => {
  const fields = ['id', 'title', 'isbn', 'pages'].map((name) =>
    find({
      check: 'read-only-is-ignored',
      on: 'getBook',
      at: `/components/schemas/Book/properties/${name}`,
      intent: { kind: 'invalid', part: 'body' },
    }),
  );
  expect(joinCauses(fields, contract)).toHaveLength(1);
  expect(joinCauses(fields.slice(0, 2), contract)).toHaveLength(2);
});
