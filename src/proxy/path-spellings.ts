import type { Operation } from '../contract/model.ts';
import { makeRouter, type Router } from '../contract/route.ts';
import { decodePercent } from '../http/target.ts';

/**
 * Finds requests that no operation has as they are written, and that a service may still take for
 * one: servers fold the case of paths, decode them twice, resolve dot segments, drop slashes,
 * parameters of segments and the ending of a format, and answer HEAD as GET.
 */
export class PathSpellings {
  readonly #router: Router;

  /** `bases`: the base paths at which the operations are. */
  constructor(operations: readonly Operation[], bases: readonly string[]) {
    this.#router = makeRouter(
      bases.flatMap((base) =>
        operations.map((operation) => [`${base}${operation.path}`.toLowerCase(), operation]),
      ),
    );
  }

  /** Whether a request that belongs to no operation is written like one in another way. */
  hasOther(method: string, path: string): boolean {
    const segments = foldPath(path);
    const last = segments.at(-1) ?? '';
    const bare = last.replace(/\.[a-z0-9]+$/, '');
    const others = bare === last ? [segments] : [segments, [...segments.slice(0, -1), bare]];
    const verb = method === 'HEAD' ? 'GET' : method;
    return others.some((other) => this.#router.route(verb, other, []).kind === 'operation');
  }
}

/** The segments of the plainest path that a service may read. */
function foldPath(path: string): string[] {
  const twice = decode(decode(path)).toLowerCase().replaceAll('\\', '/');
  const segments: string[] = [];
  for (const written of twice.split('/')) {
    const segment = written.replace(/[;\0?#].*$/s, '').trim();
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments;
}

function decode(text: string): string {
  return decodePercent(text) ?? text;
}
