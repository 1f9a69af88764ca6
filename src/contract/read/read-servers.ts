import { joinPointer } from '../../json/pointer.ts';
import type { Cursor } from './cursor.ts';
import type { Server } from '../model.ts';
import { defined } from '../../json/defined.ts';

/**
 * The servers that a document, path item or operation names, variables filled with their defaults
 * (OpenAPI 3.1, section 4.8.5).
 */
export function readServers(owner: Cursor): Server[] {
  return owner.items('servers').map(readServer);
}

/** What OpenAPI says of a document that names no server: one at `/`. */
export function defaultServer(): Server {
  return { url: '/', basePath: '', basePaths: [''], pointer: '' };
}

function readServer(cursor: Cursor): Server {
  const [url = '/', ...others] = fillIn(cursor.string('url') ?? '/', cursor.child('variables'));
  const name = cursor.string('name') ?? cursor.string('x-name');
  const description = cursor.string('description');
  return {
    url,
    basePath: basePathOf(url),
    basePaths: [...new Set([url, ...others].map(basePathOf))],
    ...defined({ name, description }),
    pointer: joinPointer(cursor.pointer, 'url'),
  };
}

const mostUrls = 100;

/**
 * A URL with its variables filled in: with their defaults first, then with whatever else their
 * enumerations allow.
 */
function fillIn(url: string, variables: Cursor | undefined): string[] {
  const pieces = url.split(/(\{[^{}]+\})/);
  return pieces.reduce<string[]>(
    (filled, piece) => {
      const values = piece.startsWith('{') ? valuesOf(piece, variables) : [piece];
      return values.flatMap((value) => filled.map((begun) => begun + value)).slice(0, mostUrls);
    },
    [''],
  );
}

function valuesOf(written: string, variables: Cursor | undefined): string[] {
  const variable = variables?.child(written.slice(1, -1));
  const values = [
    variable?.string('default') ?? written,
    ...(variable?.items('enum') ?? [])
      .map(({ value }) => value)
      .filter((value) => typeof value === 'string'),
  ];
  return [...new Set(values)];
}

/** The path of a URL without its trailing slash; relative URLs count from the root. */
function basePathOf(url: string): string {
  const path = URL.canParse(url, 'http://localhost')
    ? new URL(url, 'http://localhost').pathname
    : '';
  // A URL such as mailto:a has a path that is none of a server.
  return path.startsWith('/') ? path.replace(/\/+$/, '') : '';
}
