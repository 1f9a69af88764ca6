/**
 * One way in which documents write something, and how it is interpreted. Conventions are entries of
 * tables (`path-styles.ts`, `verb-styles.ts`, `identifier-styles.ts`, `envelope-styles.ts`,
 * `creation-styles.ts`). `--explain` names those that were applied.
 */
export interface Convention {
  /** The table and the way: `path.file-suffix`. Unique and stable, because users look it up. */
  readonly id: string;
  /** The interpretation and its reason: a sentence that ends with a full stop. */
  readonly reason: string;
  /** How documents write it; the tests try each one. */
  readonly examples: readonly string[];
}

/** A spelling of paths without a different meaning: `rewrite` returns the plain form. */
export interface PathStyle extends Convention {
  /** The path in its plain form; the same path if it does not use this style. */
  rewrite(path: string): string;
}

/**
 * The styles of paths, in the order in which they are undone. The plain form is
 * `/things/{thingId}`: no slash at the end, a parameter fills its whole segment.
 */
export const pathStyles: readonly PathStyle[] = [
  {
    id: 'path.trailing-slash',
    reason: 'A slash at the end does not make another resource: Django REST writes every path so.',
    examples: ['/things/', '/things/{thing_id}/'],
    rewrite: (path) => (path.length > 1 && path.endsWith('/') ? path.replace(/\/+$/, '') : path),
  },
  {
    id: 'path.file-suffix',
    reason: 'A file suffix names the format of the response, not another resource.',
    examples: ['/things.json', '/things/{ThingSid}.json', '/things/{id}.{format}'],
    rewrite: (path) =>
      path.replace(/([^/])\.(?:json|xml|ya?ml|\{_?(?:format|ext|extension)\})$/i, '$1'),
  },
  {
    id: 'path.key-in-parentheses',
    reason: 'OData writes the key of an entity in parentheses behind the name of its set.',
    examples: ['/things({id})', "/things('{key}')", '/things(id={id})/parts'],
    rewrite: (path) => path.replaceAll(/([^/(){}])\((?:\w+=)?'?(\{[^{}]+\})'?\)(?=\/|$)/g, '$1/$2'),
  },
  {
    id: 'path.custom-method',
    reason: 'A verb behind a colon is a method of the record before it (Google AIP-136).',
    examples: ['/things/{thingId}:cancel'],
    rewrite: (path) => path.replace(/(\/\{[^{}]+\}):([A-Za-z][\w-]*)$/, '$1/$2'),
  },
];

/** Conventions that two paths together show. */
export const pathPairStyles: readonly Convention[] = [
  {
    id: 'path.list-below-parameter',
    reason: 'A path that ends in a parameter is a list if there are items below it.',
    examples: ['/variables/{stage} beside /variables/{stage}/{name}'],
  },
  {
    id: 'path.singular-item',
    reason: 'Items under the singular of a collection are its records.',
    examples: ['/silence/{id} beside /silences'],
  },
];

/** A path in its plain form. */
export function plainPath(path: string): string {
  // Nearly all paths are plain: only words, slashes and whole parameters.
  if (isPlain.test(path)) return path;
  return pathStyles.reduce((plain, style) => style.rewrite(plain), path);
}

const isPlain = /^(?:\/(?:[\w-]+|\{[^{}/]+\}))+$/;

/** The ids of the conventions that a path uses. */
export function pathConventions(path: string): string[] {
  const found: string[] = [];
  pathStyles.reduce((plain, { id, rewrite }) => {
    const rewritten = rewrite(plain);
    if (rewritten !== plain) found.push(id);
    return rewritten;
  }, path);
  return found;
}

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

/** The path of what an action acts on: `/things/{id}` of `/things/{id}/lock` and `…/actions/lock`. */
export function actedPath(path: string): string {
  return path.slice(0, path.lastIndexOf('/')).replace(/\/(?:actions|commands)$/, '');
}
