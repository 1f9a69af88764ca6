import type { Resource } from '../../contract/model.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { ParameterValues } from '../model/reading.ts';

/** What an exchange tells by name, before a request is made out of it. */
export type KnownMembers = ReadonlyMap<string, JsonValue>;

/** Where an exchange tells values, the surest first. */
export interface KnownSources {
  readonly responseBody: JsonValue | undefined;
  readonly requestBody: JsonValue | undefined;
  readonly parameters: ParameterValues;
  /** The resource that the operation acts on, where it does. */
  readonly resource: Resource | undefined;
}

/**
 * The values that an exchange holds by name: what the answer says counts before what the request
 * said, a member before what is inside one, and the body before parameters. The record's identifier
 * is known by its path parameter's name too.
 */
export function knownMembers({
  responseBody,
  requestBody,
  parameters,
  resource,
}: KnownSources): KnownMembers {
  const known = new Map<string, JsonValue>();
  const learn = (name: string, value: JsonValue): void =>
    void (known.has(name) || known.set(name, value));
  for (const body of [responseBody, requestBody]) {
    if (!isJsonObject(body)) continue;
    const levels = [body, ...Object.values(body).filter(isJsonObject)];
    for (const level of levels) learnIdentifier(level, resource, learn);
    for (const level of levels)
      Object.entries(level).forEach(([name, value]) => learn(name, value));
  }
  for (const place of ['path ', 'query ']) {
    for (const [key, value] of parameters)
      if (key.startsWith(place)) learn(key.slice(place.length), value);
  }
  return known;
}

function learnIdentifier(
  body: JsonObject,
  resource: Resource | undefined,
  learn: (name: string, value: JsonValue) => void,
): void {
  const parameter = resource?.identifier.parameter;
  const id = resource === undefined ? undefined : body[resource.identifier.field];
  if (parameter !== undefined && id !== undefined && typeof id !== 'object') learn(parameter, id);
}
