import type { IncomingMessage } from 'node:http';
import { emptyBody } from '../../http/message.ts';

/** A request as body parsers of Express leave it. */
interface ParsedRequest extends IncomingMessage {
  readonly body?: unknown;
  /** The bytes, where the `verify` function of a parser kept them. */
  readonly rawBody?: unknown;
}

const encoder = new TextEncoder();

/**
 * The bytes of a body that middleware, such as `express.json()`, has read to its end; undefined
 * where the body can still be read. What was parsed is written again, in the form that the request
 * names: as a form, or as JSON. Numbers that a double cannot hold are lost by then, unless
 * `rawBody` has the bytes.
 */
export function parsedBody(request: ParsedRequest): Uint8Array | undefined {
  if (!request.readableEnded) return undefined;
  for (const bytes of [request.rawBody, request.body])
    if (bytes instanceof Uint8Array) return bytes;
  const { body } = request;
  if (body === undefined) return emptyBody;
  if (typeof body === 'string' && !isOfType(request, /^application\/(.*\+)?json/i))
    return encoder.encode(body);
  if (isOfType(request, /^application\/x-www-form-urlencoded/i))
    return encoder.encode(new URLSearchParams(pairsOf('', body)).toString());
  return encoder.encode(JSON.stringify(body));
}

function isOfType({ headers }: IncomingMessage, type: RegExp): boolean {
  return type.test(headers['content-type'] ?? '');
}

/** `{ a: { b: [1] } }` as the parser of forms reads it: `a[b][0]=1`; a list of texts repeats its name. */
function pairsOf(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return value.map((item) => [name, String(item)]);
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, member]) =>
      pairsOf(name === '' ? key : `${name}[${key}]`, member),
    );
  return [[name, String(value)]];
}
