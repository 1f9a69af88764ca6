import type { Contract, EffectOverrides, EffectReading, Operation } from '../../contract/model.ts';
import { suggestId, usage } from '../../errors.ts';
import type { Case, WhySkipped } from './case.ts';
import type { RunEffects } from './event.ts';
import type { Mode } from './phase.ts';
import { isSafe, operationFor } from './step.ts';

/**
 * The effects of operations, and the operations that the user allows regardless of their effect.
 */
export interface EffectRules {
  readonly effects: ReadonlyMap<Operation, EffectReading>;
  readonly allowed: ReadonlySet<Operation>;
}

/** The user's settings for effects: overrides by operation id, and operations that may be sent. */
export interface EffectChoices {
  readonly effects?: EffectOverrides | undefined;
  /** Operation ids, or `POST /path`. */
  readonly allow?: readonly string[] | undefined;
}

/**
 * The effects of a contract's operations with the user's overrides. Throws a VouchError ('usage')
 * if a choice names an unknown operation.
 */
export function readEffectRules(contract: Contract, choices: EffectChoices): EffectRules {
  const effects = new Map(contract.effects);
  for (const [name, effect] of Object.entries(choices.effects ?? {})) {
    const operation = operationNamed(contract, name);
    const why = `the configuration says so`;
    effects.set(operation, { operation, effect, source: 'configuration', why });
  }
  const allowed = new Set((choices.allow ?? []).map((name) => operationNamed(contract, name)));
  return { effects, allowed };
}

function operationNamed({ operations }: Contract, name: string): Operation {
  const found = operations.find((operation) => operation.id === name || nameOf(operation) === name);
  if (found !== undefined) return found;
  const hint = suggestId(name, operations);
  throw usage(`There is no operation ${name}.`, { hint });
}

/** Whether the effect of an operation is only to read. */
export function onlyReads(operation: Operation, { effects }: EffectRules): boolean {
  return effects.get(operation)?.effect === 'reads';
}

/**
 * Why an argument of a request does more than its operation, which reads, as a clause; undefined if
 * none does.
 */
export function whyArgumentActs(
  { operation, request }: Pick<Case, 'operation' | 'request'>,
  { effects, allowed }: EffectRules,
): string | undefined {
  const acting = effects.get(operation)?.acting;
  if (acting === undefined || allowed.has(operation)) return undefined;
  const found = request.arguments.find(
    ({ parameter, source }) => source.kind !== 'absent' && acting.has(parameter.name),
  );
  return found && acting.get(found.parameter.name);
}

/** The flag that lets a run send an operation regardless of its effect. */
export function allowing({ id }: Operation): string {
  return `--allow ${id.includes(' ') ? `'${id}'` : id}`;
}

/**
 * Why a run does not send an operation because of its effect: a clause, or undefined if it may. The
 * clause ends with the setting that allows it.
 */
export function whyWithheld(
  operation: Operation,
  rules: EffectRules,
  mode: Mode,
): WhySkipped | undefined {
  const reading = rules.effects.get(operation);
  if (reading === undefined) return undefined;
  const { method } = operation;
  const { effect, why } = reading;
  if (effect === 'reads') return undefined;
  if (mode === 'read-only') {
    const reason = isSafe(operation)
      ? `it may do more than read: ${why}; the run is read-only`
      : `it is a ${method}, and the run is read-only; --mode read-write sends it`;
    return { code: 'read-only', reason, opens: '--mode read-write' };
  }
  if (rules.allowed.has(operation)) return undefined;
  const opens = allowing(operation);
  const withheld = (what: string): WhySkipped => ({
    code: 'effect',
    reason: `${what}: ${why}; ${opens} sends it`,
    opens,
  });
  if (effect === 'sweeps') {
    return withheld('it may touch records that the request does not name');
  }
  if (isSafe(operation)) return withheld('it may do more than read');
  if (effect === 'changes one' && method === 'POST' && !operation.path.includes('{')) {
    return withheld('it changes something that the run did not create');
  }
  return undefined;
}

/** What a run may leave, by the operations that it sends. */
export function readRunEffects(
  contract: Contract,
  rules: EffectRules,
  operations: ReadonlySet<Operation>,
): RunEffects {
  const of = (wanted: string): Operation[] =>
    [...operations].filter((operation) => rules.effects.get(operation)?.effect === wanted);
  const creates = of('creates one');
  const isDeletable = (operation: Operation): boolean => {
    const placement = contract.inference.placementOf(operation);
    const resource =
      placement?.kind === 'named-create' || placement?.kind === 'resource'
        ? placement.resource
        : undefined;
    const remove = resource && operationFor(contract, resource, 'delete');
    return remove !== undefined && operations.has(remove);
  };
  return {
    creates: creates.map(nameOf),
    undeletable: creates.filter((operation) => !isDeletable(operation)).map(nameOf),
    acts: of('acts').map(nameOf),
  };
}

function nameOf(operation: Operation): string {
  const { method, path } = operation.wire ?? operation;
  return `${method} ${path}`;
}
