import { equalJson } from '../../../json/equal-json.ts';
import { asksToWait, isRefusal, isSuccess } from '../../../http/message.ts';
import {
  countEach,
  countWords,
  hasSuccess,
  isSafe,
  requestPhrase,
  roleOf,
  type Step,
} from '../../model/step.ts';
import { mayBeMissing } from '../../reading/may-be-missing.ts';
import { type PassingShape, passingShapeOf } from '../../reading/passing-shapes.ts';
import { isLargeAnswer, jsonOf } from '../../reading/read-answer.ts';
import {
  type AnswerShape,
  changesNothing,
  describeFields,
  flickerKey,
  isPlainRead,
  isSteadyRead,
  shapeOf,
} from '../../reading/steadiness.ts';
import type { CheckInput, Violation, Violations } from '../../model/knowledge.ts';
import { check } from '../check.ts';

/**
 * The same read gets the same result each time: the same status, the same fields, and no list that
 * is empty in between.
 */
export const stableUnderRepeat = check({
  id: 'stable-under-repeat',
  basis: 'inferred',
  harm: 'results',
  rule:
    'Repeating the same plain read gives the same status and a response of the same ' +
    'shape; no list is empty in between.',
  reason: 'A defect in one of twenty responses passes every test and affects every twentieth user.',
  example: ['> GET /items', '< 200 OK', '> GET /items', '< 404 Not Found'],
  confirm: 'repeat',
  needs: ['flickers'],
  intents: ['valid'],
  inspect(subject) {
    const { response } = subject.exchange;
    if (!isPlainRead(subject) || response === undefined || asksToWait(response)) return undefined;
    const isSteady = isSteadyRead(subject.contract, subject);
    if (isRefusal(response.status))
      return isSteady ? refusedNow(subject, response.status) : undefined;
    if (!isSuccess(response.status)) return undefined;
    const emptied = knownEmptied(subject);
    if (emptied !== undefined) return vanished(subject, emptied);
    const passing = knownPassing(subject);
    if (passing !== undefined) return membersMissed(subject, passing);
    if (subject.earlier.length < 2) return undefined;
    if (roleOf(subject.contract, subject.operation)?.action !== 'list')
      return changedMembers(subject);
    const alike = subject.earlier.filter((step) => isAlike(subject, step));
    return alike.length < 2 ? undefined : changedShape(subject, alike);
  },
});

function isAlike(subject: CheckInput, step: Step): boolean {
  return flickerKey(step) === flickerKey(subject) && hasSuccess(step);
}

/** How many records an empty list has before and after it in the run, if that cannot be chance. */
function knownEmptied(subject: CheckInput): number | undefined {
  const count = subject.knowledge.flickers.get(flickerKey(subject))?.emptied ?? 0;
  const isSure = count >= manyRecords || (count > 0 && changesNothing(subject.contract));
  return isSure && shapeOf(subject, subject).records.size === 0 ? count : undefined;
}

/** What the responses of the run show where the contract changes nothing. */
function knownPassing(subject: CheckInput): PassingShape | undefined {
  const known = subject.knowledge.flickers.get(flickerKey(subject))?.passing;
  const value = known && jsonOf(subject.answer);
  return value !== undefined && equalJson(known?.odd ?? null, value) ? known : undefined;
}

/**
 * A response with more or fewer members than equal ones before and after it, in a sequence that
 * only reads.
 */
function changedMembers(subject: CheckInput): Violations {
  const { earlier, answer } = subject;
  const value = jsonOf(answer);
  if (value === undefined || isLargeAnswer(answer)) return undefined;
  if (!earlier.every(({ case: { operation } }) => isSafe(operation))) return undefined;
  const before = earlier.flatMap((step) =>
    isAlike(subject, step) ? (jsonOf(step.answer) ?? []) : [],
  );
  const passing = passingShapeOf([...before, value]);
  return passing === undefined ? [] : membersMissed(subject, passing);
}

function membersMissed(subject: CheckInput, { usual, odd }: PassingShape): Violation {
  const [lines, others] = [usual, odd].map((value) => describeFields(value).join('\n'));
  return flapped(subject, { usual: lines ?? '', odd: others ?? '' }, 'around');
}

/** A refusal of a request that was accepted at other times. */
function refusedNow(subject: CheckInput, status: number): Violations {
  const seen = subject.knowledge.flickers.get(flickerKey(subject));
  if (seen === undefined || seen.accepted < 2 || seen.refusals.length > seen.accepted) return [];
  if ((status === 404 || status === 410) && mayBeMissing(subject)) return [];
  const refused = seen.refusals.length;
  const all = String(seen.accepted + refused);
  return {
    at: subject.operation.pointer,
    message:
      `The server answered ${String(status)} to ` +
      `${requestPhrase(subject.case)}, and a success to the same request at ` +
      `other times: ${String(refused)} of ${all} were refused.`,
    expected: 'the same status each time',
    actual: countEach(seen.refusals, all),
    cause: 'status',
    // One refusal among many may be chance: a restart, or an undocumented rate limit.
    ...(refused < 2 ? { severity: 'warning' } : {}),
  };
}

/**
 * A shape that changed and came back. A change by another client lasts, and concerns one record.
 */
function changedShape(subject: CheckInput, alike: readonly Step[]): Violations {
  const shapes = [...alike, subject].map((step) => shapeOf(subject, step));
  const emptied = emptiedBetween(shapes);
  if (emptied !== undefined) return vanished(subject, emptied);
  const envelope = flapOf(shapes.map(({ around }) => around));
  if (envelope !== undefined) return flapped(subject, envelope, 'around');
  const identifiers = [...(shapes.at(-1)?.records.keys() ?? [])];
  const flaps = identifiers.flatMap((identifier) => flapOf(historyOf(shapes, identifier)) ?? []);
  const common = identifiers.filter(
    (identifier) => historyOf(shapes, identifier).length > 2,
  ).length;
  const [first] = flaps;
  return first === undefined || flaps.length < Math.min(2, common) || flaps.length < 2
    ? []
    : flapped(subject, first, 'records');
}

/**
 * How many records a list had just before it was empty, and has again: another client does not
 * restore deleted records with the same identifiers.
 */
function emptiedBetween(shapes: readonly AnswerShape[]): number | undefined {
  const identifiers = shapes.map(({ records }) => [...records.keys()]);
  const now = identifiers.at(-1) ?? [];
  const last = identifiers.slice(0, -1).findLastIndex((known) => known.length > 0);
  const before = identifiers[last] ?? [];
  if (now.length === 0 || last < 0 || last === identifiers.length - 2) return undefined;
  const back = before.filter((identifier) => now.includes(identifier));
  return back.length * 2 > before.length ? before.length : undefined;
}

const manyRecords = 3;

function vanished(subject: CheckInput, count: number): Violation {
  return {
    at: subject.operation.pointer,
    message:
      `The same request got a list of ${countWords(count, 'record')}, then an ` +
      'empty one, and then the same records again.',
    expected: `${countWords(count, 'record')} each time`,
    actual: 'no records now and then',
    cause: 'empty',
    // A replica may lag by one record or two, not by all of them, nor behind what nobody writes.
    ...(count >= manyRecords || changesNothing(subject.contract) ? { conclusive: true } : {}),
  };
}

function historyOf(shapes: readonly AnswerShape[], identifier: string): string[] {
  return shapes.flatMap(({ records }) => records.get(identifier) ?? []);
}

interface Flap {
  readonly usual: string;
  readonly odd: string;
}

/** The last shape, and the one before it if that differs from both the last and an earlier one. */
function flapOf(history: readonly string[]): Flap | undefined {
  const [now, before] = [history.at(-1), history.at(-2)];
  if (
    now === undefined ||
    before === undefined ||
    now === before ||
    !history.slice(0, -2).includes(now)
  )
    return undefined;
  return { usual: now, odd: before };
}

function flapped(
  subject: CheckInput,
  { usual, odd }: Flap,
  where: 'around' | 'records',
): Violation {
  const [lines, others] = [usual.split('\n'), odd.split('\n')];
  const gone = lines.filter((line) => !others.includes(line));
  const come = others.filter((line) => !lines.includes(line));
  const show = (fields: readonly string[]): string => fields.slice(0, 4).join(', ') || 'nothing';
  // A member that the contract requires is missed by `body-matches-schema` too.
  const onlyComesAndGoes = gone.length === 0 || come.length === 0;
  return {
    at: subject.operation.pointer,
    message:
      'The same request got responses of two shapes in ' +
      `turn${where === 'records' ? ', for the same records' : ''}: now with ` +
      `${show(gone)}, now with ${show(come)}.`,
    expected: `${show(gone)} each time`,
    actual: `${show(come)} now and then`,
    cause: `shape ${where}`,
    ...(onlyComesAndGoes ? { severity: 'warning' } : {}),
  };
}
