import type { SchemaIssue } from '../../contract/model.ts';
import { joinPointer, splitPointer, valueAt } from '../../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { brokenRules, keepsRules } from '../../values/broken-rules.ts';
import type { LabelledValue } from '../../values/labelled-value.ts';
import { placeValue, withoutMember } from '../../values/baseline.ts';
import type { DraftBody } from './draft/draft-body.ts';

/**
 * The same peculiarity in the plain body of a draft, which may be the contract's own example:
 * whatever is not put to the test is then what the contract shows. The value stays as it is where
 * it would show something else in the plain body.
 */
export function rebase(labelled: LabelledValue, { value: base, schema }: DraftBody): LabelledValue {
  if (schema === undefined) return labelled;
  const before = brokenRules(schema, labelled.value);
  const moved = moveInto(labelled, base);
  const same =
    before.length === 0
      ? keepsRules(schema, moved)
      : breaksAlike(before, brokenRules(schema, moved));
  return same ? { ...labelled, value: moved } : labelled;
}

function breaksAlike(before: readonly SchemaIssue[], after: readonly SchemaIssue[]): boolean {
  return (
    after.length <= before.length &&
    after.some(({ pointer }) => before.some((issue) => issue.pointer === pointer))
  );
}

function moveInto({ value, at }: LabelledValue, base: JsonValue): JsonValue {
  if (at === '') return overlay(value, base);
  const part = valueAt(value, at);
  if (part !== undefined) return placeValue({ base, full: value, at }, part);
  const tokens = splitPointer(at);
  const around = joinPointer('', ...tokens.slice(0, -1));
  return placeValue(
    { base, full: value, at: around },
    withoutMember(valueAt(base, around) ?? valueAt(value, around) ?? {}, tokens.at(-1) ?? ''),
  );
}

/** The members of a value, each as the plain body has it where it has it. */
function overlay(value: JsonValue, base: JsonValue): JsonValue {
  if (!isJsonObject(value) || !isJsonObject(base)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, base[name] ?? member]),
  );
}
