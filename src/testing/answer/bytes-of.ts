import { VouchError } from '../../errors.ts';
import { emptyBody } from '../../http/message.ts';
import { joinPointer } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { JsonValue } from '../../json/value.ts';

/** What stands for no body besides nothing: with some clients an object without members. */
export interface EmptyForm {
  readonly empty?: 'object';
}

/**
 * A body as bytes, from what a client hands over: text, bytes, or a value that it has parsed.
 * Throws a VouchError ('usage') for a parsed value with an integer that JSON.parse cannot hold: its
 * digits are lost, so that nobody can judge it.
 */
export function bytesOf(body: unknown, { empty }: EmptyForm = {}): Uint8Array {
  if (body === undefined || body === null || body === '') return emptyBody;
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (empty === 'object' && typeof body === 'object' && Object.keys(body).length === 0)
    return emptyBody;
  const lost = findLostInteger(body, '');
  if (lost !== undefined)
    throw new VouchError(
      'usage',
      'This body was parsed before vouch saw it, and the integer at ' +
        `${lost === '' ? 'its root' : lost} is larger than JSON.parse can hold: ` +
        'its digits are lost.',
      {
        hint:
          'Have the client keep the text: with axios, axios.create({ ' +
          'transformResponse: keepText }), where keepText is exported beside this ' +
          'matcher.',
      },
    );
  // A parsed body is JSON, or a client that hands over something else could not have made it of an
  // answer.
  return Buffer.from(stringifyJson(body as JsonValue), 'utf8');
}

function findLostInteger(value: unknown, at: string): string | undefined {
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? at : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const found = findLostInteger(member, joinPointer(at, key));
    if (found !== undefined) return found;
  }
  return undefined;
}
