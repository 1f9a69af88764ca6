import type { Operation, Parameter } from '../../contract/model.ts';
import { selectMediaType, selectResponse } from '../../contract/select-response.ts';
import { headerValue } from '../../http/message.ts';
import { valueKey } from '../../values/value-key.ts';
import { mediaOf } from '../case.ts';
import { isSuccess } from '../../http/status.ts';
import type { Step } from '../subject.ts';

/** What the requests of one operation showed so far: words and counts, no bodies, so that a long run stays small. */
export class Seen {
  /** `200`, and `200 application/json` for the media type. */
  readonly #answers = new Set<string>();
  readonly #classes = new Set<string>();
  readonly #values = new Map<string, Set<string>>();
  #succeeded = false;

  /** Takes in a step of the operation. */
  note({ case: tried, sent, exchange: { response } }: Step): void {
    const { intent, operation, reaches = [] } = tried;
    for (const reach of reaches) this.#classes.add(`${reach.in} ${reach.name} ${reach.class}`);
    for (const parameter of operation.parameters) this.#noteParameter(parameter, sent.arguments.has(parameter) ? (sent.arguments.get(parameter) ?? null) : undefined, intent.kind);
    const media = intent.kind === 'valid' ? mediaOf(tried) : undefined;
    if (media !== undefined) this.#classes.add(`body  ${media.mediaType}`);
    if (response === undefined) return;
    this.#succeeded ||= intent.kind === 'valid' && isSuccess(response.status);
    const documented = selectResponse(operation, response.status);
    if (documented === undefined) return;
    this.#answers.add(documented.status);
    const type = selectMediaType(documented.content, headerValue(response.headers, 'content-type') ?? '')?.mediaType;
    if (type !== undefined) this.#answers.add(`${documented.status} ${type}`);
  }

  #noteParameter(parameter: Parameter, value: Parameters<typeof valueKey>[0] | undefined, kind: string): void {
    const name = `${parameter.in} ${parameter.name}`;
    if (value === undefined) this.#classes.add(`${name} optional-missing`);
    else if (kind === 'missing') this.#classes.add(`${name} missing-record`);
    else if (kind === 'valid') {
      this.#classes.add(`${name} known-record`);
      if (parameter.schema.flatten().node.enum !== undefined) this.#values.set(name, (this.#values.get(name) ?? new Set()).add(valueKey(value)));
    }
  }

  get succeeded(): boolean {
    return this.#succeeded;
  }

  /** Whether a documented status came, in a media type where one is named. */
  hasAnswer(status: string, media?: string): boolean {
    return this.#answers.has(media === undefined ? status : `${status} ${media}`);
  }

  /** Whether a class of an input was sent; of an enumerated parameter, every value. */
  hasClass(operation: Operation, input: { readonly in: string; readonly name: string }, name: string): boolean {
    const place = `${input.in} ${input.name}`;
    if (this.#classes.has(`${place} ${name}`)) return name !== 'enum-value' || input.in === 'body' || this.#hasAll(operation, place);
    return name === 'enum-value' && input.in !== 'body' && this.#hasAll(operation, place);
  }

  #hasAll({ parameters }: Operation, place: string): boolean {
    const parameter = parameters.find((candidate) => `${candidate.in} ${candidate.name}` === place);
    const listed = parameter?.schema.flatten().node.enum;
    // Of a list, the items are enumerated and not the whole: one of them was sent for its own sake.
    return listed === undefined || listed.every((value) => this.#values.get(place)?.has(valueKey(value)) === true);
  }
}
