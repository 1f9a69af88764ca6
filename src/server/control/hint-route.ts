import { headerValue, type HttpRequest } from '../../http/message.ts';
import { nearestWord } from '../../nearest-word.ts';
import { controlPrefix, type ControlRoute } from './control-parts.ts';

/**
 * What a request for a path that the control API does not have probably meant, in a sentence, with
 * the command that asks for it.
 */
export function hintRoute(
  { method, target, headers }: Pick<HttpRequest, 'method' | 'target' | 'headers'>,
  routes: readonly ControlRoute[],
): string {
  const origin = `http://${headerValue(headers, 'Host') ?? 'localhost'}`;
  const given = target.split('?', 1)[0] ?? '';
  const words = given.slice(controlPrefix.length);
  const filled = routes.map((route) => ({ route, path: fill(route.path, words) }));
  const meant =
    nearestWord(
      words,
      filled.map(({ path }) => path),
    ) ?? pathWith(words, routes);
  const here = filled.filter(({ route, path }) => path === meant || route.path === meant);
  const found = here.find(({ route }) => route.method === method) ?? here[0];
  if (found === undefined)
    return `See all that it has: curl ${origin}${controlPrefix}/openapi.json`;
  const path = `${controlPrefix}${found.path}`;
  return `Did you mean ${found.route.method} ${path}? ${curlOf(found.route, `${origin}${path}`)}`;
}

/** The shortest path that has the last word, or nearly. */
function pathWith(words: string, routes: readonly ControlRoute[]): string | undefined {
  const last = words.split('/').at(-1) ?? '';
  const literal = (path: string): string[] =>
    path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
  const meant =
    last === ''
      ? undefined
      : nearestWord(
          last,
          routes.flatMap(({ path }) => literal(path)),
        );
  const paths = routes
    .map(({ path }) => path)
    .filter((path) => meant !== undefined && literal(path).includes(meant));
  return paths.sort((left, right) => left.length - right.length)[0];
}

/** A path with the request's own words where it takes any. */
function fill(template: string, given: string): string {
  const words = given.split('/');
  return template
    .split('/')
    .map((segment, index) =>
      segment.startsWith('{') && isPlain(words[index]) ? words[index] : segment,
    )
    .join('/');
}

function isPlain(word: string | undefined): word is string {
  return word !== undefined && /^[\w.~-]+$/.test(word);
}

function curlOf({ method, open, body, bodyOptional }: ControlRoute, url: string): string {
  const parts = [
    'curl',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(open === true ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(body === undefined || bodyOptional === true ? [] : ["-d '{…}'"]),
    url,
  ];
  return parts.join(' ');
}
