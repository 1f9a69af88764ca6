import { plainName } from '../../../contract/infer/infer-names.ts';
import { namesChange } from '../../../contract/words/names.ts';
import type { Operation, Resource } from '../../../contract/model.ts';
import { isSuccess } from '../../../http/status.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonObject } from '../../../json/value.ts';
import { isSafe } from '../../model/is-safe.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import { roleOf, type Step } from '../../model/step.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { linksIn, relationsTo } from '../../reading/record-links.ts';
import type { Related, RelationFault } from '../../reading/related.ts';
import { listedRecords, shownRecord } from '../../reading/shown-records.ts';

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
export function otherThanLinked({ subject }: Related): RelationFault[] | undefined {
  const resource = roleOf(subject.contract, subject.operation)?.resource;
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
): RelationFault[] {
  const [offered] = contrary.filter(({ isLinked }) => isLinked);
  const at = { operation, at: operation.pointer };
  if (offered !== undefined)
    return [
      {
        message:
          `The server answered 409 to ${operation.id}, to which the record had a link; the links ` +
          'to its other operations show what its state allows.',
        expected: 'no link to what the state of the record does not allow',
        actual: '409',
        cause: `linked ${operation.id}`,
        ...at,
      },
    ];
  const [taken] = contrary.filter((trial) => !trial.isLinked && hasEffect(resource, trial));
  const isRefused = isCertain || agreeing.some(({ isLinked }) => !isLinked);
  if (taken === undefined || !isRefused || !isEverLinked(subject, resource, operation)) return [];
  const status = String(taken.step.exchange.response?.status ?? '');
  return [
    {
      message:
        `The server accepted (${status}) ${operation.id} of a record without a link to it, which ` +
        'records have in other states.',
      expected: 'a refusal, as in other states without that link',
      actual: status,
      cause: `not linked ${operation.id}`,
      ...at,
    },
  ];
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
  return isSuccess(exchange.response?.status ?? 0) && !isSafe(operation);
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
