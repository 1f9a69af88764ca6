import type { Contract, Operation } from '../../contract/model.ts';
import { isSuccess } from '../../http/status.ts';
import { DriftGatherer } from '../evidence/fields/field-drift.ts';
import { readFields } from '../evidence/fields/undocumented-fields.ts';
import { latencyOf } from '../evidence/latency.ts';
import { type ListPage, pageOf } from '../evidence/list/list-page.ts';
import { createdIdentifier } from '../evidence/record/created-identifier.ts';
import { ShownFields } from '../evidence/record/shown-fields.ts';
import { argumentNamed } from '../evidence/request/argument-named.ts';
import { SteadinessGatherer } from '../evidence/steadiness.ts';
import type { Creator, RunKnowledge } from '../model/knowledge.ts';
import { type Role, roleOf } from '../model/role.ts';
import type { Step } from '../model/step.ts';
import { isSecured } from '../secrets/credential.ts';
import { RefusedTextsGatherer } from './refused-texts.ts';

/** What all the steps of a run together show, in the order of the plan. */
export function gatherKnowledge(
  contract: Contract,
  steps: readonly Step[],
  runId: string,
): RunKnowledge {
  const gatherer = new KnowledgeGatherer(contract, runId);
  for (const step of steps) gatherer.note(step);
  return gatherer.knowledge();
}

/**
 * Gathers what a run knows step by step, so that the steps themselves need not be kept. They are
 * told in the order of the plan.
 */
export class KnowledgeGatherer {
  readonly #contract: Contract;
  readonly #largestPages = new Map<string, number>();
  readonly #answers = new Map<string, number>();
  readonly #creators = new Map<string, Creator[]>();
  readonly #durations = new Map<string, number[]>();
  readonly #drift = new DriftGatherer();
  readonly #shown = new ShownFields();
  readonly #steadiness: SteadinessGatherer;
  readonly #refusedTexts: RefusedTextsGatherer;
  readonly #authorised = new Set<string>();

  constructor(contract: Contract, runId: string) {
    this.#contract = contract;
    this.#steadiness = new SteadinessGatherer(contract);
    this.#refusedTexts = new RefusedTextsGatherer(runId);
  }

  /** Takes in a step. */
  note(step: Step): void {
    if (step.exchange.response === undefined) return;
    const { operation, request } = step.case;
    const role = roleOf(this.#contract, operation);
    this.#answers.set(operation.id, (this.#answers.get(operation.id) ?? 0) + 1);
    const letIn =
      request.credential === 'given' &&
      isSecured(operation) &&
      isSuccess(step.exchange.response.status);
    if (letIn && step.sent.credential !== undefined) this.#authorised.add(step.sent.credential);
    const page = pageOf({ contract: this.#contract }, step);
    if (page !== undefined) this.#notePage(operation, page);
    this.#steadiness.note(step, page);
    if (role !== undefined) this.#noteRole(step, role);
    this.#refusedTexts.note(step, role);
    this.#noteDuration(step);
    this.#drift.note(readFields(step));
  }

  /** The credentials that a secured operation took so far. */
  get authorised(): ReadonlySet<string> {
    return this.#authorised;
  }

  /** What created which record so far. */
  get creators(): RunKnowledge['creators'] {
    return this.#creators;
  }

  /**
   * The texts that were refused so far, and not accepted: one of them may yet be accepted, and is
   * then none of them.
   */
  get refusedTexts(): RefusedTextsGatherer {
    return this.#refusedTexts;
  }

  /** What is known when every step was told. */
  knowledge(): RunKnowledge {
    const latencies = [...this.#durations].flatMap(([id, durations]) => {
      const latency = latencyOf(durations);
      return latency === undefined ? [] : [[id, latency] as const];
    });
    return {
      largestPages: this.#largestPages,
      answers: this.#answers,
      authorised: this.#authorised,
      creators: this.#creators,
      refusedTexts: this.#refusedTexts,
      shownFields: this.#shown.shown,
      unordered: this.#steadiness.unordered,
      flickers: this.#steadiness.flickers,
      latencies: new Map(latencies),
      drift: this.#drift.drift(),
    };
  }

  #noteDuration({ case: { intent, operation }, exchange: { durationMs, response } }: Step): void {
    if (intent.kind === 'method' || !isSuccess(response?.status ?? 0)) return;
    const own = this.#durations.get(operation.id);
    if (own === undefined) this.#durations.set(operation.id, [durationMs]);
    else own.push(durationMs);
  }

  #notePage({ id }: Operation, { records: { length } }: ListPage): void {
    if (length > (this.#largestPages.get(id) ?? 0)) this.#largestPages.set(id, length);
  }

  #noteRole(step: Step, role: Role): void {
    if (step.case.intent.kind === 'method' || !isSuccess(step.exchange.response?.status ?? 0))
      return;
    this.#shown.note(step, role);
    if (role.action === 'create') this.#noteCreator(step, role);
    if (role.action === 'delete') this.#noteDeletion(step, role);
  }

  #noteCreator(step: Step, role: Role): void {
    const identifier = createdIdentifier(role.resource, step.answer, step.exchange.response);
    if (identifier === undefined) return;
    const name = `${role.resource.name} ${String(identifier)}`;
    const creator: Creator = { id: step.case.id, sent: step.sent };
    const known = this.#creators.get(name);
    if (known === undefined) this.#creators.set(name, [creator]);
    else known.push(creator);
  }

  /** A record that is gone leaves its identifier to the next. */
  #noteDeletion(step: Step, role: Role): void {
    const identifier = argumentNamed(step.sent, role.resource.identifier.parameter);
    const creators = this.#creators.get(`${role.resource.name} ${String(identifier)}`) ?? [];
    const last = creators.findLastIndex(({ deleted }) => deleted !== true);
    const creator = creators[last];
    if (creator !== undefined) creators[last] = { ...creator, deleted: true };
  }
}
