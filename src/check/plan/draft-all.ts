import type { ShutCode, SkippedOperation, WhySkipped } from '../model/case.ts';
import type { Contract, Operation } from '../../contract/model.ts';
import { readTemplate } from '../../contract/path-template.ts';
import { matchesMediaRange } from '../../http/media-type.ts';
import { type EffectRules, onlyReads, whyWithheld } from '../model/effect-rules.ts';
import type { Mode } from '../model/phase.ts';
import { roleOf, isSafe } from '../model/step.ts';
import { usableRequirement, whyUnusable } from '../secrets/credential.ts';
import { isSecured } from '../../contract/model/operation.ts';
import { whySkipped, type Skip } from './skip.ts';
import { type Draft, draftRequest, type DraftSettings } from './draft.ts';
import { isRestorable } from './singletons.ts';
import { bodyName, pathNames } from '../reading/path-names.ts';

/** The drafts of a contract, in its order. */
export interface AllDrafts {
  readonly drafts: readonly Draft[];
  /** Drafts that may only be sent when their change is reverted right after. */
  readonly restorable: readonly Draft[];
  readonly skipped: readonly SkippedOperation[];
}

/** What all drafts are made from; `reasons` has the operations that the run skips anyway. */
export interface DraftingSettings extends DraftSettings {
  readonly reasons: ReadonlyMap<Operation, WhySkipped>;
  readonly rules: EffectRules;
}

/** Drafts every operation of a contract that the run may send, one per step. */
export function* draftAll(
  contract: Contract,
  { reasons, rules, ...settings }: DraftingSettings,
): Generator<void, AllDrafts> {
  const drafts: Draft[] = [];
  const restorable: Draft[] = [];
  const skipped: SkippedOperation[] = [];
  for (const operation of contract.operations) {
    yield;
    const given = new Set(Object.keys(settings.examples?.[operation.id] ?? {}));
    const why =
      reasons.get(operation) ??
      (mayTouchAny(operation, rules) ? undefined : reasonNotToChange(contract, operation, given));
    const drafted =
      why === undefined
        ? draftRequest(contract, operation, settings)
        : { ok: false as const, ...why };
    if (!drafted.ok) {
      const { ok: _, ...whyNot } = drafted;
      skipped.push({ operation, ...whyNot });
    } else if (pathNames(contract, operation).length === 0 && isRestorable(contract, operation))
      restorable.push(drafted.draft);
    else drafts.push(drafted.draft);
  }
  return { drafts, restorable, skipped };
}

/** Whether an operation may be sent for any record: it only reads, or the user allows it. */
function mayTouchAny(operation: Operation, rules: EffectRules): boolean {
  return onlyReads(operation, rules) || rules.allowed.has(operation);
}

const changesForeignRecord =
  'it changes a record, and no operation of the contract creates one that the run might change';

/**
 * Why a run must not send an operation that changes something, as a clause: a replacement, update,
 * deletion or action only touches what the run created or can restore. `given` has the path
 * parameters for which the user named a record to act on.
 */
function reasonNotToChange(
  contract: Contract,
  operation: Operation,
  given: ReadonlySet<string>,
): WhySkipped | undefined {
  if (isSafe(operation)) return undefined;
  const isPost = operation.method === 'POST';
  // Creating something below a record leaves the record as it is.
  const touched = pathNames(contract, operation).filter(
    ({ below, parameter }) => !(isPost && (below !== undefined || given.has(parameter.name))),
  );
  if (touched.some(({ creatable }) => !creatable)) {
    const example = `targets.NAME.examples.${operation.id}.${touched[0]?.parameter.name ?? ''}`;
    return isPost
      ? noOwnRecord(`${changesForeignRecord}; name one with ${example}`, example)
      : noOwnRecord(changesForeignRecord);
  }
  const makesNew = isPost && roleOf(contract, operation)?.action !== 'update';
  const isNamed = touched.length > 0 || bodyName(contract, operation) !== undefined;
  if (isNamed || makesNew || isRestorable(contract, operation)) return undefined;
  return noOwnRecord(whyForeign(contract, operation));
}

/** Why a change concerns a record that the run cannot create, as a clause. */
function whyForeign(contract: Contract, operation: Operation): string {
  if (contract.inference.placementOf(operation)?.kind === 'bulk')
    return "it changes many records at once, including other people's";
  return roleOf(contract, operation)?.resource.kind === 'singleton'
    ? 'it changes the only record, and no operation of the contract could restore it'
    : changesForeignRecord;
}

function noOwnRecord(reason: string, opens?: string): WhySkipped {
  return { code: 'no-own-record', reason, opens };
}

/** What decides whether the run sends an operation at all, before a request is drafted. */
export interface OperationChoice {
  readonly contract: Contract;
  readonly mode: Mode;
  /** The day of the run, `YYYY-MM-DD`. */
  readonly today: string;
  readonly skips?: readonly Skip[];
  /** Ids of operations. */
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly changed?: { readonly since: string; readonly operations: readonly string[] } | undefined;
  readonly rules: EffectRules;
  /** Why an operation has no base URL, if none is known for it. */
  missingServer(operation: Operation): WhySkipped | undefined;
}

/** The operations that the run does not send, each with the reason as a clause. */
export function skippedOperations(choice: OperationChoice): ReadonlyMap<Operation, WhySkipped> {
  const repeated = findRepeatedRequests(choice.contract);
  return new Map(
    choice.contract.operations.flatMap((operation) => {
      const why =
        clause('excluded', reasonByChoice(choice, operation)) ??
        choice.missingServer(operation) ??
        reasonByContract(choice, operation, repeated.get(operation));
      return why === undefined ? [] : [[operation, why] as const];
    }),
  );
}

function clause(code: ShutCode, reason: string | undefined): WhySkipped | undefined {
  return reason === undefined ? undefined : { code, reason };
}

/** What the user excluded. */
function reasonByChoice(
  { include, exclude, changed, skips = [] }: OperationChoice,
  { id }: Operation,
): string | undefined {
  if (include !== undefined && !include.includes(id))
    return 'the run is limited to other operations (--include)';
  if (exclude?.includes(id) === true) return 'it is excluded (--exclude)';
  const skipped = whySkipped(skips, id);
  if (skipped !== undefined) return skipped;
  return changed !== undefined && !changed.operations.includes(id)
    ? `its contract has not changed since ${changed.since}`
    : undefined;
}

/** What the contract itself rules out. `same`: an earlier operation with the same requests. */
function reasonByContract(
  { today, rules, mode }: OperationChoice,
  operation: Operation,
  same: Operation | undefined,
): WhySkipped | undefined {
  const { method, sunset, responses } = operation;
  if (same !== undefined)
    return {
      code: 'excluded',
      reason: `its requests equal those of ${same.id}, so a response could belong to either`,
    };
  if (sunset !== undefined && sunset <= today)
    return { code: 'excluded', reason: `the contract says that it was removed on ${sunset}` };
  if (isInterim(operation)) {
    const statuses = responses.map(({ status }) => status).join(', ');
    return {
      code: 'excluded',
      reason: `the contract documents ${statuses} alone, and interim responses end no exchange`,
    };
  }
  if (method === 'TRACE') return { code: 'excluded', reason: 'vouch sends no TRACE requests' };
  const withheld = whyWithheld(operation, rules, mode);
  if (withheld !== undefined) return withheld;
  return isSecured(operation) && usableRequirement(operation) === undefined
    ? clause('credential', whyUnusable(operation))
    : undefined;
}

/** Whether only interim responses are documented (RFC 9110, section 15.2). */
function isInterim({ responses }: Operation): boolean {
  return responses.length > 0 && responses.every(({ status }) => status.startsWith('1'));
}

/**
 * Operations whose requests equal those of an earlier one, which each is mapped to: some documents
 * append a fragment to a path in order to have it twice, and a fragment is never sent (RFC 9110,
 * section 7.1). A response could belong to either.
 */
function findRepeatedRequests({ operations }: Contract): ReadonlyMap<Operation, Operation> {
  const groups = Map.groupBy(operations, requestLineKey);
  return new Map(
    [...groups.values()]
      .filter((group) => group.length > 1)
      .flatMap((group) =>
        group.flatMap((operation, index) => {
          const first = isFragmentSent(operation)
            ? undefined
            : group
                .slice(0, index)
                .find((earlier) => !isFragmentSent(earlier) && sharesBody(earlier, operation));
          return first === undefined ? [] : [[operation, first] as const];
        }),
      ),
  );
}

/** The parts of a request line that do not depend on values. */
function requestLineKey({ method, path, servers, ownServers }: Operation): string {
  const sent = path.split('#', 1)[0] ?? '';
  return [
    method,
    ownServers ? (servers[0]?.url ?? '') : '',
    sent.replaceAll(/\{[^{}]*\}/g, '{}'),
  ].join(' ');
}

/** Whether required parameters send what follows the path too, by the names in it. */
function isFragmentSent({ path, parameters }: Operation): boolean {
  const { conditions } = readTemplate(
    path.slice(path.includes('#') ? path.indexOf('#') : path.length),
  );
  return (
    conditions.length > 0 &&
    conditions.every(({ name }) =>
      parameters.some(
        (parameter) => parameter.required && parameter.name.toLowerCase() === name.toLowerCase(),
      ),
    )
  );
}

/** Whether one body could be sent to both operations. */
function sharesBody({ requestBody: left }: Operation, { requestBody: right }: Operation): boolean {
  if (left === undefined || right === undefined) return left === right;
  return left.content.some(({ mediaType }) =>
    right.content.some(
      (other) =>
        matchesMediaRange(mediaType, other.mediaType) ||
        matchesMediaRange(other.mediaType, mediaType),
    ),
  );
}
