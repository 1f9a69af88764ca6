import { joinPointer } from '../../json/pointer.ts';
import type { Cursor } from './cursor.ts';
import type { Server } from '../model.ts';

/** The servers that a document, path item or operation names, variables filled with their defaults (OpenAPI 3.1, section 4.8.5). */
export function readServers(owner: Cursor): Server[] {
  return owner.items('servers').map(readServer);
}

/** What OpenAPI says of a document that names no server: one at `/`. */
export function defaultServer(): Server {
  return { url: '/', basePath: '', pointer: '' };
}

function readServer(cursor: Cursor): Server {
  const variables = cursor.child('variables');
  const url = (cursor.string('url') ?? '/').replaceAll(/\{([^{}]+)\}/g, (written, name: string) => {
    return variables?.child(name)?.string('default') ?? written;
  });
  const name = cursor.string('name') ?? cursor.string('x-name');
  const description = cursor.string('description');
  return {
    url,
    basePath: basePathOf(url),
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    pointer: joinPointer(cursor.pointer, 'url'),
  };
}

/** The path of a URL without its trailing slash; relative URLs count from the root. */
function basePathOf(url: string): string {
  const path = URL.canParse(url, 'http://localhost') ? new URL(url, 'http://localhost').pathname : '';
  return path.replace(/\/+$/, '');
}
