/**
 * A path template as it is looked for: its names, in their order, and what takes their values out
 * of a path.
 */
interface PathShape {
  readonly names: readonly string[];
  readonly pattern: RegExp;
}

/**
 * The values of a path template, still percent-encoded; undefined where the path is another one.
 * What stands behind `?` in a template is no part of a path.
 */
export function readPath(template: string, path: string): Map<string, string> | undefined {
  const { names, pattern } = shapeOf(template);
  const match = pattern.exec(path);
  return match === null
    ? undefined
    : new Map(names.map((name, index) => [name, match[index + 1] ?? '']));
}

function shapeOf(template: string): PathShape {
  const before = known.get(template);
  if (before !== undefined) return before;
  const bare = template.replace(/[?#].*$/s, '');
  const names = [...bare.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '');
  const source = bare
    .split(/\{[^{}]+\}/)
    .map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('([^/]*?)');
  const shape = { names, pattern: new RegExp(`^${source}$`) };
  if (known.size < mostKnown) known.set(template, shape);
  return shape;
}

// A run reads thousands of paths by a few hundred templates.
const known = new Map<string, PathShape>();
const mostKnown = 10_000;
