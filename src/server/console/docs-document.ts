import type { Contract } from '../../contract/model.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonObject, mapMembers, objectOf, arrayOf } from '../../json/value.ts';

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
    { ...document, servers: [mockServer(own), ...arrayOf(document['servers'])] },
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
    paths: mapMembers(paths, (item) => (isJsonObject(item) ? mapItem(item, base) : item)),
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
  const servers = arrayOf(holder['servers']);
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
  const known = objectOf(variables);
  return String(url ?? '').replaceAll(/\{([^{}]+)\}/g, (written, name: string) => {
    const variable = known[name];
    return isJsonObject(variable) ? String(variable['default'] ?? '') : written;
  });
}

function mockServer(path: string): JsonObject {
  return { url: path === '' ? '/' : path, description: 'This mock' };
}
