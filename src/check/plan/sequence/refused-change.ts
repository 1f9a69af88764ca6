import { equalJson } from '../../../json/equal-json.ts';
import { splitPointer } from '../../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { invalidValues } from '../../../values/invalid-values.ts';
import { makeCase, type Case } from '../../model/case.ts';
import { edgeBodies } from '../draft/body-values.ts';
import { bodyOf, requestOf, type Draft, type DraftBody } from '../draft.ts';
import { rebase } from '../rebase.ts';

/** As many as any operation is sent: they are only looked through. */
const manyEdges = 60;

/**
 * A change of the record that the sequence created, valid in a field that no earlier step gave that
 * value, and wrong in the field that comes last: a server that stores one field after the other,
 * and then refuses, has changed the record. Undefined where the body has no two such fields.
 */
export function refusedChange(draft: Draft, sentBefore: readonly JsonValue[]): Case | undefined {
  const { body, operation } = draft;
  const made = body && breakChange(body, sentBefore);
  if (body === undefined || made === undefined) return undefined;
  return makeCase({
    title: made.rule,
    phase: 'sequence',
    operation,
    request: requestOf(draft, 'created', { body: bodyOf(body, made.broken) }),
    intent: {
      kind: 'invalid',
      at: made.at,
      rule: made.rule,
      part: 'body',
      subject: 'the body',
      accepted: 'error',
    },
    control: requestOf(draft, 'created', { body: bodyOf(body, made.sound) }),
  });
}

interface BrokenChange {
  readonly sound: JsonObject;
  readonly broken: JsonObject;
  readonly at: string;
  readonly rule: string;
}

function breakChange(body: DraftBody, sentBefore: readonly JsonValue[]): BrokenChange | undefined {
  const { schema } = body;
  if (schema === undefined) return undefined;
  const faults = invalidValues(schema, 'request').filter(
    ({ valueClass, at }) =>
      (valueClass === 'wrong-type' || valueClass === 'not-in-enum') &&
      splitPointer(at).length === 1,
  );
  for (const { value: sound } of edgeBodies(body, manyEdges)) {
    if (!isJsonObject(sound)) continue;
    const telling = Object.keys(sound).filter((name) =>
      isNew(name, sound[name] ?? null, sentBefore),
    );
    for (const fault of faults) {
      const [field = ''] = splitPointer(fault.at);
      if (telling.every((name) => name === field)) continue;
      const { value, label, pointer } = rebase(fault, body);
      if (!isJsonObject(value) || !Object.hasOwn(value, field)) continue;
      const { [field]: _right, ...others } = sound;
      const broken = { ...others, [field]: value[field] ?? null };
      // What is wrong with one field may hide another fault, and then another rule would be tried
      // than is told.
      if (
        schema
          .validate(broken, 'request')
          .every(({ at: where }) => splitPointer(where)[0] === field)
      )
        return { sound, broken, at: pointer, rule: label.replace(/^the value /, 'the body ') };
    }
  }
  return undefined;
}

/** Whether a field has a value that it had in none of some bodies. */
function isNew(name: string, value: JsonValue, bodies: readonly JsonValue[]): boolean {
  return bodies.every((body) => !isJsonObject(body) || !equalJson(body[name] ?? null, value));
}
