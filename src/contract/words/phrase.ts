import { sentencesOf } from './text.ts';

/** The kinds of texts that a contract has; `field` is the description of a schema. */
export type TextKind = 'contract' | 'operation' | 'parameter' | 'response' | 'field';

/**
 * A phrase with which contracts state in English what no keyword of OpenAPI states. The sentences
 * are its tests.
 */
export interface Phrase {
  /** What it states, as a clause: `the bound itself is in the range`. */
  readonly means: string;
  /** The texts in which it is read. */
  readonly in: readonly TextKind[];
  /** One of them in a sentence states the fact; the group `value` is the value of the fact. */
  readonly patterns: readonly RegExp[];
  /** A sentence in which one of them occurs does not state the fact. */
  readonly unless?: readonly RegExp[];
  readonly states: readonly [string, string, string];
  /** Sentences that seem to state it and do not. */
  readonly not: readonly [string, string, string];
}

/** A sentence that states something, and what its groups are. */
export interface Match {
  readonly sentence: string;
  readonly groups: Readonly<Record<string, string | undefined>>;
}

/** The sentences of a text in which a phrase occurs. */
export function matchesOf({ patterns, unless = [] }: Phrase, text: string): Match[] {
  return sentencesOf(text).flatMap((sentence) => {
    const found = patterns.map((pattern) => pattern.exec(sentence)).find((match) => match !== null);
    if (found === undefined || unless.some((pattern) => pattern.test(sentence))) return [];
    return [{ sentence, groups: found.groups ?? {} }];
  });
}
