import { emptyBody, type HttpRequest } from '../http/message.ts';
import type { ValidRequest } from './behaviour.ts';
import { viewRequest, type Visit } from './arrival/visit.ts';
import type { ReadBytes } from './request/read-body.ts';

/** A request that was let in and found valid, with everything that was read out of it. */
export interface Admitted {
  readonly visit: Visit;
  readonly request: ValidRequest;
  /** How a body that comes with this head is read. */
  readonly read: ReadBytes;
}

/**
 * Clients send the same words over and over: so many heads are remembered, unless they are long.
 */
const mostRemembered = 1_000;
const longestRemembered = 2_000;
/** So many may share one print before the oldest of them is forgotten. */
const mostAlike = 8;

/**
 * Requests that were let in before, found by the very words of their heads: method, target and
 * every header field but the length. What follows from those alone (operation, credential,
 * parameters, media type) is not judged twice. What may change meanwhile is not remembered, and
 * neither is anything of a body.
 */
export class Recall {
  /**
   * By a print of the head: to compare a few heads takes a fraction of the time that joining and
   * hashing all words of one takes.
   */
  #admitted = new Map<number, readonly Admitted[]>();
  #size = 0;
  /** What was found last, and for which fields: the same head mostly comes as the same object. */
  #last: { readonly headers: HttpRequest['headers']; readonly known: Admitted } | undefined;

  find(request: HttpRequest): Admitted | undefined {
    if (!isWhole(request)) return undefined;
    const known = this.#again(request) ?? this.#search(request);
    return known !== undefined && isAboutHead(known.visit, request) ? known : undefined;
  }

  #again({ method, target, scheme, headers }: HttpRequest): Admitted | undefined {
    if (this.#last?.headers !== headers) return undefined;
    const { known } = this.#last;
    const { request } = known.visit;
    return request.target === target && request.method === method && request.scheme === scheme
      ? known
      : undefined;
  }

  #search(request: HttpRequest): Admitted | undefined {
    const known = this.#admitted
      .get(printOf(request))
      ?.find(({ visit }) => isSameHead(visit.request, request));
    if (known !== undefined) this.#last = { headers: request.headers, known };
    return known;
  }

  keep(admitted: Admitted): void {
    const { request } = admitted.visit;
    if (
      !isWhole(request) ||
      !isAboutHead(admitted.visit, request) ||
      lengthOf(request) > longestRemembered
    )
      return;
    if (this.#size >= mostRemembered) this.#forget();
    const print = printOf(request);
    this.#last = undefined;
    const others = (this.#admitted.get(print) ?? []).filter(
      ({ visit }) => !isSameHead(visit.request, request),
    );
    this.#admitted.set(
      print,
      [request.body.length === 0 ? admitted : withoutBody(admitted), ...others].slice(0, mostAlike),
    );
    this.#size += 1;
  }

  #forget(): void {
    this.#admitted = new Map();
    this.#size = 0;
    this.#last = undefined;
  }
}

/** A body of a megabyte must not be held for the sake of its head. */
function withoutBody({ visit, request: valid, read }: Admitted): Admitted {
  const request = { ...visit.request, body: emptyBody };
  return {
    visit: { ...visit, request, view: viewRequest(visit.arrival, request) },
    request: { ...valid, request, body: undefined, bodyType: undefined },
    read,
  };
}

/**
 * A body that the operation does not take is judged with nothing else, and yet what is generated
 * follows it.
 */
function isAboutHead({ arrival }: Visit, { body }: HttpRequest): boolean {
  return body.length === 0 || arrival.plan.operation.requestBody !== undefined;
}

/** A certificate speaks of the connection, which these words do not name. */
function isWhole({ certificate }: HttpRequest): boolean {
  return certificate === undefined;
}

/**
 * A number that equal heads have in common, and others seldom: lengths, and what most often
 * differs, the ends of target and values.
 */
function printOf({ target, headers }: HttpRequest): number {
  let print = endOf(target, target.length);
  for (const [name, value] of headers)
    if (!isLength(name)) print = endOf(value, Math.imul(print, 31) + value.length);
  return print;
}

function endOf(text: string, start: number): number {
  let print = start;
  for (let at = Math.max(0, text.length - 4); at < text.length; at += 1)
    print = (Math.imul(print, 31) + text.charCodeAt(at)) | 0;
  return print;
}

/**
 * Links in the answer have the scheme by which the request came. Fields are the same in the same
 * order, the length aside.
 */
function isSameHead(known: HttpRequest, { method, target, headers, scheme }: HttpRequest): boolean {
  if (
    known.target !== target ||
    known.method !== method ||
    known.scheme !== scheme ||
    known.headers.length !== headers.length
  )
    return false;
  // An index takes a fraction of the time of an iterator.
  for (let at = 0; at < headers.length; at += 1) {
    const [before, field] = [known.headers[at], headers[at]];
    if (
      before === undefined ||
      field === undefined ||
      before[0] !== field[0] ||
      (before[1] !== field[1] && !isLength(field[0]))
    )
      return false;
  }
  return true;
}

function lengthOf({ target, headers }: HttpRequest): number {
  return headers.reduce(
    (length, [name, value]) => length + name.length + value.length,
    target.length,
  );
}

function isLength(name: string): boolean {
  return name.length === 14 && name.toLowerCase() === 'content-length';
}
