import { VouchError } from '../../errors.ts';
import { decodePercent } from '../../http/percent.ts';
import { suggestWord } from '../../nearest-word.ts';
import { controlPrefix, type ControlRoute } from './control-parts.ts';

/** Whether a request target stands under the prefix of the control API. */
export function isControlTarget(target: string): boolean {
  if (!target.startsWith(controlPrefix)) return false;
  const next = target.charAt(controlPrefix.length);
  return next === '' || next === '/' || next === '?';
}

/** A route with the values of its path. */
export interface RoutedCall {
  readonly route: ControlRoute;
  readonly path: Readonly<Record<string, string>>;
}

/** Every route whose path a target has. */
export function findRoutes(target: string, routes: readonly ControlRoute[]): RoutedCall[] {
  const segments = pathOf(target).slice(controlPrefix.length).split('/');
  return routes.flatMap((route) => {
    const path = matchPath(route.path.split('/'), segments);
    return path === undefined ? [] : [{ route, path }];
  });
}

function matchPath(
  wanted: readonly string[],
  given: readonly string[],
): Record<string, string> | undefined {
  if (wanted.length !== given.length) return undefined;
  const values: [string, string][] = [];
  for (const [index, segment] of wanted.entries()) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    const text = given[index] ?? '';
    const value = name === undefined ? undefined : decodePercent(text);
    if (name === undefined ? segment !== text : value === undefined || value === '')
      return undefined;
    if (name !== undefined && value !== undefined) values.push([name, value]);
  }
  return Object.fromEntries(values);
}

/**
 * The query of a target. Throws `usage` for a parameter that the route does not know, or that is
 * given twice.
 */
export function readQuery(target: string, { query = {} }: ControlRoute): Record<string, string> {
  const known = Object.keys(query);
  const pairs = [...new URLSearchParams(target.slice(pathOf(target).length))];
  for (const [name] of pairs) {
    if (!known.includes(name))
      throw new VouchError('usage', `The query parameter ${name} means nothing here.`, {
        hint: known.length === 0 ? 'This takes none.' : suggestWord(name, known),
      });
    if (pairs.filter(([other]) => other === name).length > 1)
      throw new VouchError('usage', `The query parameter ${name} is given twice.`, {
        hint: 'Give it once.',
      });
  }
  return Object.fromEntries(pairs);
}

function pathOf(target: string): string {
  return target.split('?', 1)[0] ?? '';
}
