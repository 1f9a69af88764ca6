import { clausesOn, parameterTexts } from '../../../contract/words/facts.ts';
import { mentions, sentencesBeside } from '../../../contract/words/mentions.ts';
import { uniqueInChange } from '../../../contract/words/read-unique.ts';
import { roleOf, isUnguessable } from '../../model/step.ts';
import type { Resource } from '../../../contract/model.ts';
import { isSuccess } from '../../../http/message.ts';
import { membersOf } from '../../../json/body-members.ts';
import { memberOf, type JsonValue } from '../../../json/value.ts';
import { controlOf, type Intent, mediaOf } from '../../model/case.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import { argumentNamed } from '../../reading/find-request-fault.ts';
import { isReference } from '../../reading/identifiers.ts';
import { referencesIn } from '../../reading/known-identifiers.ts';
import { namedResource } from '../../reading/path-names.ts';
import { sameIdentifier } from '../../reading/list-page.ts';
import { mayBeMissing } from '../../reading/may-be-missing.ts';
import { isDocumented } from '../../reading/refusal.ts';
import type { NamedPart } from '../../reading/named-parts.ts';
import { partsBesideControl, partsOf, pathOf } from '../../reading/request-parts.ts';

/** The intent of a valid request. */
export type ValidIntent = Extract<Intent, { readonly kind: 'valid' }>;

/**
 * Whether a refusal may be about another record that the request names: no response of the run has
 * shown it, and no request that names it was accepted, or the sequence has deleted it. A status
 * that is not documented is a finding of its own.
 */
export function namesUnknown(subject: CheckInput, status: number): boolean {
  const { contract, operation, sent, knowledge } = subject;
  const isAboutRecords = status === 404 || status === 409 || status === 410;
  const isDeclared = (status === 400 || status === 422) && isDocumented(operation, status);
  if (isToldOf(subject, status)) return true;
  if (!isAboutRecords && !isDeclared) return false;
  return referencesIn(contract, operation, sent).some(
    ({ resource, value }) =>
      !knowledge.records.has(`${resource.collection} ${String(value)}`) ||
      isDeleted(subject, resource, value),
  );
}

/** Whether the words of a free text that a request tests say what has the status: "unknown: 400". */
function isToldOf({ operation, case: tried }: CheckInput, status: number): boolean {
  const tested = partsBesideControl(tried) ?? [];
  return operation.parameters.some((parameter) => {
    const { schema, name } = parameter;
    const { items = { node: schema.flatten().node, pointer: '' } } = schema.flatten();
    const { types, node } = schema.flatten(items);
    const isFree = tested.includes(name) && types.includes('string') && node.enum === undefined;
    return isFree && clausesOn(String(status), parameterTexts(parameter)).length > 0;
  });
}

/** Whether an earlier step of the sequence has deleted a record. */
function isDeleted(
  { earlier, contract }: CheckInput,
  { collection, identifier }: Resource,
  value: JsonValue,
): boolean {
  return earlier.some(({ case: { operation }, sent, exchange: { response } }) => {
    const role = roleOf(contract, operation);
    return (
      role?.action === 'delete' &&
      role.resource.collection === collection &&
      isSuccess(response?.status ?? 0) &&
      sameIdentifier(argumentNamed(sent, identifier.parameter), value)
    );
  });
}

/**
 * Whether a create is refused as in conflict with what is there (RFC 9110, section 15.5.10), or any
 * write with the status of which the words say that a value is taken, and tests a text that is not
 * the run's own: others may have a record with it.
 */
export function mayBeTaken(
  { contract, operation, case: tried, sent }: CheckInput,
  status: number,
): boolean {
  const role = roleOf(contract, operation);
  const isConflict = status === 409 && role?.action === 'create';
  const schema = status === 400 || status === 422 ? mediaOf(tried)?.schema : undefined;
  const unique = schema && uniqueInChange(operation, schema, role?.resource.operations.create);
  const { body } = sent;
  return (partsBesideControl(tried) ?? []).some((part) => {
    const text = memberOf(body, part);
    const isUnique = unique?.some(({ name }) => name === part) === true;
    return (isConflict || isUnique) && typeof text === 'string' && !isUnguessable(text);
  });
}

/**
 * Whether a request tests a reference with an edge value of its schema, which names no record, or
 * tests nothing of it, since a known record stands where the value of the test stood.
 */
export function invents(
  { contract, operation, sent, knowledge, case: tried }: CheckInput,
  { rigour }: ValidIntent,
): boolean {
  const tested = (partsBesideControl(tried) ?? []).map((part) => part.split('.').at(-1) ?? '');
  if (!tested.some(isReference)) return false;
  const isTested = (name: string): boolean => tested.includes(name);
  const named = referencesIn(contract, operation, sent, (name) =>
    isTested(name) ? namedResource(contract, name) : undefined,
  );
  const isKnown = named.some(({ resource, value }) =>
    knowledge.records.has(`${resource.collection} ${String(value)}`),
  );
  return rigour === 'exotic' || isKnown;
}

/**
 * Another client may have deleted a record that the run did not just create; if it could not be
 * read either, another check reports it.
 */
export function isAboutRecord(subject: CheckInput, status: number): boolean {
  if (status !== 404 && status !== 410) return false;
  if (mayBeMissing(subject)) return true;
  const { contract, earlier } = subject;
  const { request } = subject.case;
  const foreign = request.arguments.some(
    ({ source, parameter }) =>
      parameter.in === 'path' && source.kind !== 'created' && source.kind !== 'listed',
  );
  const lost = earlier.some(
    (step) =>
      roleOf(contract, step.case.operation)?.action === 'read' &&
      step.exchange.response?.status === status,
  );
  return foreign || lost;
}

/**
 * Whether a read asks for one record by a value of one of its members, which it need not have:
 * `GET /files/{path}?type=directory`.
 */
export function asksForOther({ contract, operation, case: tried }: CheckInput): boolean {
  const { resource, action } = roleOf(contract, operation) ?? {};
  if (resource === undefined || action !== 'read') return false;
  const { properties } = resource.record.flatten();
  return (partsBesideControl(tried) ?? []).some((part) => properties.has(part));
}

/**
 * Whether the operation says beside a status when a part is refused with it: `It has either a or b;
 * none of them is a 422`, `As draft or active (422 for others)`.
 */
export function isTold(
  { operation, case: tried }: CheckInput,
  status: number,
  tested: readonly string[],
): boolean {
  const told = sentencesBeside(operation, String(status));
  const schema = mediaOf(tried)?.schema;
  return tested.some((part) => {
    const place = schema?.flatten().properties.get(part);
    const listed = (place && schema?.flatten(place).node.enum) ?? [];
    return [part, ...listed].some((name) => told.some((text) => mentions(text, String(name))));
  });
}

/**
 * Whether what differs from the control is in an item of a list, and the refusal names nothing or
 * another part too: all items may have to fit, as the lines of an entry balance, or the members of
 * one, as an operator and its value.
 */
export function isAmongItems(tried: CheckInput['case'], named: readonly NamedPart[]): boolean {
  const own = scalarsOf(tried);
  const usual = scalarsOf({ request: controlOf(tried) ?? tried.request });
  const other = [...new Set([...own.keys(), ...usual.keys()])].filter(
    // The mark of a request may differ.
    (at) =>
      own.get(at) !== usual.get(at) &&
      (inItem.test(at) || typeof (own.get(at) ?? usual.get(at)) !== 'string'),
  );
  return (
    other.length > 0 &&
    other.every((at) => inItem.test(at)) &&
    (named.length === 0 || named.some(({ path }) => other.every((at) => pathOf(at) !== path)))
  );
}

/** A place in an item of a list that is an object. */
const inItem = /\/\d+\//;

function scalarsOf(testCase: Pick<CheckInput['case'], 'request'>): ReadonlyMap<string, JsonValue> {
  const members = membersOf(Object.fromEntries(partsOf(testCase)), deepestNumber);
  return new Map(
    members.flatMap(({ at, value }) => (typeof value === 'object' ? [] : [[at, value] as const])),
  );
}

/** A batch of entries with lines. */
const deepestNumber = 8;
