import { addressReferences } from '../../../contract/infer/address-references.ts';
import { readAddress } from '../../../contract/infer/read-address.ts';
import { hasKnownRecords } from '../../../contract/infer/record-fields.ts';
import { documentsRefusal, type Resource } from '../../../contract/model.ts';
import { fieldsTaken, saysMustExist } from '../../../contract/words/read-references.ts';
import { quoteExcerpt } from '../../../json/json-problem.ts';
import { isJsonObject, memberOf, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { MaybePromise, StoredRecord } from '../../../store/store.ts';
import type { Acting, Asking, ValidRequest } from '../../model/request.ts';
import { type Fault, makeFault } from '../../model/reply.ts';
import { getRecord, oncePerPlan, textOf } from '../find-record.ts';
import { requestFields, toldMembers } from '../make/request-members.ts';
import { shapeOf } from '../record-fields.ts';

/** The members of a body that must be addresses of records which exist, as descriptions say. */
const judged = oncePerPlan(({ operation, contract }) =>
  documentsRefusal(operation, ['404', '409'])
    ? addressReferences(operation, contract.resources).filter(
        ({ place, resource }) => saysMustExist(place) && isPlain(resource),
      )
    : [],
);

function isPlain(resource: Resource): boolean {
  return resource.parents.length === 0 && hasKnownRecords(resource);
}

/** The refusal of a body with an address that leads to no record, where the contract states it. */
export function judgeAddresses(named: Acting): MaybePromise<Fault | undefined> {
  const { request, resource } = named;
  const given = judged(request.plan, resource);
  return given.length === 0 ? undefined : judgeEach(given, named);
}

async function judgeEach(
  given: ReturnType<typeof judged>,
  { request, store }: Acting,
): Promise<Fault | undefined> {
  for (const { field, resource: target } of given) {
    const value = memberOf(request.body, field);
    if (typeof value !== 'string' || isShown(field, value, request)) continue;
    if ((await recordAt(value, target, { request, store })) !== undefined) continue;
    const message =
      `${quoteExcerpt(field)} in the body must be the address of a record of ${target.name}, ` +
      `and there is none at ${quoteExcerpt(value)}.`;
    return makeFault('reference', 'invalid_reference', message, {
      issues: [{ location: 'body', name: field, rule: 'reference', message }],
    });
  }
  return undefined;
}

/** An example of the contract is a valid request, regardless of the stored records. */
function isShown(field: string, value: string, { plan: { operation } }: ValidRequest): boolean {
  const examples = operation.requestBody?.content.flatMap((content) => content.examples) ?? [];
  return examples.some((one) => isJsonObject(one.value) && one.value[field] === value);
}

/** The record that a reference names, by its identifier or its address. */
function recordAt(
  reference: JsonValue,
  target: Resource,
  { request, store }: Asking,
): MaybePromise<StoredRecord | undefined> {
  const text = textOf(reference);
  const id = [...(readAddress(target.itemPath ?? '', text)?.values() ?? [])].at(0) ?? text;
  return getRecord({ session: request.session, name: target.collection }, id, store);
}

const takenFields = oncePerPlan((plan, resource) => {
  const sent = requestFields(plan);
  const keys = resource.foreignKeys.filter(({ field, many }) => !many && sent.has(field));
  const references = [...keys, ...addressReferences(plan.operation, plan.contract.resources)];
  return fieldsTaken(
    resource,
    references.filter((one) => isPlain(one.resource)),
    (field) => sent.has(field),
  );
});

/** A new record with the fields that it has from the records that its body names. */
export function withTakenFields(record: JsonObject, named: Acting): MaybePromise<JsonObject> {
  const fields = takenFields(named.request.plan, named.resource);
  return fields.length === 0 ? record : takeFields(record, fields, named);
}

async function takeFields(
  record: JsonObject,
  taken: ReturnType<typeof takenFields>,
  { request, resource, store }: Acting,
): Promise<JsonObject> {
  const { fields } = shapeOf(resource);
  let made = record;
  const told = toldMembers(request, resource);
  for (const { field, of, from, target } of taken) {
    const reference = told[from];
    const isGiven = Object.hasOwn(told, field);
    if (reference === undefined || reference === null || isGiven) continue;
    const found = await recordAt(reference, target, { request, store });
    const value = found?.record[of];
    if (value !== undefined && fields.get(field)?.schema.accepts(value, 'response') === true)
      made = { ...made, [field]: value };
  }
  return made;
}
