import { isKeyParameter } from '../../contract/protocols/chosen-name.ts';
import type { Operation, Parameter, Resource } from '../../contract/model.ts';
import { lastParameter, lastWord } from '../../contract/infer/conventions/path-styles.ts';
import { plainName, singularOf } from '../../contract/infer/infer-names.ts';
import { isTrial } from '../../contract/protocols/trial.ts';
import { headerValue } from '../../http/message.ts';
import { isJsonObject, memberOf, type JsonValue } from '../../json/value.ts';
import type { CheckInput } from '../model/knowledge.ts';
import { sameIdentifier } from './list-page.ts';
import { argumentNamed } from './find-request-fault.ts';
import { type Answer, roleOf, type Step, isUnguessable, hasSuccess } from '../model/step.ts';
import type { Case } from '../model/case.ts';
import { jsonOf } from './read-answer.ts';
import { identifierAt, shownRecord } from './shown-records.ts';

/** A record that an earlier step of a sequence created, or deleted. */
export interface EarlierRecord {
  readonly resource: Resource;
  readonly step: Step;
  readonly identifier: JsonValue;
}

/**
 * The record that the sequence created last, unless a later step replaced, updated or deleted it.
 */
export function unchangedCreated(subject: CheckInput): EarlierRecord | undefined {
  const created = createdEarlier(subject);
  if (created === undefined) return undefined;
  const { replace, update, delete: remove } = created.resource.operations;
  const acts = subject.contract.inference.actions.filter(({ sets }) => sets !== undefined);
  const changes: unknown[] = [replace, update, remove, ...acts.map(({ operation }) => operation)];
  return subject.earlier.some(
    (step) =>
      step !== created.step &&
      (changes.includes(step.case.operation) || changesElsewhere(step, created.identifier)),
  )
    ? undefined
    : created;
}

/** Whether a case creates a record of a resource: also by putting it under a name of the run. */
export function creates(
  { operations, namedCreate, identifier }: Resource,
  testCase: Case,
): boolean {
  const { operation, request } = testCase;
  if (operation === operations.create) return true;
  return (
    operation === namedCreate &&
    request.arguments.some(
      ({ parameter, source }) =>
        parameter.name === identifier.parameter &&
        source.kind === 'value' &&
        isUnguessable(source.value),
    )
  );
}

/**
 * Whether a step changes a record with an identifier by any path that ends in it: the same record
 * may be created below a parent, and be changed under a path of its own.
 */
function changesElsewhere({ case: { operation }, sent }: Step, identifier: JsonValue): boolean {
  if (!['PUT', 'PATCH', 'DELETE'].includes(operation.method)) return false;
  const own = lastParameter(operation.path);
  const last = operation.parameters.find(({ in: at, name }) => at === 'path' && name === own);
  return last !== undefined && sameIdentifier(sent.arguments.get(last), identifier);
}

function createdEarlier({ contract, operation, earlier }: CheckInput): EarlierRecord | undefined {
  if (earlier.length === 0) return undefined;
  const resource = roleOf(contract, operation)?.resource;
  if (resource === undefined) return undefined;
  const makes = (candidate: Case): boolean => {
    const maker = roleOf(contract, candidate.operation)?.resource;
    return maker?.collection === resource.collection && creates(maker, candidate);
  };
  const step = earlier.findLast((candidate) => makes(candidate.case) && hasSuccess(candidate));
  const identifier = step && createdIdentifier(resource, step);
  return step === undefined || identifier === undefined
    ? undefined
    : { resource, step, identifier };
}

/**
 * Whether a list request only searches for a new record: other cases test its parameters, and their
 * refusals show more.
 */
export function isLookup(subject: CheckInput): boolean {
  return (
    roleOf(subject.contract, subject.operation)?.action === 'list' &&
    createdEarlier(subject) !== undefined
  );
}

/**
 * The fields that a path already determines: a server may override or refuse another value in the
 * body.
 */
export function namesInPath(...operations: readonly Operation[]): string[] {
  return operations.flatMap(({ parameters }) =>
    parameters.flatMap((parameter) => (parameter.in === 'path' ? parameter.name : [])),
  );
}

/**
 * Whether another create returned the same identifier, unless its record was deleted before, or
 * the create found the record instead of making it: then nothing else about the record proves
 * anything.
 */
export function wasCreatedTwice(subject: CheckInput): boolean {
  const created = createdEarlier(subject);
  if (created !== undefined && foundInstead(created.step, subject.knowledge.makers)) return true;
  const creators =
    created &&
    subject.knowledge.creators.get(
      creatorKey(created.resource, created.identifier, {
        operation: created.step.case.operation,
        sent: created.step.sent,
      }),
    );
  if (creators === undefined || creators.length < 2) return false;
  const own = creators.findIndex(({ sent }) => sent === created?.step.sent);
  // Many databases use the identifier of a deleted record again.
  const goneFirst = (at: number): boolean => creators[Math.min(at, own)]?.deleted === true;
  return creators.some((_one, at) => at !== own && !goneFirst(at));
}

/**
 * Whether a create says that it made nothing, and means the record that was there: it answers 200
 * or 204, and 201 where it makes one (RFC 9110, section 15.3.2), as the contract documents both, or
 * the run has seen it.
 *
 * @param makers the operations, by id, that have answered 201
 */
export function foundInstead(
  { case: { operation }, exchange: { response } }: Pick<Step, 'case' | 'exchange'>,
  makers: Pick<ReadonlySet<string>, 'has'>,
): boolean {
  const documents = (wanted: string): boolean =>
    operation.responses.some(({ status }) => status === wanted);
  const { status } = response ?? {};
  const isOther = status === 200 || status === 204;
  return isOther && ((documents('201') && documents(String(status))) || makers.has(operation.id));
}

/**
 * The key of a record among the created ones, whichever path of its collection made it. Where the
 * path of an item names what is above it, the records below each are counted apart: many services
 * number comments, versions and lines from 1 below each record.
 */
export function creatorKey(
  { name, itemPath, collection }: Resource,
  identifier: JsonValue | undefined,
  { operation, sent }: Pick<CheckInput, 'operation' | 'sent'>,
): string {
  const key = `${collection} ${String(identifier)}`;
  const above = operation.parameters
    // A PUT that makes a record names it at the end of its path.
    .filter(
      ({ in: location, name: parameter }) =>
        location === 'path' &&
        (operation.method === 'POST' || lastParameter(operation.path) !== parameter),
    )
    .sort((left, right) => placeIn(operation, left) - placeIn(operation, right));
  const isOwn = itemPath === undefined || itemPath.split('{').length - 2 >= above.length;
  if (above.length === 0 || collection !== name || !isOwn) return key;
  const names = above.map((one) => encodeURIComponent(String(sent.arguments.get(one))));
  return `${key} below ${names.join('/')}`;
}

function placeIn({ path }: Operation, { name }: Parameter): number {
  return path.indexOf(`{${name}}`);
}

/** What of a step shows which record a create made. */
interface CreateStep extends Pick<Step, 'answer' | 'sent' | 'found'> {
  readonly exchange: Pick<Step['exchange'], 'response'>;
}

/**
 * The identifier of the record that a create made: as the answer shows it, in the record, under the
 * name of the path parameter or at the end of `Location` (RFC 9110, section 10.2.2); otherwise the
 * name that the run made up for it, or as a list showed it afterwards.
 */
export function createdIdentifier(
  resource: Resource,
  { answer, exchange: { response }, sent, found }: CreateStep,
): JsonValue | undefined {
  if (found !== undefined) return found;
  // A create that is only to be validated makes no record.
  if (isTrial(sent.arguments)) return undefined;
  const { field } = resource.identifier;
  const identifier = shownRecord(resource, answer)?.[field] ?? namedInAnswer(resource, answer);
  if (isIdentifier(identifier)) return identifier;
  const location = response === undefined ? undefined : headerValue(response.headers, 'location');
  const located = location === undefined ? undefined : fromLocation(location, resource);
  const chosen = memberOf(sent.body, field) ?? keyOf(resource, sent);
  return located ?? (chosen !== undefined && isUnguessable(chosen) ? chosen : undefined);
}

/**
 * The member of an answer that has the name of the path parameter, or of the record with `id`
 * behind it: `{ "silenceID": … }`, `{ "model_id": … }`.
 */
function namedInAnswer(
  { identifier: { parameter = '' }, collectionPath }: Resource,
  answer: Answer,
): JsonValue | undefined {
  const value = jsonOf(answer);
  if (!isJsonObject(value)) return undefined;
  const word = singularOf(lastWord(collectionPath));
  const names = [plainName(parameter), `${word}id`, `${word}uuid`].filter((name) => name !== '');
  return Object.entries(value).find(
    ([name, member]) => names.includes(plainName(name)) && isIdentifier(member),
  )?.[1];
}

/**
 * What the record of a step is called: in the path that names it, otherwise in the response. A
 * parameter of the collection's path may have the same name: `{id}` of `/maps/{id}/spots` is a map.
 */
export function identifierOf(resource: Resource, step: Step): JsonValue | undefined {
  const { case: testCase, sent } = step;
  const { operation } = testCase;
  const { create, list } = resource.operations;
  const isOfCollection = operation === create || operation === list;
  const named = isOfCollection ? undefined : argumentNamed(sent, resource.identifier.parameter);
  return named ?? createdIdentifier(resource, step);
}

/** The name that a request gave a new record in its query, or in the path that it was put at. */
function keyOf(resource: Resource, sent: Pick<Step, 'sent'>['sent']): JsonValue | undefined {
  for (const [parameter, value] of sent.arguments)
    if (isKeyParameter(resource, parameter)) return value;
  const { identifier, parents } = resource;
  const isOfParent = parents.some(({ parameter }) => parameter === identifier.parameter);
  return isOfParent ? undefined : argumentNamed(sent, identifier.parameter);
}

function fromLocation(location: string, resource: Resource): JsonValue | undefined {
  const known = identifierAt(resource, location);
  if (known !== undefined) return known;
  if (namesCollection(location, resource)) return undefined;
  const { type } = resource.identifier;
  const last = /([^/?#]+)\/?(?:[?#].*)?$/.exec(location)?.[1];
  if (last === undefined) return undefined;
  if (type === 'integer') return /^-?\d{1,19}$/.test(last) ? BigInt(last) : undefined;
  try {
    return decodeURIComponent(last);
  } catch {
    return undefined;
  }
}

/** Whether an address, relative or not, ends in the path of the collection: `depots`, `/v1/depots`. */
function namesCollection(location: string, { collectionPath }: Resource): boolean {
  const [path = ''] = location.split(/[?#]/);
  const segments = (text: string): string[] =>
    text.split('/').filter((one) => one !== '' && one !== '.' && one !== '..');
  const [given, own] = [segments(path).toReversed(), segments(collectionPath).toReversed()];
  return (
    given.length > 0 &&
    own[0] === given[0] &&
    own.slice(0, given.length).every((one, at) => one.startsWith('{') || one === given[at])
  );
}

/** Whether a value can name a record. */
export function isIdentifier(value: JsonValue | undefined): value is JsonValue {
  return (
    (typeof value === 'string' && value !== '') ||
    typeof value === 'number' ||
    typeof value === 'bigint'
  );
}
