import { planImmutables } from './plan-immutables.ts';
import { isSuccess } from '../../../http/status.ts';
import { equalJson } from '../../../json/equal-json.ts';
import type { JsonValue } from '../../../json/value.ts';
import { requestPhrase, showValue } from '../../model/phrases.ts';
import { type Step, roleOf } from '../../model/step.ts';
import { singleValues } from '../../reading/compare-records.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import type { Related, RelationFault } from '../../reading/related.ts';
import { check } from '../check.ts';

/** A field that does not change keeps its value, and its own value may be sent again. */
export const immutableIsKept = check({
  id: 'immutable-is-kept',
  basis: 'contract',
  severity: 'error',
  harm: 'data',
  rule:
    'A change of a field that the contract calls immutable is refused or ignored, and a change ' +
    'that repeats the value which a record has is accepted (AIP-203), also where no two records ' +
    'may share one.',
  reason:
    'A client that refers to a record by such a field loses it, and one that sends back what it ' +
    'read cannot change anything.',
  example: [
    '> PATCH /items/7',
    '> {"code": "B-2"}   (code cannot be changed after creation)',
    '< 200 OK',
    '> GET /items/7',
    '< {"id": 7, "code": "B-2"}',
  ],
  confirm: 'again',
  plan: [{ at: 'stories', all: planImmutables }],
  intents: ['relation'],
  covers: ['status-documented'],
  relations: { repeated: refusedAgain, kept: changedInRead },
});

/** Refusals that are about the body. */
const refusals = [400, 409, 422];

function refusedAgain({ subject, intent, status }: Related): RelationFault[] | undefined {
  if (isSuccess(status)) return [];
  if (!refusals.includes(status)) return undefined;
  return [
    {
      message:
        `The server answered ${String(status)} to ${requestPhrase(subject.case)}: without ` +
        `${intent.field ?? 'the field'} it accepted it.`,
      expected: 'a success',
      actual: String(status),
    },
  ];
}

/** The value that an answer shows in a field of its record. */
function shownIn({ subject }: Related, step: Step, field: string): JsonValue | undefined {
  const role = roleOf(subject.contract, step.case.operation);
  const record = role && shownRecord(role.resource, step.answer);
  return record && singleValues(record, field)[0];
}

function changedInRead(related: Related): RelationFault[] | undefined {
  const { subject, intent, of, status } = related;
  const { field = '' } = intent;
  const [before] = of;
  const change = subject.earlier.at(-1);
  if (before === undefined || change === undefined || !isSuccess(status)) return undefined;
  const [had, got] = [shownIn(related, before, field), shownIn(related, subject, field)];
  if (had === undefined || got === undefined) return undefined;
  if (equalJson(had, got)) return [];
  return [
    {
      message:
        `${field} is ${showValue(got)} after ${requestPhrase(change.case)}; the contract says ` +
        `that it does not change, and it was ${showValue(had)}.`,
      expected: `${field} is ${showValue(had)}`,
      actual: `${field} is ${showValue(got)}`,
      operation: change.case.operation,
    },
  ];
}
