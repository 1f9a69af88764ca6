import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { type Answered, alarms, type Call, findingsOf } from './fixture/inline-service.ts';

const contract = parseContract(
  `
openapi: 3.1.0
info: { title: Books, version: 1.0.0 }
components:
  schemas:
    Book:
      type: object
      required: [id, title]
      xml: { name: book, namespace: urn:books }
      properties:
        id: { type: integer, readOnly: true, xml: { attribute: true } }
        title: { type: string, minLength: 1, maxLength: 60 }
        pages: { type: integer, minimum: 1, maximum: 5000 }
        shelf: { type: string, enum: [north, south] }
        tags: { type: array, maxItems: 3, xml: { wrapped: true }, items: { type: string,
            minLength: 1, maxLength: 20, xml: { name: tag } } }
  responses:
    Refused: { description: refused }
    Book: { description: one, content: { application/xml: { schema: {
        $ref: '#/components/schemas/Book' } } } }
  requestBodies:
    Book: { required: true, content: { application/xml: { schema: {
        $ref: '#/components/schemas/Book' } } } }
paths:
  /books:
    get:
      operationId: listBooks
      parameters: [{ name: shelf, in: query, schema: { type: string, enum: [north, south] } }]
      responses: { '200': { description: all, content: { application/xml: { schema: { type: array,
          xml: { name: books, wrapped: true }, items: { $ref: '#/components/schemas/Book' } } } } },
          '400': { $ref: '#/components/responses/Refused' } }
    post:
      operationId: createBook
      requestBody: { $ref: '#/components/requestBodies/Book' }
      responses: { '201': { $ref: '#/components/responses/Book' }, '400': {
          $ref: '#/components/responses/Refused' }, '415': {
          $ref: '#/components/responses/Refused' } }
  /books/{bookId}:
    parameters: [{ name: bookId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getBook, responses: { '200': { $ref: '#/components/responses/Book' },
        '400': { $ref: '#/components/responses/Refused' }, '404': {
        $ref: '#/components/responses/Refused' } } }
    put:
      operationId: replaceBook
      requestBody: { $ref: '#/components/requestBodies/Book' }
      responses: { '200': { $ref: '#/components/responses/Book' }, '400': {
          $ref: '#/components/responses/Refused' }, '404': {
          $ref: '#/components/responses/Refused' }, '415': {
          $ref: '#/components/responses/Refused' } }
    delete: { operationId: deleteBook, responses: { '204': { description: gone }, '400': {
        $ref: '#/components/responses/Refused' }, '404': {
        $ref: '#/components/responses/Refused' } } }
`.trimStart(),
  'books.yaml',
);

interface Book {
  readonly id: number;
  /** By name, as it was written. */
  readonly texts: Readonly<Record<string, string>>;
  readonly tags: readonly string[];
}

interface Quirks {
  readonly show?: (written: string) => string;
  readonly list?: (books: readonly Book[], shelf: string | null) => readonly Book[];
  readonly replace?: (before: Book, next: Book) => Book;
}

const names = ['title', 'pages', 'shelf'];

function readBook(written: string, id: number): Book | undefined {
  if (!/^<\?xml|^<(\w+:)?book/.test(written) || !written.trimEnd().endsWith('>')) return undefined;
  const texts: Record<string, string> = {};
  for (const name of names) {
    const found = [...written.matchAll(new RegExp(`<${name}(?:/>|>([^<]*)</${name}>)`, 'g'))];
    if (found.length > 1) return undefined;
    const [first] = found;
    if (first !== undefined) texts[name] = first[1] ?? '';
  }
  const { title = '', pages = '1', shelf = 'north' } = texts;
  const length = [...title.replaceAll(/&\w+;/g, '.')].length;
  const tags = [...written.matchAll(/<tag(?:\/>|>([^<]*)<\/tag>)/g)].map(([, tag = '']) => tag);
  const isFit = (tag: string): boolean => tag !== '' && [...tag].length <= 20;
  if (length < 1 || length > 60 || tags.length > 3 || !tags.every(isFit)) return undefined;
  if (!/^[1-9]\d{0,3}$/.test(pages) || Number(pages) > 5000) return undefined;
  return ['north', 'south'].includes(shelf) ? { id, texts, tags } : undefined;
}

function writeBook({ id, texts, tags }: Book): string {
  const members = Object.entries(texts).map(([name, text]) => `<${name}>${text}</${name}>`);
  const list = tags.length === 0 ? '' : `<tags><tag>${tags.join('</tag><tag>')}</tag></tags>`;
  return `<book xmlns="urn:books" id="${String(id)}">${members.join('')}${list}</book>`;
}

/** A service that keeps the contract, written apart from vouch, but for its quirks. */
function serviceWith(quirks: Quirks = {}): (call: Call) => Answered {
  const books = new Map<number, Book>();
  let last = 0;
  const add = (book: Book | undefined): Book | undefined => {
    if (book !== undefined) books.set(book.id, book);
    return book;
  };
  for (const shelf of ['north', 'south', 'south'])
    add({ id: (last += 1), texts: { title: `Book ${String(last)}`, shelf }, tags: ['old'] });
  const shown = (status: number, written: string): Answered => ({
    status,
    text: `<?xml version="1.0" encoding="UTF-8"?>\n${(quirks.show ?? String)(written)}`,
    headers: { 'Content-Type': 'application/xml' },
  });
  const one = (status: number, book: Book | undefined): Answered =>
    book === undefined ? { status: 400 } : shown(status, writeBook(book));
  const onItem = (call: Call, book: Book): Answered => {
    if (call.method === 'GET' || call.method === 'HEAD') return one(200, book);
    if (call.method === 'DELETE') return { status: books.delete(book.id) ? 204 : 404 };
    if (call.method !== 'PUT') return { status: 405, headers: { Allow: 'GET, PUT, DELETE' } };
    if (call.header('content-type') !== 'application/xml') return { status: 415 };
    const next = readBook(call.body, book.id);
    return one(200, add(next && (quirks.replace?.(book, next) ?? next)));
  };
  return (call) => {
    const [collection, id, ...more] = call.path;
    if (collection !== 'books' || more.length > 0) return { status: 404 };
    if (id !== undefined) {
      const book = /^\d+$/.test(id) ? books.get(Number(id)) : undefined;
      return book === undefined ? { status: /^-?\d+$/.test(id) ? 404 : 400 } : onItem(call, book);
    }
    if (call.method === 'POST') {
      if (call.header('content-type') !== 'application/xml') return { status: 415 };
      return one(201, add(readBook(call.body, (last += 1))));
    }
    if (call.method !== 'GET' && call.method !== 'HEAD')
      return { status: 405, headers: { Allow: 'GET, POST' } };
    const shelf = call.query.get('shelf');
    if (shelf !== null && !['north', 'south'].includes(shelf)) return { status: 400 };
    const fitting = [...books.values()].filter(
      (book) => shelf === null || book.texts['shelf'] === shelf,
    );
    const listed = quirks.list?.([...books.values()], shelf) ?? fitting;
    return shown(200, `<books>${listed.map(writeBook).join('')}</books>`);
  };
}

describe('a service that speaks XML', () => {
  test('and keeps its contract has no finding, and its records are made and deleted', async () => {
    const sent: string[] = [];
    const service = serviceWith();
    const findings = await findingsOf(contract, (call) => {
      sent.push(`${call.method} ${call.target}`);
      return service(call);
    });
    expect(alarms(findings)).toEqual([]);
    expect(sent).toEqual(expect.arrayContaining([expect.stringMatching(/^PUT \/books\/\d+$/)]));
    expect(sent).toEqual(expect.arrayContaining([expect.stringMatching(/^DELETE \/books\/\d+$/)]));
  });

  test.each<[string, RegExp, Quirks]>([
    [
      'an attribute of the wrong type',
      /error body-matches-schema listBooks: .* at \/books\/book\[1\]\/@id must be an integer/,
      { show: (written) => written.replaceAll(/ id="(\d+)"/g, ' id="b$1"') },
    ],
    [
      'a missing element',
      /error body-matches-schema listBooks: .*\/book\[1\] must have the property title/,
      { show: (written) => written.replaceAll(/<title>[^<]*<\/title>/g, '') },
    ],
    [
      'a replacement that is lost',
      /error replaced-is-persisted replaceBook: .*replaceBook is read back with another title/,
      { replace: (before) => before },
    ],
    ['a filter that is ignored', /error filter-holds listBooks/, { list: (books) => books }],
    [
      'a list that names a record twice',
      /error ids-are-unique listBooks/,
      { list: (books) => [...books, ...books.slice(0, 1)] },
    ],
  ])('%s is found', async (_name, expected, quirks) => {
    expect(alarms(await findingsOf(contract, serviceWith(quirks))).join('\n')).toMatch(expected);
  });

  test('in another form than the schema describes is not accused', async () => {
    const show = (written: string): string =>
      written.replaceAll(/<tags>(.*?)<\/tags>/g, '$1').replaceAll(/ id="(\d+)"/g, '');
    const other = (written: string): string =>
      show(written).replaceAll('<title>', '<Title>').replaceAll('</title>', '</Title>');
    const findings = await findingsOf(contract, serviceWith({ show: other }), {
      only: ['body-matches-schema', 'created-is-returned'],
    });
    expect(findings.filter(({ message }) => message.includes('Title'))).not.toEqual([]);
    expect(alarms(findings).filter((line) => line.includes('title'))).toEqual([]);
  });
});
