import { maxBodyBytes, maxHeaderBytes, sizeWords } from '../transport/send.ts';
import type { Unread } from './readings.ts';

/** What is wrong with responses, as it goes on after their subject. */
interface Predicate {
  readonly one: string;
  readonly many: string;
}

const mostNamed = 5;

const predicates: Partial<Readonly<Record<Unread['kind'], Predicate>>> = {
  unjudged: {
    one: 'takes more work to judge than vouch gives a response',
    many: 'take more work to judge than vouch gives a response',
  },
  'body.too-large': {
    one: `is larger than vouch reads (${sizeWords(maxBodyBytes)})`,
    many: `are larger than vouch reads (${sizeWords(maxBodyBytes)})`,
  },
  'headers.too-large': {
    one: `has a header larger than vouch reads (${sizeWords(maxHeaderBytes)})`,
    many: `have headers larger than vouch reads (${sizeWords(maxHeaderBytes)})`,
  },
  'encoding.chain': {
    one: 'has more content codings than vouch undoes',
    many: 'have more content codings than vouch undoes',
  },
  'charset.unknown': {
    one: 'is in a charset that vouch does not know',
    many: 'are in a charset that vouch does not know',
  },
};

/** Responses that were not read, in one sentence: how many, of which operations, and why. */
export function describeUnread({ kind, operations, count }: Unread): string {
  const of = nameSome(operations);
  const { one, many } = predicates[kind] ?? {
    one: `could not be read (${kind})`,
    many: `could not be read (${kind})`,
  };
  if (count === 1) return `A response of ${of} ${one}; it was not judged.`;
  return `${String(count)} responses of ${of} ${many}; they were not judged.`;
}

function nameSome(operations: readonly string[]): string {
  const named = operations.slice(0, mostNamed).join(', ');
  const more = operations.length - mostNamed;
  return more > 0 ? `${named} and ${String(more)} more operations` : named;
}
