import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { isSafeUrl, safeMarkdown } from './safe-markdown.ts';

/** Members that hold values of examples and schemas: data, which is shown as it is. */
const data = new Set(['example', 'default', 'const', 'enum', 'value', 'mapping']);
/** Members whose own members have names that the author chose. */
const maps = new Set(
  [
    'properties patternProperties dependentSchemas $defs definitions schemas responses',
    'parameters examples requestBodies headers securitySchemes securityDefinitions links',
    'callbacks pathItems mediaTypes paths webhooks content encoding variables',
  ].flatMap((line) => line.split(' ')),
);
const markdown = new Set(['description', 'summary']);
const links = new Set([
  'url',
  'termsOfService',
  'authorizationUrl',
  'tokenUrl',
  'refreshUrl',
  'deviceAuthorizationUrl',
]);
/** Links that Swagger UI follows by itself. */
const followed = new Set(['openIdConnectUrl', 'oauth2MetadataUrl', 'externalValue']);

/**
 * The same document, safe to be shown as a page: HTML in its texts only formats, and a link that is
 * none of the web leads to a blank page, or is left out where the page would follow it.
 */
export function safeDocument(document: JsonObject): JsonObject {
  const shown = Object.entries(document).filter(([name, value]) => {
    return !followed.has(name) || typeof value !== 'string' || isSafeUrl(value);
  });
  return mapMembers(Object.fromEntries(shown), safeMember);
}

function safeMember(name: string, value: JsonValue): JsonValue {
  if (data.has(name) || name.startsWith('x-')) return value;
  if (typeof value === 'string') return safeText(name, value);
  if (isJsonArray(value)) return name === 'examples' ? value : value.map(safeItem);
  if (!isJsonObject(value)) return value;
  if (name === 'scopes')
    return mapMembers(value, (_scope, text) => safeMember('description', text));
  return maps.has(name) ? mapMembers(value, (_own, item) => safeItem(item)) : safeDocument(value);
}

function safeText(name: string, text: string): string {
  if (markdown.has(name)) return safeMarkdown(text);
  return links.has(name) && !isSafeUrl(text) ? 'about:blank' : text;
}

function safeItem(item: JsonValue): JsonValue {
  if (isJsonArray(item)) return item.map(safeItem);
  return isJsonObject(item) ? safeDocument(item) : item;
}

function mapMembers(
  object: JsonObject,
  map: (name: string, value: JsonValue) => JsonValue,
): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, map(name, value)]),
  );
}
