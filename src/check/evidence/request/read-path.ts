/** The values of a path template, still percent-encoded; undefined where the path is another one. What stands behind `?` in a template is no part of a path. */
export function readPath(template: string, path: string): Map<string, string> | undefined {
  const bare = template.replace(/[?#].*$/s, '');
  const names = [...bare.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '');
  const source = bare.split(/\{[^{}]+\}/).map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('([^/]*?)');
  const match = new RegExp(`^${source}$`).exec(path);
  return match === null ? undefined : new Map(names.map((name, index) => [name, match[index + 1] ?? '']));
}
