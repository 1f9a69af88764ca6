import type { Random } from './random.ts';
import { alternatives, namePattern } from '../contract/infer/infer-names.ts';

export interface Person {
  readonly first: string;
  readonly last: string;
}

const firstNames = (
  'Robin Alex Sam Kim Jo Maria Noah Amara Yuki Elena ' +
  'Omar Ingrid Mateo Priya Lucas Hana Jonas Leila Felix Zoe'
).split(' ');
const lastNames = (
  'Miller Morgan Carter Lopez Fisher Rossi Okafor Tanaka Novak Haddad ' +
  'Larsen Garcia Sharma Martin Weber Kowalski Dubois Silva Brandt Walsh'
).split(' ');

/** The person of a seed: all fields of one record describe the same person. */
export function personOf(random: Random): Person {
  return { first: random.pick(firstNames), last: random.pick(lastNames) };
}

/** Uses a domain that is reserved for examples (RFC 2606), so that mail reaches no one. */
export function mailOf({ first, last }: Person, random: Random): string {
  return `${first}.${last}${String(random.integer(10, 999))}@example.com`.toLowerCase();
}

/** A range of years and months. */
interface Season {
  readonly years: readonly [from: number, to: number];
  readonly months: readonly [from: number, to: number];
}

const usually: Season = { years: [2024, 2024], months: [1, 12] };

/** Date ranges by field name, so that creation precedes changes and a start precedes its end. */
const seasons: readonly (readonly [RegExp, Season])[] = [
  [/birth|^dob$/, { years: [1965, 2001], months: [1, 12] }],
  [
    /expir|until|due|valid(to|through)|deadline|next|renew|sched|trialend|periodend|^ends?(at|on|date|time|datetime)?$/,
    { years: [2035, 2035], months: [1, 12] },
  ],
  [
    namePattern(
      'updat modif chang edit end finish complet clos deliver resolv ship paid pushed merged',
      'stop last latest cancel archiv delet ^to$',
    ),
    { years: [2024, 2024], months: [7, 12] },
  ],
  [
    namePattern(
      'creat start begin regist join hire insert submit issued publish open since founded',
      '^from$ added placed ordered',
    ),
    { years: [2024, 2024], months: [1, 6] },
  ],
];

const two = (value: number): string => String(value).padStart(2, '0');

/** A date for a normalized field name: `YYYY-MM-DD`. */
export function dayText(random: Random, name: string): string {
  const { years, months } = seasons.find(([names]) => names.test(name))?.[1] ?? usually;
  const [year, month] = [random.integer(...years), random.integer(...months)];
  return `${String(year)}-${two(month)}-${two(random.integer(1, 28))}`;
}

/** A time in office hours, in UTC. */
export function timeText(random: Random): string {
  return `${two(random.integer(8, 18))}:${two(random.integer(0, 59))}:00Z`;
}

/** A date-time (RFC 3339) for a normalized field name. */
export function momentText(random: Random, name: string): string {
  return `${dayText(random, name)}T${timeText(random)}`;
}

const wholeMoments = alternatives(
  'created updated modified deleted expires? started ended finished completed canceled cancelled',
  'closed published paid issued timestamp epoch since until',
);
const momentStarts = alternatives(
  'created updated modified deleted expires started ended starts ends completed canceled',
  'archived activated published sent seen login period',
);
const momentNames = namePattern(
  `^(${wholeMoments})$`,
  `(${momentStarts})(at|on|date|time|start|end|timestamp)$`,
  'timestamp$',
  'epoch',
);

/**
 * Seconds since 1970 if the name of an integer field is that of a point in time; otherwise
 * undefined.
 */
export function momentSeconds(random: Random, name: string): number | undefined {
  return momentNames.test(name)
    ? Math.floor(Date.parse(momentText(random, name)) / 1000)
    : undefined;
}
