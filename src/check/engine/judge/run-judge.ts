import type { Contract, Operation, Resource } from '../../../contract/model.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { identifierOf } from '../../reading/created-record.ts';
import { isJsonObject, type JsonValue } from '../../../json/value.ts';
import { splitPointer } from '../../../json/pointer.ts';
import { isSuccess } from '../../../http/message.ts';
import { ProvenLinks } from '../learn/proven-links.ts';
import type { Check } from '../../topics/check.ts';
import type { Sequence } from '../../model/case.ts';
import type { CheckInput, RunKnowledge } from '../../model/knowledge.ts';
import { roleOf, type Step } from '../../model/step.ts';
import { neededKnowledge, PartialKnowledge } from './partial-knowledge.ts';
import type { Inspection, Judgement, PlacedCheck, Suspicion } from './judge.ts';
import { checkInputOf, CheckTable, inspectStep, withoutCovered } from './judge.ts';
import { KnowledgeGatherer } from './gather-knowledge.ts';
import { compactStep, keptSteps, storeStep } from './compact-step.ts';
import { GapObserver } from './observe-gaps.ts';
import type { Crash, ObservedGap } from '../../model/event.ts';

/** A step that some checks judge again when the whole run is known. */
interface DeferredStep {
  readonly sequence: Sequence;
  readonly steps: readonly Step[];
  readonly checks: readonly PlacedCheck[];
}

/** A step with suspicions or deferred checks, in the order of the plan. */
interface Entry {
  readonly suspicions: readonly Suspicion[];
  readonly deferred?: DeferredStep;
}

/** What the checks found in one step, counted under its operation. */
interface StepResult {
  readonly operation: Operation;
  readonly suspicions: Suspicion[];
}

/** The settings of the judgement of a run. */
export interface RunJudgeOptions {
  readonly contract: Contract;
  readonly checks: readonly Check[];
  readonly runId: string;
  /** Receives what is found in each step at once, and returns what to keep. Default: all. */
  readonly keep?: (suspicions: readonly Suspicion[]) => readonly Suspicion[];
}

/**
 * Judges the sequences of a run one by one, in the order of the plan, so that steps without a
 * suspicion need not be kept. A check that read knowledge which may still change judges the step
 * again when the run is over: its first result is discarded.
 */
export class RunJudge {
  readonly #options: RunJudgeOptions;
  readonly #gatherer: KnowledgeGatherer;
  readonly #partial: PartialKnowledge;
  readonly #views: ReadonlyMap<Check, RunKnowledge>;
  readonly #gaps: GapObserver;
  readonly #links: ProvenLinks;
  readonly #entries: Entry[] = [];
  readonly #table: CheckTable;
  readonly #crashes = new Map<string, Crash>();
  readonly #stored: StoredInvalid;

  constructor(options: RunJudgeOptions) {
    this.#options = options;
    this.#table = new CheckTable(options);
    this.#gatherer = new KnowledgeGatherer(options.contract, options.runId);
    const partial = new PartialKnowledge(this.#gatherer);
    this.#partial = partial;
    this.#views = new Map(options.checks.map((check) => [check, partial.view(check.needs)]));
    this.#gaps = new GapObserver(options.contract);
    this.#links = new ProvenLinks(options.contract);
    this.#stored = new StoredInvalid(options.contract);
  }

  /** Judges a sequence as it was sent; returns its steps reduced to what is counted later. */
  judgeSequence(sequence: Sequence, steps: readonly Step[]): Step[] {
    for (const step of steps) {
      this.#gatherer.note(step);
      this.#gaps.note(step);
      this.#links.note(step);
      this.#stored.note(step);
    }
    for (const [index, step] of steps.entries())
      this.#judgeStep(
        sequence,
        index === steps.length - 1 ? steps : steps.slice(0, index + 1),
        step,
      );
    return steps.map(compactStep);
  }

  #judgeStep(sequence: Sequence, steps: readonly Step[], step: Step): void {
    const result: StepResult = { operation: step.case.operation, suspicions: [] };
    const kept = keptSteps(steps);
    const deferred: PlacedCheck[] = [];
    const shared = this.#inputOf(steps, step);
    for (const placed of this.#table.of(step.case)) {
      const { needs } = placed.check;
      const input = needs === undefined ? shared : this.#inputOf(steps, step, placed.check);
      const inspection = inspectStep(placed.check, input, { sequence, steps: kept });
      if (this.#mustWait(inspection)) deferred.push(placed);
      else this.#take(placed, inspection, result);
    }
    const { keep } = this.#options;
    const suspicions = keep === undefined ? result.suspicions : keep(result.suspicions);
    if (deferred.length > 0) {
      const stored = steps.map((one) => storeStep(one));
      this.#entries.push({ suspicions, deferred: { sequence, steps: stored, checks: deferred } });
      // No allocation for a step without a suspicion.
    } else if (suspicions.length > 0) this.#entries.push({ suspicions });
  }

  #inputOf(steps: readonly Step[], step: Step, check?: Check): CheckInput {
    const knowledge = (check && this.#views.get(check)) ?? this.#partial.view(undefined);
    return checkInputOf({ contract: this.#options.contract, knowledge }, steps, step);
  }

  #mustWait(inspection: Inspection): boolean {
    const read = this.#partial.takeRead();
    // More creators only remove doubts: without a doubt, the result is final.
    return read === 'unfinished' || (read === 'creators' && hasDoubt(inspection));
  }

  #take(
    placed: PlacedCheck,
    { looked, suspicions, crashes }: Inspection,
    result: StepResult,
  ): void {
    if (looked) this.#table.count(result.operation, placed);
    if (suspicions.length > 0) result.suspicions.push(...suspicions);
    for (const crash of crashes) this.#crashes.set(`${crash.check} ${crash.message}`, crash);
  }

  /** The knowledge from all steps together. */
  knowledge(): RunKnowledge {
    return this.#gatherer.knowledge();
  }

  /** The observed behaviour at the gaps of the contract, and what the run learned of its links. */
  observedGaps(): ObservedGap[] {
    return [...this.#gaps.observed(), ...this.#links.observed()];
  }

  /** Judges the deferred steps, and returns the result. Call it once, after the last sequence. */
  finish(): Judgement {
    const knowledge = this.knowledge();
    const order = new Map(this.#options.checks.map((check, index) => [check.id, index]));
    const place = ({ check }: Suspicion): number => order.get(check.id) ?? 0;
    const found = this.#entries.splice(0).flatMap(({ suspicions: own, deferred }) => {
      if (deferred === undefined) return withoutCovered(own);
      const all = [...own, ...this.#judgeDeferred(deferred, knowledge)];
      return withoutCovered(all.sort((left, right) => place(left) - place(right)));
    });
    const suspicions = found.map((suspicion) => {
      const storedBy = this.#stored.takerOf(suspicion);
      return storedBy === undefined ? suspicion : { ...suspicion, storedBy };
    });
    return { suspicions, inspected: this.#table.counts(), crashes: [...this.#crashes.values()] };
  }

  #judgeDeferred(
    { sequence, steps: stored, checks }: DeferredStep,
    knowledge: RunKnowledge,
  ): Suspicion[] {
    const steps = stored.map(withValue);
    const kept = keptSteps(steps);
    const step = steps.at(-1);
    if (step === undefined) return [];
    const { contract } = this.#options;
    const result: StepResult = { operation: step.case.operation, suspicions: [] };
    for (const placed of checks) {
      const known = neededKnowledge(knowledge, placed.check.needs);
      const input = checkInputOf({ contract, knowledge: known }, steps, step);
      this.#take(placed, inspectStep(placed.check, input, { sequence, steps: kept }), result);
    }
    return result.suspicions;
  }
}

function hasDoubt({ suspicions, crashes }: Inspection): boolean {
  return suspicions.length > 0 || crashes.length > 0;
}

/** Parses the response once for all checks. */
function withValue({ case: testCase, sent, exchange, answer }: Step): Step {
  return { case: testCase, sent, exchange, answer };
}

/**
 * The records that the service made or changed although the body of the request was invalid. What
 * an answer shows of them is a symptom of the operation that took the body, and no second defect.
 */
class StoredInvalid {
  readonly #contract: Contract;
  /** The operations that took it, by collection and identifier. */
  readonly #takers = new Map<string, Operation>();

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  note(step: Step): void {
    if (!tookInvalidBody(step)) return;
    const { operation } = step.case;
    const resource = roleOf(this.#contract, operation)?.resource;
    const identifier = resource && identifierOf(resource, step);
    if (resource === undefined || identifier === undefined) return;
    this.#takers.set(keyOf(resource.collection, identifier), operation);
    if (tellsAlone(identifier)) this.#takers.set(keyOf('', identifier), operation);
  }

  /** The operation that took a shown record: by the key of its kind, or by a name of its own. */
  #takerOfRecord(
    record: { readonly [name: string]: JsonValue },
    resource: Resource | undefined,
  ): Operation | undefined {
    const { collection = '', identifier } = resource ?? {};
    const key = identifier && record[identifier.field];
    const taker = key === undefined ? undefined : this.#takers.get(keyOf(collection, key));
    if (taker !== undefined) return taker;
    const name = Object.values(record).find(
      (member) => tellsAlone(member) && this.#takers.has(keyOf('', member)),
    );
    return name === undefined ? undefined : this.#takers.get(keyOf('', name));
  }

  /**
   * The operation that took what a suspicion is about; undefined if a part of it, or all, is about
   * other records.
   */
  takerOf({ steps, violation: { places = [] } }: Suspicion): Operation | undefined {
    const step = steps.at(-1);
    if (step === undefined || places.length === 0) return undefined;
    if (tookInvalidBody(step)) return step.case.operation;
    if (this.#takers.size === 0) return undefined;
    const resource = roleOf(this.#contract, step.case.operation)?.resource;
    const named =
      resource &&
      this.#takers.get(keyOf(resource.collection, identifierOf(resource, step) ?? null));
    const value = jsonOf(step.answer);
    const takers = places.map((place) => {
      for (const around of objectsAround(value, splitPointer(place))) {
        const taker = this.#takerOfRecord(around, resource);
        if (taker !== undefined) return taker;
      }
      return named;
    });
    return takers.every((taker) => taker !== undefined) ? takers[0] : undefined;
  }
}

/** Whether an identifier names one record among those of all kinds, as small numbers do not. */
function tellsAlone(identifier: JsonValue): boolean {
  return typeof identifier === 'string' && identifier.length >= shortestName;
}

const shortestName = 5;

function tookInvalidBody({ case: { intent }, exchange: { response } }: Step): boolean {
  return intent.kind === 'invalid' && intent.part === 'body' && isSuccess(response?.status ?? 0);
}

function keyOf(collection: string, identifier: JsonValue): string {
  return `${collection} ${String(identifier)}`;
}

/** The objects on the way to a place, the outermost first. */
function* objectsAround(
  whole: JsonValue | undefined,
  tokens: readonly string[],
): Generator<{ readonly [name: string]: JsonValue }> {
  let value = whole;
  if (isJsonObject(value)) yield value;
  for (const token of tokens) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return;
    value = (value as { readonly [key: string]: JsonValue })[token];
    if (isJsonObject(value)) yield value;
  }
}
