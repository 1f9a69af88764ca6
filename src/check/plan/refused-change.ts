import { splitPointer, type Pointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { CandidateValue } from '../../values/candidate-value.ts';
import type { LabelledValue, ValueClass } from '../../values/labelled-value.ts';
import { invalidCandidates } from '../../values/invalid-values.ts';
import { type Case, invalidBodyIntent } from '../model/case.ts';
import { edgeBodies, manyEdges, overlayOnExample } from './body-values.ts';
import { bodyOf, type DraftBody } from './draft-body.ts';
import { type Draft, requestOf } from './draft.ts';
import { draftCase, type PlanContext } from './plan-context.ts';
import { equalJson } from '../../json/equal-json.ts';

/**
 * A change of the record that the sequence created, with a new valid value in one field, and a
 * wrong one in the last field: a server that stores field by field, and then refuses, has changed
 * the record. Undefined if the body has no two such fields.
 */
export function refusedChange(
  { cache }: PlanContext,
  draft: Draft,
  sentBefore: readonly JsonValue[],
): Case | undefined {
  const { body } = draft;
  const change = body && breakChange(body, edgeBodies(body, manyEdges, cache), sentBefore);
  if (body === undefined || change === undefined) return undefined;
  return draftCase(draft, {
    title: change.rule,
    body: bodyOf(body, change.broken),
    intent: invalidBodyIntent(change.rule, change.at),
    control: requestOf(draft, 'created', { body: bodyOf(body, change.valid) }),
  });
}

/** What is wrong in one field, or with it. */
const faulty: readonly ValueClass[] = ['wrong-type', 'not-in-enum', 'additional-property'];

function breakChange(
  body: DraftBody,
  edges: readonly LabelledValue[],
  sentBefore: readonly JsonValue[],
): BrokenChange | undefined {
  const { schema } = body;
  if (schema === undefined) return undefined;
  const possible = invalidCandidates(schema, 'request').filter(
    ({ valueClass, at }) => faulty.includes(valueClass) && splitPointer(at).length === 1,
  );
  // A server looks at what names the record before it stores anything.
  const faults = possible.toSorted((left, right) => rankOf(body, left) - rankOf(body, right));
  for (const { value: valid } of edges) {
    if (!isJsonObject(valid)) continue;
    const changed = Object.keys(valid).filter((name) =>
      isNew(name, valid[name] ?? null, sentBefore),
    );
    for (const candidate of faults) {
      const [field = ''] = splitPointer(candidate.at);
      if (changed.every((name) => name === field)) continue;
      const fault = candidate.judge();
      if (fault === undefined) continue;
      const broken = withFault(valid, fault, body);
      // A fault in one field may hide another; then the case would violate another rule than its
      // title says.
      const isOnlyFault =
        broken !== undefined &&
        schema.validate(broken, 'request').every(({ at }) => splitPointer(at)[0] === field);
      if (isOnlyFault) return { valid, broken, at: fault.pointer, rule: bodyRule(fault.label) };
    }
  }
  return undefined;
}

/** The order in which faults are tried: a server refuses an unknown field before all others. */
function rankOf(body: DraftBody, { at, valueClass }: CandidateValue): number {
  if (valueClass === 'additional-property') return 2;
  return namesRecord(body, at) ? 1 : 0;
}

/** Whether a place of a body says which record it is: its identifier, and the type beside it. */
function namesRecord({ identifier, media }: DraftBody, at: Pointer): boolean {
  const [name = ''] = splitPointer(at);
  return identifier?.[0] === name || media.envelope?.layout?.own.includes(name) === true;
}

export interface BrokenChange {
  readonly valid: JsonObject;
  readonly broken: JsonObject;
  readonly at: Pointer;
  readonly rule: string;
}

/** A body with the fault of another in one field, which comes last; undefined if it has none. */
function withFault(
  valid: JsonObject,
  fault: LabelledValue,
  body: DraftBody,
): JsonObject | undefined {
  const [field = ''] = splitPointer(fault.at);
  const { value } = overlayOnExample(fault, body);
  if (!isJsonObject(value) || !Object.hasOwn(value, field)) return undefined;
  const { [field]: _right, ...others } = valid;
  return { ...others, [field]: value[field] ?? null };
}

/** Whether a field has a value that it has in none of some bodies. */
function isNew(name: string, value: JsonValue, bodies: readonly JsonValue[]): boolean {
  return bodies.every((body) => !isJsonObject(body) || !equalJson(body[name] ?? null, value));
}

/** The rule that a body breaks, in the words of a report: `the body lacks the field name`. */
export function bodyRule(label: string): string {
  return label.replace(/^the value /, 'the body ');
}
