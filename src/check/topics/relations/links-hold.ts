import { draftCase, draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { type Draft, requestOf } from '../../plan/draft.ts';
import { makeSequence, type Sequence } from '../../model/case.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { plainName, singularOf } from '../../../contract/infer/infer-names.ts';
import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import { successSchema } from '../../../contract/infer/conventions/envelope-styles.ts';
import { check } from '../check.ts';
import { planAffordances } from './plan-affordances.ts';
import { readAddress } from '../../../contract/infer/read-address.ts';
import type { Resource, Operation, Contract } from '../../../contract/model.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import { isSuccess } from '../../../http/message.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonArray, isJsonObject, memberOf } from '../../../json/value.ts';
import type { CheckInput, Violation } from '../../model/knowledge.ts';
import { hasSuccess, isSafe, roleOf, showValue, type Step } from '../../model/step.ts';
import { identifierOf } from '../../reading/created-record.ts';
import { sameIdentifier } from '../../reading/list-page.ts';
import { linksIn, relationsTo } from '../../reading/record-links.ts';
import { identifierAt, listedRecords, shownRecord } from '../../reading/shown-records.ts';
import { namesChange } from '../../../contract/words/names.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import type { Related, RelationFault } from '../../reading/related.ts';
import { bodySchema } from '../../../contract/model/operation.ts';
import { editShown, type ShowingPlace, showingPlaces } from '../../mutants/open-bodies.ts';
import { mutantsOf } from '../../mutants/kind.ts';
import type { Mutator } from '../../mutants/mutant.ts';

/** Links of a record in HAL lead where they say, and agree with what its state allows. */
export const linksHold = check({
  id: 'links-hold',
  basis: 'inferred',
  harm: 'results',
  rule:
    'Links of a record lead to what they name, and it embeds what belongs to it. Where its links ' +
    'show which operations its state allows, one with a link is accepted, one without refused.',
  reason:
    'A client in HAL offers its user what the links offer: a link too many is a button that ' +
    'fails, and an operation that is accepted without one is a rule that nobody keeps.',
  example: [
    '> GET /orders/7',
    '< {"status": "paid", "_links": {"self": {"href": "/orders/7"}}}',
    '> POST /orders/7/cancel   (refused with 409 for other orders without the link `cancel`)',
    '< 200 OK',
  ],
  plan: [
    { at: 'values', each: planEntryLinks },
    { at: 'stories', made: planAffordances },
  ],
  mutants: [() => halLinkMutants],
  relations: { 'as-linked': otherThanLinked },
  inspect: wrongShown,
});

/**
 * The links of answers that are no records, such as an entry point in HAL: those that the contract
 * requires and whose relation names a collection are followed.
 */
function planEntryLinks(context: PlanContext, entry: Draft): Sequence[] {
  const { operation, names, role } = entry;
  if (operation.method !== 'GET' || names.length > 0 || role !== undefined) return [];
  const title = 'a plain request, to see its links';
  const cases = requiredLinks(operation).flatMap((relation) => {
    const list = context.contract.resources.find(
      ({ collectionPath, parents, operations }) =>
        parents.length === 0 &&
        operations.list !== undefined &&
        singularOf(plainName(lastWord(collectionPath))) === singularOf(plainName(relation)),
    )?.operations.list;
    const draft = draftOf(context, list);
    if (draft === undefined) return [];
    const expression = `$response.body#${joinPointer('/_links', relation, 'href')}`;
    return draftCase(draft, {
      title: `the link ${relation} is followed`,
      request: {
        ...requestOf(draft, 'known'),
        address: { step: title, operation: operation.id, expression },
      },
      relation: { rule: 'leads', of: [title], field: relation },
      optional: true,
    });
  });
  const first = draftCase(entry, { title, record: 'known' });
  return cases.length === 0 ? [] : [makeSequence(first, ...cases)];
}

/** The relations that the `_links` of an answer must have. */
function requiredLinks(operation: Parameters<typeof successSchema>[0]): string[] {
  const schema = successSchema(operation);
  const place = schema?.flatten().properties.get('_links');
  if (schema === undefined || place === undefined) return [];
  return [...schema.flatten(place).required];
}

/** A record in HAL that an answer shows, and the resource of which it is one. */
interface ShownRecord {
  readonly subject: CheckInput;
  readonly resource: Resource;
  readonly record: JsonObject;
}

/** What is wrong with the links and the embedded records that an answer shows. */
function wrongShown(subject: CheckInput): Violation[] | undefined {
  const resource = roleOf(subject.contract, subject.operation)?.resource;
  const isShown = hasSuccess(subject);
  if (resource === undefined || !isShown) return undefined;
  if (protocolsOf(subject.contract, resource).hal === undefined) return undefined;
  const one = shownRecord(resource, subject.answer);
  const shown = listedRecords(resource, subject.answer) ?? (one === undefined ? [] : [one]);
  return shown.flatMap((record) => {
    const it = { subject, resource, record };
    return [...otherParent(it), ...otherThanSent(it), ...otherEmbedded(it)].slice(0, 1);
  });
}

/**
 * A link to the parent that leads to another one than that below which the record stands. Only
 * below records that the run made, whose identifiers no service writes in two ways.
 */
function otherParent({ subject, resource, record }: ShownRecord): Violation[] {
  const { sent, case: testCase } = subject;
  return resource.parents.flatMap(({ parameter, resource: parent }): Violation[] => {
    const given = testCase.request.arguments.find((one) => one.parameter.name === parameter);
    const isOwn = ['created', 'made', 'own'].includes(given?.source.kind ?? '');
    const expected = given && sent.arguments.get(given.parameter);
    if (parent === undefined || expected === undefined || !isOwn) return [];
    const word = singularOf(lastWord(parent.collectionPath));
    return misled({ record, resource: parent, name: word, expected }, (relation, identifier) => ({
      at: resource.record.pointer,
      message:
        `The link ${relation} of a record below ${word} ${showValue(expected)} leads to ` +
        `${word} ${identifier}.`,
    }));
  });
}

/** A link of a new record that leads to another one than the request named under its name. */
function otherThanSent({ subject, resource, record }: ShownRecord): Violation[] {
  const { body } = subject.sent;
  if (roleOf(subject.contract, subject.operation)?.action !== 'create') return [];
  if (!isJsonObject(body)) return [];
  return Object.entries(body).flatMap(([name, value]): Violation[] => {
    const target = subject.contract.resources.find(
      (one) => typeof value === 'string' && identifierAt(one, value) !== undefined,
    );
    const expected = target && typeof value === 'string' ? identifierAt(target, value) : undefined;
    if (target === undefined || expected === undefined) return [];
    return misled({ record, resource: target, name, expected }, (relation, identifier) => ({
      at: resource.record.pointer,
      message:
        `The link ${relation} of a new record leads to ${identifier}; it was ` +
        `created with ${showValue(value)}.`,
    }));
  });
}

/** What the links of one relation should lead to. */
interface LinkTarget {
  readonly record: JsonObject;
  readonly resource: Resource;
  readonly name: string;
  readonly expected: JsonValue;
}

/** The links of a relation with this name that lead to other records of a resource. */
function misled(
  { record, resource, name, expected }: LinkTarget,
  tell: (relation: string, identifier: string) => Pick<Violation, 'at' | 'message'>,
): Violation[] {
  return (linksIn(record) ?? [])
    .filter(({ relation }) => plainName(relation) === plainName(name))
    .flatMap(({ relation, href }) => {
      const identifier = identifierAt(resource, href);
      if (identifier === undefined || sameIdentifier(identifier, expected)) return [];
      const actual = showValue(identifier);
      const told = tell(relation, actual);
      return {
        ...told,
        expected: `a link to ${showValue(expected)}`,
        actual,
        cause: `link ${relation}`,
      };
    });
}

/** An embedded record that stands below another one, or fewer than the record counts. */
function otherEmbedded({ subject, resource, record }: ShownRecord): Violation[] {
  const embedded = record['_embedded'];
  const own = identifierOf(resource, subject) ?? record[resource.identifier.field];
  if (own === undefined || !isJsonObject(embedded)) return [];
  const known = protocolsOf(subject.contract, resource).hal?.embedded ?? [];
  return known.flatMap(({ relation, child }): Violation[] => {
    const parts = embedded[relation];
    if (!isJsonArray(parts)) return [];
    const at = resource.record.pointer;
    const other = parts
      .map((part) => parentIn(child, part))
      .find((parent) => parent !== undefined && !sameIdentifier(parent, own));
    if (other !== undefined)
      return [
        {
          at,
          message:
            `The record ${showValue(own)} embeds one of ${relation} whose own link is below ` +
            `${showValue(other)}.`,
          expected: `only ${relation} below ${showValue(own)}`,
          actual: `one below ${other}`,
          cause: `embedded ${relation}`,
        },
      ];
    const count = resource.counts.find((one) => one.child === child && one.isExact);
    const counted = count && record[count.field];
    if (count === undefined || typeof counted !== 'number' || parts.length === 0) return [];
    return counted === parts.length || counted > fewParts
      ? []
      : [
          {
            at,
            message:
              `The record ${showValue(own)} embeds ${String(parts.length)} of ${relation}; its ` +
              `${count.field} is ${String(counted)}.`,
            expected: `${String(counted)} of ${relation}`,
            actual: String(parts.length),
            cause: `count of embedded ${relation}`,
          },
        ];
  });
}

/** A record may embed the first of many parts; of a few it has all. */
const fewParts = 3;

/** The identifier of the record below which the own link of an embedded one stands. */
function parentIn({ itemPath = '', parents }: Resource, part: JsonValue): string | undefined {
  const self = (linksIn(part) ?? []).find(({ relation }) => relation === 'self');
  const above = parents.at(-1);
  return self && above && readAddress(itemPath, self.href)?.get(above.segment);
}

/** An operation on a record right after a read of it. */
interface Trial {
  readonly operation: Operation;
  readonly read: Step;
  readonly step: Step;
  /** The first read of the record after it. */
  readonly after: Step | undefined;
  readonly isLinked: boolean;
  readonly isAccepted: boolean;
}

/**
 * The fewest trials that agree with the links, and operations of which they show both, before one
 * that does not is a fault; `certain`: also if the operation is refused in no state at all.
 */
const fewest = { trials: 8, operations: 2, certain: 3 } as const;

/**
 * Operations that the links of a record contradict, where those of the others show what its state
 * allows: each other one is accepted where the record links to it, and gets 409 where not.
 */
function otherThanLinked({ subject, resource }: Related): RelationFault[] | undefined {
  if (resource === undefined) return undefined;
  const byOperation = [...Map.groupBy(trialsIn(subject), ({ operation }) => operation)];
  const all = byOperation.map(([operation, trials]): Tried => ({
    operation,
    agreeing: trials.filter(({ isLinked, isAccepted }) => isLinked === isAccepted),
    contrary: trials.filter(({ isLinked, isAccepted }) => isLinked !== isAccepted),
  }));
  const accused = all.filter(({ contrary }) => contrary.length > 0);
  const [first] = accused;
  if (first === undefined) return [];
  // Several operations at one address have one link.
  const isOne = accused.every(({ operation }) => operation.path === first.operation.path);
  const others = all.filter(({ operation }) => operation.path !== first.operation.path);
  const told = others.filter(
    ({ agreeing }) =>
      agreeing.some(({ isLinked }) => isLinked) && agreeing.some(({ isLinked }) => !isLinked),
  );
  const count = others.reduce((sum, { agreeing }) => sum + agreeing.length, 0);
  if (!isOne || told.length < fewest.operations || count < fewest.trials) return [];
  const isCertain = told.length >= fewest.certain;
  return accused
    .flatMap((tried) => faultOf(subject, resource, { ...tried, isCertain }))
    .slice(0, 1);
}

interface Tried {
  readonly operation: Operation;
  readonly agreeing: readonly Trial[];
  readonly contrary: readonly Trial[];
}

function faultOf(
  subject: CheckInput,
  resource: Resource,
  { operation, agreeing, contrary, isCertain }: Tried & { readonly isCertain: boolean },
): RelationFault | RelationFault[] {
  const [offered] = contrary.filter(({ isLinked }) => isLinked);
  const at = { operation, at: operation.pointer };
  if (offered !== undefined)
    return {
      message:
        `The server answered 409 to ${operation.id}, to which the record had a link; the links ` +
        'to its other operations show what its state allows.',
      expected: 'no link to what the state of the record does not allow',
      actual: '409',
      cause: `linked ${operation.id}`,
      ...at,
    };
  const [taken] = contrary.filter((trial) => !trial.isLinked && hasEffect(resource, trial));
  const isRefused = isCertain || agreeing.some(({ isLinked }) => !isLinked);
  if (taken === undefined || !isRefused || !isEverLinked(subject, resource, operation)) return [];
  const status = String(taken.step.exchange.response?.status ?? '');
  return {
    message:
      `The server accepted (${status}) ${operation.id} of a record without a link to it, which ` +
      'records have in other states.',
    expected: 'a refusal, as in other states without that link',
    actual: status,
    cause: `not linked ${operation.id}`,
    ...at,
  };
}

/** Each operation of the sequence that depended on a link of the read before it. */
function trialsIn({ earlier, contract }: CheckInput): Trial[] {
  return earlier.flatMap((step, at): Trial[] => {
    const { operation, request } = step.case;
    const { linked } = request;
    const status = step.exchange.response?.status ?? 0;
    const from = earlier.findLastIndex(({ case: { title } }) => title === linked?.step);
    const read = earlier[from];
    const isKnown = isSuccess(status) || status === 409;
    if (linked === undefined || read === undefined || !isKnown) return [];
    const after = earlier.slice(at + 1).find((one) => readsAgain(one, read));
    const isFresh =
      !earlier.slice(from + 1, at).some(isChange) || relationsOf(read) === relationsOf(after);
    if (!isFresh) return [];
    const isAccepted = isSuccess(status);
    return roleOf(contract, read.case.operation) === undefined
      ? []
      : [{ operation, read, step, after, isLinked: linked.is, isAccepted }];
  });
}

function readsAgain(one: Step, read: Step): boolean {
  const isSame = one.exchange.request.target === read.exchange.request.target;
  return isSame && one.case.operation === read.case.operation;
}

function relationsOf(step: Step | undefined): string {
  const links = step && linksIn(jsonOf(step.answer));
  return (links ?? []).map(({ relation }) => relation).join(' ');
}

function isChange({ case: { operation }, exchange }: Step): boolean {
  return hasSuccess({ exchange }) && !isSafe(operation);
}

/**
 * Whether an accepted operation did something besides moving the moment of the last change: a
 * repetition that does nothing may be accepted in any state (RFC 9110, section 9.2.2).
 */
function hasEffect(resource: Resource, { read, after, operation }: Trial): boolean {
  if (after === undefined || operation.method === 'DELETE') return true;
  const [before, later] = [read, after].map((step) => shownRecord(resource, step.answer) ?? {});
  if (before === undefined || later === undefined) return false;
  const names = new Set([...Object.keys(before), ...Object.keys(later)]);
  return [...names].some(
    (name) =>
      !name.startsWith('_') &&
      !namesChange(plainName(name)) &&
      !equalJson(before[name] ?? null, later[name] ?? null),
  );
}

/** Whether some record that the sequence showed has a link to an operation. */
function isEverLinked(subject: CheckInput, resource: Resource, operation: Operation): boolean {
  const except = new Set(
    subject.earlier.flatMap(({ case: { operation: own, request } }) =>
      own === operation ? (request.linked?.except ?? []) : [],
    ),
  );
  const shown = [...subject.earlier, subject].flatMap(({ answer }) => [
    jsonOf(answer) ?? null,
    ...(listedRecords(resource, answer) ?? []),
  ]);
  return shown
    .filter(isJsonObject)
    .some((record) =>
      relationsTo(operation, linksIn(record) ?? []).some((relation) => !except.has(relation)),
    );
}

const mutant = mutantsOf('state');

interface RelationPlace extends ShowingPlace {
  readonly relation: string;
}

/** The relations that the `_links` of a record in HAL must have. */
function requiredRelations({ record }: Resource): readonly string[] {
  const place = record.flatten().properties.get('_links');
  return place === undefined ? [] : [...record.flatten(place).required];
}

/** The resources whose records have links in HAL, and which clients create. */
function inHal(contract: Contract): Resource[] {
  return contract.resources.filter(
    (one) => one.operations.create !== undefined && protocolsOf(contract, one).hal !== undefined,
  );
}

/** Answers with records that link to the one below which they stand. */
function toParents(contract: Contract): RelationPlace[] {
  return inHal(contract).flatMap((resource) => {
    const parent = resource.parents.at(-1)?.resource;
    const word = parent && plainName(singularOf(lastWord(parent.collectionPath)));
    return requiredRelations(resource)
      .filter((relation) => plainName(relation) === word)
      .flatMap((relation) => showingPlaces(resource).map((place) => ({ ...place, relation })));
  });
}

/** Creates whose record links to what their body names by an address. */
function toSent(contract: Contract): RelationPlace[] {
  return inHal(contract).flatMap((resource) => {
    const { create } = resource.operations;
    const schema = create && bodySchema(create);
    if (create === undefined || schema === undefined) return [];
    return requiredRelations(resource).flatMap((relation) => {
      const place = schema.flatten().properties.get(relation);
      const isText = place !== undefined && schema.part(place).flatten().types.includes('string');
      return isText ? [{ operation: create, resource, relation }] : [];
    });
  });
}

/** A record whose link of a relation leads to another one; undefined if it has no such link. */
function leadingElsewhere(record: JsonObject, relation: string): JsonObject | undefined {
  const links = record['_links'];
  const link = memberOf(links, relation);
  if (!isJsonObject(links)) return undefined;
  if (!isJsonObject(link) || typeof link['href'] !== 'string') return undefined;
  const href = link['href'].replace(/[^/]+$/, otherName);
  return { ...record, _links: { ...links, [relation]: { ...link, href } } };
}

/** Another identifier in the form of one. */
function otherName(name: string): string {
  return /^\d{1,15}$/.test(name) ? String(Number(name) + 1) : `${name}-other`;
}

const elsewhere = (body: JsonValue, place: RelationPlace): JsonValue | undefined =>
  editShown(body, place, (record) => leadingElsewhere(record, place.relation));

/** Mutations of the links of records in HAL. */
const halLinkMutants: readonly Mutator[] = [
  mutant('links-other-parent', {
    rule: 'The link of a record to the one below which it stands leads to another one.',
    where: toParents,
    says: ({ relation }) => `shows a link ${relation} to another one`,
    body: elsewhere,
  }),
  mutant('links-other-than-sent', {
    rule: 'A new record links to another one than its create named.',
    where: toSent,
    says: ({ relation }) => `links to another ${relation} than was sent`,
    body: elsewhere,
  }),
];
