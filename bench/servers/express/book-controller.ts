import type { Request, Response } from 'express';
import { setTimeout as wait } from 'node:timers/promises';
import type { IsPlanted } from '../defects.ts';
import { writeExactly } from '../exact-json.ts';
import { BookForm, InvalidInput } from './book-form.ts';
import type { BookDto, BookTable, PageQuery } from './book-table.ts';
import { HttpError, sendJson } from './guards.ts';

const sorts = ['title', '-title', 'pages', '-pages'];
const genres = ['fiction', 'history', 'science', 'poetry'];

/** What the service does for each operation. */
export class BookController {
  readonly #table: BookTable;
  readonly #form: BookForm;
  readonly #has: IsPlanted;
  #reads = 0;

  constructor(table: BookTable, has: IsPlanted) {
    this.#table = table;
    this.#form = new BookForm(has);
    this.#has = has;
  }

  async list(request: Request, response: Response): Promise<void> {
    const { total, items } = this.#table.page(
      this.#readQuery(new URLSearchParams(request.url.split('?')[1] ?? '')),
    );
    if (this.#has('list-slow')) await wait(2_000);
    if (items.length === 0 && this.#has('empty-list-is-404'))
      throw new HttpError(404, 'not-found', 'Nothing matches.');
    const shown = items.map((book) => this.#showInList(book));
    const page = this.#has('list-is-bare')
      ? shown
      : { total: this.#has('total-as-text') ? String(total) : total, items: shown };
    if (this.#has('list-not-json'))
      return void response
        .type('application/json')
        .send(Buffer.from(writeExactly(page).replace(/\}\](\}?)$/, '},]$1')));
    this.#send(response, 200, page);
  }

  create(request: Request, response: Response): void {
    const book = this.#table.create(
      this.#readBody(request, 'create', () => this.#table.create(firstRow(request.body))),
    );
    if (!this.#has('location-missing')) response.location(`/books/${String(book.id)}`);
    this.#send(response, this.#has('create-answers-200') ? 200 : 201, this.#show(book));
  }

  read(request: Request, response: Response): void {
    this.#reads += 1;
    if (this.#has('flaky-read') && this.#reads % 10 === 0)
      throw new Error('SQLITE_BUSY: database is locked');
    const book = this.#lookUp(request);
    if (book === undefined && this.#has('missing-answers-200'))
      return this.#send(response, 200, null);
    if (book === undefined && this.#has('missing-answers-500'))
      throw new TypeError("Cannot destructure property 'id' of undefined");
    const shown = this.#show(this.#found(book));
    if (this.#has('body-cut-off')) return breakOff(response, writeExactly(shown));
    this.#send(response, 200, shown);
  }

  replace(request: Request, response: Response): void {
    const { id } = this.#found(this.#lookUp(request));
    this.#send(
      response,
      200,
      this.#show(this.#table.replace(id, this.#readBody(request, 'replace'))),
    );
  }

  update(request: Request, response: Response): void {
    const book = this.#found(this.#lookUp(request));
    const fields = this.#readBody(request, 'update', () =>
      this.#table.update(book.id, { pages: Number(book['pages']) + 1 }),
    );
    const changed = this.#table.update(book.id, fields);
    if (!this.#has('update-hangs')) this.#send(response, 200, this.#show(changed));
  }

  delete(request: Request, response: Response): void {
    const book = this.#lookUp(request);
    if (book === undefined && this.#has('missing-delete-answers-204'))
      return void response.status(204).end();
    this.#table.delete(this.#found(book).id);
    if (this.#has('delete-answers-200')) this.#send(response, 200, { deleted: true });
    else response.status(204).end();
  }

  #readBody(
    request: Request,
    purpose: 'create' | 'replace' | 'update',
    before?: () => unknown,
  ): Record<string, unknown> {
    try {
      return this.#form.read(request.body, purpose);
    } catch (error) {
      const kept = purpose === 'create' ? 'refused-create-kept' : 'refused-update-kept';
      if (error instanceof InvalidInput && this.#has(kept)) before?.();
      throw error;
    }
  }

  #lookUp(request: Request): BookDto | undefined {
    const id = String(request.params['id']);
    if (!/^[1-9][0-9]{0,18}$/.test(id)) {
      if (this.#has('odd-id-is-500')) throw new SyntaxError(`Cannot convert ${id} to a BigInt`);
      return undefined;
    }
    return Number.isSafeInteger(Number(id)) ? this.#table.find(Number(id)) : undefined;
  }

  #found(book: BookDto | undefined): BookDto {
    if (book === undefined) throw new HttpError(404, 'not-found', 'No book has this id.');
    return book;
  }

  #readQuery(query: URLSearchParams): PageQuery {
    for (const name of ['genre', 'sort', 'limit', 'offset'])
      if (query.getAll(name).length > 1) throw new InvalidInput(`${name} is given more than once.`);
    const [genre, sort] = [query.get('genre'), query.get('sort')];
    if (genre !== null && !genres.includes(genre) && !this.#has('bad-filter-accepted'))
      throw new InvalidInput(`There is no genre ${genre}.`);
    if (sort !== null && !sorts.includes(sort) && !this.#has('bad-sort-accepted'))
      throw new InvalidInput(`Books cannot be sorted by ${sort}.`);
    const limit = this.#readLimit(query.get('limit'));
    return {
      ...(genre === null ? {} : { genre }),
      ...(sort === null || !sorts.includes(sort) ? {} : { sort }),
      ...(limit === undefined ? {} : { limit }),
      offset: readWhole('offset', query.get('offset') ?? '0', [0, 2_147_483_647]),
    };
  }

  #readLimit(limit: string | null): number | undefined {
    if (limit === null) return undefined;
    if (this.#has('bad-limit-accepted') && Number.isNaN(Number.parseInt(limit, 10)))
      return undefined;
    if (this.#has('limit-clamped'))
      return Math.min(50, readWhole('limit', limit, [1, Number.MAX_SAFE_INTEGER]));
    return readWhole('limit', limit, [1, 50]);
  }

  #show(book: BookDto): Record<string, unknown> {
    const shown: Record<string, unknown> = { ...book };
    const title = String(book['title']);
    if (this.#has('number-as-text')) shown['pages'] = String(book['pages']);
    if (this.#has('date-time-as-local'))
      shown['createdAt'] = String(book['createdAt'])
        .replace('T', ' ')
        .replace(/\.\d+Z$/, '');
    if (this.#has('enum-in-capitals')) shown['genre'] = String(book['genre']).toUpperCase();
    if (this.#has('null-for-empty') && (book['tags'] as unknown[]).length === 0)
      shown['tags'] = null;
    if (this.#has('int64-rounded') && book['barcode'] !== undefined)
      shown['barcode'] = Number(book['barcode']);
    if (this.#has('unicode-mangled'))
      shown['title'] = new TextDecoder('latin1').decode(Buffer.from(title));
    if (this.#has('emoji-lost'))
      shown['title'] = Array.from(title, (character) =>
        character.length > 1 ? '?' : character,
      ).join('');
    if (this.#has('field-missing')) delete shown['createdAt'];
    if (this.#has('field-leaked')) shown['shelfMark'] = `R${String(book.id)}`;
    return shown;
  }

  #showInList(book: BookDto): Record<string, unknown> {
    const { createdAt } = book;
    const { shelfMark: _hidden, ...shown } = { shelfMark: '', ...this.#show(book) } as Record<
      string,
      unknown
    >;
    if (this.#has('field-missing')) shown['createdAt'] = createdAt;
    if (this.#has('field-missing-in-list')) delete shown['author'];
    if (this.#has('id-as-text-in-list')) shown['id'] = String(book.id);
    return shown;
  }

  #send(response: Response, status: number, value: unknown): void {
    sendJson(
      response,
      status,
      value,
      this.#has('body-as-html') ? 'text/html; charset=utf-8' : undefined,
    );
  }
}

/** The row that is inserted before the form has been read. */
function firstRow(body: unknown): Record<string, unknown> {
  const given =
    typeof body === 'object' && body !== null && 'title' in body ? String(body.title) : '';
  return {
    title: given.slice(0, 100) || 'No title yet',
    author: { name: 'Unknown' },
    genre: 'fiction',
    pages: 1,
  };
}

function readWhole(name: string, text: string, [least, most]: readonly [number, number]): number {
  const number = /^(?:0|[1-9][0-9]*)$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= least && number <= most))
    throw new InvalidInput(
      `${name} must be a whole number from ${String(least)} to ${String(most)}.`,
    );
  return number;
}

function breakOff(response: Response, text: string): void {
  response
    .status(200)
    .set({ 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(text)) });
  response.write(text.slice(0, text.length / 2), () => response.destroy());
}
