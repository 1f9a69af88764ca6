import type { Contract } from '../../contract/model.ts';
import { isSecured } from '../secrets/credential.ts';
import { isJsonObject } from '../../json/value.ts';
import { pageOf } from '../evidence/list/list-page.ts';
import { isRefusal, isSuccess } from '../../http/status.ts';
import { DriftGatherer } from '../evidence/fields/field-drift.ts';
import { latencyOf } from '../evidence/latency.ts';
import { SteadinessGatherer } from '../evidence/steadiness.ts';
import { readFields } from '../evidence/fields/undocumented-fields.ts';
import { createdIdentifier } from '../evidence/record/created-identifier.ts';
import { ShownFields } from '../evidence/record/shown-fields.ts';
import { roleOf, type RunKnowledge, type Step } from '../subject.ts';
import { lighten } from './lighten.ts';

/** What all the steps of a run together show, in the order of the plan. */
export function gatherKnowledge(contract: Contract, steps: readonly Step[], runId: string): RunKnowledge {
  const gatherer = new KnowledgeGatherer(contract, runId);
  for (const step of steps) gatherer.note(step);
  return gatherer.knowledge();
}

/** What is added up only when every step was told. */
const nothingYet = new Map<string, never>();

/** Gathers what a run knows step by step, so that the steps themselves need not be kept. They are told in the order of the plan. */
export class KnowledgeGatherer {
  readonly #contract: Contract;
  readonly #mark: string;
  readonly #largestPages = new Map<string, number>();
  readonly #answers = new Map<string, number>();
  readonly #creators = new Map<string, Step[]>();
  readonly #refused = new Map<string, Step>();
  readonly #accepted = new Set<string>();
  readonly #durations = new Map<string, number[]>();
  readonly #drift = new DriftGatherer();
  readonly #steadiness: SteadinessGatherer;
  readonly #shown: ShownFields;
  #authorised = false;

  constructor(contract: Contract, runId: string) {
    this.#contract = contract;
    this.#steadiness = new SteadinessGatherer(contract);
    this.#shown = new ShownFields(contract);
    this.#mark = `${runId}-`;
  }

  /** Takes in a step. `kept` stands for it where a check wants to see it again. */
  note(step: Step, kept: Step = step): void {
    if (step.exchange.response === undefined) return;
    const { operation, request } = step.case;
    this.#answers.set(operation.id, (this.#answers.get(operation.id) ?? 0) + 1);
    this.#authorised ||= request.credential === 'given' && isSecured(operation) && isSuccess(step.exchange.response.status);
    this.#notePage(step);
    this.#steadiness.note(step);
    this.#shown.note(step);
    this.#noteCreator(step, kept);
    this.#noteTexts(step);
    this.#noteDuration(step);
    this.#drift.note(readFields(step));
  }

  /** What is known so far: it grows with every step, and a text in it that was refused may yet be accepted. */
  growing(): RunKnowledge {
    return { largestPages: this.#largestPages, answers: this.#answers, authorised: this.#authorised, creators: this.#creators, refusedTexts: this.#refused, shownFields: this.#shown.shown, unordered: this.#steadiness.unordered, flickers: this.#steadiness.flickers, latencies: nothingYet, drift: nothingYet };
  }

  /** What is known when every step was told. */
  knowledge(): RunKnowledge {
    const latencies = [...this.#durations].flatMap(([id, durations]) => {
      const latency = latencyOf(durations);
      return latency === undefined ? [] : [[id, latency] as const];
    });
    return { ...this.growing(), refusedTexts: new Map([...this.#refused].filter(([name]) => !this.#accepted.has(name))), latencies: new Map(latencies), drift: this.#drift.drift() };
  }

  #noteDuration({ case: { intent, operation }, exchange: { durationMs, response } }: Step): void {
    if (intent.kind === 'method' || !isSuccess(response?.status ?? 0)) return;
    const own = this.#durations.get(operation.id);
    if (own === undefined) this.#durations.set(operation.id, [durationMs]);
    else own.push(durationMs);
  }

  #notePage(step: Step): void {
    const size = pageOf({ contract: this.#contract }, step)?.records.length ?? 0;
    const { id } = step.case.operation;
    if (size > (this.#largestPages.get(id) ?? 0)) this.#largestPages.set(id, size);
  }

  #noteCreator(step: Step, kept: Step): void {
    const role = roleOf(this.#contract, step.case.operation);
    if (role?.action !== 'create' || step.case.intent.kind === 'method' || !isSuccess(step.exchange.response?.status ?? 0)) return;
    const identifier = createdIdentifier(role.resource, step.answer, step.exchange.response);
    if (identifier === undefined) return;
    const name = `${role.resource.name} ${String(identifier)}`;
    this.#creators.set(name, [...(this.#creators.get(name) ?? []), kept]);
  }

  /** Texts that bear the run's mark. One that was sent twice, and accepted once, shows nothing. */
  #noteTexts(step: Step): void {
    const role = roleOf(this.#contract, step.case.operation);
    if (role === undefined || !isJsonObject(step.sent.body)) return;
    for (const [field, value] of Object.entries(step.sent.body)) {
      if (typeof value !== 'string' || !value.includes(this.#mark)) continue;
      const name = `${role.resource.name} ${field} ${value}`;
      if (role.action === 'create' && isRefusal(step.exchange.response?.status ?? 0)) this.#refused.set(name, lighten(step));
      else this.#accepted.add(name);
    }
  }
}
