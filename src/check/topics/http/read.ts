import type { Resource } from '../../../contract/model.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { stringifyJson } from '../../../json/value.ts';
import { type Case, makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import type { Argument, RequestTemplate } from '../../model/request-template.ts';
import { isSecured, sentForm } from '../../../contract/model/operation.ts';
import { type Draft, isSafe, requestOf } from '../../plan/draft.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { draftCase, draftOf, needsRecord, plainIntent } from '../../plan/plan-context.ts';

/**
 * The first request of a run: a plain read that shows whether the service is there and accepts the
 * credential. A secured list is best, because it also shows which records exist. Undefined if the
 * contract has no read that needs no record.
 */
function probeDraft({ drafts }: PlanContext): Draft | undefined {
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
  return [
    makeSequence(draftCase(draft, { title: 'a plain request', phase: 'probe', record: 'known' })),
  ];
}

/**
 * Every safe operation once, with a typical request. A read of a record uses the first one of the
 * list; other operations below a record use any known one.
 */
export function planRead(context: PlanContext): Sequence[] {
  const probed = probeDraft(context);
  const entries = context.contract.resources.flatMap((resource) => planEntry(context, resource));
  const covered = new Set(entries.flatMap(({ cases }) => cases.map(({ operation }) => operation)));
  // A list that needs no record is also requested alone: that is cheap, and shows instability.
  const alone = context.drafts.filter(
    (draft) =>
      isSafe(draft.operation) &&
      draft !== probed &&
      !(needsRecord(draft) && covered.has(draft.operation)),
  );
  return [
    ...alone.map((draft) =>
      makeSequence(draftCase(draft, { title: 'a plain request', phase: 'read', record: 'known' })),
    ),
    ...entries,
  ];
}

/**
 * List, read the first entry, list again: the read record equals the listed one, unless it was
 * changed in between.
 */
function planEntry(context: PlanContext, resource: Resource): Sequence[] {
  const list = draftOf(context, resource.operations.list);
  const read = draftOf(context, resource.operations.read);
  if (list === undefined || read === undefined) return [];
  const phase = 'read';
  return [
    makeSequence(
      draftCase(list, { title: 'a plain request', phase, record: 'known' }),
      draftCase(read, { title: 'the first record of the list is read', phase, record: 'listed' }),
      draftCase(list, { title: 'the list is asked for again', phase, record: 'listed' }),
      ...readSecond(resource, { list, read }),
    ),
  ];
}

/**
 * The read of another record of the list, where no operation creates one: a service may answer
 * every identifier with the same record.
 */
function readSecond(
  { operations, identifier: { field }, list: shape }: Resource,
  { list, read }: { readonly list: Draft; readonly read: Draft },
): Case[] {
  const { operation, identifier } = read;
  if (identifier === undefined || shape?.form !== 'array') return [];
  if (operations.create !== undefined) return [];
  const second: Argument = {
    parameter: identifier,
    source: {
      kind: 'link',
      operation: list.operation.id,
      expression: `$response.body#${joinPointer(shape.records, 1, field)}`,
      of: operation.path,
    },
  };
  return [
    draftCase(read, {
      title: 'the second record of the list is read',
      phase: 'read',
      record: 'listed',
      extra: [second],
      optional: true,
    }),
  ];
}

/** A HEAD between two plain GETs of each address: it must have what both responses share. */
export function planHead({ contract, drafts }: PlanContext): Sequence[] {
  const declaresHead = ({ operation }: Draft): boolean =>
    contract.operations.some(({ method, path }) => method === 'HEAD' && path === operation.path);
  return drafts
    .filter((draft) => sentForm(draft.operation).method === 'GET' && !declaresHead(draft))
    .map(headBetween);
}

function headBetween(draft: Draft): Sequence {
  const phase = 'boundary';
  const head = draftCase(draft, {
    title: 'a HEAD for what was just read',
    phase,
    request: { ...requestOf(draft, 'known'), method: 'HEAD' },
    intent: { kind: 'method', method: 'HEAD', wanted: 'like GET' },
  });
  return makeSequence(
    draftCase(draft, {
      title: 'a plain request, before a HEAD for the same',
      phase,
      record: 'known',
    }),
    head,
    draftCase(draft, {
      title: 'a plain request, after a HEAD for the same',
      phase,
      record: 'known',
    }),
  );
}

/** The number of equal requests of a run, to detect a server that fails occasionally. */
const repeats = 20;
/** The same for each other read: what one in four responses shows is almost certainly seen. */
const fewRepeats = 8;
/** How many requests these repeats may take: a few for a small contract, a share for a large one. */
const fewestInAll = 16;
const shareOfAll = 0.03;

/**
 * Repeats the request of the probe until the run has sent it 20 times in total, and the plain
 * request of every other read until it has sent that 8 times, as far as they are few among all.
 */
export function planRepeats(context: PlanContext, others: readonly Sequence[]): Sequence[] {
  const probe = probeDraft(context);
  const counts = countPlain(others);
  const planned = others.reduce((sum, { cases }) => sum + cases.length, 0);
  let left = Math.max(fewestInAll, Math.floor(planned * shareOfAll));
  const few = context.drafts.flatMap((draft) => {
    if (draft.operation.method !== 'GET' || draft === probe) return [];
    const sequences = repeatUpTo(draft, fewRepeats, counts);
    const count = sequences.reduce((sum, { cases }) => sum + cases.length, 0);
    if (count > left) return [];
    left -= count;
    return sequences;
  });
  return [...(probe === undefined ? [] : repeatUpTo(probe, repeats, counts)), ...few];
}

/** How often the plan asks each read for the same, by its operation and arguments. */
function countPlain(others: readonly Sequence[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { cases } of others)
    for (const { operation, intent, request } of cases) {
      if (operation.method !== 'GET' || intent.kind !== 'valid') continue;
      const key = plainKey(operation, request);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return counts;
}

function repeatUpTo(draft: Draft, wanted: number, counts: ReadonlyMap<string, number>): Sequence[] {
  const request = requestOf(draft, 'known');
  const sent = counts.get(plainKey(draft.operation, request)) ?? 0;
  const count = wanted - sent;
  if (count < 2) return [];
  const intent = plainIntent(draft);
  const cases = Array.from({ length: count }, (_one, index) => {
    const title = `the same request, ${String(sent + index + 1)} of ${String(wanted)}`;
    const { operation } = draft;
    return makeCase({ title, phase: 'sequence', operation, request, intent, isRepeat: true });
  });
  return [makeSequence(...cases)];
}

function plainKey({ id }: Draft['operation'], request: RequestTemplate): string {
  return `${id}\n${argumentsKey(request)}`;
}

function argumentsKey({ arguments: given }: RequestTemplate): string {
  return given
    .map(({ parameter: { name }, source }) => {
      const value = source.kind === 'value' ? stringifyJson(source.value) : '';
      // The first record of a list is the known one.
      const kind = source.kind === 'listed' ? 'known' : source.kind;
      return `${name} ${kind} ${value}`;
    })
    .join('\n');
}
