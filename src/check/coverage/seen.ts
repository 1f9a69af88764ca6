import type { Operation, Parameter } from '../../contract/model.ts';
import { selectMediaType, selectResponse } from '../../contract/select-response.ts';
import { isSuccess } from '../../http/status.ts';
import type { JsonValue } from '../../json/value.ts';
import { valueKey } from '../../values/value-key.ts';
import { isRead } from '../evidence/answer/is-read.ts';
import { type Intent, mediaOf } from '../model/case.ts';
import type { Step } from '../model/step.ts';

/**
 * What the requests of one operation showed so far: words and counts, no bodies, so that a long run
 * stays small.
 */
export class Seen {
  /** The media types in which each documented status came. */
  readonly #answers = new Map<string, Set<string>>();
  /** The classes of each input, by where it stands and then by its name. */
  readonly #classes = new Map<string, Map<string, Set<string>>>();
  readonly #values = new Map<Parameter, Set<string>>();
  #succeeded = false;

  /** Takes in a step of the operation. */
  note(step: Step): void {
    const {
      case: tried,
      sent,
      exchange: { response },
      answer,
    } = step;
    // What no answer was read of was not reached.
    if (response === undefined || !isRead(step)) return;
    const { intent, operation, reaches } = tried;
    if (reaches !== undefined) for (const reach of reaches) this.#classesOf(reach).add(reach.class);
    for (const parameter of operation.parameters)
      this.#noteParameter(parameter, sent.arguments.get(parameter), intent.kind);
    const media = intent.kind === 'valid' ? mediaOf(tried) : undefined;
    if (media !== undefined) this.#classesOf(wholeBody).add(media.mediaType);
    this.#succeeded ||= intent.kind === 'valid' && isSuccess(response.status);
    const documented = selectResponse(operation, response.status);
    if (documented === undefined) return;
    const types = within(this.#answers, documented.status, makeSet);
    const type = selectMediaType(documented.content, answer.mediaType ?? '')?.mediaType;
    if (type !== undefined) types.add(type);
  }

  #noteParameter(parameter: Parameter, value: JsonValue | undefined, kind: Intent['kind']): void {
    if (value === undefined) this.#classesOf(parameter).add('optional-missing');
    else if (kind === 'missing') this.#classesOf(parameter).add('missing-record');
    else if (kind === 'valid') {
      this.#classesOf(parameter).add('known-record');
      if (parameter.schema.flatten().node.enum !== undefined)
        within(this.#values, parameter, makeSet).add(valueKey(value));
    }
  }

  /**
   * Asked of every parameter of every request: names that are put together would be made as often.
   */
  #classesOf({ in: place, name }: Input): Set<string> {
    return within(within(this.#classes, place, makeClasses), name, makeSet);
  }

  get succeeded(): boolean {
    return this.#succeeded;
  }

  /** Whether a documented status came, in a media type where one is named. */
  hasAnswer(status: string, media?: string): boolean {
    const types = this.#answers.get(status);
    return types !== undefined && (media === undefined || types.has(media));
  }

  /** Whether a class of an input was sent; of an enumerated parameter, every value. */
  hasClass(operation: Operation, input: Input, name: string): boolean {
    if (name === 'enum-value' && input.in !== 'body') return this.#hasAll(operation, input);
    return this.#classes.get(input.in)?.get(input.name)?.has(name) === true;
  }

  #hasAll({ parameters }: Operation, input: Input): boolean {
    const parameter = parameters.find(
      (candidate) => candidate.in === input.in && candidate.name === input.name,
    );
    const listed = parameter?.schema.flatten().node.enum;
    // Of a list, the items are enumerated and not the whole: one of them was sent for its own sake.
    return (
      parameter === undefined ||
      listed === undefined ||
      listed.every((value) => this.#values.get(parameter)?.has(valueKey(value)) === true)
    );
  }
}

/** A parameter, or a field of a body. */
interface Input {
  readonly in: string;
  readonly name: string;
}

const wholeBody: Input = { in: 'body', name: '' };

const makeSet = (): Set<string> => new Set();
const makeClasses = (): Map<string, Set<string>> => new Map();

function within<Key, Value>(entries: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = entries.get(key);
  if (value === undefined) entries.set(key, (value = make()));
  return value;
}
