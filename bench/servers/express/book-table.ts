import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { parseExactly, writeExactly } from '../exact-json.ts';
import type { IsPlanted } from '../defects.ts';

/** A book as the rest of the service sees it. */
export type BookDto = Record<string, unknown> & { readonly id: number };

export interface PageQuery {
  readonly genre?: string;
  readonly limit?: number;
  readonly offset?: number;
  readonly sort?: string;
}

const creation = `CREATE TABLE book (
  id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, author TEXT NOT NULL,
  genre TEXT NOT NULL, pages INTEGER NOT NULL,
  price REAL, isbn TEXT, barcode INTEGER, published TEXT, tags TEXT NOT NULL DEFAULT '[]',
  created_at TEXT NOT NULL)`;

const columns = [
  'title',
  'author',
  'genre',
  'pages',
  'price',
  'isbn',
  'barcode',
  'published',
  'tags',
] as const;
type Column = (typeof columns)[number];
type Row = Record<string, SQLInputValue>;

/** The books in a table of SQLite, in memory. */
export class BookTable {
  readonly #database = new DatabaseSync(':memory:', { readBigInts: true });
  readonly #has: IsPlanted;
  readonly #removed: number[] = [];
  #lists = 0;
  readonly #first: BookDto[];

  constructor(has: IsPlanted) {
    this.#has = has;
    this.#database.exec(creation);
    for (let at = 0; at < 26; at += 1) this.#insert(seed(at));
    this.#first = this.#rows('SELECT * FROM book ORDER BY id').map(toDto);
  }

  close(): void {
    this.#database.close();
  }

  find(id: number): BookDto | undefined {
    return this.#rows('SELECT * FROM book WHERE id = ?', id).map(toDto)[0];
  }

  create(fields: Record<string, unknown>): BookDto {
    const given = { ...fields };
    if (this.#has('create-mangles'))
      given['title'] = String(given['title'])
        .replace(/\s+/g, ' ')
        .trim()
        .replace(/^./u, (first) => first.toUpperCase());
    if (this.#has('create-drops-field')) delete given['barcode'];
    const id = this.#insert(given);
    const book = this.find(id);
    if (book === undefined) throw new Error('The book is not there.');
    if (this.#has('create-twice')) this.#insert(given);
    if (this.#has('create-lost')) this.#run('DELETE FROM book WHERE id = ?', id);
    return book;
  }

  replace(id: number, fields: Record<string, unknown>): BookDto {
    const empty = this.#has('replace-merges')
      ? {}
      : { price: null, isbn: null, barcode: null, published: null, tags: [] };
    return this.#write(id, { ...empty, ...fields }, this.#has('replace-lost'));
  }

  update(id: number, fields: Record<string, unknown>): BookDto {
    return this.#write(
      id,
      this.#has('update-resets') ? { tags: [], ...fields } : fields,
      this.#has('update-lost'),
    );
  }

  delete(id: number): void {
    if (this.#has('delete-only-from-list')) this.#removed.push(id);
    else if (!this.#has('delete-not-done')) this.#run('DELETE FROM book WHERE id = ?', id);
  }

  page(query: PageQuery): { total: number; items: BookDto[] } {
    this.#lists += 1;
    if (this.#has('flaky-list') && this.#lists % 10 === 0) return { total: 0, items: [] };
    if (this.#has('list-from-cache')) return this.#cachedPage(query);
    const hidden = this.#removed.length === 0 ? '' : ` AND id NOT IN (${this.#removed.join(',')})`;
    const where = query.genre === undefined || this.#has('filter-ignored') ? 'TRUE' : 'genre = ?';
    const filter = where === 'TRUE' ? [] : [query.genre ?? ''];
    const limit = this.#limitOf(query);
    const offset = this.#has('offset-ignored')
      ? 0
      : Math.max(0, (query.offset ?? 0) - (this.#has('offset-one-less') ? 1 : 0));
    const total = this.#count(
      `SELECT count(*) AS n FROM book WHERE ${this.#has('total-of-all') ? 'TRUE' : where}${hidden}`,
      this.#has('total-of-all') ? [] : filter,
    );
    if (this.#has('huge-offset-is-500') && offset > total)
      throw new RangeError('OFFSET must not be greater than the number of rows');
    const items = this.#select({ where, filter, hidden, limit, offset, sort: query.sort });
    return { total: this.#has('total-of-page') ? items.length : total, items };
  }

  #select({
    where,
    filter,
    hidden,
    limit,
    offset,
    sort,
  }: {
    where: string;
    filter: string[];
    hidden: string;
    limit: number;
    offset: number;
    sort: string | undefined;
  }): BookDto[] {
    const order = this.#orderOf(sort);
    if (this.#has('filter-after-limit'))
      return this.#rows(
        `SELECT * FROM (SELECT * FROM book WHERE TRUE${hidden} ORDER BY ${order} ` +
          `LIMIT ? OFFSET ?) WHERE ${where}`,
        limit,
        offset,
        ...filter,
      ).map(toDto);
    if (this.#has('sort-after-page'))
      return this.#rows(
        `SELECT * FROM (SELECT * FROM book WHERE ${where}${hidden} ORDER BY id ` +
          `LIMIT ? OFFSET ?) ORDER BY ${order}`,
        ...filter,
        limit,
        offset,
      ).map(toDto);
    return this.#rows(
      `SELECT * FROM book WHERE ${where}${hidden} ORDER BY ${order} LIMIT ? OFFSET ?`,
      ...filter,
      limit,
      offset,
    ).map(toDto);
  }

  #limitOf({ limit }: PageQuery): number {
    const standard = this.#has('default-limit-ignored') ? -1 : 20;
    if (this.#has('limit-ignored') || limit === undefined) return standard;
    return this.#has('limit-one-more') ? limit + 1 : limit;
  }

  #orderOf(sort: string | undefined): string {
    if (sort === undefined || this.#has('sort-ignored')) return 'id';
    const field = sort.replace('-', '');
    const column = this.#has('sort-as-text') && field === 'pages' ? 'CAST(pages AS TEXT)' : field;
    return `${column} ${sort.startsWith('-') && !this.#has('sort-one-way') ? 'DESC' : 'ASC'}, id`;
  }

  #cachedPage({ genre, limit = 20, offset = 0, sort }: PageQuery): {
    total: number;
    items: BookDto[];
  } {
    const field = (sort ?? 'id').replace('-', '');
    const found = this.#first.filter((book) => genre === undefined || book['genre'] === genre);
    found.sort(
      (left, right) =>
        (Number(left[field]) - Number(right[field]) ||
          String(left[field]).localeCompare(String(right[field]))) *
        (sort?.startsWith('-') === true ? -1 : 1),
    );
    return { total: found.length, items: found.slice(offset, offset + limit) };
  }

  #insert(fields: Record<string, unknown>): number {
    const row = {
      ...toRow(fields),
      created_at: new Date().toISOString(),
      ...(this.#has('ids-repeat')
        ? { id: this.#count('SELECT count(*) AS n FROM book', []) + 1 }
        : {}),
    };
    const names = Object.keys(row);
    const { lastInsertRowid } = this.#database
      .prepare(
        `INSERT OR REPLACE INTO book (${names.join(', ')}) VALUES ` +
          `(${names.map(() => '?').join(', ')})`,
      )
      .run(...Object.values(row));
    return Number(lastInsertRowid);
  }

  #write(id: number, fields: Record<string, unknown>, forgotten: boolean): BookDto {
    const row = toRow(fields);
    const names = Object.keys(row);
    if (names.length > 0) this.#database.exec('SAVEPOINT change');
    if (names.length > 0)
      this.#run(
        `UPDATE book SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`,
        ...Object.values(row),
        id,
      );
    const book = this.find(id);
    if (names.length > 0)
      this.#database.exec(forgotten ? 'ROLLBACK TO change; RELEASE change' : 'RELEASE change');
    if (book === undefined) throw new Error('The book is not there.');
    return book;
  }

  #rows(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#database.prepare(sql).all(...values);
  }

  #run(sql: string, ...values: SQLInputValue[]): void {
    this.#database.prepare(sql).run(...values);
  }

  #count(sql: string, values: SQLInputValue[]): number {
    return Number(this.#database.prepare(sql).get(...values)?.['n'] ?? 0);
  }
}

function toRow(fields: Record<string, unknown>): Row {
  return Object.fromEntries(
    columns
      .filter((name) => fields[name] !== undefined)
      .map((name) => [name, toColumn(name, fields[name])]),
  );
}

function toColumn(name: Column, value: unknown): SQLInputValue {
  if (value === null) return null;
  if (name === 'author' || name === 'tags') return writeExactly(value);
  // A driver hands whole numbers over as they are only when they are bigints.
  return name === 'pages' || name === 'barcode'
    ? BigInt(value as number | bigint)
    : (value as SQLInputValue);
}

function toDto(row: Row): BookDto {
  const barcode = row['barcode'];
  return {
    id: Number(row['id']),
    title: row['title'],
    author: parseExactly(String(row['author'])),
    genre: row['genre'],
    pages: Number(row['pages']),
    ...(row['price'] === null ? {} : { price: Number(row['price']) }),
    ...(row['isbn'] === null ? {} : { isbn: row['isbn'] }),
    ...(barcode === null ? {} : { barcode }),
    published: row['published'],
    tags: parseExactly(String(row['tags'])),
    createdAt: row['created_at'],
  };
}

function seed(at: number): Record<string, unknown> {
  const genre = ['fiction', 'science', 'history', 'poetry'][at % 4];
  return {
    title:
      ['Tides', 'A Field Guide', 'Notes on Stone', 'Orchards', 'Letters Home'][(at * 3) % 5] +
      ` ${String((at * 11) % 26)}`,
    author: at % 2 === 0 ? { name: 'Marta Lind', country: 'SE' } : { name: 'P. O. Okafor' },
    genre,
    pages: [7, 96, 120, 1040, 301][(at * 2) % 5],
    ...(at % 3 === 0 ? { price: 4.25 + at, isbn: `979-1032301${String(100 + at)}` } : {}),
    ...(at % 5 === 0 ? { barcode: 5_012_345_678_900n + BigInt(at) } : {}),
    ...(at % 2 === 0 ? { published: `20${String(10 + (at % 10))}-10-31` } : {}),
    tags: at % 4 === 0 ? ['maps', 'illustrated'] : [],
  };
}
