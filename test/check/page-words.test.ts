import { describe, expect, test } from 'vitest';
import type { Contract } from '../../src/contract/model.ts';
import { parseContract } from '../../src/contract/load.ts';
import { alarms, findingsOf, type Service } from './fixture/inline-service.ts';

/** A list of words in pages; `words` is what the contract says of them. */
function listOf(words: string): Contract {
  return parseContract(
    `openapi: 3.1.0
info: { title: Words, version: '1', description: ${words} }
servers: [{ url: / }]
paths:
  /words:
    get:
      operationId: listWords
      parameters:
        - { name: page, in: query, schema: { type: integer, minimum: 1, default: 1 } }
        - { name: per_page, in: query, schema: { type: integer, minimum: 1, maximum: 50,
            default: 10 } }
      responses:
        '200': { description: ok, headers: { Link: { schema: { type: string } } }, content: {
          application/json: { schema: { type: object, required: [words, total], properties: {
            words: { type: array, items: { $ref: '#/components/schemas/Word' } },
            total: { type: integer } } } } } }
        '400': { description: bad }
  /words/{wordId}:
    parameters: [{ name: wordId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getWord, responses: { '200': { description: ok, content: {
      application/json: { schema: { $ref: '#/components/schemas/Word' } } } },
      '404': { description: none } } }
components:
  schemas: { Word: { type: object, required: [id], properties: { id: { type: string } } } }`,
    'words.yaml',
  );
}

interface Quirks {
  readonly links?: false;
  readonly repeatsLast?: true;
  readonly fullLeadsOn?: true;
}

function serviceOf({ links, repeatsLast, fullLeadsOn }: Quirks): Service {
  const all = Array.from({ length: 23 }, (_one, index) => ({ id: `word-${String(index + 100)}` }));
  return ({ method, path: [area, id], query }) => {
    if (area !== 'words') return { status: 404 };
    if (method !== 'GET') return { status: 405, headers: { Allow: 'GET, HEAD' } };
    if (id !== undefined) {
      const word = all.find((each) => each.id === id);
      return word === undefined ? { status: 404 } : { status: 200, json: word };
    }
    const [page, size] = [query.get('page') ?? '1', query.get('per_page') ?? '10'];
    if (![page, size].every((text) => /^[1-9]\d{0,8}$/.test(text)) || Number(size) > 50)
      return { status: 400 };
    const last = Math.ceil(all.length / Number(size));
    const shown = repeatsLast ? Math.min(Number(page), last) : Number(page);
    const words = all.slice((shown - 1) * Number(size), shown * Number(size));
    const next = `</words?page=${String(shown + 1)}&per_page=${size}>; rel="next"`;
    const isMore = shown < last || (fullLeadsOn && words.length === Number(size));
    const headers = links === false || !isMore ? {} : { Link: next };
    return { status: 200, json: { words, total: all.length }, headers };
  };
}

const said = `'The Link header has rel="next" unless the page is the last one. A page after the last
  one has no records.'`;

async function found(words: string, quirks: Quirks): Promise<string> {
  return alarms(await findingsOf(listOf(words), serviceOf(quirks))).join('\n');
}

describe('pages of which the contract speaks', () => {
  test('are no finding of a service that does as it says', async () => {
    expect(await found(said, {})).toBe('');
  });

  test('without a Link to the next one are found', async () => {
    expect(await found(said, { links: false })).toContain('has no Link to the next page');
  });

  test('beyond the end that repeat the last one are found', async () => {
    expect(await found(said, { repeatsLast: true })).toContain('page-holds listWords');
  });

  test('that are full and lead on behind the last record are found', async () => {
    const ends = `'On the last page there is no Link with rel="next".'`;
    expect(await found(ends, {})).toBe('');
    expect(await found(ends, { fullLeadsOn: true })).toContain('holds all 23 records');
  });

  test('may have no Link if the contract promises none', async () => {
    expect(await found('Words.', { links: false })).toBe('');
  });
});
