import { type BodyMember, membersOf } from '../../json/body-members.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import type { JsonValue } from '../../json/value.ts';
import { singularOf } from '../infer/infer-names.ts';

/** What a refusal says about one member of a body: it is missing, or its value is invalid. */
export interface RefusalHint {
  readonly at: Pointer;
  readonly problem: 'missing' | 'refused';
  /** Words that the refusal lists, which may be the accepted values. */
  readonly words: readonly string[];
}

const missingWords =
  /\b(required|missing|mandatory|absent|not (?:present|given|provided|specified|set)|must (?:be (?:present|given|provided|specified|set)|not be (?:null|empty|blank)|have)|can(?:not|'t) be (?:null|empty|blank)|expected)\b/i;

const shortestQuoted = 3;

/**
 * What the text of a refusal says about the members of a body, the most certain first: it quotes a
 * value, it names a place such as `data.id`, or it names a member. `declared` are the members of
 * the schema that the body lacks.
 */
export function readRefusal(
  text: string,
  body: JsonValue,
  declared: readonly string[],
): RefusalHint[] {
  const members = membersOf(body);
  const words = listedWords(text);
  const isMissing = missingWords.test(text);
  const quoted = members
    .filter(({ value }) => quotes(text, value))
    .toSorted((left, right) => String(right.value).length - String(left.value).length);
  const named = members
    .filter((member) => !quoted.includes(member) && names(text, member))
    .toSorted((left, right) => right.at.length - left.at.length);
  const absent = isMissing ? absentMembers(text, members, declared) : [];
  const refused = [...quoted, ...named].map(({ at }): RefusalHint => ({
    at,
    problem: 'refused',
    words,
  }));
  const missing = absent.map((at): RefusalHint => ({ at, problem: 'missing', words }));
  return [...missing, ...refused];
}

/** The members of a body, and the declared ones beside it, that a text names, as places in it. */
export function membersNamedIn(
  text: string,
  body: JsonValue,
  declared: readonly string[],
): Pointer[] {
  const members = membersOf(body);
  const present = members.filter((member) => names(text, member)).map(({ at }) => at);
  const absent = declared
    .filter((name) => isNamedPlainly(text, name))
    .map((name) => joinPointer('', name));
  return [...new Set([...present, ...absent])];
}

function quotes(text: string, value: JsonValue): boolean {
  // A number that stands in a text by chance says nothing.
  if (typeof value === 'number')
    return new RegExp(
      `\\b(?:got|received|given|found|not):? ${escape(String(value))}(?![\\w.])`,
    ).test(text);
  return typeof value === 'string' && value.length >= shortestQuoted && text.includes(value);
}

/** Words of many messages that are not the name of a member. */
const commonWords =
  /^(id|in|is|type|name|value|data|error|code|status|message|body|key|field|kind|time|end|start|state|text|title|path|url|not)$/i;

function names(text: string, { at, name }: BodyMember): boolean {
  if (/^\d+$/.test(name)) return false;
  const dotted = at.slice(1).replaceAll('/', '.');
  if (dotted.includes('.') && (text.includes(dotted) || text.includes(at))) return true;
  if (isNamedPlainly(text, name)) return true;
  // A refusal may name one of several: `user_not_found` for the member `users`.
  return [name, singularOf(name)].some(
    (one) =>
      !commonWords.test(one) &&
      one.length >= shortestQuoted &&
      new RegExp(`(?<![\\w-])${escape(spaced(one))}(?![\\w-])`, 'i').test(spaced(text)),
  );
}

/** Whether a text quotes a name, or mentions it as a field. */
function isNamedPlainly(text: string, name: string): boolean {
  const word = escape(name);
  const quoted = new RegExp(`["'\`/<([{]${word}["'\`>)\\]}:]`);
  const asField = new RegExp(
    `(?:^|\\b(?:field|property|parameter|member|key|attribute|data|body)[:. ]+)${word}\\b|` +
      `(?<![\\w-])${word} ` +
      "(?:in body|is (?:required|missing|invalid)|must|cannot|can't|should|field)",
    'i',
  );
  return quoted.test(text) || asField.test(text);
}

/** `startsAt`, `starts_at` and `start time` as words. */
function spaced(text: string): string {
  return text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Members that a text reports as missing: declared ones, or places such as `data.id`. */
function absentMembers(
  text: string,
  members: readonly BodyMember[],
  declared: readonly string[],
): Pointer[] {
  const present = new Set(members.map(({ at }) => at));
  const named = declared.filter((name) => isNamedPlainly(text, name)).map((name) => `/${name}`);
  const places = [...text.matchAll(/(?<![\w./-])([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)(?![\w/-])/g)]
    .map(([, place = '']) => `/${place.replaceAll('.', '/')}`)
    .filter((at) => present.has(at.slice(0, at.lastIndexOf('/'))));
  const others = undeclaredNames
    .flatMap((pattern) => pattern.exec(text)?.[1] ?? [])
    .map((name) => `/${name}`);
  return [...new Set([...places, ...named, ...others])].filter((at) => !present.has(at));
}

/** Where a text names an undeclared member: `owner is required`. */
const undeclaredNames: readonly RegExp[] = [
  /["'`]([A-Za-z_]\w*)["'`] (?:is |was )?(?:required|missing|mandatory|not (?:present|given|provided|specified))/,
  /(?:^|[:"] ?)([A-Za-z_]\w*) (?:is|was) (?:required|missing|mandatory|not (?:present|given|provided|specified))/i,
  /(?:missing|required) (?:required )?(?:field|property|parameter|member|key|attribute)s?[^:"'`]{0,20}[:"'` ]+([A-Za-z_]\w*)/i,
];

const maxWords = 12;

/** Quoted words in a row: `'text' or 'base64'`. */
const alternatives = /(["'`])[\w.:/-]+\1(?:,? (?:or |and )?(["'`])[\w.:/-]+\2)+/;

const listStart =
  '(?:one of|any of|either|allowed|valid|possible|supported|accepted|permitted|expected)';
const writtenList = new RegExp(`${listStart}[^[({:"'\`]{0,40}[[({:]?\\s*([^\\])}\\n]{2,200})`, 'i');

/** Where a text names the only value that it accepts: `must be 16`, `should equal "v2"`. */
const onlyValue = new RegExp(
  '\\b(?:must|should|has to|have to|needs? to|expected(?: to)?|want(?:ed|s)?)\\b' +
    '(?: (?:be|equal|match))?(?: exactly| set to| equal to| to)?:? ' +
    '(?:(["\'`])([\\w .:/-]{1,40})\\1|' +
    '(true|false|[\\w./-]*\\d[\\w./-]*?)(?=[\\s,;)]|\\.?$|\\.\\s))',
  'gi',
);

/**
 * The words of a list in a text, and the only value that it names: `one of [a, b]`, `a|b`,
 * `expected "a" or "b"`, `must be 16`.
 */
function listedWords(text: string): string[] {
  const wanted = [...text.matchAll(onlyValue)].map(([, , quoted, bare = '']) => quoted ?? bare);
  return [...new Set([...wordsOfList(text), ...wanted])];
}

function wordsOfList(text: string): string[] {
  const list = writtenList.exec(text)?.[1] ?? alternatives.exec(text)?.[0];
  if (list === undefined) return [];
  const quoted = [...list.matchAll(/["'`]([\w .:/-]{1,40})["'`]/g)].map(([, word = '']) => word);
  const words = quoted.length > 0 ? quoted : list.split(/\s*(?:,|\||\bor\b|\band\b)\s*/);
  return words
    .map((word) => word.trim())
    .filter((word) => /^[\w][\w.:/-]{0,39}$/.test(word))
    .slice(0, maxWords);
}

/** Texts of the kinds that a refusal, or the description of what it refuses, asks for. */
export function modelsNamedIn(text: string): string[] {
  return textModels.flatMap(({ words, model }) => (words.test(text) ? [model] : []));
}

const textModels = [
  {
    words: /trailing dot|canonical|fqdn|fully.qualified|absolute name/i,
    model: 'vouch.example.org.',
  },
  { words: /domain|host ?name|\bdns\b/i, model: 'vouch.example.org' },
  { words: /slash|\bpath\b/i, model: '/vouch' },
];
