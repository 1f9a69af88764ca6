import { nearestWord } from '../../nearest-word.ts';
import { cutText } from '../errors/visible-text.ts';

const longestPath = 200;
const maxCandidates = 60;

/** The message for an unknown path, and the path that was probably meant. */
export interface PathHint {
  readonly message: string;
  readonly meant: string | undefined;
}

/** Makes the message for an unknown path, with the path that was probably meant. */
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
  // The requested path itself is not a hint.
  const [meant] = ending
    .filter((candidate) => candidate !== path)
    .sort((left, right) => left.length - right.length);
  return (
    meant ??
    nearestWord(path, near.filter((candidate) => candidate !== path).slice(0, maxCandidates))
  );
}

interface Likeness {
  readonly path: string;
  /** Whether the request contains a literal segment of the template. */
  readonly isNamed: boolean;
}

/**
 * A template with segments of the request in place of its parameters, aligned at the end, because
 * the beginning is usually missing.
 */
function liken(template: readonly string[], segments: readonly string[]): Likeness | undefined {
  const offset = template.length - segments.length;
  if (segments.length === 0 || Math.abs(offset) > 2) return undefined;
  const filled = template.map((segment, index) => {
    const given = segments[index - offset];
    return segment.includes('{') ? given : segment;
  });
  // If the path is too long, all remaining segments must match.
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
