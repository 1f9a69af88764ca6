import { singularOf } from '../../contract/infer/infer-names.ts';

/** The key of a collection's path, such that `/silence/{id}` belongs to `/silences`. */
export function keyOf(path: string): string {
  return path
    .replace(/(?:\/\{\})?\/?$/, '')
    .replace(/[^/{}]+$/, (word) => singularOf(word).toLowerCase());
}
