import type { Operation } from '../../contract/model.ts';

/**
 * The path of an operation with the texts of its parameters, which `textOf` knows by their names.
 * What has none keeps its braces.
 */
export function fillPath(
  operation: Operation,
  textOf: (name: string) => string | undefined,
): string {
  const pieces = piecesOf(operation);
  let path = pieces[0] ?? '';
  for (let at = 1; at < pieces.length; at += 2) {
    const name = pieces[at] ?? '';
    path += `${textOf(name) ?? `{${name}}`}${pieces[at + 1] ?? ''}`;
  }
  return path;
}

/**
 * The texts of a path template, and between them the names of its parameters. Without a fragment,
 * by which contracts tell operations on one path apart: it is never sent (RFC 9110, section 7.1).
 */
function piecesOf(operation: Operation): readonly string[] {
  const before = known.get(operation);
  if (before !== undefined) return before;
  const pieces = (operation.path.split('#', 1)[0] ?? '').split(/\{([^{}]*)\}/);
  known.set(operation, pieces);
  return pieces;
}

const known = new WeakMap<Operation, readonly string[]>();
