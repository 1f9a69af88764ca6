import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import { recordFields } from '../../../contract/infer/record-fields.ts';
import type { Operation, Resource } from '../../../contract/model.ts';
import { bodySchema } from '../../../contract/model/operation.ts';
import { memberSchema } from '../../../contract/schema/member-schema.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonObject, memberOf, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { type ListPage, pageOf, sameIdentifier } from '../../reading/list-page.ts';
import { createdIdentifier, creatorKey, foundInstead } from '../../reading/created-record.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import type { CheckInput, Violation } from '../../model/knowledge.ts';
import { roleOf, hasSuccess } from '../../model/step.ts';
import { check } from '../check.ts';
import { fieldSays } from '../../../contract/words/facts.ts';
import { repeatKeys } from '../../../contract/words/read-repeats.ts';
import { editBodies } from '../../mutants/edit-service.ts';
import { mutantsOf } from '../../mutants/kind.ts';
import { editFieldsShown } from '../../mutants/open-bodies.ts';
import type { Mutator } from '../../mutants/mutant.ts';
import { shownActions } from '../../mutants/state-edits.ts';

/**
 * No two records have the same identifier, neither in a page nor among those that the run created.
 */
export const idsAreUnique = check({
  id: 'ids-are-unique',
  basis: 'inferred',
  harm: 'results',
  rule:
    'Every record has a unique identifier, within a list and among all created records, ' +
    'also among those that are created in parallel. Where the path of an item names its parent, ' +
    'within that parent.',
  reason: 'Two records with one identifier overwrite each other in every cache, list and link.',
  example: ['> POST /items', '< {"id": 7}', '> POST /items', '< {"id": 7}'],
  confirm: 'once',
  needs: ['creators', 'makers'],
  actions: ['list', 'create'],
  mutants: [() => identifierMutants],
  inspect(subject) {
    if (subject.case.intent.kind === 'identity') return undefined;
    const page = pageOf(subject, subject);
    if (page !== undefined)
      return showsSeveralParents(subject, page) ? undefined : inspectPage(page);
    const role = roleOf(subject.contract, subject.operation);
    return subject.case.intent.kind !== 'method' && role?.action === 'create' && hasSuccess(subject)
      ? [
          ...(showsSeveralParents(subject, role) ? [] : inspectCreate(subject, role.resource)),
          ...sharedNumbers(subject, role.resource),
        ]
      : undefined;
  },
});

/**
 * Whether a list, or a create, may be about records of several parents, below each of which an
 * identifier is unique: the path of an item names more than that of the operation and the record.
 */
function showsSeveralParents(
  { contract, operation }: CheckInput,
  { resource }: Pick<ListPage, 'resource'>,
): boolean {
  const count = (path = ''): number => path.split('{').length - 1;
  const word = lastWord(resource.collectionPath);
  const items = [resource, ...contract.resources].filter(
    ({ collectionPath }) => lastWord(collectionPath) === word,
  );
  return items.some(({ itemPath }) => count(itemPath) > count(operation.path) + 1);
}

function inspectPage({ resource, records, places }: ListPage): Violation | Violation[] {
  // Each record is at its own path.
  if (places.size === records.length) return [];
  const { field } = resource.identifier;
  const seen = new Map<string, JsonObject>();
  for (const record of records) {
    // What is null names nothing.
    const identifier = String(record[field] ?? undefined);
    const other = identifier === 'undefined' ? undefined : seen.get(identifier);
    // Where no path takes the identifier, the entries of a log may name one record each time.
    const isOther = resource.itemPath === undefined && !equalJson(other ?? null, record);
    if (other !== undefined && !isOther)
      return violation(
        resource,
        `A list holds two records whose ${field} is ${identifier}.`,
        identifier,
      );
    seen.set(identifier, record);
  }
  return [];
}

function inspectCreate(
  { knowledge, answer, exchange, sent, operation, case: testCase }: CheckInput,
  resource: Resource,
): Violation[] {
  const identifier = createdIdentifier(resource, { answer, exchange, sent });
  const key = creatorKey(resource, identifier, { operation, sent });
  const creators = knowledge.creators.get(key) ?? [];
  const own = creators.findIndex((creator) => creator.sent === sent);
  const { field } = resource.identifier;
  // A repeated create with the same values may return the existing record, whatever identifier is
  // sent with them; and the identifier of a deleted record may be used again.
  const other =
    creators[own]?.deleted === true
      ? undefined
      : creators
          .slice(0, Math.max(0, own))
          .find(
            (creator) =>
              creator.deleted !== true &&
              creator.id !== testCase.id &&
              !equalJson(without(creator.sent.body, field), without(sent.body, field)) &&
              !isRepetition(operation, creator.sent.body, sent.body),
          );
  const [before, now] = [other?.sent.body, sent.body].map((body) => memberOf(body, field));
  // The client is responsible for an identifier that it chose, however the server writes it.
  const isChosen =
    [before, now].some((given) => sameIdentifier(given, identifier)) ||
    (now !== undefined && sameIdentifier(before, now));
  if (identifier === undefined || other === undefined || isChosen) return [];
  if (foundInstead({ case: testCase, exchange }, knowledge.makers)) return [];
  const given =
    before === undefined || now === undefined
      ? ''
      : `, and ${String(before)} and ${String(now)} were sent`;
  return [
    violation(
      resource,
      `Two creates returned the same ${field}: ${String(identifier)}${given}.`,
      String(identifier),
    ),
  ];
}

/** Whether two bodies share the value that marks a repetition, as the document says. */
function isRepetition(
  operation: Operation,
  before: JsonValue | undefined,
  now: JsonValue | undefined,
): boolean {
  const schema = bodySchema(operation);
  if (schema === undefined || !isJsonObject(before) || !isJsonObject(now)) return false;
  return repeatKeys(operation, schema).some(
    ({ name }) => typeof now[name] === 'string' && before[name] === now[name],
  );
}

/** A body apart from one of its members. */
function without(body: JsonValue | undefined, field: string): JsonValue {
  if (!isJsonObject(body)) return body ?? null;
  const { [field]: _, ...rest } = body;
  return rest;
}

/**
 * A value that the server chose for two records of a sequence, in a read-only field that its
 * description calls unique: `number is 2026-0007`.
 */
function sharedNumbers(subject: CheckInput, resource: Resource): Violation[] {
  const record = shownRecord(resource, subject.answer);
  const others = subject.earlier
    .filter((step) => step.case.operation === subject.operation && hasSuccess(step))
    .map((step) => shownRecord(resource, step.answer))
    .filter((one) => one !== undefined);
  const { field: identifier } = resource.identifier;
  const request = bodySchema(subject.operation);
  return recordFields(resource.record).flatMap(({ name, flat, place }) => {
    const value = record?.[name];
    // A body that declares the field for itself may give two records one value.
    const { node } = (request && memberSchema(request, [name])) ?? flat;
    const isUnique = node.readOnly === true && fieldSays(flat, 'unique');
    const other = isUnique
      ? others.find(
          (one) =>
            equalJson(one[name] ?? null, value ?? null) &&
            !sameIdentifier(one[identifier], record?.[identifier]),
        )
      : undefined;
    if (other === undefined || value === undefined || value === null) return [];
    return {
      at: place.pointer,
      message: `Two creates returned the same ${name}: ${String(value)}.`,
      expected: `a unique ${name} for every record`,
      actual: `${name} ${String(value)} twice`,
      cause: `shared ${name}`,
    };
  });
}

function violation(resource: Resource, message: string, identifier: string): Violation {
  const { field } = resource.identifier;
  const property = resource.record.flatten().properties.get(field);
  return {
    at: property?.pointer ?? resource.record.pointer,
    message,
    expected: `a unique ${field} for every record`,
    actual: `${field} ${identifier} twice`,
  };
}

/** Identifiers that come twice. */
const identifierMutants: readonly Mutator[] = [
  mutantsOf('state')('repeats-ids', {
    rule: 'Two creates return the same identifier.',
    where: (contract) => shownActions(contract, 'create'),
    says: 'gives an identifier twice',
    act: (place) => (service, fired) => {
      const { field } = place.resource.identifier;
      let first: JsonValue | undefined;
      return editBodies(service, fired, {}, (body) =>
        editFieldsShown(body, place, (shown) => {
          const given = shown[field];
          if (given === undefined) return undefined;
          if (first !== undefined) return { ...shown, [field]: first };
          first = given;
          return undefined;
        }),
      );
    },
  }),
];
