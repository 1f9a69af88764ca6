import type { Identifier, Resource } from '../../../contract/model.ts';
import { headerValue, type HttpResponse } from '../../../http/message.ts';
import type { JsonValue } from '../../../json/value.ts';
import type { Answer } from '../../model/step.ts';
import { shownRecord } from './shown-records.ts';

/**
 * The identifier that a create answered with: in the record, else at the end of `Location` (RFC
 * 9110, section 10.2.2).
 */
export function createdIdentifier(
  resource: Resource,
  answer: Answer,
  response: HttpResponse | undefined,
): JsonValue | undefined {
  const identifier = shownRecord(resource, answer)?.[resource.identifier.field];
  if (isIdentifier(identifier)) return identifier;
  const location = response === undefined ? undefined : headerValue(response.headers, 'location');
  return location === undefined ? undefined : fromLocation(location, resource.identifier);
}

function fromLocation(location: string, { type }: Identifier): JsonValue | undefined {
  const last = /([^/?#]+)\/?(?:[?#].*)?$/.exec(location)?.[1];
  if (last === undefined) return undefined;
  if (type === 'integer') return /^-?\d{1,19}$/.test(last) ? BigInt(last) : undefined;
  try {
    return decodeURIComponent(last);
  } catch {
    return undefined;
  }
}

/** Whether a value can name a record. */
export function isIdentifier(value: JsonValue | undefined): value is JsonValue {
  return (
    (typeof value === 'string' && value !== '') ||
    typeof value === 'number' ||
    typeof value === 'bigint'
  );
}
