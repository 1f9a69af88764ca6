import type { HeaderList } from '../../http/message.ts';
import type { JsonValue } from '../../json/value.ts';
import { isSuccess } from '../../http/status.ts';
import { entityTag } from '../conditions/entity-tag.ts';

/** What is known when documented headers are filled in. */
export interface HeaderFacts {
  readonly status: number;
  /** The fields that the answer has already. */
  readonly present: HeaderList;
  /** How many records there are in all, where the answer is a list. */
  readonly total: number | undefined;
  /** What the answer shows; undefined where it shows nothing. */
  readonly state: JsonValue | undefined;
  readonly seed: string;
  readonly now: Date;
}

/** What a header of a certain name says. */
export interface HeaderRole {
  /** Values that a person would put there, the best first. */
  tell(facts: HeaderFacts): readonly JsonValue[];
  /** Whether it tells of the answer itself, so that an example would be a lie. */
  readonly tellsState?: boolean;
  /** Whether it is worth saying where the contract does not require it. */
  optional(facts: HeaderFacts): boolean;
}

const always = (): boolean => true;
const never = (): boolean => false;
const inAnHour = (now: Date): Date => new Date(now.getTime() + 3_600_000);
const seconds = (moment: Date): number => Math.floor(moment.getTime() / 1000);
/**
 * Where a record was made, its own address is told by who made it: any other would be taken for a
 * record that is there.
 */
const redirects = new Set([202, 301, 302, 303, 307, 308]);

/** An entity tag as contracts may want it: strong, weak, or without its quotes. */
const tagForms = (tag: string): string[] => [`"${tag}"`, `W/"${tag}"`, tag];

/**
 * What headers of a name are, by the normalised name (lower case, letters and digits only). Framing
 * is the server's alone to say.
 */
const byName: readonly (readonly [RegExp, HeaderRole | 'framing'])[] = [
  [
    /^(contentlength|transferencoding|contentencoding|connection|keepalive|trailer|upgrade|te|date)$/,
    'framing',
  ],
  [
    /^x?(total|totalcount|count|paginationcount|totalitems)$/,
    {
      tell: ({ total }) => (total === undefined ? [] : [total, String(total)]),
      optional: always,
      tellsState: true,
    },
  ],
  [
    /^x?(ratelimitlimit|ratelimit)$/,
    { tell: () => [60, '60', 'limit=60, remaining=59, reset=3600'], optional: always },
  ],
  [/^x?ratelimitremaining$/, { tell: () => [59, '59'], optional: always }],
  [/^x?ratelimitused$/, { tell: () => [1, '1'], optional: always }],
  [
    /^xratelimitreset$/,
    {
      tell: ({ now }) => [
        seconds(inAnHour(now)),
        inAnHour(now).toISOString(),
        String(seconds(inAnHour(now))),
      ],
      optional: always,
    },
  ],
  [
    /^ratelimitreset$/,
    { tell: ({ now }) => [3600, inAnHour(now).toISOString(), '3600'], optional: always },
  ],
  [
    /^retryafter$/,
    {
      tell: ({ now }) => [1, '1', inAnHour(now).toUTCString()],
      optional: ({ status }) => status === 429 || status === 503,
    },
  ],
  [
    /^(content)?location$/,
    {
      tell: () => ['https://example.com/items/42', '/items/42'],
      optional: ({ status }) => redirects.has(status),
    },
  ],
  [
    /^etag$/,
    {
      tell: ({ state, seed }) => tagForms(entityTag(state ?? seed)),
      optional: ({ status, state }) => isSuccess(status) && state !== undefined,
      tellsState: true,
    },
  ],
  [
    /^(lastmodified|expires|sunset)$/,
    { tell: ({ now }) => [now.toUTCString(), now.toISOString()], optional: never },
  ],
  [/^cachecontrol$/, { tell: () => ['no-cache'], optional: never }],
  [/^vary$/, { tell: () => ['Accept'], optional: never }],
  [/^link$/, { tell: () => ['<https://example.com/items?page=2>; rel="next"'], optional: never }],
  [/^contentdisposition$/, { tell: () => ['attachment; filename="sample"'], optional: never }],
  [/^contentlanguage$/, { tell: () => ['en'], optional: never }],
  [/^acceptranges$/, { tell: () => ['none'], optional: never }],
  [/^setcookie$/, { tell: () => ['session=sample; Path=/; HttpOnly'], optional: never }],
];

/** The role of a header by its normalised name; undefined where the name says nothing. */
export function headerRole(name: string): HeaderRole | 'framing' | undefined {
  return byName.find(([names]) => names.test(name))?.[1];
}
