import { type HeaderList, headerValue, headerValues, withHeader } from '../../http/message.ts';
import type { Target } from '../../http/target.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { type Fault, makeFault } from '../model/fault.ts';
import type { PreferenceName, Preferences } from '../model/request.ts';
import { longestDelayMs, parseDelay } from '../scenarios/delay.ts';

/** Preferences that apply to every response, including errors. */
export const preferencesOfRequests: readonly PreferenceName[] = ['scenario', 'delay'];
/** Preferences that apply to responses of a scenario. */
export const preferencesOfScripts: readonly PreferenceName[] = [
  ...preferencesOfRequests,
  'dynamic',
  'seed',
];
/** Preferences that apply to normal responses: all. */
export const preferencesOfAnswers: readonly PreferenceName[] = [
  ...preferencesOfScripts,
  'code',
  'example',
];

/** The preferences of a request without any. */
const noPreferences: Preferences = { kind: 'preferences', written: [] };

/**
 * One entry of the list: a token, an optional value, and parameters, which no supported preference
 * has (RFC 7240, section 2). Spaces are bounded, because two adjacent unbounded repetitions would
 * take quadratic time.
 */
const entry =
  /\s{0,8}([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s{0,8}(?:=\s{0,8}("(?:[^"\\]|\\.)*"|[^\s",;]*))?\s{0,8}(?:;(?:[^",]|"(?:[^"\\]|\\.)*")*)?(?:,|$)/y;

type Reading = Partial<Omit<Preferences, 'kind' | 'written'>> | Fault;

/** Parses the value of each preference; unknown preferences are ignored (RFC 7240, section 2). */
const readers: Readonly<Record<PreferenceName, (value: string, before: Preferences) => Reading>> = {
  // A 1XX status does not end an exchange (RFC 9110, section 15.2).
  code: (value) =>
    /^[2-5]\d\d$/.test(value)
      ? { code: Number(value) }
      : refuse(
          'code',
          /^1\d\d$/.test(value) ? 'a final status such as 404' : 'a status such as 404',
          value,
        ),
  example: (value) =>
    value === '' ? refuse('example', 'the name of an example', value) : { example: value },
  dynamic: (value) =>
    value === 'true' || value === ''
      ? { dynamic: true }
      : value === 'false'
        ? { dynamic: false }
        : refuse('dynamic', 'true or false', value),
  seed: (value) => (value === '' ? refuse('seed', 'a text such as 7', value) : { seed: value }),
  scenario: (value, { scenarios = [] }) =>
    value === ''
      ? refuse('scenario', 'the name of a scenario', value)
      : { scenarios: [...scenarios, value] },
  delay: (value) => {
    const delayMs = parseDelay(value);
    return delayMs === undefined
      ? refuse(
          'delay',
          `such as 200ms or 2s, and ${String(longestDelayMs / 60_000)} minutes at most`,
          value,
        )
      : { delayMs };
  },
};

function refuse(name: string, wanted: string, value: string): Fault {
  return makeFault(
    'preference',
    'invalid_preference',
    `\`${name}\` in the header Prefer must be ${wanted}, but is ` +
      `${value === '' ? 'empty' : quoteExcerpt(value)}.`,
  );
}

/**
 * Reads `Prefer: code=404, example=NAME, dynamic=true, seed=7, scenario=NAME, delay=200ms`. The
 * first of two equal names applies, except for scenarios, of which several can be active. Without
 * the header, the query may have the preferences, as in older versions of Prism:
 * `?__code=404&__example=NAME&__dynamic=true&__seed=7`.
 */
export function readPreferences(
  headers: HeaderList,
  target?: Pick<Target, 'query' | 'rawQuery'>,
): Preferences | Fault {
  const fields = headerValues(headers, 'prefer');
  if (fields.length > 0) return readAll(readEntries(fields));
  if (target === undefined || !target.rawQuery.includes('__')) return noPreferences;
  const read = readAll(
    target.query.flatMap(([name, value]) =>
      /^__(code|example|dynamic|seed)$/.test(name)
        ? [{ name: name.slice(2), value, text: '' }]
        : [],
    ),
  );
  return read.kind === 'fault' ? read : { ...read, written: [] };
}

interface Entry {
  readonly name: string;
  readonly value: string;
  readonly text: string;
}

function readAll(entries: readonly Entry[]): Preferences | Fault {
  let preferences: Preferences = noPreferences;
  const seen = new Set<string>();
  for (const { name, value, text } of entries) {
    if (!isPreference(name) || (seen.has(name) && name !== 'scenario')) continue;
    seen.add(name);
    const reading = readers[name](value, preferences);
    if ('kind' in reading) return reading;
    preferences = { ...preferences, ...reading, written: [...preferences.written, { name, text }] };
  }
  return preferences;
}

function isPreference(name: string): name is PreferenceName {
  return Object.hasOwn(readers, name);
}

function readEntries(fields: readonly string[]): Entry[] {
  return fields.flatMap((field) => {
    const entries: Entry[] = [];
    entry.lastIndex = 0;
    for (
      let match = entry.exec(field);
      match !== null && match[0] !== '';
      match = entry.exec(field)
    ) {
      const name = (match[1] ?? '').toLowerCase();
      const word = match[2] ?? '';
      const value = word.startsWith('"') ? word.slice(1, -1).replaceAll(/\\(.)/g, '$1') : word;
      entries.push({ name, value, text: word === '' ? name : `${name}=${word}` });
    }
    return entries;
  });
}

/**
 * Adds the applied preferences to a response (`Preference-Applied`, RFC 7240, section 3), and that
 * it depends on `Prefer` (`Vary`, RFC 9110, section 12.5.5).
 */
export function tellPreferences(
  headers: HeaderList,
  { written }: Preferences,
  applied: readonly PreferenceName[],
): HeaderList {
  if (written.length === 0) return headers;
  const told = written.filter(({ name }) => applied.includes(name)).map(({ text }) => text);
  return told.length === 0 ? headers : [...vary(headers), ['Preference-Applied', told.join(', ')]];
}

function vary(headers: HeaderList): HeaderList {
  const before = headerValue(headers, 'vary');
  if (before === undefined) return [...headers, ['Vary', 'Prefer']];
  const names = before.split(',').map((name) => name.trim().toLowerCase());
  return names.includes('*') || names.includes('prefer')
    ? headers
    : withHeader(headers, 'Vary', `${before}, Prefer`);
}
