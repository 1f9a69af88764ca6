import type { Contract, Operation } from '../../../contract/model.ts';
import { isRedirect, isSuccess } from '../../../http/message.ts';
import type { ShutCode, SkippedOperation } from '../../model/case.ts';
import type {
  IdentityAccess,
  OperationAccess,
  OperationSummary,
  Reach,
  ShutGroup,
} from '../../model/run-summary.ts';
import { type Step, isSafe, type Withheld } from '../../model/step.ts';
import { allowing } from '../../model/effect-rules.ts';
import { isSecured, sentForm } from '../../../contract/model/operation.ts';

/** Why an operation had no success, and the setting that would change it. */
export type Shut = NonNullable<OperationSummary['shut']>;

/** The facts about operations without a success. */
export interface ReachFacts {
  readonly contract: Contract;
  readonly steps: readonly Step[];
  /** The ids of operations with a 2xx response, cleanup included. */
  readonly succeeded: ReadonlySet<string>;
  readonly skipped: readonly SkippedOperation[];
  /** Why some planned requests were not sent, by the id of the operation. */
  readonly unsent: ReadonlyMap<string, Withheld>;
}

/** Why operations had no success, by id; those with one are not in it. */
export function findShut(facts: ReachFacts): ReadonlyMap<string, Shut> {
  const { contract, steps, succeeded, skipped, unsent } = facts;
  const byOperation = Map.groupBy(steps, (step) => step.case.operation);
  // A target that never responds ends the run before the other requests are sent.
  const isSilent =
    steps.length > 0 && steps.every(({ exchange }) => exchange.response === undefined);
  const left = new Map(skipped.map((one) => [one.operation, one]));
  return new Map(
    contract.operations.flatMap((operation) => {
      const own = byOperation.get(operation) ?? [];
      if (succeeded.has(operation.id) || own.some((step) => redirects(step, operation))) return [];
      const why = left.get(operation);
      const shut: Shut =
        why === undefined
          ? isSilent && own.length === 0
            ? { code: 'run-ended' }
            : whyShut(operation, own, unsent.get(operation.id))
          : { code: why.code, opens: why.opens };
      return [[operation.id, shut] as const];
    }),
  );
}

/** Whether an operation that documents a redirect and no success returned one. */
function redirects({ exchange: { response } }: Step, { responses }: Operation): boolean {
  return (
    response !== undefined &&
    isRedirect(response.status) &&
    !responses.some((documented) => documented.status.startsWith('2'))
  );
}

/** Why the requests of an operation had no success, by the responses to valid ones. */
function whyShut(operation: Operation, steps: readonly Step[], unsent: Withheld | undefined): Shut {
  const valid = steps.filter(({ case: { intent } }) => intent.kind === 'valid');
  const statuses = valid.flatMap(({ exchange: { response } }) => response?.status ?? []);
  const { method, path } = sentForm(operation);
  const opens = `check.values: ${method} ${path}`;
  if (statuses.length === 0 && valid.length > 0) return { code: 'no-answer' };
  if (unsent?.code === 'unknown-record' && isSafe(operation) && statuses.length === 0)
    return { code: 'unknown-value', opens: `targets.NAME.examples: ${operation.id}` };
  // A POST without a body that names no record may act on all of them, and is not planned.
  if (steps.length === 0 && unsent === undefined && actsAtLarge(operation))
    return { code: 'effect', opens: allowing(operation) };
  if (statuses.length === 0)
    return { code: unsent === undefined ? 'unplanned' : (codes[unsent.code] ?? 'run-ended') };
  if (statuses.some((status) => status >= 500)) return { code: 'failed' };
  if (statuses.every((status) => status === 401 || status === 403))
    return { code: 'credential', opens: '--auth env:NAME' };
  if (statuses.every((status) => status === 404 || status === 410)) return { code: 'not-found' };
  return statuses.some((status) => status >= 400) ? { code: 'refused', opens } : { code: 'failed' };
}

/** Why no request of an operation was sent although it is part of the run, as a clause. */
export function whyUnplanned(operation: Operation): string {
  return actsAtLarge(operation)
    ? 'it takes no body and names no record, so it may act on all of them; ' +
        `${allowing(operation)} sends it`
    : 'no request was planned for it';
}

function actsAtLarge(operation: Operation): boolean {
  const { requestBody, path } = operation;
  return !isSafe(operation) && requestBody === undefined && !path.includes('{');
}

const codes: Partial<Readonly<Record<Withheld['code'], ShutCode>>> = {
  'run-over': 'run-ended',
  'requests-spent': 'run-ended',
  'time-spent': 'run-ended',
  'server-gone': 'no-answer',
  'no-answers': 'no-answer',
  'credential-refused': 'credential',
  'unknown-record': 'no-own-record',
  'not-own-record': 'no-own-record',
  unsendable: 'unwritable',
};

/**
 * How many operations had a success, why the others had none, and the settings that would change
 * most of them. Operations that the user excludes do not count.
 */
export function reachOf(operations: readonly OperationSummary[]): Reach {
  const counted = operations.filter(({ shut }) => shut?.code !== 'excluded');
  const shut = counted.flatMap((operation) =>
    operation.shut === undefined ? [] : [{ id: operation.id, ...operation.shut }],
  );
  const groups = [...Map.groupBy(shut, ({ code }) => code)]
    .map(([code, alike]): ShutGroup => ({
      code,
      operations: alike.map(({ id }) => id),
      opens: [...new Set(alike.flatMap(({ opens }) => opens ?? []))],
    }))
    .toSorted((left, right) => right.operations.length - left.operations.length);
  const reached = counted.length - shut.length;
  return {
    reached,
    total: counted.length,
    isPartial: reached * 2 < counted.length,
    shut: groups,
  };
}

/** The identities of a run, and all its steps. */
export interface AccessFacts {
  /** The name of the run's identity. */
  readonly run: string;
  readonly others: readonly string[];
  readonly steps: readonly Step[];
}

/** Who could send which operation: the identity of the run, then the others in their order. */
export function accessOf({ run, others, steps }: AccessFacts): IdentityAccess[] {
  const byName = Map.groupBy(steps, ({ case: { intent, operation } }) => {
    if (intent.kind === 'identity' && intent.wanted !== 'unchanged') return `as ${intent.identity}`;
    return intent.kind === 'valid' && isSecured(operation) ? 'run' : '';
  });
  return [
    accessBy(run, byName.get('run') ?? []),
    ...others.map((name) => accessBy(name, byName.get(`as ${name}`) ?? [])),
  ];
}

function accessBy(name: string, steps: readonly Step[]): IdentityAccess {
  const byOperation = Map.groupBy(steps, (step) => step.case.operation.id);
  const operations = [...byOperation].map(([id, own]) => [id, accessTo(own)] as const);
  const statuses = steps.flatMap(({ exchange: { response } }) => response?.status ?? []);
  const isProven = operations.some(([, access]) => access === 'allowed');
  const isShutOut = statuses.length > 0 && statuses.every((status) => status === 401);
  const unproven = isShutOut ? 'shut-out' : statuses.length === 0 ? 'not-asked' : 'unproven';
  return {
    name,
    state: isProven ? 'asked' : unproven,
    operations: Object.fromEntries(operations),
  };
}

function accessTo(steps: readonly Step[]): OperationAccess {
  const statuses = steps.map(({ exchange: { response } }) => response?.status ?? 0);
  if (statuses.some(isSuccess)) return 'allowed';
  return statuses.every((status) => [401, 403, 404].includes(status)) ? 'refused' : 'unclear';
}
