import { membersOf } from '../../../json/body-members.ts';
import { planNamedRecords } from './plan-named-records.ts';
import { planSiblings } from './plan-siblings.ts';
import { planRelations } from './plan-relations.ts';
import { isRefusal, isSuccess } from '../../../http/status.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { sameIdentifier } from '../../reading/list-page.ts';
import { requestPhrase, showValue } from '../../model/phrases.ts';
import { singleValues } from '../../reading/compare-records.ts';
import { namesNone } from '../../reading/next-page.ts';
import { listedRecords, shownRecord } from '../../reading/shown-records.ts';
import { isMarked } from '../../reading/without-others.ts';
import {
  madeIdentifier,
  notRefused,
  type Related,
  type RelationFault,
} from '../../reading/related.ts';
import type { Operation } from '../../../contract/model.ts';
import { documents } from '../../../contract/select-response.ts';
import { roleOf, type Step } from '../../model/step.ts';
import { check } from '../check.ts';
import { notLeftOut, otherChild } from './own-kind.ts';
import { planOwnKind } from './plan-own-kind.ts';

/** Records belong to the one that they were created for, and references name records that exist. */
export const parentHolds = check({
  id: 'parent-holds',
  basis: 'contract',
  severity: 'error',
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
  confirm: 'again',
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
    { at: 'stories', all: planSiblings },
    { at: 'stories', all: planOwnKind },
  ],
  intents: ['relation'],
  mutants: [
    async () => (await import('./parent-mutants.ts')).parentMutants,
    async () => (await import('./own-kind-mutants.ts')).ownKindMutants,
  ],
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
 * A deletion that records in one state keep from being done, written `status=open` in the intent:
 * those in another state may go with it.
 */
function notRefusedInState(related: Related): readonly RelationFault[] | undefined {
  const { subject, intent, of } = related;
  const [field = '', expected] = (intent.field ?? '').split('=');
  const child = of.at(-1);
  const role = child && roleOf(subject.contract, child.case.operation);
  const shown = role && shownRecord(role.resource, child.answer)?.[field];
  return expected === undefined || shown === expected ? notRefused(related) : undefined;
}

/** A record in the list of another parent: the one that was created, or one that names a third. */
function listedElsewhere(related: Related): RelationFault[] | undefined {
  const { subject, intent, of, status } = related;
  const [created, other] = of;
  const role = roleOf(subject.contract, subject.operation);
  if (role === undefined) return sentElsewhere(related);
  const records = role && listedRecords(role.resource, subject.answer);
  const made = created && madeIdentifier(subject, created);
  if (!isSuccess(status) || role === undefined || records === undefined || made === undefined)
    return undefined;
  const { field } = role.resource.identifier;
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
    : [alienIn(subject, `whose ${field} is ${showValue(alien[field])}`)];
}

/** A list of the records of all parents that shows none, or is whole and lacks the new one. */
function notListedAcross({ subject, of: [created], status }: Related): RelationFault[] | undefined {
  const role = roleOf(subject.contract, subject.operation);
  const records = role && listedRecords(role.resource, subject.answer);
  const made = created && madeIdentifier(subject, created);
  if (role === undefined || made === undefined || status >= 500) return undefined;
  const { resource } = role;
  const isShown = (record: JsonObject): boolean =>
    sameIdentifier(record[resource.identifier.field], made);
  const isWhole = records?.length === 0 || namesNone(subject);
  if (isSuccess(status) && (records === undefined || !isWhole || records.some(isShown))) return [];
  return [
    {
      message:
        `The server answered ${String(status)} to ${subject.case.title}` +
        (isSuccess(status) ? `: it lacks the record that was just created.` : '.'),
      expected: 'the records of all',
      actual: isSuccess(status) ? 'a list without it' : String(status),
      cause: 'not listed across',
    },
  ];
}

function alienIn({ case: { title } }: Related['subject'], which: string): RelationFault {
  return {
    message: `The server shows the record ${which} in ${title}, to which it does not belong.`,
    expected: 'a list without it',
    actual: 'a list with it',
  };
}

/** The same for what has no identifier: by a text of it that the run alone writes. */
function sentElsewhere({ subject, of: [added], status }: Related): RelationFault[] | undefined {
  const sent = added?.sent.body;
  const own = isJsonObject(sent) ? Object.values(sent).filter(isMarked) : [];
  const body = jsonOf(subject.answer);
  const items = [body, ...(isJsonObject(body) ? Object.values(body) : [])].find(isJsonArray);
  if (!isSuccess(status) || items === undefined || own.length === 0) return undefined;
  const isAdded = (item: JsonValue): boolean =>
    isJsonObject(item) && Object.values(item).some((value) => own.includes(value));
  return items.some(isAdded) ? [alienIn(subject, `with ${showValue(own[0])}`)] : [];
}

function foundElsewhere({ subject, status }: Related): RelationFault[] | undefined {
  if (!isSuccess(status) || makesOwn(subject, subject)) return [];
  if (isOwnPath(subject)) return undefined;
  return [
    {
      message: `The server answered ${String(status)} to ${requestPhrase(subject.case)}.`,
      expected: '404',
      actual: String(status),
      momentary: true,
    },
  ];
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
      isSuccess(step.exchange.response?.status ?? 0) &&
      withoutQuery(step.exchange.request.target) === withoutQuery(exchange.request.target) &&
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

function withoutQuery(target: string): string {
  return target.split('?', 1)[0] ?? '';
}

function notGone({ subject, status }: Related): RelationFault[] {
  if (!isSuccess(status)) return [];
  const done = subject.operation.method === 'GET' ? 'read' : 'changed';
  return [
    {
      message: `A record can still be ${done} after the one that it belongs to was deleted.`,
      expected: '404, or a refusal of the deletion',
      actual: String(status),
      operation: subject.operation,
    },
  ];
}

/** A reference to a record whose deletion was to clear it. */
function stillNamed({
  subject,
  intent,
  of: [, read, removal],
}: Related): RelationFault[] | undefined {
  const { field = '' } = intent;
  const role = roleOf(subject.contract, subject.operation);
  if (role === undefined || read === undefined || removal === undefined) return undefined;
  const [before, after] = [read, subject].map(
    ({ answer }) => singleValues(shownRecord(role.resource, answer) ?? {}, field)[0],
  );
  if (before === undefined || before === null || before === '') return undefined;
  if (after === undefined || !sameIdentifier(before, after)) return [];
  return [
    {
      message: `A record has still the ${field} ${showValue(after)} after that was deleted.`,
      expected: `no ${field}, as ${removal.case.operation.id} says`,
      actual: showValue(after),
      operation: removal.case.operation,
    },
  ];
}

/** The records that a request named in a member, as a list or as a text with commas. */
function namesIn({ sent: { body } }: Step, field: string): string[] {
  const value = isJsonObject(body) ? body[field] : undefined;
  const names = value !== undefined && isJsonArray(value) ? value : String(value ?? '').split(',');
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
function showsNotAll({ subject, intent, of, status }: Related): RelationFault[] | undefined {
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
  return [
    {
      message:
        `The server accepted ${requestPhrase(act.case)}, and ${subject.case.operation.id} does ` +
        `not show ${missing.map((name) => showValue(name)).join(', ')} after it; it shows what ` +
        'another request named.',
      expected: `each of ${field}`,
      actual: `not ${showValue(missing[0])}`,
      operation,
      at: operation.pointer,
      cause: `named ${operation.id}`,
    },
  ];
}

/** A read that shows what a refused request named, and did not show it before. */
function showsRefused({ subject, intent, of, status }: Related): RelationFault[] | undefined {
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
  return [
    {
      message:
        `The server refused ${requestPhrase(act.case)}, and ${subject.case.operation.id} shows ` +
        `${showValue(added)} after it: the request was half done.`,
      expected: `nothing of ${field}`,
      actual: showValue(added),
      operation,
      at: operation.pointer,
      cause: `half ${operation.id}`,
    },
  ];
}
