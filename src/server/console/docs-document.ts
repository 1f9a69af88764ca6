import type { Contract } from '../../contract/model.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';

/** The location of the operations on this port. */
export interface Standing {
  /** The base path that replaces the document's. */
  readonly base: string | undefined;
}

/**
 * The loaded contract with the mock as its first server. The URL is relative to the page, so that
 * any name of this machine works.
 */
export function docsDocument(
  { document, servers, dialect }: Pick<Contract, 'document' | 'servers' | 'dialect'>,
  { base }: Standing,
): JsonObject {
  const own = base ?? servers[0]?.basePath ?? '';
  if (dialect === '2.0') return { ...withoutHost(document), basePath: own === '' ? '/' : own };
  return withServers(
    { ...document, servers: [mockServer(own), ...listOf(document['servers'])] },
    base ?? '',
  );
}

function withoutHost({ host: _host, schemes: _schemes, ...rest }: JsonObject): JsonObject {
  return rest;
}

/** The mock also replaces servers of paths and operations. */
function withServers(document: JsonObject, base: string): JsonObject {
  const { paths } = document;
  if (!isJsonObject(paths)) return document;
  return {
    ...document,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [
        path,
        isJsonObject(item) ? mapItem(item, base) : item,
      ]),
    ),
  };
}

function mapItem(item: JsonObject, base: string): JsonObject {
  const entries = Object.entries(ownServers(item, base)).map(
    ([key, value]) =>
      [key, isJsonObject(value) && key !== 'parameters' ? ownServers(value, base) : value] as const,
  );
  return Object.fromEntries(entries);
}

function ownServers(holder: JsonObject, base: string): JsonObject {
  const servers = listOf(holder['servers']);
  const first = servers[0];
  if (first === undefined) return holder;
  return { ...holder, servers: [mockServer(base + pathOf(first)), ...servers] };
}

function pathOf(server: JsonValue): string {
  const url = isJsonObject(server) ? fillVariables(server) : '/';
  const path = URL.canParse(url, 'http://localhost')
    ? new URL(url, 'http://localhost').pathname
    : '/';
  return path.startsWith('/') ? path.replace(/\/+$/, '') : '';
}

function fillVariables({ url, variables }: JsonObject): string {
  const known = isJsonObject(variables) ? variables : {};
  return String(url ?? '').replaceAll(/\{([^{}]+)\}/g, (written, name: string) => {
    const variable = known[name];
    return isJsonObject(variable) ? String(variable['default'] ?? '') : written;
  });
}

function mockServer(path: string): JsonObject {
  return { url: path === '' ? '/' : path, description: 'This mock' };
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return value !== undefined && isJsonArray(value) ? value : [];
}

/** Members with data of examples and schemas, which is not changed. */
const data = new Set(['example', 'default', 'const', 'enum', 'value', 'mapping']);
/** Members that are maps: the author of the document chose the names in them. */
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
/** Links that Swagger UI follows without a click. */
const followed = new Set(['openIdConnectUrl', 'oauth2MetadataUrl', 'externalValue']);

/**
 * Makes a document safe for display: HTML in its texts can only format, and links that could run
 * scripts lead to a blank page or are removed.
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

/** Elements that only format text. Their attributes are removed. */
const formatting = new Set(
  [
    'a b blockquote br caption code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i kbd li',
    'ol p pre s small span strong sub summary sup table tbody td th thead tr u ul',
  ].flatMap((line) => line.split(' ')),
);

/** Inserted between `<` and a tag name, so that browsers show both as text. */
const gap = '\u200b';
const harmless = 'about:blank';

/** Code in Markdown. Tags in it are escaped too, in case a browser reads it differently. */
const code = /(```[^]*?```|~~~[^]*?~~~|`[^`]*`)/;

/**
 * Markdown whose HTML can only format, and whose links lead to web pages, mail addresses and places
 * in the document. Other HTML is shown as text.
 */
export function safeMarkdown(text: string): string {
  return text
    .split(code)
    .map((piece, index) => (index % 2 === 1 ? disarmTags(piece) : safeLinks(safeTags(piece))))
    .join('');
}

function disarmTags(text: string): string {
  return text.replaceAll(/<(?=[a-z/!?])/gi, `<${gap}`);
}

function safeTags(text: string): string {
  return text.replaceAll(/<(?:(\/?)([a-z][a-z0-9]*)(\s[^<>]*|\/)?>|(?=[a-z/!?]))/gi, (...found) => {
    const [written, slash, name, attributes = ''] = found as (string | undefined)[];
    if (name === undefined || !formatting.has(name.toLowerCase())) {
      return (written ?? '').replace('<', `<${gap}`);
    }
    return `<${slash ?? ''}${name}${slash === '' ? hrefOf(name, attributes) : ''}>`;
  });
}

function hrefOf(name: string, attributes: string): string {
  const href = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(attributes);
  const url = href?.[1] ?? href?.[2] ?? href?.[3];
  if (name.toLowerCase() !== 'a' || url === undefined || !isSafeUrl(url)) return '';
  return ` href="${url.replaceAll('"', '%22')}"`;
}

const destination = '<[^>\\n]*>?|[^\\s)]*';
const inlineLink = new RegExp(`(\\]\\(\\s*)(${destination})`, 'g');
const definition = /^([ >\t]*\[[^\]\n]+\]:\s*)(\S+)/gm;
/** Images are removed, because a browser would fetch them from any URL in the contract. */
const image = new RegExp(`(!\\[[^[\\]]{0,1000}\\]\\(\\s*)(?:${destination})`, 'g');

/** The destinations of `[text](destination)`, `[name]: destination` and `![image](destination)`. */
function safeLinks(text: string): string {
  const toSafe = (written: string, start: string, to: string): string =>
    isSafeUrl(unwrapped(to)) ? written : `${start}${harmless}`;
  return text
    .replaceAll(inlineLink, toSafe)
    .replaceAll(definition, toSafe)
    .replaceAll(image, (_written, start: string) => `${start}${harmless}`);
}

function unwrapped(link: string): string {
  return link.replaceAll(/[<>]|\u200b/g, '');
}

/**
 * Whether a URL cannot run a script: it is relative, or a web, mail or telephone URL. An escape
 * before the first slash could hide a scheme, so it is not safe.
 */
export function isSafeUrl(url: string): boolean {
  const [start = ''] = url.split(/[/?#]/, 1);
  return /^(?:https?|mailto|tel):/i.test(url) || /^[\w.{}~+-]*$/.test(start);
}
