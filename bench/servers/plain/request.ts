import type { IncomingMessage } from 'node:http';
import { key } from '../server-under-test.ts';
import type { IsPlanted } from '../defects.ts';
import { parseExactly } from '../exact-json.ts';
import { problem, type Answer } from './answer.ts';
import { genres } from './book.ts';
import type { ListQuery } from './shelf.ts';

/** Thrown with the answer that a request gets. */
export class Refused extends Error {
  readonly answer: Answer;
  constructor(answer: Answer) {
    super('refused');
    this.answer = answer;
  }
}

const longest = 1_048_576;

/** Everything that a client sends, to its end. Throws Refused where that is more than a MiB. */
export async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > longest)
      throw new Refused(problem(413, 'The body has more than a MiB.', { Connection: 'close' }));
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Throws Refused where the request does not show the key. */
export function checkKey(request: IncomingMessage, operation: string, has: IsPlanted): void {
  if (operation === 'list' && has('list-without-token')) return;
  if (operation === 'delete' && has('delete-without-token')) return;
  const shown = request.headers.authorization;
  if (shown === undefined && has('no-token-is-403'))
    throw new Refused(problem(403, 'A key is needed.'));
  const [, scheme = '', token = ''] = /^(\S+) +(\S+)$/.exec(shown ?? '') ?? [];
  const isScheme =
    scheme.toLowerCase() === 'bearer' || (has('scheme-not-checked') && scheme !== '');
  if (isScheme && isKey(token, has)) return;
  throw new Refused(problem(401, 'A known key is needed.', { 'WWW-Authenticate': 'Bearer' }));
}

function isKey(token: string, has: IsPlanted): boolean {
  if (has('any-token-accepted')) return true;
  if (has('token-prefix-accepted')) return key.startsWith(token);
  return token === key || (has('token-in-any-case') && token.toLowerCase() === key);
}

/** The fields of a JSON body. Throws Refused where it is none. */
export function readJson(request: IncomingMessage, bytes: Buffer, has: IsPlanted): unknown {
  if (bytes.length === 0) throw new Refused(problem(400, 'A body is needed.'));
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  const isJson = type.trim().toLowerCase() === 'application/json' || has('media-type-not-checked');
  if (!isJson || request.headers['content-encoding'] !== undefined)
    throw new Refused(
      problem(415, 'The body must be application/json.', { Accept: 'application/json' }),
    );
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return parseExactly(text);
  } catch (error) {
    if (has('broken-json-is-500')) throw error;
    throw new Refused(problem(400, 'The body is not JSON.'));
  }
}

/** The query of a list. Throws Refused if it is invalid. */
export function readQuery(query: URLSearchParams, has: IsPlanted): ListQuery {
  const genre = once(query, 'genre');
  const sort = once(query, 'sort');
  const offset = once(query, 'offset');
  if (genre !== undefined && !genres.includes(genre) && !has('bad-filter-accepted'))
    throw new Refused(problem(400, `genre must be one of ${genres.join(', ')}.`));
  const isSort = sort === undefined || ['title', '-title', 'pages', '-pages'].includes(sort);
  if (!isSort && !has('bad-sort-accepted'))
    throw new Refused(problem(400, 'sort must be title, -title, pages or -pages.'));
  if (offset !== undefined && (!isWhole(offset) || Number(offset) > 2_147_483_647))
    throw new Refused(problem(400, 'offset must be a whole number from 0.'));
  return {
    genre,
    limit: readLimit(once(query, 'limit'), has),
    offset: Number(offset ?? 0),
    sort: isSort ? sort : undefined,
  };
}

function readLimit(limit: string | undefined, has: IsPlanted): number | undefined {
  if (limit === undefined) return undefined;
  if (!isWhole(limit) && has('bad-limit-accepted')) return undefined;
  if (has('limit-clamped') && isWhole(limit)) return Math.max(1, Math.min(50, Number(limit)));
  if (!isWhole(limit) || Number(limit) < 1 || Number(limit) > 50)
    throw new Refused(problem(400, 'limit must be a whole number from 1 to 50.'));
  return Number(limit);
}

function once(query: URLSearchParams, name: string): string | undefined {
  const [first, ...more] = query.getAll(name);
  if (more.length > 0) throw new Refused(problem(400, `${name} must be given once.`));
  return first;
}

function isWhole(text: string): boolean {
  return /^(0|[1-9]\d*)$/.test(text);
}
