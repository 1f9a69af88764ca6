import type { Link, Operation, Parameter } from '../../../contract/model.ts';
import { parseExpression } from '../../../contract/runtime-expression.ts';
import type { JsonValue } from '../../../json/value.ts';
import { makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import type { Argument, Source } from '../../model/request-template.ts';
import { makeCreate } from '../boundary.ts';
import { type Draft, draftRequest, isSafe, requestOf } from '../draft.ts';
import { plainIntent, type PlanContext } from '../plan-context.ts';

/** An operation that is reached from another one's answer, with what that gives it. */
interface Linked {
  readonly link: Link;
  readonly from: Draft;
  readonly to: Draft;
  readonly given: readonly Argument[];
}

/**
 * Each link that a success declares, followed once: the operation it leads to gets its values out
 * of the answer (OpenAPI 3.1, section 4.8.20).
 */
export function planLinks(context: PlanContext): Sequence[] {
  return linksOf(context)
    .filter((linked) => !isPlannedAnyway(linked))
    .map((linked) => follow(context, linked));
}

/** The operations to which some link leads that can be followed. */
export function linkedOperations(context: PlanContext): Set<Operation> {
  return new Set(linksOf(context).map(({ to }) => to.operation));
}

function linksOf(context: PlanContext): Linked[] {
  return context.drafts.flatMap((from) => {
    const successes = from.operation.responses.filter(({ status }) => status.startsWith('2'));
    const links = new Map(
      successes.flatMap(({ links: own }) =>
        own.map((link) => [`${link.name} ${link.operationId ?? ''}`, link] as const),
      ),
    );
    return [...links.values()].flatMap((link) => linkFrom(context, from, link) ?? []);
  });
}

function linkFrom(context: PlanContext, from: Draft, link: Link): Linked | undefined {
  const operation = context.contract.operations.find(({ id }) => id === link.operationId);
  if (operation === undefined || !context.maySend(operation)) return undefined;
  const given = [...link.parameters].flatMap(
    ([name, value]) => argumentOf(from.operation, parameterOf(operation, name), value) ?? [],
  );
  const linked = new Set(
    given.flatMap(({ parameter }) => (parameter.in === 'path' ? [parameter.name] : [])),
  );
  const drafted = draftRequest(context.contract, operation, {
    seed: context.seed,
    linked,
    examples: context.examples,
    givenHeaders: context.givenHeaders,
  });
  if (!drafted.ok || given.length === 0 || !isHarmless(context, { from, to: drafted.draft, given }))
    return undefined;
  return { link, from, to: drafted.draft, given };
}

/**
 * A link leads to a change only from a create, and only by the identifier of the record that it
 * made: any other value of the answer may name somebody's record.
 */
function isHarmless(
  { rules }: PlanContext,
  { from, to, given }: Pick<Linked, 'from' | 'to' | 'given'>,
): boolean {
  if (isSafe(to.operation)) return true;
  const creates =
    rules.effects.get(from.operation)?.effect === 'creates one' && from.names.length === 0;
  const inPath = given.filter(({ parameter }) => parameter.in === 'path');
  const field = from.role?.action === 'create' ? from.role.resource.identifier.field : 'id';
  const isOwn = inPath.every(
    ({ source }) => source.kind === 'link' && namesCreated(source.expression, field),
  );
  return creates && to.names.length === 0 && inPath.length > 0 && isOwn;
}

/**
 * Whether a runtime expression is the identifier of the record that an answer shows, in an envelope
 * or not.
 */
function namesCreated(expression: string, field: string): boolean {
  const [, pointer = ''] =
    /^\$response\.body#\/(?:(?:data|result|item|record)\/)?([^/]+)$/.exec(expression) ?? [];
  return pointer === field || ['id', '_id', 'uuid', 'guid'].includes(pointer);
}

/** `path.id` says where the parameter stands, where two have one name. */
function parameterOf({ parameters }: Operation, name: string): Parameter | undefined {
  const [, place, bare] = /^(path|query|header|cookie)\.(.+)$/.exec(name) ?? [];
  return (
    parameters.find((parameter) => parameter.name === name) ??
    parameters.find((parameter) => parameter.in === place && parameter.name === bare)
  );
}

function argumentOf(
  from: Operation,
  parameter: Parameter | undefined,
  value: JsonValue,
): Argument | undefined {
  if (parameter === undefined) return undefined;
  if (typeof value !== 'string' || !value.includes('$'))
    return { parameter, source: { kind: 'value', value } };
  const source: Source = { kind: 'link', operation: from.id, expression: value };
  return parseExpression(value) === undefined ? undefined : { parameter, source };
}

/**
 * From a create to the read of the same record by its identifier: the sequences of its resource do
 * that already.
 */
function isPlannedAnyway({ from, to, given }: Linked): boolean {
  const resource = from.role?.resource;
  const [only] = given;
  return (
    resource !== undefined &&
    from.role?.action === 'create' &&
    to.role?.action === 'read' &&
    to.role.resource === resource &&
    resource.parents.length === 0 &&
    given.length === 1 &&
    only?.source.kind === 'link' &&
    only.source.expression === `$response.body#/${resource.identifier.field}`
  );
}

function follow(context: PlanContext, { link, from, to, given }: Linked): Sequence {
  const title = `a plain request, to follow the link ${link.name}`;
  const first =
    from.body === undefined || isSafe(from.operation)
      ? makeCase({
          title,
          phase: 'sequence',
          operation: from.operation,
          request: requestOf(from, isSafe(from.operation) ? 'known' : 'own'),
          intent: plainIntent(from),
        })
      : makeCreate(context, from, {
          title,
          value: from.body.value,
          intent: plainIntent(from),
          phase: 'sequence',
        });
  const next = makeCase({
    title: `the link ${link.name} of ${from.operation.id} is followed`,
    phase: 'sequence',
    operation: to.operation,
    request: requestOf(to, 'known', { extra: given }),
    intent: { kind: 'valid', rigour: to.invented ? 'invented' : 'plain', at: link.pointer },
  });
  return makeSequence(first, next);
}
