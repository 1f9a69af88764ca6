import { ignoresUnknownMembers } from '../../../contract/words/read-list.ts';
import { memberSchema } from '../../../contract/schema/member-schema.ts';
import { isClosed } from '../../../contract/schema/object-members.ts';
import { recordFields } from '../../../contract/infer/record-fields.ts';
import type { Resource, Schema } from '../../../contract/model.ts';
import { bodySchema } from '../../../contract/model/operation.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { hasSuccess, roleOf, showValue, type Step } from '../../model/step.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import type { CheckInput, Violation } from '../../model/knowledge.ts';
import { check } from '../check.ts';

/** A read-only field that a request sends has no effect. */
export const readOnlyIsIgnored = check({
  id: 'read-only-is-ignored',
  basis: 'contract',
  harm: 'data',
  rule:
    'A field in a request that the body declares as `readOnly`, or that the record has as ' +
    '`readOnly` and the body does not declare, or that a body does not have which is closed or ' +
    'whose unknown members are ignored, is refused or ignored: the record does not get its value.',
  reason:
    'A client that can set what only the service may set gives itself a state, a total or an ' +
    'owner (mass assignment, OWASP API3).',
  example: [
    '> POST /items',
    '> {"name": "one", "status": "paid"}   (status is readOnly)',
    '< 201 Created',
    '< {"id": 7, "name": "one", "status": "paid"}',
  ],
  traits: ['inputs'],
  intents: ['valid', 'invalid'],
  actions: ['create', 'replace', 'update', 'read'],
  inspect(subject) {
    const { contract, operation, exchange, earlier } = subject;
    const { resource, action } = roleOf(contract, operation) ?? {};
    const asking = action === 'read' ? earlier.at(-1) : subject;
    const body = asking?.sent.body;
    if (resource === undefined || asking === undefined || !isJsonObject(body)) return undefined;
    if (asking !== subject && !isAsking(asking)) return undefined;
    const isLoose = ignoresUnknownMembers(contract);
    const request = bodySchema(asking.case.operation);
    const fields = ofServiceIn(resource, { body, request, isLoose });
    const record = shownRecord(resource, subject.answer);
    if (fields.length === 0 || record === undefined) return undefined;
    if (!hasSuccess({ exchange })) return [];
    const before = shownBefore(subject, resource);
    return before && fields.flatMap((name) => taken(resource, name, { body, record, before }));
  },
});

/** Whether a step sent what only the service may set, and was accepted. */
function isAsking(step: Step): boolean {
  const { intent } = step.case;
  return intent.kind === 'invalid' && intent.accepted === 'fine' && hasSuccess(step);
}

interface Asked {
  readonly body: JsonObject;
  readonly request: Schema | undefined;
  /** Whether the contract says that unknown members are ignored. */
  readonly isLoose: boolean;
}

/**
 * The fields of a record that a body has, and that are read-only, or not in a closed schema. What a
 * body declares for itself counts more than what answers say of theirs.
 */
function ofServiceIn({ record }: Resource, { body, request, isLoose }: Asked): string[] {
  const whole = request?.flatten();
  return recordFields(record).flatMap(({ name, flat, many }) => {
    const asked = request && memberSchema(request, [name]);
    const isOutside = asked === undefined && whole !== undefined && (isLoose || isClosed(whole));
    const isOfService = isOutside || (asked ?? flat).node.readOnly === true;
    return isOfService && !many && Object.hasOwn(body, name) ? [name] : [];
  });
}

/** The record as an earlier step showed it that did not send these fields. */
function shownBefore(
  { earlier, contract }: CheckInput,
  resource: Resource,
): JsonObject | undefined {
  const steps = earlier.filter(
    (step) =>
      roleOf(contract, step.case.operation)?.resource.collection === resource.collection &&
      step.case.intent.kind === 'valid' &&
      hasSuccess(step),
  );
  return steps
    .map((step) => shownRecord(resource, step.answer))
    .findLast((one) => one !== undefined);
}

interface Taken {
  readonly body: JsonObject;
  readonly record: JsonObject;
  readonly before: JsonObject;
}

/** A record that has the value that was sent, where a record that was not sent it has another. */
function taken(
  resource: Resource,
  name: string,
  { body, record, before }: Taken,
): Violation | Violation[] {
  const [expected, got] = [body[name] ?? null, record[name]];
  const usual: JsonValue | undefined = before[name];
  if (got === undefined || !equalJson(expected, got) || equalJson(usual ?? null, expected))
    return [];
  const place = resource.record.flatten().properties.get(name);
  const node = place && resource.record.flatten(place).node;
  // What the contract shows may be what the service sets by itself.
  const shown = [...(node?.default === undefined ? [] : [node.default]), ...(node?.examples ?? [])];
  if (shown.some((value) => equalJson(value, expected))) return [];
  const why =
    node?.readOnly === true ? 'marks the field readOnly' : 'has no such field in requests';
  return {
    at: place?.pointer ?? resource.record.pointer,
    message:
      `The server took ${name} from a request: the record has ${showValue(got)}, which was ` +
      `sent, and the contract ${why}.`,
    expected: `${name} is what the server sets, such as ${showValue(usual)}`,
    actual: `${name} is ${showValue(got)}, as it was sent`,
    momentary: true,
  };
}
