import type { Contract, Operation } from '../../../contract/model.ts';
import { parseMediaType } from '../../../http/media-type.ts';
import { headerValue, type HttpResponse } from '../../../http/message.ts';
import { isSuccess } from '../../../http/status.ts';
import { joinPointer, type Pointer, splitPointer, valueAt } from '../../../json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '../../../json/value.ts';
import type { RunEvent } from '../../model/event.ts';
import type { Finding } from '../../model/finding.ts';
import { isSentPlace } from './sent-places.ts';

/** One change of a contract (OpenAPI Overlay 1.0.0, section 4.4.3), and the reason for it. */
export interface OverlayAction {
  readonly target: string;
  readonly update: JsonObject;
  /** Sentences for the reader: which request showed it. */
  readonly because: readonly string[];
}

/** An Overlay that documents the observed behaviour which the contract does not document. */
export interface ObservedOverlay {
  readonly title: string;
  readonly version: string;
  readonly actions: readonly OverlayAction[];
}

/** Makes an Overlay from the events of a run. */
export class OverlayMaker {
  readonly #contract: Contract;
  readonly #isSent: (at: Pointer) => boolean;
  /** As in the events: without secrets. */
  #title: string | undefined;
  readonly #findings: Finding[] = [];
  /** Links between operations that the run has proven. */
  readonly #links: PlacedUpdate[] = [];
  /** The first exchange with each undocumented status of success. */
  readonly #successes = new Map<
    string,
    { readonly operation: Operation; readonly response: HttpResponse; readonly because: string }
  >();

  constructor(contract: Contract) {
    this.#contract = contract;
    this.#isSent = isSentPlace(contract.document);
  }

  /** Adds an event. */
  take(event: RunEvent): void {
    if (event.type === 'run-started') this.#title = event.run.contract.title;
    if (event.type === 'finding-reported') this.#findings.push(event.finding);
    if (event.type === 'gap-observed') this.#noteGap(event);
    if (event.type === 'exchange-recorded') this.#noteSuccess(event);
  }

  #noteGap({ gap, observed, proposal }: Extract<RunEvent, { type: 'gap-observed' }>): void {
    if (proposal === undefined || this.#contract.dialect === '2.0') return;
    this.#links.push({ ...proposal, because: `${gap.message} ${observed}` });
  }

  #noteSuccess({
    case: testCase,
    exchange: { request, response },
  }: Extract<RunEvent, { type: 'exchange-recorded' }>): void {
    const operation = this.#contract.operations.find(({ id }) => id === testCase.operation);
    if (
      operation === undefined ||
      response === undefined ||
      request.method !== operation.method ||
      !isSuccess(response.status)
    )
      return;
    if (operation.responses.some(({ status }) => /^2\d\d$/.test(status))) return;
    const key = `${operation.id} ${String(response.status)}`;
    const asked = `${request.method} ${request.target}`;
    if (!this.#successes.has(key))
      this.#successes.set(key, {
        operation,
        response,
        because: `${asked} was answered ${String(response.status)} (${testCase.title}).`,
      });
  }

  /** The possible additions, by path. Empty if the contract documents all observations. */
  make(): ObservedOverlay {
    const { document } = this.#contract;
    const title = this.#title ?? this.#contract.title;
    const successes = [...this.#successes.values()].map(({ operation, response, because }) =>
      this.#document(operation, response, because),
    );
    const found = this.#findings
      .filter(({ blame }) => blame === 'contract')
      .flatMap((finding) => this.#actionOf(finding));
    const actions = [...successes, ...found, ...this.#links];
    return {
      title: `Undocumented behaviour of a deployment of ${title}`,
      version: '1.0.0',
      actions: joinTargets(actions, document),
    };
  }

  #actionOf(finding: Finding): PlacedUpdate[] {
    const { proposal, pointer, exchange, operation, message } = finding;
    const because = [message, ...finding.curl].join('\n');
    if (proposal !== undefined)
      return [{ at: proposal.at, update: this.#asSeen(proposal.at, proposal.update), because }];
    const known = this.#contract.operations.find(({ id }) => id === operation.id);
    // A gap at the responses of an operation is a response that it does not document.
    if (known === undefined || pointer !== joinPointer(known.pointer, 'responses')) return [];
    if (exchange?.response === undefined) return [];
    return [this.#document(known, exchange.response, because)];
  }

  /** Members were seen in responses alone: where requests have the same schema, as `readOnly`. */
  #asSeen(at: Pointer, update: JsonObject): JsonObject {
    const { properties } = update;
    if (!isJsonObject(properties) || !this.#isSent(at)) return update;
    const shown = Object.entries(properties).map(([name, schema]) => [
      name,
      isJsonObject(schema) ? { ...schema, readOnly: true } : schema,
    ]);
    return { ...update, properties: Object.fromEntries(shown) as JsonObject };
  }

  /**
   * A response for a status, with the media type that was seen; an error response has the schema of
   * the other error responses of its operation.
   */
  #document(
    operation: Operation,
    { status, headers }: HttpResponse,
    because: string,
  ): PlacedUpdate {
    const at = joinPointer(operation.pointer, 'responses');
    const type = parseMediaType(headerValue(headers, 'content-type') ?? '')?.essence;
    const schema =
      status < 400 || type === undefined ? undefined : this.#errorSchema(operation, type);
    const content: JsonObject =
      type === undefined || this.#contract.dialect === '2.0'
        ? {}
        : { content: { [type]: schema === undefined ? {} : { schema } } };
    return {
      at,
      update: {
        [String(status)]: {
          description: `Observed at a deployment: ${String(status)}.`,
          ...content,
        },
      },
      because,
    };
  }

  /** The reference to the schema of another error response with the same media type. */
  #errorSchema({ pointer, responses }: Operation, type: string): JsonObject | undefined {
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

/** One action for each place. An Overlay cannot reach places in other files of the contract. */
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

/**
 * The JSONPath (RFC 9535, section 2.7: a normalized path) of a place in a document:
 * `$['paths']['/books']['get']`.
 */
export function toJsonPath(pointer: Pointer, document: JsonValue): string {
  let around = '';
  return splitPointer(pointer).reduce((path, token) => {
    const isIndex = isJsonArray(valueAt(document, around));
    around = joinPointer(around, token);
    return `${path}[${isIndex ? token : quoteName(token)}]`;
  }, '$');
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function quoteName(name: string): string {
  const escaped = name.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  // Control characters are escaped as in RFC 9535, section 2.3.1.1.
  return `'${escaped.replaceAll(/[\u0000-\u001f]/g, escapeCharacter)}'`;
}

/** An Overlay as YAML (OpenAPI Overlay 1.0.0), with the reason for each action as a comment. */
export function formatOverlay({ title, version, actions }: ObservedOverlay): string {
  const head = [
    'overlay: 1.0.0',
    'info:',
    `  title: ${stringifyJson(title)}`,
    `  version: ${stringifyJson(version)}`,
  ];
  return `${[...head, 'actions:', ...actions.flatMap(formatAction)].join('\n')}\n`;
}

function formatAction({ target, update, because }: OverlayAction): string[] {
  return [
    ...because.flatMap(comment),
    `  - target: ${stringifyJson(target)}`,
    '    update:',
    ...writeBlock(update, '      '),
  ];
}

/** An object in block style, its keys quoted: `"200"` must stay a text. */
function writeBlock(value: JsonObject, indent: string): string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const key = `${indent}${stringifyJson(name)}:`;
    return isJsonObject(member) && Object.keys(member).length > 0
      ? [key, ...writeBlock(member, `${indent}  `)]
      : [`${key} ${stringifyJson(member)}`];
  });
}

/** A comment must end with its line, so line breaks and control characters are replaced. */
function comment(text: string): string[] {
  return text
    .split(/[\r\n\u0085\u2028\u2029]+/)
    .filter((line) => line !== '')
    .map((line) => `  # ${line.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '?')}`);
}
