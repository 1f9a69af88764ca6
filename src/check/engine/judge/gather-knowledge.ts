import type { Contract, Operation } from '../../../contract/model.ts';
import { isRefusal, isSuccess } from '../../../http/message.ts';
import { isJsonObject } from '../../../json/value.ts';
import { DriftGatherer } from '../../reading/field-drift.ts';
import { readFields } from '../../reading/undocumented-fields.ts';
import { latencyOf } from '../../reading/latency.ts';
import { type ListPage, pageOf } from '../../reading/list-page.ts';
import { createdIdentifier, creatorKey } from '../../reading/created-record.ts';
import { IdentifierGatherer } from '../../reading/known-identifiers.ts';
import { CreatedFields, ShownFields } from '../../reading/shown-fields.ts';
import { AcceptedPartsGatherer } from '../../reading/accepted-parts.ts';
import { argumentNamed } from '../../reading/find-request-fault.ts';
import { SteadinessGatherer } from '../../reading/steadiness.ts';
import type { Creator, RefusedTexts, RunKnowledge } from '../../model/knowledge.ts';
import { type Role, roleOf, type Step, hasSuccess } from '../../model/step.ts';
import { markIn } from '../../plan/mark-body.ts';
import { isSecured } from '../../../contract/model/operation.ts';
import { compactStep } from './compact-step.ts';

/** The knowledge from all steps of a run, in the order of the plan. */
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
 * Collects the knowledge of a run step by step, so that the steps need not be kept. They are passed
 * in the order of the plan.
 */
export class KnowledgeGatherer {
  readonly #contract: Contract;
  readonly #largestPages = new Map<string, number>();
  readonly #answers = new Map<string, number>();
  readonly #creators = new Map<string, Creator[]>();
  readonly #makers = new Set<string>();
  readonly #durations = new Map<string, number[]>();
  readonly #drift = new DriftGatherer();
  readonly #shown = new ShownFields();
  readonly #created = new CreatedFields();
  readonly #identifiers: IdentifierGatherer;
  readonly #steadiness: SteadinessGatherer;
  /**
   * The texts that were refused and not accepted so far; a later create may still be accepted with
   * one.
   */
  readonly refusedTexts: RefusedTextsGatherer;
  readonly #authorised = new Set<string>();
  readonly #accepted = new AcceptedPartsGatherer();

  constructor(contract: Contract, runId: string) {
    this.#contract = contract;
    this.#steadiness = new SteadinessGatherer(contract);
    this.#identifiers = new IdentifierGatherer(contract);
    this.refusedTexts = new RefusedTextsGatherer(runId);
  }

  note(step: Step): void {
    if (step.exchange.response === undefined) return;
    const { operation, request } = step.case;
    if (step.exchange.response.status === 201) this.#makers.add(operation.id);
    const role = roleOf(this.#contract, operation);
    this.#answers.set(operation.id, (this.#answers.get(operation.id) ?? 0) + 1);
    const letIn =
      request.credential === 'given' &&
      isSecured(operation) &&
      isSuccess(step.exchange.response.status);
    if (letIn && step.sent.credential !== undefined) this.#authorised.add(step.sent.credential);
    this.#noteDuration(step);
    this.#accepted.note(step);
    this.#drift.note(readFields(step));
    // Another identity may have other records under the same identifiers.
    if (request.identity !== undefined) return;
    const page = pageOf({ contract: this.#contract }, step);
    if (page !== undefined) this.#notePage(operation, page);
    this.#steadiness.note(step, page);
    this.#identifiers.note(step, role, page);
    if (role !== undefined) this.#noteRole(step, role);
    this.refusedTexts.note(step, role);
  }

  /** The credentials that a secured operation has accepted so far. */
  get authorised(): ReadonlySet<string> {
    return this.#authorised;
  }

  /** The create of each record so far. */
  get creators(): RunKnowledge['creators'] {
    return this.#creators;
  }

  /** The operations, by id, that have answered 201 so far. */
  get makers(): ReadonlySet<string> {
    return this.#makers;
  }

  /** The knowledge after the last step. */
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
      makers: this.#makers,
      refusedTexts: this.refusedTexts,
      shownFields: this.#shown.shown,
      createdFields: this.#created.fields,
      unordered: this.#steadiness.unordered,
      flickers: this.#steadiness.flickers,
      latencies: new Map(latencies),
      drift: this.#drift.drift(),
      identifiers: this.#identifiers.identifiers(this.#largestPages),
      records: this.#identifiers.records,
      accepted: this.#accepted,
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
    if (step.case.intent.kind === 'method' || !hasSuccess(step)) return;
    this.#shown.note(step, role);
    if (role.action === 'create') {
      this.#noteCreator(step, role);
      this.#created.note(step, role.resource);
    }
    if (role.action === 'delete') this.#noteDeletion(step, role);
  }

  #noteCreator(step: Step, role: Role): void {
    const identifier = createdIdentifier(role.resource, step);
    if (identifier === undefined) return;
    const { operation } = step.case;
    const name = creatorKey(role.resource, identifier, { operation, sent: step.sent });
    const creator: Creator = { id: step.case.id, sent: step.sent };
    const known = this.#creators.get(name);
    if (known === undefined) this.#creators.set(name, [creator]);
    else known.push(creator);
  }

  /** The identifier of a deleted record may be used again. */
  #noteDeletion(step: Step, role: Role): void {
    const identifier = argumentNamed(step.sent, role.resource.identifier.parameter);
    const { operation } = step.case;
    const key = creatorKey(role.resource, identifier, { operation, sent: step.sent });
    const creators = this.#creators.get(key) ?? [];
    for (const [at, creator] of creators.entries()) creators[at] = { ...creator, deleted: true };
  }
}

/**
 * Collects the texts with the mark of a run, which no other client sends, and finds those with
 * which no create was accepted.
 */
class RefusedTextsGatherer implements RefusedTexts {
  readonly #prefix: string;
  readonly #refused = new Map<string, Step>();
  readonly #accepted = new Set<string>();
  /**
   * The marks of the texts that were sent, and whether one of them was refused: most lookups need
   * only the mark.
   */
  readonly #marks = new Map<string, 'sent' | 'refused'>();

  constructor(runId: string) {
    this.#prefix = `${runId}-`;
  }

  get size(): number {
    return this.#refused.size;
  }

  find(resource: string, field: string, text: string): Step | undefined {
    const mark = this.#refused.size === 0 ? undefined : markIn(text, this.#prefix);
    return mark !== undefined && this.#marks.get(mark) === 'refused'
      ? this.#refused.get(nameOf(resource, field, text))
      : undefined;
  }

  /**
   * Whether a text was refused, or may have been: it has the run's mark, and none of the steps so
   * far sent it. Sequences run in parallel, so a response may show what a later sequence of the
   * plan sent.
   */
  isDoubtful(resource: string, field: string, text: string): boolean {
    const mark = markIn(text, this.#prefix);
    if (mark === undefined) return false;
    const state = this.#marks.get(mark);
    return (
      state === undefined ||
      (state === 'refused' && this.#refused.has(nameOf(resource, field, text)))
    );
  }

  /** Adds a step with a response. A text that was sent twice, and accepted once, proves nothing. */
  note(step: Step, role: Role | undefined): void {
    const { body } = step.sent;
    if (!isJsonObject(body)) return;
    for (const field in body) {
      const value = body[field];
      const mark = typeof value === 'string' ? markIn(value, this.#prefix) : undefined;
      if (typeof value !== 'string' || mark === undefined) continue;
      if (!this.#marks.has(mark)) this.#marks.set(mark, 'sent');
      if (role !== undefined)
        this.#noteText(step, role, { mark, name: nameOf(role.resource.name, field, value) });
    }
  }

  #noteText(
    step: Step,
    { action }: Role,
    { mark, name }: { readonly mark: string; readonly name: string },
  ): void {
    if (action !== 'create' || !isRefusal(step.exchange.response?.status ?? 0)) {
      this.#accepted.add(name);
      this.#refused.delete(name);
    } else if (!this.#accepted.has(name)) {
      this.#marks.set(mark, 'refused');
      this.#refused.set(name, { ...compactStep(step), case: step.case });
    }
  }
}

function nameOf(resource: string, field: string, text: string): string {
  return `${resource} ${field} ${text}`;
}
