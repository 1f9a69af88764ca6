import { headerValues, type HeaderList } from '../../http/message.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { makeFault, type Fault } from '../errors/fault.ts';
import { longestDelayMs, parseDelay } from '../parse-delay.ts';

/** What a client asks of one answer, by the header `Prefer` (RFC 7240). */
export interface Preferences {
  readonly kind: 'preferences';
  /** Answer with this documented status. */
  readonly code?: number;
  /** Answer with the example of this name. */
  readonly example?: string;
  /** True: a generated value rather than an example or a stored record. */
  readonly dynamic?: boolean;
  readonly seed?: string;
  /** A scenario that is on for this request. */
  readonly scenario?: string;
  readonly delayMs?: number;
  /** The preferences above as they were written, for `Preference-Applied`. */
  readonly applied: readonly string[];
}

const none: Preferences = { kind: 'preferences', applied: [] };

/**
 * One entry of the list: a token, perhaps a value, and parameters that no preference here has (RFC 7240, section 2). Spaces
 * are counted, because two unbounded runs side by side would take quadratic time.
 */
const entry = /\s{0,8}([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s{0,8}(?:=\s{0,8}("(?:[^"\\]|\\.)*"|[^\s",;]*))?\s{0,8}(?:;(?:[^",]|"(?:[^"\\]|\\.)*")*)?(?:,|$)/y;

type Reading = Partial<Omit<Preferences, 'kind' | 'applied'>> | Fault;

/** How the value of each preference is read; a preference of another name is ignored, as RFC 7240 wants it. */
const readers: Readonly<Record<string, (value: string) => Reading>> = {
  code: (value) => (/^[1-5]\d\d$/.test(value) ? { code: Number(value) } : refuse('code', 'a status such as 404', value)),
  example: (value) => ({ example: value }),
  dynamic: (value) => (value === 'true' || value === '' ? { dynamic: true } : value === 'false' ? { dynamic: false } : refuse('dynamic', 'true or false', value)),
  seed: (value) => ({ seed: value }),
  scenario: (value) => ({ scenario: value }),
  delay: (value) => {
    const delayMs = parseDelay(value);
    return delayMs === undefined ? refuse('delay', `such as 200ms or 2s, and ${String(longestDelayMs / 60_000)} minutes at most`, value) : { delayMs };
  },
};

function refuse(name: string, wanted: string, value: string): Fault {
  return makeFault('preference', 'invalid_preference', `\`${name}\` in the header Prefer must be ${wanted}, but is ${quoteExcerpt(value)}.`);
}

/** Reads `Prefer: code=404, example=NAME, dynamic=true, seed=7, scenario=NAME, delay=200ms`; of two alike the first counts. */
export function readPreferences(headers: HeaderList): Preferences | Fault {
  const fields = headerValues(headers, 'prefer');
  if (fields.length === 0) return none;
  let preferences: Preferences = none;
  const seen = new Set<string>();
  for (const { name, value, written } of readEntries(fields)) {
    const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (read === undefined || seen.has(name)) continue;
    seen.add(name);
    const reading = read(value);
    if ('kind' in reading) return reading;
    preferences = { ...preferences, ...reading, applied: [...preferences.applied, written] };
  }
  return preferences;
}

interface Entry {
  readonly name: string;
  readonly value: string;
  readonly written: string;
}

function readEntries(fields: readonly string[]): Entry[] {
  return fields.flatMap((field) => {
    const entries: Entry[] = [];
    entry.lastIndex = 0;
    for (let match = entry.exec(field); match !== null && match[0] !== ''; match = entry.exec(field)) {
      const name = (match[1] ?? '').toLowerCase();
      const word = match[2] ?? '';
      const value = word.startsWith('"') ? word.slice(1, -1).replaceAll(/\\(.)/g, '$1') : word;
      entries.push({ name, value, written: word === '' ? name : `${name}=${word}` });
    }
    return entries;
  });
}
