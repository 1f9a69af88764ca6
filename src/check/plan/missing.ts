import { isKnowable } from '../../contract/infer/record-knowledge.ts';
import type { Operation, Parameter, Resource } from '../../contract/model.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { makeRandom, type Random } from '../../values/random.ts';
import { makeCase, makeSequence, type Case, type Intent, type Sequence } from '../model/case.ts';
import { bodyOf, requestOf, type Draft } from './draft.ts';
import { isUnguessable } from './draft/harmless-identifier.ts';
import { markBody } from './mark-body.ts';
import { draftOf, type PlanContext } from './plan-context.ts';

/**
 * Asks for records that cannot exist: to read them, and to delete, update and replace them where a
 * read of the same identifier has found none. A replacement is asked for where the contract says
 * that it does not create what is missing.
 */
export function planMissing(context: PlanContext): Sequence[] {
  const named = context.drafts.flatMap((draft) =>
    draft.identifier === undefined ? [] : missingOf(context, draft, draft.identifier),
  );
  const below = context.drafts.flatMap((draft) => {
    const parameter = knownParent(draft);
    return parameter === undefined
      ? []
      : missingCases(context, draft, parameter)
          .slice(0, 1)
          .map((tried) => makeSequence(tried));
  });
  return [...named, ...below];
}

function missingOf(context: PlanContext, draft: Draft, identifier: Parameter): Sequence[] {
  const { role } = draft;
  if (role?.action === 'read')
    return missingCases(context, draft, identifier).map((asked) =>
      makeSequence(asked, ...changesOf(context, role.resource, asked)),
    );
  const isAsked = role?.action === 'delete' || role?.action === 'update';
  if (!isAsked || draftOf(context, role.resource.operations.read) !== undefined) return [];
  // No read can tell first whether such a record exists.
  return missingCases(context, draft, identifier, isUnguessable).map((tried) =>
    makeSequence(tried),
  );
}

/**
 * What would change the record of which a read was told that it is not there: somebody may have it
 * after all. Who creates it by a replacement has it cleaned up.
 */
function changesOf(
  context: PlanContext,
  { operations, name }: Resource,
  { intent, title: asked }: Case,
): Case[] {
  const drafts = [
    operations.delete,
    operations.update,
    ...(isPlain(intent) && isNoCreate(operations.replace) ? [operations.replace] : []),
  ].flatMap((operation) => draftOf(context, operation) ?? []);
  return drafts.flatMap((draft): Case[] => {
    const { operation, identifier, body } = draft;
    if (identifier === undefined || intent.kind !== 'missing') return [];
    const marked =
      body === undefined
        ? {}
        : {
            body: bodyOf(
              body,
              markBody(body, body.value, {
                runId: context.runId,
                label: `${operation.id} ${asked}`,
              }),
            ),
          };
    const request = requestOf(draft, 'known', {
      ...marked,
      extra: [{ parameter: identifier, source: { kind: 'absent', resource: name } }],
    });
    return [
      makeCase({
        title: asked,
        phase: 'negative',
        operation,
        request,
        intent: {
          ...intent,
          at: identifier.pointer,
          rigour: mayBeRefused(draft) ? 'exotic' : intent.rigour,
        },
        optional: true,
      }),
    ];
  });
}

function isPlain(intent: Intent): boolean {
  return intent.kind === 'missing' && intent.rigour === 'plain';
}

/**
 * Whether a replacement says that it finds records and does not say that it makes any (RFC 9110,
 * section 9.3.4). One without a body can do nothing but make them: `PUT
 * /teams/{id}/members/{login}`.
 */
function isNoCreate(replace: Operation | undefined): boolean {
  const known = replace?.responses.map(({ status }) => status) ?? [];
  return (
    replace?.requestBody !== undefined &&
    known.some((status) => status === '404' || status === '410') &&
    !known.some((status) => status === '201' || status === '2XX')
  );
}

/**
 * Whether a replacement may be refused for what it says, whatever the path names: it refers to
 * other records, or names this one itself.
 */
function mayBeRefused({ body, invented, role }: Draft): boolean {
  return (
    role?.action === 'replace' &&
    (invented ||
      (isJsonObject(body?.value) && Object.hasOwn(body.value, role.resource.identifier.field)))
  );
}

/**
 * What a list stands below, where the contract lets a client know which of those there are, and
 * says that one may be missing.
 */
function knownParent({ role, operation }: Draft): Parameter | undefined {
  const parent = role?.resource.parents.at(-1);
  if (role?.action !== 'list' || parent?.resource === undefined || !isKnowable(parent.resource))
    return undefined;
  if (!operation.responses.some(({ status }) => status === '404' || status === '410'))
    return undefined;
  return operation.parameters.find(
    ({ in: place, name }) => place === 'path' && name === parent.parameter,
  );
}

function missingCases(
  context: PlanContext,
  draft: Draft,
  parameter: Parameter,
  isUsable: (value: JsonValue) => boolean = () => true,
): Case[] {
  const { operation } = draft;
  const identifiers = missingIdentifiers(parameter, `${context.seed} ${operation.id}`);
  return identifiers
    .filter(({ value }) => isUsable(value))
    .map(({ value, rigour }) => {
      const intent: Intent = { kind: 'missing', at: parameter.pointer, rigour };
      const request = requestOf(draft, 'known', {
        extra: [{ parameter, source: { kind: 'value', value } }],
      });
      return makeCase({
        title: `${parameter.name} is ${String(value)}`,
        phase: 'negative',
        operation,
        request,
        intent,
      });
    });
}

/** An identifier that nobody has, and whether a server may find it too odd to look for. */
export interface MissingIdentifier {
  readonly value: JsonValue;
  readonly rigour: 'plain' | 'exotic';
}

/**
 * Identifiers that keep their schema and that no record has: one of usual size, and the largest
 * where 64 bits are promised.
 */
export function missingIdentifiers({ schema }: Parameter, seed: string): MissingIdentifier[] {
  const random = makeRandom(`${seed} missing`);
  const { types, node } = schema.flatten();
  const numbers: MissingIdentifier[] = [
    { value: random.integer(1_700_000_000, 2_100_000_000), rigour: 'plain' },
    { value: 9_223_372_036_854_775_000n + BigInt(random.integer(1, 800)), rigour: 'exotic' },
  ];
  const texts: MissingIdentifier[] = [
    { value: uuid(random), rigour: 'plain' },
    { value: `missing-${String(random.integer(100_000, 999_999))}`, rigour: 'plain' },
  ];
  const candidates =
    types.includes('integer') || types.includes('number')
      ? numbers.slice(0, node.format === 'int32' ? 1 : 2)
      : texts;
  const valid = candidates.filter(({ value }) => schema.accepts(value, 'request'));
  return types.includes('string') ? valid.slice(0, 1) : valid;
}

/** A version 4 UUID (RFC 9562, section 5.4) from a seeded source. */
function uuid(random: Random): string {
  const digits = (count: number): string =>
    Array.from({ length: count }, () => random.integer(0, 15).toString(16)).join('');
  return `${digits(8)}-${digits(4)}-4${digits(3)}-a${digits(3)}-${digits(12)}`;
}
