import { contentForm } from '../../../http/media-type.ts';
import type { Contract, Operation, Parameter } from '../../../contract/model.ts';
import { selectMediaType, selectResponse } from '../../../contract/select-response.ts';
import { isSuccess } from '../../../http/message.ts';
import type { JsonValue } from '../../../json/value.ts';
import { valueKey } from '../../../json/json-type.ts';
import { isRead } from '../../reading/read-answer.ts';
import { type Intent, mediaOf } from '../../model/case.ts';
import type {
  Coverage,
  CoverageCount,
  InputCoverage,
  OperationCoverage,
  StatusCoverage,
} from '../../model/run-summary.ts';
import type { Step } from '../../model/step.ts';
import { pathNames } from '../../reading/path-names.ts';
import { type InputClasses, inputsOf } from '../../plan/input-classes.ts';

/** What a run knows about requests that it did not send. */
export interface RunEnd {
  readonly contract: Contract;
  /** Why an operation got no request, or not all of them: a clause by operation id. */
  readonly skipped: ReadonlyMap<string, string>;
  readonly hasToken: boolean;
}

/** Measures the coverage of a run while it runs; stores no steps. */
export class CoverageMeter {
  readonly #seen = new Map<Operation, ReachedClasses>();

  /** Adds steps of the plan. Steps with undeclared methods do not count. */
  note(steps: readonly Step[]): void {
    for (const step of steps) {
      const { operation, intent } = step.case;
      if (intent.kind === 'method') continue;
      let seen = this.#seen.get(operation);
      if (seen === undefined) this.#seen.set(operation, (seen = new ReachedClasses()));
      seen.note(step);
    }
  }

  /** Reports what was reached, and how to reach the rest. */
  measure({ contract, skipped, hasToken }: RunEnd): Coverage {
    const operations = contract.operations.map((operation) => {
      const seen = this.#seen.get(operation);
      const unsent = skipped.get(operation.id);
      return seen === undefined
        ? untouched(operation, unsent)
        : cover(contract, seen, { operation, unsent, succeeded: seen.succeeded, hasToken });
    });
    return coverageOf(operations);
  }
}

/** The coverage of operations, with what they reached in all. */
export function coverageOf(operations: readonly OperationCoverage[]): Coverage {
  return {
    statuses: countReached(operations.flatMap(({ statuses }) => statuses)),
    inputs: countReached(
      operations.flatMap(({ inputs }) => inputs.flatMap(({ classes }) => classes)),
    ),
    operations,
  };
}

function countReached(entries: readonly { readonly reached: boolean }[]): CoverageCount {
  return { reached: entries.filter(({ reached }) => reached).length, total: entries.length };
}

function untouched({ id }: Operation, reason: string | undefined): OperationCoverage {
  return {
    operation: id,
    why: reason === undefined ? 'Nothing was planned for it.' : `It got no request: ${reason}.`,
    statuses: [],
    inputs: [],
  };
}

function cover(
  contract: Contract,
  seen: ReachedClasses,
  circumstances: Circumstances,
): OperationCoverage {
  const { operation } = circumstances;
  const records = new Set(pathNames(contract, operation).map(({ parameter }) => parameter));
  return {
    operation: operation.id,
    statuses: coverStatuses(seen, circumstances),
    inputs: inputsOf(operation, (parameter) => records.has(parameter)).map((input) =>
      coverInput(input, seen, circumstances),
    ),
  };
}

const unjudgedXml =
  'Its schema is not judged: of XML, vouch looks only at whether it is well-formed.';

function coverStatuses(seen: ReachedClasses, circumstances: Circumstances): StatusCoverage[] {
  return circumstances.operation.responses.flatMap(({ status, content }): StatusCoverage[] => {
    const types = content.length === 0 ? [undefined] : content;
    return types.map((of) => {
      const media = of?.mediaType;
      const named = { status, media };
      if (seen.hasAnswer(status, media))
        return {
          ...named,
          reached: true,
          ...(of?.schema !== undefined && contentForm(of.mediaType) === 'xml'
            ? { unjudged: unjudgedXml }
            : {}),
        };
      return {
        ...named,
        reached: false,
        why: seen.hasAnswer(status)
          ? 'An answer in this media type; the server gave another one.'
          : whyNoStatus(status, circumstances),
      };
    });
  });
}

function coverInput(
  input: InputClasses,
  seen: ReachedClasses,
  circumstances: Circumstances,
): InputCoverage {
  const { operation } = circumstances;
  const classes = input.classes.map((name) =>
    seen.hasClass(operation, input, name)
      ? { class: name, reached: true }
      : { class: name, reached: false, why: whyNoClass(name, input.in, circumstances) },
  );
  return { name: input.name, in: input.in, classes };
}

/** Why an operation got no more requests. */
export interface Circumstances {
  readonly operation: Operation;
  /** A clause that says why some of its planned requests were not sent. */
  readonly unsent?: string | undefined;
  /** Whether any valid request was successful. */
  readonly succeeded: boolean;
  readonly hasToken: boolean;
}

const byStatus: Readonly<Record<string, string>> = {
  '304':
    'A conditional request; vouch sends one where the contract has an ETag and ' +
    'an answer comes with one.',
  '402': 'An account that has to pay first.',
  '403': 'A token that is known and lacks a right: a scope, a role, somebody else’s record.',
  '405': 'A method that the path does not have; vouch tries some in read-write mode.',
  '406':
    'An Accept header with nothing that the operation has; vouch accepts all ' +
    'that the contract shows.',
  '408': 'A request that takes too long to arrive; vouch sends none.',
  '409': 'A request that conflicts with existing data, such as a name that is taken.',
  '410': 'A record that is gone for good.',
  '412':
    'A precondition (If-Match) that fails; vouch sends one where a change takes ' +
    'If-Match and a read comes with an ETag.',
  '413': 'A body over the server’s limit.',
  '415':
    'A body in a media type that the operation does not take, which the server ' +
    'refuses with this status.',
  '422':
    'An invalid request that the server refuses with this status; those that ' +
    'were sent got another one.',
  '400':
    'An invalid request that the server refuses with this status; those that ' +
    'were sent got another one, or there were none.',
  '428': 'A request without the precondition that the server requires.',
  '429': 'More requests than the server allows in a while; vouch keeps --rate.',
};

/** How to reach a status of an operation, in one sentence. */
export function whyNoStatus(
  status: string,
  { operation, unsent, succeeded, hasToken }: Circumstances,
): string {
  if (status.startsWith('2')) {
    if (succeeded)
      return (
        'A valid request that the server answers with this status; it answered with ' +
        'another success.'
      );
    return unsent === undefined
      ? 'A valid request that the server accepts; see the statuses that it answered with.'
      : `Its requests, which were not sent: ${unsent}.`;
  }
  if (status.startsWith('5')) return 'A failure of the server, which vouch does not provoke.';
  if (status.startsWith('3'))
    return byStatus[status] ?? 'A reason for the server to send the client elsewhere.';
  if (status === 'default') return 'A status that the operation does not name.';
  if (status === '401')
    return hasToken
      ? 'A request without a valid credential that the server refuses with this status.'
      : 'A run that sends wrong credentials to this operation.';
  if (status === '404')
    return operation.path.includes('{')
      ? 'An identifier that no record has, for which the server returns this status.'
      : 'Something that the server cannot find; nothing in the request names a record.';
  return byStatus[status] ?? 'A fault in the request that the server refuses with this status.';
}

/** How to reach a class of values of an input, in one sentence. */
export function whyNoClass(
  name: string,
  place: string,
  { operation, unsent }: Circumstances,
): string {
  if (unsent !== undefined) return `Its requests, which were not all sent: ${unsent}.`;
  if (name === 'known-record')
    return `A record: name one with targets.NAME.examples.${operation.id}.`;
  if (name === 'missing-record')
    return (
      'An identifier that fits the schema and that no record has; or an operation to which it ' +
      'may be sent.'
    );
  if (place === 'body' && operation.method !== 'POST')
    return 'Mode fuzz, which sends more bodies to operations that change a record.';
  if (name === 'wrong-type' || name === 'null-given')
    return 'A media type that distinguishes types, as JSON does.';
  return 'Mode fuzz, which sends more values than the bounded plan has room for.';
}

/**
 * The classes that the requests of one operation covered: words and counts without bodies, to keep
 * the memory of a long run small.
 */
export class ReachedClasses {
  /** The media types of each documented status. */
  readonly #answers = new Map<string, Set<string>>();
  /** The classes of each input, by location and name. */
  readonly #classes = new Map<string, Map<string, Set<string>>>();
  readonly #values = new Map<Parameter, Set<string>>();
  #succeeded = false;

  /** Adds a step of the operation. */
  note(step: Step): void {
    const { case: testCase, sent, answer } = step;
    const { response } = step.exchange;
    // A response that was not read does not count.
    if (response === undefined || !isRead(step)) return;
    const { intent, operation, reaches } = testCase;
    if (reaches !== undefined) for (const reach of reaches) this.#classesOf(reach).add(reach.class);
    for (const parameter of operation.parameters)
      this.#noteParameter(parameter, sent.arguments.get(parameter), intent.kind);
    const media = intent.kind === 'valid' ? mediaOf(testCase) : undefined;
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
   * Called for every parameter of every request: concatenated keys would be allocated each time.
   */
  #classesOf({ in: place, name }: Input): Set<string> {
    return within(within(this.#classes, place, makeClasses), name, makeSet);
  }

  get succeeded(): boolean {
    return this.#succeeded;
  }

  /** Whether a documented status occurred, optionally with a media type. */
  hasAnswer(status: string, media?: string): boolean {
    const types = this.#answers.get(status);
    return types !== undefined && (media === undefined || types.has(media));
  }

  /** Whether a class of an input was sent; every value, for an enumerated parameter. */
  hasClass(operation: Operation, input: Input, name: string): boolean {
    if (name === 'enum-value' && input.in !== 'body') return this.#hasAll(operation, input);
    return this.#classes.get(input.in)?.get(input.name)?.has(name) === true;
  }

  #hasAll({ parameters }: Operation, input: Input): boolean {
    const parameter = parameters.find(
      (candidate) => candidate.in === input.in && candidate.name === input.name,
    );
    const listed = parameter?.schema.flatten().node.enum;
    // For a list, each item of the enumeration must be sent for its own case.
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
