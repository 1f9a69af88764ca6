import type { Contract, Resource } from '../../../contract/model.ts';
import { defined } from '../../../json/value.ts';
import { creates } from '../../reading/created-record.ts';
import { type Case, makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import type { Argument } from '../../model/request-template.ts';
import { draftRequest, requestOf } from '../../plan/draft.ts';
import { markedBody } from '../../plan/mark-body.ts';
import { plainIntent, type PlanContext } from '../../plan/plan-context.ts';

/** The parts of a request that creates a record. */
export type RecordMaking = Pick<PlanContext, 'contract' | 'seed' | 'runId' | 'maySend'>;

/**
 * The same sequence with a create before it, whose record it uses instead of one that happened to
 * exist: it can then be sent to a fresh server. Undefined if it needs no such record, or none can
 * be created.
 */
export function standAlone(sequence: Sequence, making: RecordMaking): Sequence | undefined {
  const resource = foreignResource(sequence, making.contract);
  if (resource === undefined) return undefined;
  const create = hasCreate(sequence, resource) ? [] : createRecord(resource, making);
  if (create === undefined) return undefined;
  const cases = sequence.cases.map((testCase) => ({
    ...testCase,
    request: {
      ...testCase.request,
      arguments: testCase.request.arguments.map((argument) => asCreated(argument, resource)),
    },
  }));
  return makeSequence(...create, ...cases);
}

/** The resource of a record that a sequence uses and did not create itself. */
function foreignResource({ cases }: Sequence, { resources }: Contract): Resource | undefined {
  const names = cases.flatMap(({ request }) =>
    request.arguments.flatMap(({ source }) =>
      source.kind === 'own' || source.kind === 'known' ? [source.resource] : [],
    ),
  );
  return resources.find(({ name }) => names.includes(name));
}

function hasCreate({ cases }: Sequence, resource: Resource): boolean {
  return cases.some((testCase) => creates(resource, testCase));
}

function asCreated(argument: Argument, { name }: Resource): Argument {
  const { source } = argument;
  if ((source.kind !== 'own' && source.kind !== 'known') || source.resource !== name)
    return argument;
  const { parent } = source;
  return { ...argument, source: { kind: 'created', resource: name, ...defined({ parent }) } };
}

function createRecord(
  { operations: { create } }: Resource,
  { contract, seed, runId, maySend }: RecordMaking,
): readonly Case[] | undefined {
  if (create === undefined || !maySend(create)) return undefined;
  const drafted = draftRequest(contract, create, { seed });
  if (!drafted.ok || drafted.draft.identifier !== undefined) return undefined;
  const { draft } = drafted;
  const { body } = draft;
  const label = `${create.id} stands alone`;
  return [
    makeCase({
      title: 'a record is created',
      phase: 'confirm',
      operation: create,
      request: requestOf(draft, 'own', {
        body: body && markedBody(body, body.value, { runId, label }),
      }),
      intent: plainIntent(draft),
    }),
  ];
}

/**
 * Whether a later case uses the response to the case at an index, and no other earlier case gives
 * the same.
 */
export function isNeeded({ cases }: Sequence, index: number, { resources }: Contract): boolean {
  const giver = cases[index];
  if (giver === undefined) return false;
  if (cases.slice(index + 1).some((taker) => refersTo(taker, giver))) return true;
  const isRepeated = cases.slice(0, index).some(({ operation }) => operation === giver.operation);
  return (
    !isRepeated && cases.slice(index + 1).some((taker) => usesResponse(taker, giver, resources))
  );
}

/** Whether a case names another one by its title. */
function refersTo({ request, intent }: Case, { title }: Case): boolean {
  const { body, address } = request;
  const fills = body === undefined || body.kind === 'bytes' ? [] : (body.fills ?? []);
  return (
    (intent.kind === 'relation' && intent.of.includes(title)) ||
    address?.step === title ||
    [...request.arguments, ...fills].some(
      ({ source }) => source.kind === 'made' && source.step === title,
    )
  );
}

function usesResponse(
  { request }: Case,
  { operation }: Case,
  resources: readonly Resource[],
): boolean {
  return request.arguments.some(({ source }) => {
    if (source.kind === 'link') return source.operation === operation.id;
    if (
      source.kind !== 'created' &&
      source.kind !== 'listed' &&
      source.kind !== 'field' &&
      source.kind !== 'expression' &&
      source.kind !== 'absent'
    )
      return false;
    const { operations, namedCreate } =
      resources.find(({ name }) => name === source.resource) ?? {};
    if (source.kind === 'absent') return operation === operations?.read;
    return [operations?.create, operations?.list, namedCreate].includes(operation);
  });
}
