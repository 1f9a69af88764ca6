import { emptyBody, type HttpRequest } from '../http/message.ts';
import type { ValidRequest } from './behaviour.ts';
import { viewRequest, type Visit } from './arrival/visit.ts';

/** A request that was let in and found valid, with everything that was read out of it. */
export interface Admitted {
  readonly visit: Visit;
  readonly request: ValidRequest;
}

/** Clients send the same words over and over: so many heads are remembered, unless they are long. */
const mostRemembered = 1_000;
const longestRemembered = 2_000;

/**
 * Requests that were let in before, found by the very words of their heads: method, target and every header field but the
 * length. What follows from those alone (operation, credential, parameters, media type) is not judged twice. What may change
 * meanwhile is not remembered, and neither is anything of a body.
 */
export class Recall {
  readonly #admitted = new Map<string, Admitted>();

  find(request: HttpRequest): Admitted | undefined {
    const known = isWhole(request) ? this.#admitted.get(wordsOf(request)) : undefined;
    return known !== undefined && isAboutHead(known.visit, request) ? known : undefined;
  }

  keep(admitted: Admitted): void {
    const { request } = admitted.visit;
    const words = isWhole(request) && isAboutHead(admitted.visit, request) ? wordsOf(request) : '';
    if (words === '' || words.length > longestRemembered) return;
    if (this.#admitted.size >= mostRemembered) this.#admitted.clear();
    this.#admitted.set(words, request.body.length === 0 ? admitted : withoutBody(admitted));
  }
}

/** A body of a megabyte must not be held for the sake of its head. */
function withoutBody({ visit, request: valid }: Admitted): Admitted {
  const request = { ...visit.request, body: emptyBody };
  return { visit: { ...visit, request, view: viewRequest(visit.arrival, request) }, request: { ...valid, request, body: undefined, bodyType: undefined } };
}

/** A body that the operation does not take is judged with nothing else, and yet what is generated follows it. */
function isAboutHead({ arrival }: Visit, { body }: HttpRequest): boolean {
  return body.length === 0 || arrival.plan.operation.requestBody !== undefined;
}

/** A certificate speaks of the connection, which these words do not name. */
function isWhole({ certificate }: HttpRequest): boolean {
  return certificate === undefined;
}

/** Neither a method, a target nor a field can hold a line break (RFC 9110, section 5.5). */
function wordsOf({ method, target, headers, scheme }: HttpRequest): string {
  // Links in the answer have the scheme by which the request came.
  let words = scheme === 'https' ? `${method} ${target} https` : `${method} ${target}`;
  for (const [name, value] of headers) if (!isLength(name)) words += `\n${name}:${value}`;
  return words;
}

function isLength(name: string): boolean {
  return name.length === 14 && name.toLowerCase() === 'content-length';
}
