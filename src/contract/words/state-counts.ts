import { lastWord } from '../infer/conventions/path-styles.ts';
import { belongsTo } from '../infer/infer-shown-twice.ts';
import { singularOf, wordsOf } from '../infer/infer-names.ts';
import { recordFields, type RecordField } from '../infer/record-fields.ts';
import type { Resource } from '../model.ts';
import { descriptionOf } from './facts.ts';
import { denies, mentions } from './mentions.ts';
import { type NamedState, stateNamedIn } from './read-states.ts';

/** A number in a record that says how many parts of it are in a state. */
export interface StateCount {
  /** Dotted if it stands within an object. */
  readonly field: string;
  readonly child: Resource;
  readonly only: NamedState;
}

/**
 * The numbers in the records of a resource that count parts of them in one state, as their
 * descriptions say: `pending_count` of `members that are pending`. One that leaves out others
 * besides is none of them.
 */
export function stateCountsOf(resource: Resource, resources: readonly Resource[]): StateCount[] {
  const parts = resources.filter(
    (child) => child.operations.create !== undefined && belongsTo(child, resource),
  );
  return recordFields(resource.record).flatMap((field): StateCount[] => {
    const text = descriptionOf(field.flat);
    if (!isCount(field) || text === '' || denies(text)) return [];
    return parts.flatMap((child): StateCount[] => {
      const noun = lastWord(child.collectionPath);
      const only = mentions(text, singularOf(noun)) ? stateNamedIn(text, child.record) : undefined;
      if (only === undefined) return [];
      const named = [noun, lastWord(resource.collectionPath)].flatMap((one) => wordsOf(one));
      const own = new Set([...named, ...named.map(singularOf), ...wordsOf(only.value)]);
      const isAll = wordsOf(text).every((word) => own.has(word) || saysNoMore.has(word));
      return isAll ? [{ field: field.name, child, only }] : [];
    });
  });
}

function isCount({ own, types, many }: RecordField): boolean {
  const last = own.split('.').at(-1) ?? '';
  return !many && types.includes('integer') && /count|^num|number/i.test(last);
}

/** Words beside the noun and the state that leave no part out; what a client made, it can see. */
const saysNoMore = new Set(
  (
    'the a an all of its it that which are is who has have this in now currently how many number ' +
    'count total you can see'
  ).split(' '),
);
