import type { Link, Operation, Parameter } from '../../contract/model.ts';
import { parseExpression } from '../../contract/runtime-expression.ts';
import type { JsonValue } from '../../json/value.ts';
import { type Case, makeSequence, type Sequence } from '../model/case.ts';
import type { Argument } from '../model/request-template.ts';
import { type Draft, draftRequest, isSafe, recordFor } from './draft.ts';
import { createStep, hasBody } from './make-create.ts';
import { draftCase, type PlanContext } from './plan-context.ts';

/**
 * Each link of a success, followed once: the linked operation gets its values from the response
 * (OpenAPI 3.1, section 4.8.20).
 */
export function planLinks(context: PlanContext): Sequence[] {
  return linksOf(context)
    .filter((linked) => !isReadOfCreated(linked))
    .map((linked) => followLink(context, linked));
}

/** The operations to which some link leads that can be followed. */
export function linkedOperations(context: PlanContext): Set<Operation> {
  return new Set(linksOf(context).map(({ to }) => to.operation));
}

/** An operation whose arguments come from the response of another one. */
interface LinkedOperation {
  readonly link: Link;
  readonly from: Draft;
  readonly to: Draft;
  readonly given: readonly Argument[];
}

function linksOf(context: PlanContext): LinkedOperation[] {
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

function linkFrom(context: PlanContext, from: Draft, link: Link): LinkedOperation | undefined {
  const { contract, seed, examples, givenHeaders } = context;
  const operation = contract.operations.find(({ id }) => id === link.operationId);
  if (operation === undefined || !context.maySend(operation)) return undefined;
  const given = [...link.parameters].flatMap(
    ([name, value]) => argumentOf(from.operation, parameterOf(operation, name), value) ?? [],
  );
  const linked = new Set(
    given.flatMap(({ parameter }) => (parameter.in === 'path' ? [parameter.name] : [])),
  );
  const drafted = draftRequest(contract, operation, { seed, linked, examples, givenHeaders });
  if (!drafted.ok || given.length === 0) return undefined;
  const followed = { link, from, to: drafted.draft, given };
  return isHarmless(context, followed) ? followed : undefined;
}

/** `path.id` says where the parameter is, if two have the same name. */
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
  if (parseExpression(value) === undefined) return undefined;
  return { parameter, source: { kind: 'link', operation: from.id, expression: value } };
}

/**
 * A link to a change is followed only from a create, and only with the identifier of the new
 * record: any other value of the response may refer to a record of others.
 */
function isHarmless({ rules }: PlanContext, { from, to, given }: LinkedOperation): boolean {
  if (isSafe(to.operation)) return true;
  const creates =
    rules.effects.get(from.operation)?.effect === 'creates one' && from.names.length === 0;
  const inPath = given.filter(({ parameter }) => parameter.in === 'path');
  const field = from.role?.action === 'create' ? from.role.resource.identifier.field : 'id';
  const isOwn = inPath.every(
    ({ source }) => source.kind === 'link' && isIdentifier(source.expression, field),
  );
  return creates && to.names.length === 0 && inPath.length > 0 && isOwn;
}

/** Whether a runtime expression is the identifier in a response, in an envelope or not. */
function isIdentifier(expression: string, field: string): boolean {
  const [, pointer = ''] =
    /^\$response\.body#\/(?:(?:data|result|item|record)\/)?([^/]+)$/.exec(expression) ?? [];
  return pointer === field || ['id', '_id', 'uuid', 'guid'].includes(pointer);
}

/** From a create to the read of its record by its identifier: other sequences do that already. */
function isReadOfCreated({ from, to, given }: LinkedOperation): boolean {
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

function followLink(context: PlanContext, { link, from, to, given }: LinkedOperation): Sequence {
  const next = draftCase(to, {
    title: `the link ${link.name} of ${from.operation.id} is followed`,
    record: 'known',
    extra: given,
    intent: { kind: 'valid', rigour: to.invented ? 'invented' : 'plain', at: link.pointer },
  });
  return makeSequence(requestWithLink(context, from, link), next);
}

function requestWithLink(context: PlanContext, from: Draft, { name }: Link): Case {
  const title = `a plain request, to follow the link ${name}`;
  return hasBody(from) && !isSafe(from.operation)
    ? createStep(context, from, title)
    : draftCase(from, { title, record: recordFor(from) });
}
