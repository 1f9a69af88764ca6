import { writeUndone } from '../../reading/shared-causes.ts';
import { namesFormer } from '../../../contract/words/names.ts';
import { tellsOf } from '../../../contract/words/mentions.ts';
import { recordFields } from '../../../contract/infer/record-fields.ts';
import { plainName } from '../../../contract/infer/infer-names.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { membersOf } from '../../../json/body-members.ts';
import { planStates } from './plan-states.ts';
import { isRefusal, isSuccess } from '../../../http/message.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { hasSuccess, isSafe, requestPhrase, showValue, type Step } from '../../model/step.ts';
import { withIdentifier } from '../../reading/removed-record.ts';
import { listedRecords, shownRecord, recordShown } from '../../reading/shown-records.ts';
import {
  notRefused,
  type Related,
  type RelationFault,
  type RelationFaults,
} from '../../reading/related.ts';
import {
  doneCode,
  doneStatus,
  errorCodesOf,
  nothingCode,
} from '../../../contract/words/error-codes.ts';
import { check } from '../check.ts';
import type { ClosedState } from '../../../contract/words/read-states.ts';
import { mentionsState, closedStates } from '../../../contract/words/read-states.ts';
import type { Resource } from '../../../contract/model.ts';
import type { Sequence } from '../../model/case.ts';
import type { Draft } from '../../plan/draft.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { refersTo } from './plan-affordances.ts';
import { creatorDraft, eachMade, readerOf, relationTo, Story } from '../../plan/story.ts';

/** Operations act in the states that the contract allows, and the state that they set stays. */
export const statesHold = check({
  id: 'states-hold',
  basis: 'contract',
  harm: 'results',
  rule:
    'An operation that its description allows in some states of a record is refused in the ' +
    'others, and so is one in a state for which the API has a code that refuses others; what an ' +
    'operation changes of a record, as its answer shows, is read back.',
  reason:
    'A client trusts that an invoice which was sent cannot be changed any more; a service that ' +
    'allows it loses money and evidence.',
  example: [
    '> GET /orders/7',
    '< {"id": 7, "status": "shipped"}',
    '> POST /orders/7/cancel   (only an open order can be cancelled)',
    '< 200 OK',
  ],
  explains: [
    {
      // What a state forbids has no link in that state either.
      findings: ['links-hold'],
      explains: ({ operation }, other) => other.operation === operation,
    },
    { ...writeUndone, leads: ({ cause }) => /^answer-(kept|listed)/.test(cause) },
  ],
  plan: [
    { at: 'stories', each: planStates },
    { at: 'stories', made: planClosedStates },
  ],
  mutants: [async () => (await import('./state-rule-mutants.ts')).stateRuleMutants],
  covers: ['status-documented'],
  leavesOpen: ({ case: { intent } }) =>
    intent.kind === 'relation' && intent.rule === 'while-closed',
  relations: {
    'wrong-state': actsInWrongState,
    'done-again': isDoneAgain,
    'while-closed': acceptedDespiteCode,
    'closed-kept': acceptedWhileClosed,
    'state-kept': losesState,
    'moment-set': hasNoMoment,
    'answer-kept': losesAnswerOrFormer,
    'answer-listed': listsOther,
  },
});

/** A success of what the code of an error refuses, once it has been done. */
function isDoneAgain({ subject, of: [first], status }: Related): RelationFaults {
  if (first === undefined || !hasSuccess(first)) return undefined;
  if (!isSuccess(status)) return [];
  const { operation } = subject;
  const code = doneCode(operation) ?? doneStatus(operation) ?? nothingCode(operation);
  return {
    message: `${operation.id} succeeded twice in a row, which is ${code?.code ?? 'refused'}.`,
    expected: code?.code ?? 'a refusal',
    actual: String(status),
    cause: 'done again',
  };
}

/** A success in a state that is none of those in the intent, written `status=draft|sent`. */
function actsInWrongState(related: Related): RelationFaults {
  const { subject, intent, of, status } = related;
  const [field = '', values = ''] = (intent.field ?? '').split('=');
  const [read] = of;
  const state = read && fieldShown(related, read, field);
  const allowed = values.split('|');
  const isKnown = typeof state === 'string' || typeof state === 'boolean';
  if (!isKnown || allowed.includes(String(state))) return undefined;
  if (!isSuccess(status)) return [];
  const words = allowed.join(' or ');
  const when = typeof state === 'boolean' ? `while it is ${words}` : `in ${words}`;
  return {
    message:
      `The server accepted (${String(status)}) ${requestPhrase(subject.case)}: the ${field} ` +
      `was ${showValue(state)}, and the contract allows it only ${when}.`,
    expected: `a refusal, because ${field} is not ${words}`,
    actual: String(status),
    momentary: true,
  };
}

/** A state that the response of an action shows, and the next read does not: it is as before. */
function losesState(related: Related): RelationFaults {
  const { subject, intent, of } = related;
  const [field = '', expected = ''] = (intent.field ?? '').split('=');
  const [before, act] = of;
  if (before === undefined || act === undefined || act.exchange.response?.status === 202)
    return undefined;
  const shown = fieldShown(related, act, field);
  const [former, got] = [before, subject].map((step) => fieldShown(related, step, field));
  if (former === undefined || got === undefined || String(former) === expected) return undefined;
  const isTold =
    String(shown) === expected ||
    // The verb of the action names the flag.
    typeof former === 'boolean' ||
    mentionsState(act.case.operation, expected);
  const isLost = got === former && isTold;
  if (!isLost) return [];
  const { id } = act.case.operation;
  return {
    message:
      `The ${field} of a record is still ${showValue(got)} after ${id}` +
      `${String(shown) === expected ? `, which returned ${showValue(shown)}` : ''}.`,
    expected: `${field} is ${expected}`,
    actual: `${field} is ${showValue(got)}`,
    operation: act.case.operation,
    at: act.case.operation.pointer,
  };
}

/** A record in the state that an action set, without the moment at which it was set. */
function hasNoMoment(related: Related): RelationFaults {
  const { subject, intent, of, resource } = related;
  const { field = '' } = intent;
  const [, act] = of;
  const shown = resource && shownRecord(resource, subject.answer);
  const status = act?.exchange.response?.status ?? 0;
  if (act === undefined || shown === undefined || !isSuccess(status) || status === 202)
    return undefined;
  if ((shown[field] ?? null) !== null) return [];
  return {
    message: `A record has no ${field} after ${act.case.operation.id}.`,
    expected: 'the moment of that',
    actual: `no ${field}`,
    operation: act.case.operation,
    at: act.case.operation.pointer,
    cause: 'no moment',
  };
}

function losesAnswerOrFormer(related: Related): RelationFault[] | undefined {
  const [answer, former] = [losesAnswer(related), lacksFormer(related)];
  return answer === undefined ? former : [...answer, ...(former ?? [])];
}

/** A field that the answer to an action shows changed, and the next read as it was before. */
function losesAnswer({ subject, of, resource }: Related): RelationFault[] | undefined {
  const [before, act] = of;
  if (before === undefined || act === undefined || resource === undefined) return undefined;
  if (act.exchange.response?.status === 202) return undefined;
  const [former, answered, got] = [before, act, subject].map((step) =>
    hasSuccess(step) ? shownRecord(resource, step.answer) : undefined,
  );
  if (former === undefined || answered === undefined || got === undefined) return undefined;
  const isSame =
    String(answered[resource.identifier.field]) === String(former[resource.identifier.field]);
  const lost = Object.keys(answered).filter((name) => {
    const [was, shown, is] = [former, answered, got].map((record) => record[name] ?? null);
    return (
      Object.hasOwn(got, name) &&
      !equalJson(was ?? null, shown ?? null) &&
      equalJson(was ?? null, is ?? null)
    );
  });
  const [field] = isSame ? lost : [];
  if (field === undefined) return [];
  const [told, is] = [answered, got].map((record) => showValue(record[field]));
  return [shownOtherwise(act.case, field, [told, is], `read shows ${is ?? ''}, as before`)];
}

/** A field that an answer shows, and that is shown otherwise next. */
function shownOtherwise(
  { operation }: Step['case'],
  field: string,
  [told = '', is = '']: readonly (string | undefined)[],
  next: string,
): RelationFault {
  return {
    message: `${operation.id} returned a record whose ${field} is ${told}, and the next ${next}.`,
    expected: `${field} is ${told}`,
    actual: `${field} is ${is}`,
    operation,
    at: operation.pointer,
  };
}

/** The record within an answer that repeats its identifier beside it. */
function innermost(shown: JsonObject | undefined, identifier: string): JsonObject | undefined {
  const inner = Object.values(shown ?? {}).find(
    (member) =>
      isJsonObject(member) && equalJson(member[identifier] ?? null, shown?.[identifier] ?? null),
  );
  return isJsonObject(inner) ? inner : shown;
}

/** A field that an update sent and its answer shows, and the next list shows otherwise. */
function listsOther({ subject, of: [act], status, resource }: Related): RelationFaults {
  if (resource === undefined || act === undefined || !isSuccess(status)) return undefined;
  const answered = innermost(shownRecord(resource, act.answer), resource.identifier.field);
  const records = listedRecords(resource, subject.answer);
  const identifier = answered?.[resource.identifier.field];
  const { body: sent = null } = act.sent;
  if (answered === undefined || records === undefined || identifier === undefined) return undefined;
  const entry = withIdentifier(records, resource, identifier);
  if (entry === undefined || !isJsonObject(sent) || act.exchange.response?.status === 202)
    return undefined;
  const field = Object.keys(sent).find(
    (name) =>
      Object.hasOwn(entry, name) &&
      equalJson(answered[name] ?? null, sent[name] ?? null) &&
      !equalJson(entry[name] ?? null, sent[name] ?? null),
  );
  if (field === undefined) return [];
  const [told, is] = [answered, entry].map((record) => showValue(record[field]));
  return shownOtherwise(act.case, field, [told, is], `list shows ${is ?? ''}`);
}

/**
 * A list of former values, such as `previous_names`, without the one that an operation has just
 * replaced, where the operation says something of that list.
 */
function lacksFormer({
  subject,
  of: [before, act],
  resource,
}: Related): RelationFault[] | undefined {
  if (resource === undefined || before === undefined || act === undefined) return undefined;
  const { operation, intent } = act.case;
  if (intent.kind !== 'valid' || act.exchange.response?.status === 202) return undefined;
  const [former, now] = [before, subject].map((step) =>
    hasSuccess(step) ? shownRecord(resource, step.answer) : undefined,
  );
  if (former === undefined || now === undefined) return undefined;
  const lists = recordFields(resource.record).filter(
    ({ many, name }) => many && tellsOf(operation, name),
  );
  const judged = lists.flatMap((list): RelationFault[] => {
    const of = Object.keys(former).find((name) => namesFormer(list.plain, plainName(name)));
    const [was, is] = of === undefined ? [] : [former[of], now[of]];
    // A list that is left out is empty.
    const values = now[list.name] ?? [];
    if (of === undefined || typeof was !== 'string' || was === '' || is === undefined) return [];
    if (equalJson(was, is) || !isJsonArray(values)) return [];
    if (values.some((value) => equalJson(value, was))) return [];
    return [
      {
        message: `${operation.id} has replaced ${showValue(was)}; ${list.name} does not show it.`,
        expected: `${showValue(was)} in ${list.name}`,
        actual: showValue(values),
        operation,
        at: operation.pointer,
        cause: `former ${list.name}`,
      },
    ];
  });
  return lists.length === 0 ? undefined : judged;
}

/** The fewest operations that were refused before one that was not is a fault. */
const fewest = { stated: 2, doubtful: 3 } as const;

/**
 * An operation that was accepted on a record in a state for which others were refused with a code:
 * `archived=true=is_archived` in the intent. The read before and the one after it show the state.
 */
function acceptedWhileClosed(related: Related): RelationFaults {
  const { subject, intent, of } = related;
  const [field = '', value = '', code = ''] = (intent.field ?? '').split('=');
  const [read] = of;
  if (read === undefined) return undefined;
  const isThere = [read, subject].every(
    (step) => String(fieldShown(related, step, field)) === value,
  );
  if (!isThere) return undefined;
  const { earlier } = subject;
  const tried = earlier
    .slice(earlier.indexOf(read) + 1)
    .filter(({ case: { intent: own } }) => own.kind === 'relation' && own.rule === 'while-closed');
  const refused = tried.filter((step) => isRefusedWith(step, code));
  const accepted = tried.filter(hasSuccess);
  const isDoubtful = intent.doubtful === true;
  const [taken] = accepted;
  if (taken === undefined) return [];
  if (refused.length < fewest[isDoubtful ? 'doubtful' : 'stated']) return undefined;
  // Where no sentence is about all operations, one of several is no exception.
  if (isDoubtful && accepted.length > 1) return undefined;
  const { operation } = taken.case;
  const status = String(taken.exchange.response?.status ?? '');
  return {
    message:
      `The server accepted (${status}) ${operation.id} of a record whose ${field} is ` +
      `${showValue(value === 'true' || value === 'false' ? value === 'true' : value)}, and ` +
      `refused ${String(refused.length)} other operations with ${code}.`,
    expected: code,
    actual: status,
    operation,
    at: operation.pointer,
    cause: `closed ${operation.id}`,
  };
}

/** The same of one operation that documents the code itself. */
function acceptedDespiteCode(related: Related): readonly RelationFault[] | undefined {
  const { subject, intent, of } = related;
  const [field = '', value = '', code = ''] = (intent.field ?? '').split('=');
  const [read] = of;
  const isOwn = errorCodesOf(subject.operation).some((one) => one.code === code);
  if (!isOwn || read === undefined || String(fieldShown(related, read, field)) !== value)
    return undefined;
  return notRefused(related);
}

/** The value of a field in the record that a step shows. */
function fieldShown({ subject }: Related, step: Step, field: string): JsonValue | undefined {
  return hasSuccess(step) ? recordShown(subject.contract, step)?.[field] : undefined;
}

/** Whether a refusal has a code among its values. */
function isRefusedWith({ exchange, answer }: Step, code: string): boolean {
  const body = jsonOf(answer);
  return (
    isRefusal(exchange.response?.status ?? 0) &&
    body !== undefined &&
    membersOf(body).some(({ value }) => value === code)
  );
}

/** The most operations of a resource that are tried in a state. */
const maxOperations = 8;

/** The fewestActions that show whether operations are refused. */
const fewestActions = 3;

/**
 * The operations on a record, and on a part of it, while it is in a state for which the API has a
 * code of an error: all in one sequence, because only those that are refused with the code show
 * that it is meant for them.
 */
function planClosedStates(context: PlanContext, resource: Resource): Sequence[] {
  return closedStates(context.contract, resource).flatMap((closed) =>
    inClosedState(context, resource, closed),
  );
}

function inClosedState(context: PlanContext, resource: Resource, closed: ClosedState): Sequence[] {
  const { field, value, code, isForAll, fact } = closed;
  const reader = readerOf(context, resource);
  // A state may take something from what a part names, and nothing may give it back.
  const part = eachMade(context).find(
    (one) =>
      one.parents.at(-1)?.resource?.collection === resource.collection && !refersTo(context, one),
  );
  const operations = [resource, ...(part === undefined ? [] : [part])]
    .flatMap((one) => operationsOn(context, one, field))
    .slice(0, maxOperations);
  if (reader === undefined || operations.length < fewestActions) return [];
  const story = new Story(context, `${resource.name} in the state of ${code}`);
  const made = story.make(resource);
  const inner = part === undefined ? [] : [story.make(part, { of: [made] })];
  if (!story.bring(made, value, field)) return [];
  const title = `a read of the ${field} before operations on the record`;
  story.read(made, title);
  for (const draft of operations)
    story.step(draft, {
      title: `${draft.operation.id} while ${field} is ${value}`,
      of: [made, ...inner],
      value: asCreated(context, draft),
      relation: { rule: 'while-closed', of: [title], field: `${field}=${value}=${code}` },
      optional: true,
    });
  story.read(made, `a read of the ${field} after operations on the record`, {
    intent: relationTo(reader, {
      rule: 'closed-kept',
      of: [title],
      field: `${field}=${value}=${code}`,
      at: fact.pointer,
      ...(isForAll ? {} : { doubtful: true }),
    }),
  });
  return story.sequences();
}

/** The body of a change with the members that its record is created with: those are accepted. */
function asCreated(context: PlanContext, { body, names }: Draft): JsonValue {
  const resource = names.at(-1)?.resource;
  const sent = resource && creatorDraft(context, resource)?.body.value;
  const value = body?.value ?? null;
  if (!isJsonObject(value) || !isJsonObject(sent)) return value;
  const shared = Object.entries(sent).filter(([name]) => Object.hasOwn(value, name));
  return { ...value, ...Object.fromEntries(shared) };
}

/** What changes a record, or adds to it, and leaves the field with its state as it is. */
function operationsOn(
  { drafts, contract }: PlanContext,
  { collection }: Resource,
  field: string,
): Draft[] {
  const { actions } = contract.inference;
  const isFree = ({ operation, body }: Draft): boolean =>
    actions.every((action) => action.operation !== operation || action.sets?.field !== field) &&
    !(isJsonObject(body?.value) && field in body.value);
  return drafts.filter(
    (draft) =>
      !isSafe(draft.operation) &&
      draft.operation.method !== 'DELETE' &&
      draft.names.at(-1)?.resource.collection === collection &&
      isFree(draft),
  );
}
