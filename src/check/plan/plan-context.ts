import { followsAip } from '../../contract/words/standards.ts';
import type {
  Contract,
  Operation,
  Parameter,
  Resource,
  ResourceAction,
} from '../../contract/model.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { stringifyJson, type JsonValue } from '../../json/value.ts';
import type { EffectRules } from '../model/effect-rules.ts';
import { type Case, type CaseParts, type Intent, makeCase } from '../model/case.ts';
import type { Mode } from '../model/phase.ts';
import type { TokenOf } from '../secrets/credential.ts';
import { isSecured } from '../../contract/model/operation.ts';
import type { Identity } from '../secrets/identities.ts';
import type { Draft, ParameterExamples, RecordKind, RequestChanges } from './draft.ts';
import { requestOf } from './draft.ts';
import { operationFor } from '../model/step.ts';
import type { PlanCache } from './plan-cache.ts';

/** The input of every phase. Independent of clock, random numbers and target. */
export interface PlanContext {
  readonly contract: Contract;
  readonly mode: Mode;
  readonly seed: string;
  readonly runId: string;
  /** The token for a security scheme. */
  readonly tokenOf: TokenOf;
  /** The names of headers that the user adds to every request, in lower case. */
  readonly givenHeaders: ReadonlySet<string>;
  /** The operations that get requests, each with its plain request. */
  readonly drafts: readonly Draft[];
  readonly draftByOperation: ReadonlyMap<Operation, Draft>;
  /**
   * Operations that change a singleton, which the run does not own: sent only if the change is
   * reverted right after.
   */
  readonly restorable: readonly Draft[];
  readonly examples?: ParameterExamples | undefined;
  readonly budget: RequestBudget;
  readonly rules: EffectRules;
  readonly cache: PlanCache;
  /** The identities besides that of the run. */
  readonly identities: readonly Identity[];
  /** Whether the run may send an operation at all, if its path were known. */
  maySend(operation: Operation): boolean;
  /** Whether its effect alone keeps the run from sending an operation. */
  isHeldBack(operation: Operation): boolean;
}

/** A valid request that a service may refuse: that alone is no defect. */
export function exoticAt(at: Pointer): Intent {
  return { kind: 'valid', rigour: 'exotic', at };
}

/** The intent of a plain valid request: it tests nothing but the operation itself. */
export function plainIntent({
  operation,
  invented,
}: Pick<Draft, 'operation' | 'invented'>): Intent {
  return {
    kind: 'valid',
    rigour: invented ? 'invented' : 'plain',
    at: joinPointer(operation.pointer, 'responses'),
  };
}

/** How a step is compared with earlier ones; `at` is what is tested. Default: its operation. */
export type Relation = Omit<Extract<Intent, { kind: 'relation' }>, 'kind' | 'at'> & {
  readonly at?: string;
};

/** The relation of a step to earlier ones. */
export function relationTo({ operation }: Pick<Draft, 'operation'>, relation: Relation): Intent {
  return { kind: 'relation', ...relation, at: relation.at ?? operation.pointer };
}

/** The parts of a case that differ from the plain request of its draft. */
export interface DraftCase extends Partial<Omit<CaseParts, 'title' | 'operation'>>, RequestChanges {
  readonly title: string;
  /** In the place of an intent. */
  readonly relation?: Relation;
  /** Default: the record that an earlier step of the sequence created. */
  readonly record?: RecordKind;
}

/** A case that sends the request of a draft, as a plain one in the phase `sequence` by default. */
export function draftCase(
  draft: Draft,
  { record = 'created', extra, body, relation, ...parts }: DraftCase,
): Case {
  const isPlain = extra === undefined && body === undefined;
  return makeCase({
    phase: 'sequence',
    operation: draft.operation,
    request: requestOf(draft, record, isPlain ? undefined : { extra, body }),
    intent: relation === undefined ? plainIntent(draft) : relationTo(draft, relation),
    ...parts,
  });
}

/** Whether the path of a draft identifies a record, which must then be known. */
export function needsRecord(draft: Draft): boolean {
  return draft.names.length > 0;
}

/** The drafts of secured operations. */
export function securedDrafts({ drafts }: PlanContext): Draft[] {
  return drafts.filter(({ operation }) => isSecured(operation));
}

/** The draft of an operation; undefined if the operation gets no requests. */
export function draftOf(
  { draftByOperation }: PlanContext,
  operation: Operation | undefined,
): Draft | undefined {
  return operation && draftByOperation.get(operation);
}

/** The draft for an action on a resource, by any path that leads to its records. */
export function draftFor(
  context: PlanContext,
  resource: Resource,
  action: ResourceAction,
): Draft | undefined {
  return draftOf(context, operationFor(context.contract, resource, action));
}

/** The most requests of each kind for one operation. The least informative ones are dropped. */
export interface RequestBudget {
  /** Valid values at the edges of a schema. */
  readonly edges: number;
  /**
   * The same for an operation that changes a record: most of its fields were tested by the create.
   */
  readonly changes: number;
  /** Valid bodies with unexpected values. */
  readonly odd: number;
  /** Bodies that break one rule. */
  readonly invalid: number;
  /** Parameters that break one rule, of all parameters together. */
  readonly arguments: number;
  /** Records created with a value that servers often store incorrectly, and read back. */
  readonly fragile: number;
}

const wholeBudget: RequestBudget = {
  edges: 60,
  changes: 12,
  odd: 24,
  invalid: 80,
  arguments: Infinity,
  fragile: 20,
};

/** The invalid parameters of an operation are bounded where the whole budget is too much. */
const maxArguments = 100;

/** Up to this many operations each get the whole budget. */
const fewOperations = 100;
/** The smallest share of the budget, for any number of operations. */
const leastShare = 0.25;

/**
 * The request budget for each operation of a plan: smaller for more operations, so that a run of a
 * large contract is bounded too. Fuzzing ignores it.
 */
export function requestBudget(operations: number, mode: Mode): RequestBudget {
  if (mode === 'fuzz') return { ...wholeBudget, changes: wholeBudget.edges };
  const share = Math.max(leastShare, Math.min(1, fewOperations / Math.max(1, operations)));
  const part = (max: number): number => Math.ceil(max * share);
  return {
    edges: part(wholeBudget.edges),
    changes: part(wholeBudget.changes),
    odd: part(wholeBudget.odd),
    invalid: part(wholeBudget.invalid),
    arguments: share < 1 ? part(maxArguments) : wholeBudget.arguments,
    fragile: part(wholeBudget.fragile),
  };
}

/** A query parameter that this many lists have alike is tested on one of them. */
const alikeLists = 3;

/**
 * How often a query parameter was tested before a list has it: 0 for the first list, or where fewer
 * than three lists have it. Frameworks add the same `limit` or `sort` to every list, and read it
 * with the same code.
 */
export function testedBefore({ drafts, cache, mode }: PlanContext, draft: Draft): TestedBefore {
  const lists = (cache.listsByParameter ??= listsByParameter(drafts));
  return (parameter) => {
    if (mode === 'fuzz' || draft.role?.action !== 'list' || parameter.in !== 'query') return 0;
    const alike = lists.get(alikeKey(parameter)) ?? [];
    return alike.length < alikeLists ? 0 : Math.max(0, alike.indexOf(draft.operation));
  };
}

type TestedBefore = (parameter: Parameter) => number;

function listsByParameter(drafts: readonly Draft[]): ReadonlyMap<string, readonly Operation[]> {
  const lists = drafts.filter(({ role }) => role?.action === 'list');
  const named = lists.flatMap(({ operation }) =>
    operation.parameters
      .filter(({ in: location }) => location === 'query')
      .map((parameter) => ({ operation, key: alikeKey(parameter) })),
  );
  return new Map(
    [...Map.groupBy(named, ({ key }) => key)].map(([key, those]) => [
      key,
      those.map(({ operation }) => operation),
    ]),
  );
}

function alikeKey({ name, required, schema }: Parameter): string {
  return `${name} ${String(required)} ${stringifyJson(schema.node as JsonValue)}`;
}

/** What the AIPs require stays in doubt where the API does not say that it follows them. */
export function unlessAip({ contract }: PlanContext): { readonly doubtful?: true } {
  return followsAip(contract) ? {} : { doubtful: true };
}
