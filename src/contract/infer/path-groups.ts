import { plainPath } from './conventions/path-styles.ts';

/** A path in its plain form, without the names of its parameters: `/owners/{}/things`. */
export function pathKey(path: string): string {
  return plainPath(path).replaceAll(/\{[^{}]*\}/g, '{}');
}

/** The name of the parameter that fills the last segment of a path; undefined if there is none. */
export function lastParameter(path: string): string | undefined {
  return /\/\{([^{}/]+)\}$/.exec(plainPath(path))?.[1];
}

/** Parameters that fill a whole segment of a path, with the segment's index, outermost first. */
export function wholeParameters(
  path: string,
): { readonly name: string; readonly segment: number }[] {
  return plainPath(path)
    .split('/')
    .slice(1)
    .flatMap((text, segment) => {
      const name = /^\{([^{}]+)\}$/.exec(text)?.[1];
      return name === undefined ? [] : [{ name, segment }];
    });
}

/** The last segment of a path that is not a parameter: `things`. */
export function lastWord(path: string): string {
  return (
    plainPath(path)
      .split('/')
      .findLast((segment) => segment !== '' && !segment.includes('{')) ?? ''
  );
}

/** `/things/{thingId}` belongs to `/things`; any other path is its own collection. */
export function collectionPathOf(path: string): string {
  const plain = plainPath(path);
  return plain.replace(/\/\{[^{}/]+\}$/, '') || plain;
}
