import { isSuccess } from '../../../http/status.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonObject } from '../../../json/value.ts';
import { showValue } from '../../model/phrases.ts';
import { roleOf } from '../../model/step.ts';
import type { Related, RelationFault } from '../../reading/related.ts';
import { isMarkedAsGone } from '../../reading/removed-record.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import { check } from '../check.ts';
import { planTrials } from './plan-trials.ts';

/** A change that is only to be validated stores nothing. */
export const trialHolds = check({
  id: 'trial-holds',
  basis: 'inferred',
  severity: 'error',
  harm: 'data',
  rule: 'A change with validate_only=true is answered, and nothing is stored (AIP-163).',
  reason: 'A client asks whether a change is valid; a service that makes it changes real data.',
  example: [
    '> DELETE /items/7?validate_only=true',
    '< 200 OK',
    '> GET /items/7',
    '< 404 Not Found',
  ],
  confirm: 'again',
  plan: [{ at: 'stories', all: planTrials }],
  intents: ['relation'],
  covers: ['status-documented'],
  mutants: [async () => (await import('./trial-mutants.ts')).trialMutants],
  relations: { 'not-stored': isStored, 'as-before': isChanged },
});

/** The record of a create that was only to be validated can be read. */
function isStored({ subject, of, status }: Related): RelationFault[] | undefined {
  const role = roleOf(subject.contract, subject.operation);
  const [, tried] = of;
  const record = role && shownRecord(role.resource, subject.answer);
  if (tried === undefined || (isSuccess(status) && record === undefined)) return undefined;
  if (!isSuccess(status)) return [];
  return [
    {
      message: `${tried.case.operation.id} stored a record that was only to be validated.`,
      expected: '404, because nothing is stored',
      actual: String(status),
      cause: 'trial stored',
    },
  ];
}

/** A change or a deletion that was only to be validated was made. */
function isChanged({ subject, of, status }: Related): RelationFault[] | undefined {
  const role = roleOf(subject.contract, subject.operation);
  const [before, tried] = of;
  if (role === undefined || before === undefined || tried === undefined) return undefined;
  const { id, method } = tried.case.operation;
  const [former, latter] = [before, subject].map((step) => shownRecord(role.resource, step.answer));
  const sent = tried.sent.body;
  const isMarked =
    former !== undefined &&
    latter !== undefined &&
    !isMarkedAsGone(former) &&
    isMarkedAsGone(latter);
  if (method === 'DELETE' && (status === 404 || status === 410 || isMarked))
    return [
      {
        message: `${id} deleted a record although it was only to be validated.`,
        expected: 'the record, as before',
        actual: isMarked ? 'it is marked as deleted' : String(status),
        cause: 'trial deleted',
      },
    ];
  if (!isSuccess(status) || former === undefined || latter === undefined) return undefined;
  if (!isJsonObject(sent)) return [];
  const name = Object.keys(sent).find(
    (one) =>
      !equalJson(former[one] ?? null, sent[one] ?? null) &&
      equalJson(latter[one] ?? null, sent[one] ?? null),
  );
  if (name === undefined) return [];
  return [
    {
      message: `${id} changed the ${name} of a record although it was only to be validated.`,
      expected: `${name} is ${showValue(former[name])}, as before`,
      actual: `${name} is ${showValue(latter[name])}`,
      cause: 'trial changed',
    },
  ];
}
