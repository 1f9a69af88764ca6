import type { IsPlanted } from '../defects.ts';
import { genres, type Book } from './book.ts';

/** The query of a list. */
export interface ListQuery {
  readonly genre: string | undefined;
  readonly limit: number | undefined;
  readonly offset: number;
  readonly sort: string | undefined;
}

export type BookFields = Partial<Omit<Book, 'id' | 'createdAt'>>;

/** The books of one server, in memory. Two dozen of them are there from the start. */
export class Shelf {
  readonly #books = new Map<number, Book>();
  readonly #hidden = new Set<number>();
  readonly #has: IsPlanted;
  readonly #cache: Book[];
  #lastId = 0;
  #lists = 0;

  constructor(has: IsPlanted) {
    this.#has = has;
    for (let at = 1; at <= 24; at += 1) {
      this.#insert({
        title: `Volume ${String((at * 7) % 24)} of the Collected Letters`,
        author: at % 3 === 0 ? { name: 'Ada Brandt' } : { name: 'Joan Rivera', country: 'ES' },
        genre: genres[at % 3] ?? 'fiction',
        pages: ((at * 37) % 11) * 90 + 8,
        ...(at % 2 === 0
          ? { price: at + 0.5, barcode: 4_006_381_333_000 + at }
          : { isbn: `978-04414781${String(at).padStart(2, '0')}` }),
        published: at % 4 === 0 ? null : `19${String(50 + at)}-03-01`,
        tags: at % 5 === 0 ? [] : ['letters'],
      });
    }
    this.#cache = [...this.#books.values()];
  }

  #insert(fields: BookFields): Book {
    this.#lastId = this.#has('ids-repeat') ? this.#books.size + 1 : this.#lastId + 1;
    const book = {
      published: null,
      tags: [],
      ...fields,
      id: this.#lastId,
      createdAt: new Date().toISOString(),
    } as unknown as Book;
    this.#books.set(book.id, book);
    return book;
  }

  create(fields: BookFields): Book {
    const { barcode, ...others } = fields;
    const kept = this.#has('create-drops-field')
      ? others
      : {
          ...fields,
          ...(this.#has('create-mangles') ? { title: capitalise(fields.title ?? '') } : {}),
        };
    const book = this.#insert(kept);
    if (this.#has('create-twice')) this.#insert(kept);
    if (this.#has('create-lost')) this.#books.delete(book.id);
    return book;
  }

  read(id: number): Book | undefined {
    return this.#books.get(id);
  }

  replace(old: Book, fields: BookFields): Book {
    const book = {
      ...(this.#has('replace-merges') ? old : { published: null, tags: [] }),
      ...fields,
      id: old.id,
      createdAt: old.createdAt,
    } as Book;
    if (!this.#has('replace-lost')) this.#books.set(old.id, book);
    return book;
  }

  update(old: Book, fields: BookFields): Book {
    const book: Book = { ...old, ...(this.#has('update-resets') ? { tags: [] } : {}), ...fields };
    if (!this.#has('update-lost')) this.#books.set(old.id, book);
    return book;
  }

  delete(id: number): void {
    if (this.#has('delete-not-done')) return;
    if (this.#has('delete-only-from-list')) this.#hidden.add(id);
    else this.#books.delete(id);
  }

  list(query: ListQuery): { total: number; items: Book[] } {
    this.#lists += 1;
    if (this.#has('flaky-list') && this.#lists % 10 === 0) return { total: 0, items: [] };
    const all = (this.#has('list-from-cache') ? this.#cache : [...this.#books.values()]).filter(
      ({ id }) => !this.#hidden.has(id),
    );
    const matches = (book: Book): boolean =>
      query.genre === undefined || this.#has('filter-ignored') || book.genre === query.genre;
    const found = this.#has('filter-after-limit') ? all : all.filter(matches);
    const page = this.#has('sort-after-page')
      ? this.#sort(this.#page(found, query), query.sort)
      : this.#page(this.#sort(found, query.sort), query);
    const items = this.#has('filter-after-limit') ? page.filter(matches) : page;
    if (this.#has('huge-offset-is-500') && query.offset > found.length)
      throw new RangeError('The page is out of range.');
    const total = this.#has('total-of-page')
      ? items.length
      : this.#has('total-of-all')
        ? all.length
        : all.filter(matches).length;
    return { total, items };
  }

  #sort(books: Book[], sort: string | undefined): Book[] {
    if (sort === undefined || this.#has('sort-ignored')) return books;
    const sign = sort.startsWith('-') && !this.#has('sort-one-way') ? -1 : 1;
    const pages = (left: Book, right: Book): number =>
      this.#has('sort-as-text')
        ? compareText(String(left.pages), String(right.pages))
        : left.pages - right.pages;
    const compare = sort.endsWith('title')
      ? (left: Book, right: Book) => compareText(left.title, right.title)
      : pages;
    return books.toSorted((left, right) => sign * compare(left, right) || left.id - right.id);
  }

  #page(books: Book[], { limit, offset }: ListQuery): Book[] {
    const from = this.#has('offset-ignored')
      ? 0
      : Math.max(0, this.#has('offset-one-less') ? offset - 1 : offset);
    const standard = this.#has('default-limit-ignored') ? Infinity : 20;
    const most = this.#has('limit-ignored')
      ? standard
      : (limit ?? standard) + (this.#has('limit-one-more') && limit !== undefined ? 1 : 0);
    return books.slice(from, from + most);
  }
}

function compareText(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

function capitalise(text: string): string {
  const trimmed = text.trim();
  return trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
}
