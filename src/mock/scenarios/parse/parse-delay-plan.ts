import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../../json/value.ts';
import { type Delay, noDelay, parseDelay, percentiles } from '../delay.ts';
import { Members, type PointFault } from './read-members.ts';

/** The location of a delay, and how to report an error in it. */
interface DelayPlace {
  readonly pointer: Pointer;
  readonly fault: PointFault;
}

const wording = 'must be such as 200ms, 2s or a number of milliseconds, and ten minutes at most';

/**
 * Parses a delay: `200ms`, `{ from, to }`, `{ mean, deviation }` or `{ p50, p95 }`. Throws the
 * error of `fault` for anything else.
 */
export function parseDelayPlan(written: JsonValue | undefined, place: DelayPlace): Delay {
  if (written === undefined) return noDelay;
  if (isJsonObject(written)) return parseDistribution(written, place);
  const ms = parseDelay(written);
  if (ms === undefined)
    throw place.fault(
      place.pointer,
      `delay ${wording}.`,
      'Or let it vary: { from: 100ms, to: 2s }, { mean: 300ms, deviation: 50ms ' +
        '}, { p50: 200ms, p95: 2s }.',
    );
  return { kind: 'fixed', ms };
}

function parseDistribution(written: JsonValue, { pointer, fault }: DelayPlace): Delay {
  const known = isJsonObject(written) ? Object.keys(written) : [];
  if (known.includes('from') || known.includes('to'))
    return parseRange(new Members(written, pointer, ['from', 'to'], fault));
  if (known.includes('mean') || known.includes('deviation'))
    return parseNormal(new Members(written, pointer, ['mean', 'deviation'], fault));
  return parsePercentiles(
    new Members(
      written,
      pointer,
      ['p50', 'p90', 'p95', 'p99', 'from', 'to', 'mean', 'deviation'],
      fault,
    ),
  );
}

function parseRange(members: Members): Delay {
  const [from, to] = [readTime(members, 'from'), readTime(members, 'to')];
  return from <= to
    ? { kind: 'uniform', from, to }
    : members.refuse('to', 'to must not be shorter than from.');
}

function parseNormal(members: Members): Delay {
  return {
    kind: 'normal',
    mean: readTime(members, 'mean'),
    deviation: readTime(members, 'deviation'),
  };
}

function parsePercentiles(members: Members): Delay {
  // `Object.entries` loses the type of the keys, which are those of the table.
  const named = (Object.entries(percentiles) as [keyof typeof percentiles, number][]).filter(
    ([name]) => name === 'p50' || members.has(name),
  );
  const points = named.map(([name, z]) => ({ z, ms: readPositive(members, name) }));
  const wrong = named.findIndex(
    (_entry, index) => (points[index]?.ms ?? 0) < (points[index - 1]?.ms ?? 0),
  );
  const [name] = named[wrong] ?? [];
  if (name !== undefined)
    members.refuse(name, `${name} must not be shorter than ${named[wrong - 1]?.[0] ?? ''}.`);
  if (points.length < 2)
    members.refuse(
      'p50',
      'p50 alone says nothing of how slow the slow ones are.',
      'Add p95 or p99: { p50: 200ms, p95: 2s }.',
    );
  return { kind: 'percentiles', points };
}

function readTime(members: Members, key: string): number {
  return (
    parseDelay(members.required(key, members.value(key))) ??
    members.refuse(key, `${key} ${wording}.`)
  );
}

function readPositive(members: Members, key: string): number {
  const ms = readTime(members, key);
  return ms > 0 ? ms : members.refuse(key, `${key} must be longer than nothing.`);
}

/** The location of an answer's delay. */
export function delayPlace(members: Members, fault: PointFault): DelayPlace {
  return { pointer: joinPointer(members.pointer, 'delay'), fault };
}
