import type { JsonValue } from '../../json/value.ts';
import type { PathValues } from '../model/record.ts';
import type { Source } from '../model/request-template.ts';
import type { Step } from '../model/step.ts';

/** A source that names a record, or what it stands below. */
export type NamedSource = Extract<Source, { kind: 'known' | 'own' | 'created' | 'listed' }>;

/** What a source means of one record. */
export function named(
  { parent }: NamedSource,
  identifier: JsonValue | undefined,
  parents: PathValues,
): JsonValue | undefined {
  return parent === undefined ? identifier : parents.get(parent);
}

/**
 * What the same source came to in an earlier step: a sequence speaks of one record from its
 * beginning to its end.
 */
export function resolvedBefore(
  { kind, resource, parent }: NamedSource,
  earlier: readonly Step[],
): JsonValue | undefined {
  for (const {
    case: { request },
    sent,
  } of earlier) {
    const same = request.arguments.find(
      ({ source }) =>
        source.kind === kind && source.resource === resource && source.parent === parent,
    );
    const value = same && sent.arguments.get(same.parameter);
    if (value !== undefined) return value;
  }
  return undefined;
}
