import type { IsPlanted } from '../defects.ts';
import { writeExactly } from '../exact-json.ts';
import type { Book } from './book.ts';

/** An answer before it is written. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const codes: Record<number, string> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'missing',
  405: 'method',
  413: 'too-large',
  415: 'not-json',
  422: 'invalid',
  500: 'fault',
};

export function problem(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, headers, body: { status, code: codes[status] ?? 'fault', message } };
}

/** A book as it is shown, alone or in the list. */
export function show(book: Book, where: 'alone' | 'list', has: IsPlanted): unknown {
  const shown: Record<string, unknown> = { ...book };
  if (has('number-as-text')) shown['pages'] = String(book.pages);
  if (has('date-time-as-local')) shown['createdAt'] = book.createdAt.slice(0, 19).replace('T', ' ');
  if (has('enum-in-capitals')) shown['genre'] = book.genre.toUpperCase();
  if (has('null-for-empty') && book.tags?.length === 0) shown['tags'] = null;
  if (has('int64-rounded') && book.barcode !== undefined) shown['barcode'] = Number(book.barcode);
  if (has('unicode-mangled')) shown['title'] = Buffer.from(book.title, 'utf8').toString('latin1');
  if (has('emoji-lost')) shown['title'] = book.title.replace(/[\u{10000}-\u{10ffff}]/gu, '?');
  if (where === 'list' && has('field-missing-in-list')) delete shown['author'];
  if (where === 'list' && has('id-as-text-in-list')) shown['id'] = String(book.id);
  if (where === 'alone' && has('field-missing')) delete shown['createdAt'];
  if (where === 'alone' && has('field-leaked')) shown['shelfMark'] = `A-${String(book.id)}`;
  return shown;
}

/** The bytes of a body, with what may go wrong in writing them. */
export function writeBody(body: unknown, operation: string, has: IsPlanted): Buffer {
  const text = writeExactly(body);
  if (operation === 'list' && has('list-not-json'))
    return Buffer.from(text.replace(/\](?=[^\]]*$)/, ',]'));
  return Buffer.from(text);
}
