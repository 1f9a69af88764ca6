import type { Resource } from '../../contract/model.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import { type Case, makeCase, makeSequence, type RequestTemplate, type Sequence } from '../case.ts';
import type { Phase } from '../event.ts';
import { isSecured } from '../secrets/credential.ts';
import { type Draft, isSafe, requestOf } from './draft.ts';
import { draftOf, needsRecord, plainIntent, type PlanContext } from './plan-context.ts';

/**
 * Every safe operation once, as a person would ask; one that reads a record is asked for the first
 * that the list shows, others below a record for any that is known.
 */
export function planRead(context: PlanContext): Sequence[] {
  const probed = probeDraft(context);
  const entries = context.contract.resources.flatMap((resource) => planEntry(context, resource));
  const covered = new Set(entries.flatMap(({ cases }) => cases.map(({ operation }) => operation)));
  // A list that is asked for with its first entry is asked for once more where it stands alone: it
  // costs little, and shows what is flaky.
  const alone = context.drafts.filter(
    (draft) =>
      isSafe(draft.operation) &&
      draft !== probed &&
      !(needsRecord(draft) && covered.has(draft.operation)),
  );
  return [...alone.map((draft) => makeSequence(plainCase(draft, 'read'))), ...entries];
}

/**
 * List, read the first entry, list again: what is read is what is listed, unless somebody changed
 * it in between.
 */
function planEntry(context: PlanContext, resource: Resource): Sequence[] {
  const list = draftOf(context, resource.operations.list);
  const read = draftOf(context, resource.operations.read);
  if (list === undefined || read === undefined) return [];
  const { operation } = read;
  const reading = makeCase({
    title: 'the first record of the list is read',
    phase: 'read',
    operation,
    request: requestOf(read, 'listed'),
    intent: plainIntent(read),
  });
  const again = makeCase({
    title: 'the list is asked for again',
    phase: 'read',
    operation: list.operation,
    request: requestOf(list, 'listed'),
    intent: plainIntent(list),
  });
  return [makeSequence(plainCase(list, 'read'), reading, again)];
}

/** The plain request of a draft as a case. */
function plainCase(draft: Draft, phase: Phase): Case {
  const { operation } = draft;
  return makeCase({
    title: 'a plain request',
    phase,
    operation,
    request: requestOf(draft, 'known'),
    intent: plainIntent(draft),
  });
}

/**
 * The first request of a run: a plain read that tells whether anybody is there and takes the
 * credential. A secured list is best, because it also shows which records there are. Undefined
 * where the contract has no read that needs no record.
 */
export function probeDraft({ drafts }: PlanContext): Draft | undefined {
  const reads = drafts.filter((draft) => isSafe(draft.operation) && !needsRecord(draft));
  const score = ({ operation, role }: Draft): number =>
    (role?.action === 'list' ? 2 : 0) + (isSecured(operation) ? 1 : 0);
  return reads.reduce<Draft | undefined>(
    (best, draft) => (best === undefined || score(draft) > score(best) ? draft : best),
    undefined,
  );
}

/** The probe as the one sequence of its phase. */
export function planProbe(context: PlanContext): Sequence[] {
  const draft = probeDraft(context);
  if (draft === undefined) return [];
  const { operation } = draft;
  return [
    makeSequence(
      makeCase({
        title: 'a plain request',
        phase: 'probe',
        operation,
        request: requestOf(draft, 'known'),
        intent: plainIntent(draft),
      }),
    ),
  ];
}

/**
 * Each plain GET with the HEAD of the same address between two of it: what the GETs share is what
 * the HEAD must have too.
 */
export function planHead(context: PlanContext): Sequence[] {
  const { operations } = context.contract;
  const hasOwn = ({ operation }: Draft): boolean =>
    operations.some(({ method, path }) => method === 'HEAD' && path === operation.path);
  return context.drafts
    .filter((draft) => draft.operation.method === 'GET' && !hasOwn(draft))
    .map(headBetween);
}

function headBetween(draft: Draft): Sequence {
  const { operation } = draft;
  const request = requestOf(draft, 'known');
  const get = (title: string): Case =>
    makeCase({ title, phase: 'boundary', operation, request, intent: plainIntent(draft) });
  const head = makeCase({
    title: 'a HEAD for what was just read',
    phase: 'boundary',
    operation,
    request: { ...request, method: 'HEAD' },
    intent: { kind: 'method', method: 'HEAD', wanted: 'like GET' },
  });
  return makeSequence(
    get('a plain request before its HEAD'),
    head,
    get('a plain request after its HEAD'),
  );
}

/** A server that fails one time in so many is to be found. */
const wanted = 20;

/**
 * The probe's request as often as it takes to have been sent twenty times, one after the other: the
 * rest of the plan counts.
 */
export function planRepeats(context: PlanContext, others: readonly Sequence[]): Sequence[] {
  const draft = probeDraft(context);
  if (draft === undefined) return [];
  const { operation } = draft;
  const request = requestOf(draft, 'known');
  const make = (title: string): Case =>
    makeCase({ title, phase: 'sequence', operation, request, intent: plainIntent(draft) });
  const sent = others
    .flatMap(({ cases }) => cases)
    .filter(
      (tried) =>
        tried.operation === operation &&
        tried.intent.kind === 'valid' &&
        asksFor(tried.request) === asksFor(request),
    );
  const count = wanted - sent.length;
  return count < 2
    ? []
    : [
        makeSequence(
          ...Array.from({ length: count }, (_one, index) =>
            make(`the same request, ${String(sent.length + index + 1)} of ${String(wanted)}`),
          ),
        ),
      ];
}

function asksFor({ arguments: given }: RequestTemplate): string {
  return given
    .map(
      ({ parameter: { name }, source }) =>
        `${name} ${source.kind} ${source.kind === 'value' ? stringifyJson(source.value) : ''}`,
    )
    .join('\n');
}
