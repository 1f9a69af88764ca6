import { isKnowable } from '../../contract/infer/record-knowledge.ts';
import type { Parameter } from '../../contract/model.ts';
import type { JsonValue } from '../../json/value.ts';
import { makeRandom, type Random } from '../../values/random.ts';
import { makeCase, makeSequence, type Intent, type Sequence } from '../case.ts';
import { requestOf, type Draft } from './draft.ts';
import type { PlanContext } from './plan-context.ts';

/** Asks for records that cannot exist. A replacement is not asked for: it may create what is missing. */
export function planMissing(context: PlanContext): Sequence[] {
  const asking = context.drafts.filter(({ role }) => role?.action === 'read' || role?.action === 'delete' || role?.action === 'update');
  const named = asking.flatMap((draft) => (draft.identifier === undefined ? [] : missingCases(context, draft, draft.identifier)));
  const below = context.drafts.flatMap((draft) => {
    const parameter = knownParent(draft);
    return parameter === undefined ? [] : missingCases(context, draft, parameter).slice(0, 1);
  });
  return [...named, ...below];
}

/** What a list stands below, where the contract lets a client know which of those there are, and says that one may be missing. */
function knownParent({ role, operation }: Draft): Parameter | undefined {
  const parent = role?.resource.parents.at(-1);
  if (role?.action !== 'list' || parent?.resource === undefined || !isKnowable(parent.resource)) return undefined;
  if (!operation.responses.some(({ status }) => status === '404' || status === '410')) return undefined;
  return operation.parameters.find(({ in: place, name }) => place === 'path' && name === parent.parameter);
}

function missingCases(context: PlanContext, draft: Draft, parameter: Parameter): Sequence[] {
  const { operation } = draft;
  return missingIdentifiers(parameter, `${context.seed} ${operation.id}`).map(({ value, rigour }) => {
    const intent: Intent = { kind: 'missing', at: parameter.pointer, rigour };
    const request = requestOf(draft, 'known', { extra: [{ parameter, source: { kind: 'value', value } }] });
    return makeSequence(makeCase({ title: `${parameter.name} is ${String(value)}`, phase: 'negative', operation, request, intent }));
  });
}

/** An identifier that nobody has, and whether a server may find it too odd to look for. */
export interface MissingIdentifier {
  readonly value: JsonValue;
  readonly rigour: 'plain' | 'exotic';
}

/** Identifiers that keep their schema and that no record has: one of usual size, and the largest where 64 bits are promised. */
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
  const candidates = types.includes('integer') || types.includes('number') ? numbers.slice(0, node.format === 'int32' ? 1 : 2) : texts;
  const valid = candidates.filter(({ value }) => schema.validate(value, 'request').length === 0);
  return types.includes('string') ? valid.slice(0, 1) : valid;
}

/** A version 4 UUID (RFC 9562, section 5.4) from a seeded source. */
function uuid(random: Random): string {
  const digits = (count: number): string => Array.from({ length: count }, () => random.integer(0, 15).toString(16)).join('');
  return `${digits(8)}-${digits(4)}-4${digits(3)}-a${digits(3)}-${digits(12)}`;
}
