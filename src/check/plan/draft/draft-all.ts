import type { Contract, Operation } from '../../../contract/model.ts';
import { readTemplate } from '../../../contract/route/path-template.ts';
import { matchesMediaRange } from '../../../http/media-type.ts';
import { type EffectRules, onlyReads, whyWithheld } from '../../effect/effect-rules.ts';
import { roleOf } from '../../subject.ts';
import { isSecured, usableRequirement, whyUnusable } from '../../secrets/credential.ts';
import { whySkipped } from '../../skip.ts';
import { type Draft, draftRequest, type DraftSettings } from '../draft.ts';
import type { PlanRequest } from '../plan-context.ts';
import { isSafe } from './is-safe.ts';
import { pathNames } from './path-names.ts';
import { isRestorable } from '../sequence/singletons.ts';

/** An operation that no request is planned for, and why. */
export interface SkippedOperation {
  readonly operation: Operation;
  /** A clause that begins with a small letter. */
  readonly reason: string;
}

/** The drafts of a contract, in its order. */
export interface AllDrafts {
  readonly drafts: readonly Draft[];
  /** Those that may only be sent where what they change is put back. */
  readonly restorable: readonly Draft[];
  readonly skipped: readonly SkippedOperation[];
}

/**
 * What all drafts are made from; `reasons` has the operations that are skipped whatever they ask
 * for.
 */
export interface DraftingSettings extends DraftSettings {
  readonly reasons: ReadonlyMap<Operation, string>;
  readonly rules: EffectRules;
}

/** Drafts every operation of a contract that the run may send, one a step. */
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
    const reason =
      reasons.get(operation) ??
      (isFree(operation, rules) ? undefined : reasonNotToChange(contract, operation, given));
    const drafted =
      reason === undefined
        ? draftRequest(contract, operation, settings)
        : { ok: false as const, reason };
    if (!drafted.ok) skipped.push({ operation, reason: drafted.reason });
    else if (pathNames(contract, operation).length === 0 && isRestorable(contract, operation))
      restorable.push(drafted.draft);
    else drafts.push(drafted.draft);
  }
  return { drafts, restorable, skipped };
}

/** Whether an operation may be sent for any record: it only reads, or the user allows it. */
function isFree(operation: Operation, rules: EffectRules): boolean {
  return onlyReads(operation, rules) || rules.allowed.has(operation);
}

const nobodysOwn =
  'it changes a record, and no operation of the contract creates one that the run might change';

/**
 * Why a run may not send an operation, in a clause: a replacement, update, deletion or action only
 * ever touches what the run created, or can put back. `given` has the path parameters for which the
 * user named a record to act on.
 */
function reasonNotToChange(
  contract: Contract,
  operation: Operation,
  given: ReadonlySet<string>,
): string | undefined {
  if (isSafe(operation)) return undefined;
  const isPost = operation.method === 'POST';
  // What is created below a record leaves the record as it is.
  const touched = pathNames(contract, operation).filter(
    ({ below, parameter }) => !(isPost && (below !== undefined || given.has(parameter.name))),
  );
  if (touched.some(({ creatable }) => !creatable))
    return isPost
      ? `${nobodysOwn}; name one with targets.NAME.examples.${operation.id}.${touched[0]?.parameter.name ?? ''}`
      : nobodysOwn;
  const makesNew = isPost && roleOf(contract, operation)?.action !== 'update';
  if (touched.length > 0 || makesNew) return undefined;
  if (isRestorable(contract, operation)) return undefined;
  if (contract.inference.placementOf(operation)?.kind === 'bulk')
    return 'it changes many records at once, among them those of others';
  return roleOf(contract, operation)?.resource.kind === 'singleton'
    ? 'it changes the only record there is, and nothing in the contract could put it back'
    : nobodysOwn;
}

/**
 * The operation whose requests are the same as those of another one after it: documents write a
 * fragment behind a path to have it twice, and a fragment is never sent (RFC 9110, section 7.1).
 * Nobody can say which of both an answer belongs to.
 */
export function sameRequestAs(contract: Contract, operation: Operation): Operation | undefined {
  const known = firsts.get(contract) ?? findFirsts(contract);
  firsts.set(contract, known);
  return known.get(operation);
}

const firsts = new WeakMap<Contract, ReadonlyMap<Operation, Operation>>();

function findFirsts({ operations }: Contract): Map<Operation, Operation> {
  const groups = Map.groupBy(operations, wireKey);
  return new Map(
    [...groups.values()]
      .filter((group) => group.length > 1)
      .flatMap((group) =>
        group.flatMap((operation, index) => {
          const first = isMarked(operation)
            ? undefined
            : group
                .slice(0, index)
                .find((earlier) => !isMarked(earlier) && sharesBody(earlier, operation));
          return first === undefined ? [] : [[operation, first] as const];
        }),
      ),
  );
}

/** What of a request line does not depend on values. */
function wireKey({ method, path, servers, ownServers }: Operation): string {
  const sent = path.split('#', 1)[0] ?? '';
  return [
    method,
    ownServers ? (servers[0]?.url ?? '') : '',
    sent.replaceAll(/\{[^{}]*\}/g, '{}'),
  ].join(' ');
}

/** Whether what stands behind the path is sent too, because parameters of these names carry it. */
function isMarked({ path, parameters }: Operation): boolean {
  const { conditions } = readTemplate(
    path.slice(path.indexOf('#') === -1 ? path.length : path.indexOf('#')),
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

/** Whether one body could be meant for both. */
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

/** Whether nothing is documented that a client could wait for (RFC 9110, section 15.2). */
function isInterim({ responses }: Operation): boolean {
  return responses.length > 0 && responses.every(({ status }) => status.startsWith('1'));
}

export function reasonToSkip(
  request: PlanRequest & { readonly rules: EffectRules },
  operation: Operation,
): string | undefined {
  const { include, exclude, changed, mode } = request;
  if (include !== undefined && !include.includes(operation.id))
    return 'the run is limited to other operations (--include)';
  if (exclude?.includes(operation.id) === true) return 'it is excluded (--exclude)';
  const skipped = whySkipped(request.skips ?? [], operation.id);
  if (skipped !== undefined) return skipped;
  if (changed !== undefined && !changed.operations.includes(operation.id))
    return `its contract has not changed since ${changed.since}`;
  const missing = request.missingServer(operation);
  if (missing !== undefined) return missing;
  const same = sameRequestAs(request.contract, operation);
  if (same !== undefined)
    return `its requests are the same as those of ${same.id}, so no answer can be told to be its own`;
  if (operation.sunset !== undefined && operation.sunset <= request.today)
    return `the contract says that it was removed on ${operation.sunset}`;
  if (isInterim(operation))
    return `the contract documents ${operation.responses.map(({ status }) => status).join(', ')} alone, which ends no exchange`;
  if (operation.method === 'TRACE' || operation.method === 'QUERY')
    return `vouch sends no ${operation.method} requests`;
  const withheld = whyWithheld(operation, request.rules, mode);
  if (withheld !== undefined) return withheld;
  if (isSecured(operation) && usableRequirement(operation) === undefined)
    return whyUnusable(operation);
  return undefined;
}
