import { planStates } from './plan-states.ts';
import { isSuccess } from '../../../http/status.ts';
import type { JsonValue } from '../../../json/value.ts';
import { requestPhrase, showValue } from '../../model/phrases.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import { type Related, type RelationFault } from '../../reading/related.ts';
import { roleOf, type Step } from '../../model/step.ts';
import { check } from '../check.ts';
import { mentionsState } from '../../../contract/words/read-states.ts';

/** Operations act in the states that the contract allows, and the state that they set stays. */
export const statesHold = check({
  id: 'states-hold',
  basis: 'contract',
  severity: 'error',
  rule:
    'An operation that its description allows in some states of a record is refused in the ' +
    'others, and a state that an operation sets is read back.',
  reason:
    'A client trusts that an invoice which was sent cannot be changed any more; a service that ' +
    'allows it loses money and evidence.',
  example: [
    '> GET /orders/7',
    '< {"id": 7, "status": "shipped"}',
    '> POST /orders/7/cancel   (only an open order can be cancelled)',
    '< 200 OK',
  ],
  confirm: 'again',
  plan: [{ at: 'stories', all: planStates }],
  intents: ['relation'],
  covers: ['status-documented'],
  relations: { 'wrong-state': actsInWrongState, 'state-kept': losesState },
});

/** The value of a field in the record that a step shows. */
function fieldShown({ subject }: Related, step: Step, field: string): JsonValue | undefined {
  const role = roleOf(subject.contract, step.case.operation);
  const isShown = role !== undefined && isSuccess(step.exchange.response?.status ?? 0);
  return isShown ? shownRecord(role.resource, step.answer)?.[field] : undefined;
}

/** A success in a state that is none of those in the intent, written `status=draft|sent`. */
function actsInWrongState(related: Related): RelationFault[] | undefined {
  const { subject, intent, of, status } = related;
  const [field = '', values = ''] = (intent.field ?? '').split('=');
  const [read] = of;
  const state = read && fieldShown(related, read, field);
  const allowed = values.split('|');
  if (typeof state !== 'string' || allowed.includes(state)) return undefined;
  if (!isSuccess(status)) return [];
  const words = allowed.join(' or ');
  return [
    {
      message:
        `The server accepted (${String(status)}) ${requestPhrase(subject.case)}: the ${field} ` +
        `was ${showValue(state)}, and the contract allows it only in ${words}.`,
      expected: `a refusal, because ${field} is not ${words}`,
      actual: String(status),
      momentary: true,
    },
  ];
}

/** A state that the response of an action shows, and the next read does not: it is as before. */
function losesState(related: Related): RelationFault[] | undefined {
  const { subject, intent, of } = related;
  const [field = '', wanted = ''] = (intent.field ?? '').split('=');
  const [before, act] = of;
  if (before === undefined || act === undefined || act.exchange.response?.status === 202)
    return undefined;
  const shown = fieldShown(related, act, field);
  const [former, got] = [before, subject].map((step) => fieldShown(related, step, field));
  if (former === undefined || got === undefined || former === wanted) return undefined;
  const isLost = got === former && (shown === wanted || mentionsState(act.case.operation, wanted));
  if (!isLost) return [];
  const { id } = act.case.operation;
  return [
    {
      message:
        `The ${field} of a record is still ${showValue(got)} after ${id}` +
        `${shown === wanted ? `, which returned ${showValue(shown)}` : ''}.`,
      expected: `${field} is ${showValue(wanted)}`,
      actual: `${field} is ${showValue(got)}`,
      operation: act.case.operation,
      at: act.case.operation.pointer,
    },
  ];
}
