import { nearestWord } from '../../nearest-word.ts';
import { cutText } from '../errors/visible-text.ts';

const longestPath = 200;
const mostCandidates = 60;

/** What is said of a path that leads nowhere, and the path that was probably meant. */
export interface PathHint {
  readonly message: string;
  readonly meant: string | undefined;
}

/**
 * Makes the sentence for a path that leads nowhere: which one it was, and which one was probably
 * meant.
 */
export function makePathHint(templates: readonly string[]): (path: string) => PathHint {
  const known = [...new Set(templates)].map((template) => template.split('/').slice(1));
  return (path) => {
    const named = `There is no path \`${cutText(path, 120)}\`.`;
    if (path.length > longestPath) return { message: named, meant: undefined };
    const meant = probablyMeant(path, known);
    return {
      message:
        meant === undefined ? named : `${named} Did you mean \`${meant}\`?${reason(path, meant)}`,
      meant,
    };
  };
}

function probablyMeant(
  path: string,
  templates: readonly (readonly string[])[],
): string | undefined {
  const segments = path.replace(/\/+$/, '').split('/').slice(1);
  const likened = templates.flatMap((template) => liken(template, segments) ?? []);
  const ending = likened.flatMap(({ path: candidate, isNamed }) =>
    isNamed && candidate.endsWith(`/${segments.join('/')}`) ? [candidate] : [],
  );
  const near = likened
    .map((each) => each.path)
    .filter((candidate) => Math.abs(candidate.length - path.length) <= 1 + path.length / 3);
  // What was asked for is no hint, however a template came to look like it.
  const [meant] = ending
    .filter((candidate) => candidate !== path)
    .sort((left, right) => left.length - right.length);
  return (
    meant ??
    nearestWord(path, near.filter((candidate) => candidate !== path).slice(0, mostCandidates))
  );
}

interface Likeness {
  readonly path: string;
  /** Whether the request has a segment that the template itself names: a parameter takes any. */
  readonly isNamed: boolean;
}

/**
 * A template with the request's own segments in place of its parameters, counted from the end: what
 * is missing is the beginning.
 */
function liken(template: readonly string[], segments: readonly string[]): Likeness | undefined {
  const offset = template.length - segments.length;
  if (segments.length === 0 || Math.abs(offset) > 2) return undefined;
  const filled = template.map((segment, index) => {
    const given = segments[index - offset];
    return segment.includes('{') ? given : segment;
  });
  // Of a path that is too long, all that is left must be right.
  const fits =
    offset >= 0 || filled.every((segment, index) => segment === segments[index - offset]);
  if (filled.includes(undefined) || !fits) return undefined;
  return {
    path: `/${filled.join('/')}`,
    isNamed: template.some((segment, index) => segment === segments[index - offset]),
  };
}

function reason(path: string, meant: string): string {
  if (meant.endsWith(path) && meant !== path)
    return ` ${meant.slice(0, meant.length - path.length)} is missing.`;
  if (path.replace(/\/+$/, '') === meant) return ' The slash at the end is too many.';
  return meant.toLowerCase() === path.toLowerCase() ? ' Case counts.' : '';
}
