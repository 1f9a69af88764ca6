import type { Contract } from '../../contract/model.ts';
import { markIn } from '../plan/mark-body.ts';
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
import { roleOf, type Creator, type RunKnowledge, type Step } from '../subject.ts';
import { lighten } from './lighten.ts';

/** What all the steps of a run together show, in the order of the plan. */
export function gatherKnowledge(contract: Contract, steps: readonly Step[], runId: string): RunKnowledge {
  const gatherer = new KnowledgeGatherer(contract, runId);
  for (const step of steps) gatherer.note(step);
  return gatherer.knowledge();
}

/** Gathers what a run knows step by step, so that the steps themselves need not be kept. They are told in the order of the plan. */
export class KnowledgeGatherer {
  readonly #contract: Contract;
  readonly #mark: string;
  readonly #largestPages = new Map<string, number>();
  readonly #answers = new Map<string, number>();
  readonly #creators = new Map<string, Creator[]>();
  readonly #refused = new Map<string, Step>();
  readonly #accepted = new Set<string>();
  readonly #marks = new Set<string>();
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

  /** Takes in a step. */
  note(step: Step): void {
    if (step.exchange.response === undefined) return;
    const { operation, request } = step.case;
    this.#answers.set(operation.id, (this.#answers.get(operation.id) ?? 0) + 1);
    this.#authorised ||= request.credential === 'given' && isSecured(operation) && isSuccess(step.exchange.response.status);
    this.#notePage(step);
    this.#steadiness.note(step);
    this.#shown.note(step);
    this.#noteCreator(step);
    this.#noteDeletion(step);
    this.#noteTexts(step);
    this.#noteDuration(step);
    this.#drift.note(readFields(step));
  }

  /** Whether a secured operation took the credential of the run so far. */
  get authorised(): boolean {
    return this.#authorised;
  }

  /** What created which record so far. */
  get creators(): RunKnowledge['creators'] {
    return this.#creators;
  }

  /** The texts that were refused so far, and not accepted: one of them may yet be accepted, and is then none of them. */
  get refusedTexts(): RunKnowledge['refusedTexts'] {
    return this.#refused;
  }

  /**
   * Whether a text bears the run's mark, and none of the steps so far sent it: sequences go side by side, and what one shows may be what a
   * later one of the plan sent before.
   */
  isUntold(text: string): boolean {
    const mark = markIn(text, this.#mark);
    return mark !== undefined && !this.#marks.has(mark);
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
      refusedTexts: this.#refused,
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

  #notePage(step: Step): void {
    const size = pageOf({ contract: this.#contract }, step)?.records.length ?? 0;
    const { id } = step.case.operation;
    if (size > (this.#largestPages.get(id) ?? 0)) this.#largestPages.set(id, size);
  }

  #noteCreator(step: Step): void {
    const role = roleOf(this.#contract, step.case.operation);
    if (role?.action !== 'create' || step.case.intent.kind === 'method' || !isSuccess(step.exchange.response?.status ?? 0)) return;
    const identifier = createdIdentifier(role.resource, step.answer, step.exchange.response);
    if (identifier === undefined) return;
    const name = `${role.resource.name} ${String(identifier)}`;
    const creator: Creator = { id: step.case.id, sent: step.sent };
    const known = this.#creators.get(name);
    if (known === undefined) this.#creators.set(name, [creator]);
    else known.push(creator);
  }

  /** A record that is gone leaves its identifier to the next. */
  #noteDeletion(step: Step): void {
    const role = roleOf(this.#contract, step.case.operation);
    if (role?.action !== 'delete' || step.case.intent.kind === 'method' || !isSuccess(step.exchange.response?.status ?? 0)) return;
    const identifier = [...step.sent.arguments].find(([{ name }]) => name === role.resource.identifier.parameter)?.[1];
    const creators = this.#creators.get(`${role.resource.name} ${String(identifier)}`) ?? [];
    const last = creators.findLastIndex(({ deleted }) => deleted !== true);
    const creator = creators[last];
    if (creator !== undefined) creators[last] = { ...creator, deleted: true };
  }

  /** Texts that bear the run's mark. One that was sent twice, and accepted once, shows nothing. */
  #noteTexts(step: Step): void {
    const role = roleOf(this.#contract, step.case.operation);
    if (!isJsonObject(step.sent.body)) return;
    for (const [field, value] of Object.entries(step.sent.body)) {
      if (typeof value !== 'string') continue;
      const mark = markIn(value, this.#mark);
      if (mark === undefined) continue;
      this.#marks.add(mark);
      if (role === undefined) continue;
      const name = `${role.resource.name} ${field} ${value}`;
      if (role.action !== 'create' || !isRefusal(step.exchange.response?.status ?? 0)) {
        this.#accepted.add(name);
        this.#refused.delete(name);
      } else if (!this.#accepted.has(name)) this.#refused.set(name, { ...lighten(step), case: step.case });
    }
  }
}
