import type { Contract, Operation } from '../../contract/model.ts';
import { parseMediaType } from '../../http/media-type.ts';
import { headerValue, type HttpResponse } from '../../http/message.ts';
import { isSuccess } from '../../http/status.ts';
import { joinPointer, splitPointer, valueAt, type Pointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject } from '../../json/value.ts';
import type { RunEvent } from '../model/event.ts';
import type { Finding } from '../model/finding.ts';
import { toJsonPath } from './json-path.ts';

/**
 * One change of a contract (OpenAPI Overlay 1.0.0, section 4.4.3), and what was seen that calls for
 * it.
 */
export interface OverlayAction {
  readonly target: string;
  readonly update: JsonObject;
  /** Sentences for whoever reads it: which request showed it. */
  readonly because: readonly string[];
}

/** An Overlay that documents what a deployment does where its contract is silent. */
export interface Overlay {
  readonly title: string;
  readonly version: string;
  readonly actions: readonly OverlayAction[];
}

/** Gathers, from the events of a run, what an Overlay is made of. */
export class OverlayMaker {
  readonly #contract: Contract;
  /** As the events have it: without secrets. */
  #title: string | undefined;
  readonly #findings: Finding[] = [];
  /**
   * The first exchange in which an operation gave a status of success that it documents only in
   * passing.
   */
  readonly #successes = new Map<
    string,
    { readonly operation: Operation; readonly response: HttpResponse; readonly because: string }
  >();

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /** Takes in an event. */
  take(event: RunEvent): void {
    if (event.type === 'run-started') this.#title = event.run.contract.title;
    if (event.type === 'finding-reported') this.#findings.push(event.finding);
    if (event.type === 'exchange-recorded') this.#noteSuccess(event);
  }

  #noteSuccess({
    case: tried,
    exchange: { request, response },
  }: Extract<RunEvent, { type: 'exchange-recorded' }>): void {
    const operation = this.#contract.operations.find(({ id }) => id === tried.operation);
    if (
      operation === undefined ||
      response === undefined ||
      request.method !== operation.method ||
      !isSuccess(response.status)
    )
      return;
    if (operation.responses.some(({ status }) => /^2\d\d$/.test(status))) return;
    const key = `${operation.id} ${String(response.status)}`;
    if (!this.#successes.has(key))
      this.#successes.set(key, {
        operation,
        response,
        because: `${request.method} ${request.target} was answered ${String(response.status)} (${tried.title}).`,
      });
  }

  /**
   * What could be documented, in the order of the contract's paths. Empty where the contract says
   * all that was seen.
   */
  make(): Overlay {
    const { document } = this.#contract;
    const title = this.#title ?? this.#contract.title;
    const successes = [...this.#successes.values()].map(({ operation, response, because }) =>
      this.#document(operation, response, because),
    );
    const found = this.#findings
      .filter(({ blame }) => blame === 'contract')
      .flatMap((finding) => this.#actionOf(finding));
    const actions = [...successes, ...found];
    return {
      title: `What a deployment of ${title} was seen to do`,
      version: '1.0.0',
      actions: joinTargets(actions, document),
    };
  }

  #actionOf(finding: Finding): PlacedUpdate[] {
    const { proposal, check, exchange, operation, message } = finding;
    const because = [message, ...finding.curl].join('\n');
    if (proposal !== undefined) return [{ at: proposal.at, update: proposal.update, because }];
    const known = this.#contract.operations.find(({ id }) => id === operation.id);
    if (check !== 'status-documented' || known === undefined || exchange?.response === undefined)
      return [];
    return [this.#document(known, exchange.response, because)];
  }

  /**
   * A response for a status, with the media type that was seen; a refusal has the schema of the
   * other refusals of its operation.
   */
  #document(
    operation: Operation,
    { status, headers }: HttpResponse,
    because: string,
  ): PlacedUpdate {
    const at = joinPointer(operation.pointer, 'responses');
    const type = parseMediaType(headerValue(headers, 'content-type') ?? '')?.essence;
    const schema =
      status < 400 || type === undefined ? undefined : this.#schemaOfRefusals(operation, type);
    const content: JsonObject =
      type === undefined || this.#contract.dialect === '2.0'
        ? {}
        : { content: { [type]: schema === undefined ? {} : { schema } } };
    return {
      at,
      update: {
        [String(status)]: { description: `Seen at a deployment: ${String(status)}.`, ...content },
      },
      because,
    };
  }

  /**
   * The reference to a schema that another refusal of the operation has for the same media type.
   */
  #schemaOfRefusals({ pointer, responses }: Operation, type: string): JsonObject | undefined {
    const { document } = this.#contract;
    for (const { status } of responses.filter((response) => /^4(\d\d|XX)$/.test(response.status))) {
      const written = valueAt(document, joinPointer(pointer, 'responses', status));
      const reference = isJsonObject(written) ? written['$ref'] : undefined;
      const response =
        typeof reference === 'string' && reference.startsWith('#/')
          ? valueAt(document, reference.slice(1))
          : written;
      const schema = valueAt(response, joinPointer('/content', type, 'schema'));
      if (isJsonObject(schema) && typeof schema['$ref'] === 'string') return schema;
    }
    return undefined;
  }
}

interface PlacedUpdate {
  readonly at: Pointer;
  readonly update: JsonObject;
  readonly because: string;
}

/**
 * One action for each place; what lies in another file than the contract's own cannot be reached by
 * an Overlay of it.
 */
function joinTargets(updates: readonly PlacedUpdate[], document: JsonObject): OverlayAction[] {
  const reachable = updates.filter(({ at }) => splitPointer(at)[0] !== 'x-vouch-files');
  const byPlace = Map.groupBy(reachable, ({ at }) => at);
  const actions = [...byPlace].map(([at, alike]) => ({
    target: toJsonPath(at, document),
    update: alike.map(({ update }) => update).reduce(merge),
    because: [...new Set(alike.map(({ because }) => because))],
  }));
  return actions.sort((left, right) => (left.target < right.target ? -1 : 1));
}

function merge(left: JsonObject, right: JsonObject): JsonObject {
  const merged: Record<string, JsonObject[string]> = { ...left };
  for (const [name, value] of Object.entries(right)) {
    const before = merged[name];
    merged[name] = isJsonObject(before) && isJsonObject(value) ? merge(before, value) : value;
  }
  return merged;
}
