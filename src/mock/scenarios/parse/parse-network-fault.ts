import { joinPointer } from '../../../json/pointer.ts';
import { isJsonObject } from '../../../json/value.ts';
import { suggestWord } from '../../../nearest-word.ts';
import { parseDelay } from './parse-delay.ts';
import { Members, type PointFault } from './read-members.ts';
import { networkFaultKinds, type NetworkFault, type NetworkFaultKind } from '../network-fault.ts';

/** What each kind may say besides. */
const options: Readonly<Record<NetworkFaultKind, readonly string[]>> = {
  reset: ['after'],
  empty: [],
  garbage: [],
  hang: ['for'],
  truncated: ['after'],
  'truncated-chunks': ['after'],
  'malformed-chunk': ['after'],
  'wrong-length': ['by'],
  dribble: ['bytes', 'every'],
};

const mostBytes = 1_000_000_000;
const defaultHangMs = 60_000;
const defaultIntervalMs = 100;

/**
 * Reads the member `fault` of an answer: `reset`, or `{ kind: truncated, after: 20 }`. Undefined
 * where there is none.
 */
export function parseNetworkFault(answer: Members, fault: PointFault): NetworkFault | undefined {
  const written = answer.value('fault');
  if (written === undefined) return undefined;
  const pointer = joinPointer(answer.pointer, 'fault');
  const value = isJsonObject(written) ? written : { kind: written };
  const kind = readKind(value.kind, (message, hint) =>
    fault(isJsonObject(written) ? joinPointer(pointer, 'kind') : pointer, message, hint),
  );
  return readFault(kind, new Members(value, pointer, ['kind', ...options[kind]], fault));
}

function readKind(
  value: unknown,
  complain: (message: string, hint: string) => Error,
): NetworkFaultKind {
  const found = networkFaultKinds.find((kind) => kind === value);
  if (found !== undefined) return found;
  throw complain(
    value === undefined ? 'A fault must have the member kind.' : `${String(value)} is no fault.`,
    suggestWord(String(value ?? ''), networkFaultKinds),
  );
}

function readFault(kind: NetworkFaultKind, members: Members): NetworkFault {
  if (kind === 'empty' || kind === 'garbage') return { kind };
  if (kind === 'hang') return { kind, forMs: readTime(members, 'for') ?? defaultHangMs };
  if (kind === 'wrong-length') return { kind, by: readDifference(members) };
  if (kind === 'dribble')
    return {
      kind,
      bytes: members.integer('bytes', { minimum: 1, maximum: mostBytes }) ?? 1,
      everyMs: readTime(members, 'every') ?? defaultIntervalMs,
    };
  const after = members.integer('after', { minimum: 0, maximum: mostBytes });
  return { kind, ...(after === undefined ? {} : { after }) };
}

function readDifference(members: Members): number {
  const by = members.integer('by', { minimum: -mostBytes, maximum: mostBytes }) ?? -1;
  return by === 0
    ? members.refuse('by', 'by must not be 0, with which the length would be right.')
    : by;
}

function readTime(members: Members, key: string): number | undefined {
  const written = members.value(key);
  if (written === undefined) return undefined;
  return (
    parseDelay(written) ??
    members.refuse(
      key,
      `${key} must be such as 200ms, 2s or a number of milliseconds, and ten minutes at most.`,
    )
  );
}
