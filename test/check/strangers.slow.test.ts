import { describe, expect, test } from 'vitest';
import { type Crud, crud, type Row } from './fixture/crud/crud.ts';
import type { Answered } from './fixture/inline-service.ts';

interface Quirks {
  /** What the other team reaches. */
  readonly leaks?: 'file' | 'comments' | 'adding' | 'csv' | 'references' | 'keys';
  /** What a sound service may do as well. */
  readonly style?: 'empty for others' | 'takes any reference' | 'a picture in the place of files';
}

const words = { type: 'string', minLength: 1, maxLength: 90 };
const [one, two] = ['tok-one', 'tok-two'];

/** What of the contract is about files. */
const paths = `
/papers/csv:
  get: { operationId: papersAsCsv, responses: { '200': { description: All papers, content: {
      text/csv: { schema: { type: string } } } } } }
/papers/{paperId}/file:
  parameters: [{ name: paperId, in: path, required: true, schema: { type: string } }]
  put: { operationId: putFile, requestBody: { required: true, content: { application/pdf: {} } },
      responses: { '204': { description: kept }, '400': { description: bad }, '404': {
      description: none }, '415': { description: bad } } }
  get: { operationId: getFile, responses: { '200': { description: ok, content: {
      application/pdf: {} } }, '404': { description: none } } }
`;

/** Papers of teams, with a file and comments below each, links to them, and a table of all. */
function papers({ leaks, style }: Quirks): Crud {
  const files = new Map<string, Uint8Array>();
  const keys = new Map<string, Answered>();
  const pdf = { 'Content-Type': 'application/pdf' };
  return crud(
    {
      Paper: {
        fields: { title: { ...words, example: 'Report' } },
        can: 'list create read delete',
        headers: { 'Idempotency-Key': { type: 'string', maxLength: 64 } },
      },
      Comment: {
        fields: { text: { ...words, example: 'Fine' } },
        path: '/papers/{paperId}/comments',
      },
      Review: {
        fields: {
          paperId: { type: 'string', minLength: 1, maxLength: 40, description: 'The paper.' },
          verdict: { ...words, example: 'good' },
        },
        can: 'create read delete',
        refuses: { create: { 422: 'It names a paper that the team does not have.' } },
      },
    },
    (rows, ownerOf) => ({
      reaches: (id) =>
        (id === 'getFile' && leaks === 'file') ||
        (['listComments', 'getComment'].includes(id) && leaks === 'comments') ||
        (id === 'createComment' && leaks === 'adding'),
      refuse: {
        reviews: (review) => {
          const isReached = (paper: Row): boolean =>
            leaks === 'references' || ownerOf(paper) === ownerOf(review);
          const isKnown = rows('papers').some(
            (paper) => paper.id === review['paperId'] && isReached(paper),
          );
          return isKnown || style === 'takes any reference' ? undefined : 422;
        },
      },
      on: {
        papersAsCsv: ({ user }) => {
          const own = rows('papers').filter((row) => leaks === 'csv' || ownerOf(row) === user);
          const quoted = own.map(
            ({ id, title }) => `${id},"${String(title).replaceAll('"', '""')}"`,
          );
          const text = ['id,title', ...quoted, ''].join('\r\n');
          return { status: 200, text, headers: { 'Content-Type': 'text/csv' } };
        },
        createPaper: ({ call, user, sound }) => {
          const key = call.header('idempotency-key');
          if (key === undefined) return undefined;
          if (key.length > 64) return { status: 400 };
          const whole = `${leaks === 'keys' ? '' : user} ${key} ${call.body}`;
          const made = keys.get(whole) ?? sound();
          if (made.status === 201) keys.set(whole, made);
          return made;
        },
        listComments: ({ row }) =>
          row === undefined && style === 'empty for others' ? { status: 200, json: [] } : undefined,
        getFile: ({ row }) => {
          const bytes = files.get(row?.id ?? '');
          if (bytes !== undefined) return { status: 200, bytes, headers: pdf };
          const none = new TextEncoder().encode('%PDF-1.7 no file');
          return style === 'a picture in the place of files'
            ? { status: 200, bytes: none, headers: pdf }
            : { status: 404 };
        },
        putFile: ({ call, row }) => {
          if (row === undefined) return undefined;
          if (call.header('content-type') !== 'application/pdf') return { status: 415 };
          if (call.bytes.length === 0) return { status: 400 };
          files.set(row.id, call.bytes);
          return { status: 204 };
        },
      },
    }),
    { description: 'A paper belongs to the team that wrote it.', paths, tokens: [one, two] },
  );
}

const check = (quirks: Quirks): Promise<string[]> =>
  papers(quirks).alarms(/^/, {
    identities: { one: { token: one }, two: { token: two, sees: { 'nothing-of': 'one' } } },
  });

describe('a second team that sees nothing of the first one', () => {
  test.each<[string, Quirks]>([
    ['gets 404 for all of it', {}],
    ['gets an empty list below a paper', { style: 'empty for others' }],
    ['may refer to anything, as everybody may', { style: 'takes any reference' }],
    ['downloads a placeholder', { style: 'a picture in the place of files' }],
  ])('is no finding if it %s', async (_title, quirks) => {
    const found = await check(quirks);
    expect(found.filter((line) => line.includes('identity'))).toEqual([]);
  });

  test.each<[string, NonNullable<Quirks['leaks']>, RegExp]>([
    ['downloads the file of a paper', 'file', /getFile: The answer to a GET by two shows/],
    [
      'lists the comments of a paper',
      'comments',
      /listComments: The list that two gets holds the record/,
    ],
    [
      'comments a paper',
      'adding',
      /createComment: The server accepted \(201\) a POST by two below/,
    ],
    ['gets the table of all papers', 'csv', /papersAsCsv: The answer to a GET by two shows/],
    ['refers to a paper', 'references', /createReview: .*a POST by two that refers to the record/],
    ['gets the paper of the same key', 'keys', /createPaper: The answer to a create by two, under/],
  ])('is a finding if it %s', async (_title, leaks, message) => {
    const found = await check({ leaks });
    expect(found.join('\n')).toMatch(message);
  });
});
