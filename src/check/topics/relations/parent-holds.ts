import { splitTarget } from '../../../http/target.ts';
import { membersOf } from '../../../json/body-members.ts';
import { planNamedRecords } from './plan-named-records.ts';
import { planRelations } from './plan-relations.ts';
import { isRefusal, isSuccess } from '../../../http/message.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonArray, isJsonObject, memberOf, objectOf } from '../../../json/value.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { sameIdentifier } from '../../reading/list-page.ts';
import { hasSuccess, requestPhrase, showValue, type Step } from '../../model/step.ts';
import { singleValues } from '../../reading/compare-records.ts';
import { namesNone } from '../../reading/next-page.ts';
import { listedRecords, shownRecord, recordShown } from '../../reading/shown-records.ts';
import { isMarked } from '../../reading/without-others.ts';
import type { Related, RelationFault, RelationFaults } from '../../reading/related.ts';
import { madeIdentifier, notRefused, otherStatus } from '../../reading/related.ts';
import type { Operation, Resource, Schema } from '../../../contract/model.ts';
import { documents } from '../../../contract/select-response.ts';
import { check } from '../check.ts';
import { notLeftOut, otherChild } from './own-kind.ts';
import { planOwnKind } from './plan-own-kind.ts';
import { unknownCode } from '../../../contract/words/error-codes.ts';
import { joinPointer } from '../../../json/pointer.ts';
import type { Sequence } from '../../model/case.ts';
import type { DraftWithBody } from '../../plan/make-create.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { creatorDraft, isMakeable, nameOf, Story } from '../../plan/story.ts';

/** Records belong to the one that they were created for, and references name records that exist. */
export const parentHolds = check({
  id: 'parent-holds',
  basis: 'contract',
  harm: 'results',
  rule:
    'A record is found below its own parent alone, a reference to a record that does not exist ' +
    'is refused and changes nothing, those that are named together are all shown, and a ' +
    'deletion treats the records that depend on it as documented.',
  reason:
    'A client that finds the records of one customer below another, or keeps a reference to ' +
    'nothing, shows wrong data or fails far from the cause.',
  example: [
    '> POST /boxes/1/items',
    '< {"id": 7, "boxId": 1}',
    '> GET /boxes/2/items/7',
    '< 200 OK',
  ],
  explains: [
    {
      // One reference that nothing looks up: creates and changes take any value of it.
      findings: ['parent-holds'],
      leads: ({ intent }) => intent['rule'] === 'refused' && typeof intent['field'] === 'string',
      explains: ({ root, intent }, other) =>
        other.root === root && other.cause === `refused ${String(intent['field'])}`,
    },
  ],
  plan: [
    { at: 'stories', all: planRelations },
    { at: 'stories', all: planNamedRecords },
    { at: 'stories', made: planSiblings },
    { at: 'stories', made: planOwnKind },
  ],
  mutants: [async () => (await import('./parent-mutants.ts')).parentMutants],
  covers: ['status-documented'],
  leavesOpen: ({ case: { intent } }) =>
    intent.kind === 'relation' && ['refused', 'missing', 'gone'].includes(intent.rule),
  relations: {
    refused: notRefusedInState,
    'not-listed': listedElsewhere,
    'listed-across': notListedAcross,
    missing: foundElsewhere,
    gone: notGone,
    'all-named': showsNotAll,
    'none-named': showsRefused,
    'reference-cleared': stillNamed,
    'own-child': otherChild,
    'left-out': notLeftOut,
  },
});

/**
 * A deletion that records in some states keep from being done, written `status=open|held` in the
 * intent: those in another state may go with it.
 */
function notRefusedInState(related: Related): readonly RelationFault[] | undefined {
  const { subject, intent, of } = related;
  const [field = '', expected] = (intent.field ?? '').split('=');
  const child = of.at(-1);
  const shown = child && recordShown(subject.contract, child)?.[field];
  const isKeeping = expected === undefined || expected.split('|').includes(String(shown));
  return isKeeping ? notRefused(related) : undefined;
}

/** A record in the list of another parent: the one that was created, or one that names a third. */
function listedElsewhere(related: Related): RelationFaults {
  const { subject, intent, of, status, resource } = related;
  const [created, other] = of;
  if (resource === undefined) return sentElsewhere(related);
  const records = resource && listedRecords(resource, subject.answer);
  const made = created && madeIdentifier(subject, created);
  if (!isSuccess(status) || resource === undefined || records === undefined || made === undefined)
    return undefined;
  const { field } = resource.identifier;
  const parent = other && madeIdentifier(subject, other);
  const alien = records.find((record) => {
    const named = intent.field === undefined ? undefined : singleValues(record, intent.field)[0];
    return (
      sameIdentifier(record[field], made) ||
      (named !== undefined && parent !== undefined && !sameIdentifier(named, parent))
    );
  });
  return alien === undefined
    ? []
    : alienIn(subject, `whose ${field} is ${showValue(alien[field])}`);
}

/** A list of the records of all parents that shows none, or is whole and lacks the new one. */
function notListedAcross({ subject, resource, of: [created], status }: Related): RelationFaults {
  const records = resource && listedRecords(resource, subject.answer);
  const made = created && madeIdentifier(subject, created);
  if (resource === undefined || made === undefined || status >= 500) return undefined;
  const isShown = (record: JsonObject): boolean =>
    sameIdentifier(record[resource.identifier.field], made);
  const isWhole = records?.length === 0 || namesNone(subject);
  if (isSuccess(status) && (records === undefined || !isWhole || records.some(isShown))) return [];
  return {
    message:
      `The server answered ${String(status)} to ${subject.case.title}` +
      (isSuccess(status) ? `: it lacks the record that was just created.` : '.'),
    expected: 'the records of all',
    actual: isSuccess(status) ? 'a list without it' : String(status),
    cause: 'not listed across',
  };
}

function alienIn({ case: { title } }: Related['subject'], which: string): RelationFault {
  return {
    message: `The server shows the record ${which} in ${title}, to which it does not belong.`,
    expected: 'a list without it',
    actual: 'a list with it',
  };
}

/** The same for what has no identifier: by a text of it that the run alone writes. */
function sentElsewhere({ subject, of: [added], status }: Related): RelationFaults {
  const sent = added?.sent.body;
  const own = isJsonObject(sent) ? Object.values(sent).filter(isMarked) : [];
  const body = jsonOf(subject.answer);
  const items = [body, ...Object.values(objectOf(body))].find(isJsonArray);
  if (!isSuccess(status) || items === undefined || own.length === 0) return undefined;
  const isAdded = (item: JsonValue): boolean =>
    isJsonObject(item) && Object.values(item).some((value) => own.includes(value));
  return items.some(isAdded) ? alienIn(subject, `with ${showValue(own[0])}`) : [];
}

function foundElsewhere({ subject, status }: Related): RelationFaults {
  if (!isSuccess(status) || makesOwn(subject, subject)) return [];
  if (isOwnPath(subject)) return undefined;
  return { ...otherStatus({ subject, status }, '404'), momentary: true };
}

/**
 * Whether a request made a record of its own at its path, where none was (RFC 9110, section 9.3.4;
 * RFC 5789, section 2). Without a documented 201, its success does not say whether it did.
 */
function makesOwn({ contract }: Related['subject'], step: Step): boolean {
  const { operation } = step.case;
  const status = step.exchange.response?.status ?? 0;
  const makes = contract.resources.some(({ namedCreate }) => namedCreate === operation);
  if (status === 201) return makes || operation.method === 'PUT';
  return makes && isSuccess(status) && !documents(operation, '201');
}

/**
 * Whether the path is the one at which the record was found, or at which a PUT has made one: where
 * two parents have the same identifier below different records, `/a/1/b/1/c/1` does not change with
 * the inner one.
 */
function isOwnPath(subject: Related['subject']): boolean {
  const { earlier, operation, sent, exchange } = subject;
  const isDeleted = earlier.some(
    (step) => step.case.operation.method === 'DELETE' && step.case.intent.kind === 'valid',
  );
  const path = pathOf(operation, sent);
  return earlier.some(
    (step) =>
      !isDeleted &&
      (step.case.intent.kind === 'valid' || makesOwn(subject, step)) &&
      hasSuccess(step) &&
      splitTarget(step.exchange.request.target).path ===
        splitTarget(exchange.request.target).path &&
      // All requests of a call have one target: their values tell them apart.
      (operation.wire === undefined || pathOf(step.case.operation, step.sent) === path),
  );
}

/** The path of an operation with its values. */
function pathOf({ path }: Operation, sent: Step['sent']): string {
  return [...sent.arguments].reduce(
    (whole, [{ in: location, name }, value]) =>
      location === 'path' ? whole.replace(`{${name}}`, String(value)) : whole,
    path,
  );
}

function notGone({ subject, status }: Related): RelationFault | RelationFault[] {
  if (!isSuccess(status)) return [];
  const done = subject.operation.method === 'GET' ? 'read' : 'changed';
  return {
    message: `A record can still be ${done} after the one that it belongs to was deleted.`,
    expected: '404, or a refusal of the deletion',
    actual: String(status),
    operation: subject.operation,
  };
}

/** A reference to a record whose deletion was to clear it. */
function stillNamed({ subject, resource, intent, of: [, read, removal] }: Related): RelationFaults {
  const { field = '' } = intent;
  if (resource === undefined || read === undefined || removal === undefined) return undefined;
  const [before, after] = [read, subject].map(
    ({ answer }) => singleValues(shownRecord(resource, answer) ?? {}, field)[0],
  );
  if (before === undefined || before === null || before === '') return undefined;
  if (after === undefined || !sameIdentifier(before, after)) return [];
  return {
    message: `A record has still the ${field} ${showValue(after)} after that was deleted.`,
    expected: `no ${field}, as ${removal.case.operation.id} says`,
    actual: showValue(after),
    operation: removal.case.operation,
  };
}

/** The records that a request named in a member, as a list or as a text with commas. */
function namesIn({ sent: { body } }: Step, field: string): string[] {
  const value = memberOf(body, field);
  const names = isJsonArray(value) ? value : String(value ?? '').split(',');
  return names.map(String).filter((name) => name !== '');
}

/** The texts of an answer that are among some names. */
function shownOf(names: readonly string[], { answer }: Step): string[] {
  const body = jsonOf(answer);
  const shown = new Set(
    body === undefined ? [] : membersOf(body).map(({ value }) => String(value)),
  );
  return names.filter((name) => shown.has(name));
}

/**
 * A read that does not show all that an accepted request named, and showed what one before it
 * named.
 */
function showsNotAll({ subject, intent, of, status }: Related): RelationFaults {
  const { field = '' } = intent;
  const [first, before, act] = of;
  if (first === undefined || before === undefined || act === undefined || !isSuccess(status))
    return undefined;
  const isTelling = shownOf(namesIn(first, field), before).length > 0;
  const names = namesIn(act, field);
  const missing = names.filter((name) => !shownOf(names, subject).includes(name));
  if (!isTelling || names.length < 2) return undefined;
  if (missing.length === 0) return [];
  const { operation } = act.case;
  return {
    message:
      `The server accepted ${requestPhrase(act.case)}, and ${subject.case.operation.id} does ` +
      `not show ${missing.map((name) => showValue(name)).join(', ')} after it; it shows what ` +
      'another request named.',
    expected: `each of ${field}`,
    actual: `not ${showValue(missing[0])}`,
    operation,
    at: operation.pointer,
    cause: `named ${operation.id}`,
  };
}

/** A read that shows what a refused request named, and did not show it before. */
function showsRefused({ subject, intent, of, status }: Related): RelationFaults {
  const { field = '' } = intent;
  const [first, before] = of;
  const act = subject.earlier.findLast((step) => namesIn(step, field).length > 1);
  if (first === undefined || before === undefined || act === undefined || !isSuccess(status))
    return undefined;
  if (!isRefusal(act.exchange.response?.status ?? 0)) return undefined;
  if (shownOf(namesIn(first, field), before).length === 0) return undefined;
  const names = namesIn(act, field);
  const known = shownOf(names, before);
  const [added] = shownOf(names, subject).filter((name) => !known.includes(name));
  if (added === undefined) return [];
  const { operation } = act.case;
  return {
    message:
      `The server refused ${requestPhrase(act.case)}, and ${subject.case.operation.id} shows ` +
      `${showValue(added)} after it: the request was half done.`,
    expected: `nothing of ${field}`,
    actual: showValue(added),
    operation,
    at: operation.pointer,
    cause: `half ${operation.id}`,
  };
}

/**
 * Creates that name another record below the same parent, such as a reply to a message of the
 * channel, and have a code for one that is not there: the record is named below another parent.
 */
function planSiblings(context: PlanContext, resource: Resource): Sequence[] {
  const parent = resource.parents.at(-1)?.resource;
  const create = creatorDraft(context, resource);
  if (parent === undefined || create === undefined || !isMakeable(context, parent)) return [];
  return siblingsIn(create, resource).flatMap((field) =>
    namedElsewhere(context, { resource, parent, create, field }),
  );
}

/** The members of a create with the schema of the identifier, and a code for an unknown one. */
function siblingsIn(
  { operation, body: { schema } }: DraftWithBody,
  { record, identifier: { field } }: Resource,
): string[] {
  const own = schemaOf(record, field);
  const required = schema?.flatten().required;
  if (schema === undefined || own === undefined) return [];
  return [...schema.flatten().properties.keys()].filter(
    (name) =>
      required?.has(name) !== true &&
      schemaOf(schema, name) === own &&
      unknownCode(operation, name, field) !== undefined,
  );
}

/** Where the schema of a member is written, if others may have the same. */
function schemaOf(schema: Schema, name: string): string | undefined {
  const place = schema.flatten().properties.get(name);
  const target = place && schema.follow(place).pointer;
  return target?.startsWith('/components/schemas/') === true ||
    target?.startsWith('/definitions/') === true
    ? target
    : undefined;
}

interface Siblings {
  readonly resource: Resource;
  readonly parent: Resource;
  readonly create: DraftWithBody;
  readonly field: string;
}

function namedElsewhere(
  context: PlanContext,
  { resource, parent, create, field }: Siblings,
): Sequence[] {
  const story = new Story(context, `${field} of ${resource.name}`);
  const { pointer } = create.operation;
  const [first, other] = [story.make(parent), story.make(parent)];
  // The one that is named names none itself: a reply may not be replied to.
  const { [field]: _none, ...alone } = objectOf(create.body.value);
  const named = { title: `a POST without ${field}`, resource, operation: create.operation };
  story.step(create, { title: named.title, of: [first], value: alone });
  const fills = [{ at: joinPointer('', field), source: nameOf(named) }];
  const control = story.make(resource, {
    title: `a POST whose ${field} names a record below the same parent`,
    of: [first],
    fills,
    intent: { kind: 'valid', rigour: 'invented', at: pointer },
  });
  story.make(resource, {
    title: `a POST whose ${field} names a record below another parent`,
    of: [other],
    fills,
    relation: { rule: 'refused', of: [named.title, control.title] },
  });
  return story.sequences();
}
