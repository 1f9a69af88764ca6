import type { MediaTypeSpec, RequestBody } from '../../contract/model.ts';
import { isNamedExample, namedRequests } from '../../contract/model/operation.ts';
import { isJsonMediaType } from '../../http/media-type.ts';
import { equalJson } from '../../json/equal-json.ts';
import type { JsonValue } from '../../json/value.ts';
import { type OperationPlan, readingActions, type ValidRequest } from '../model/request.ts';
import type { MockOptions } from '../mock.ts';
import type { MaybePromise } from '../../store/store.ts';
import { contentReader } from '../request/read-content.ts';
import { parameterKey } from '../request/read-request.ts';
import { holds } from '../scenarios/match-rule.ts';
import { judgeContent } from './generate-body.ts';
import { findExamples, type NamedExample, showNamed, type Shown } from './show-status.ts';

/**
 * An example of a request and an example of a response that have one name in their `examples`
 * (OpenAPI 3.1, section 4.8.19): the response belongs to the request.
 */
interface ExamplePair {
  /** The values of parameters, by location and name: `query limit`. */
  readonly parameters: ReadonlyMap<string, JsonValue>;
  /** The body in each media type that has it; empty if the example has no body. */
  readonly bodies: readonly JsonValue[];
  /** The valid examples of responses, success first. */
  readonly answers: readonly NamedExample[];
}

/** The response that the contract shows for a request. */
export interface PairedAnswer {
  readonly answer: NamedExample;
  /** Whether the example has every parameter and body of the request, so that nothing is open. */
  readonly isWhole: boolean;
}

/**
 * The response example that belongs to a request: all that the request example of its name says is
 * in the request. Of several, the one that says most; undefined if there is none. Costs nothing for
 * operations without pairs.
 */
export function findPair(request: ValidRequest): PairedAnswer | undefined {
  const pairs = request.plan.derive(readPairs);
  let best: ExamplePair | undefined;
  for (const pair of pairs)
    if ((best === undefined || sizeOf(pair) > sizeOf(best)) && matches(pair, request)) best = pair;
  const answer = best?.answers.find(({ status, content }) => isAccepted(status, content, request));
  return best && answer && { answer, isWhole: isWhole(best, request) };
}

function isAccepted(
  status: number,
  { mediaType }: NamedExample['content'],
  { plan, content }: ValidRequest,
): boolean {
  return status !== plan.status || content === undefined || content.mediaType === mediaType;
}

function sizeOf({ parameters, bodies }: ExamplePair): number {
  return parameters.size + Math.min(bodies.length, 1);
}

function matches({ parameters, bodies }: ExamplePair, request: ValidRequest): boolean {
  for (const [key, value] of parameters)
    if (!holds({ kind: 'equal', values: [value] }, request.parameters.get(key))) return false;
  const { body } = request;
  return bodies.length === 0 || (body !== undefined && bodies.some((own) => equalJson(own, body)));
}

function isWhole({ parameters, bodies }: ExamplePair, request: ValidRequest): boolean {
  return (
    [...request.parameters.keys()].every((key) => parameters.has(key)) &&
    (request.body === undefined || bodies.length > 0)
  );
}

const none: readonly ExamplePair[] = [];

function readPairs(plan: OperationPlan): readonly ExamplePair[] {
  const { parameters, requestBody } = plan.operation;
  const asked = namedRequests(plan.operation);
  if (asked.size === 0) return none;
  const bodies = bodiesOf(requestBody);
  const answers = Map.groupBy(
    findExamples(plan).filter(
      (example) =>
        isNamedExample(example) && judgeContent(example.value, example.content).length === 0,
    ),
    ({ name }) => name,
  );
  return [...asked].flatMap((name) => {
    const own = answers.get(name);
    if (own === undefined) return [];
    const values = parameters.flatMap((parameter) => {
      const example = parameter.examples.find((each) => each.name === name && isNamedExample(each));
      return example === undefined ? [] : [[parameterKey(parameter), example.value] as const];
    });
    return [{ parameters: new Map(values), bodies: bodies.get(name) ?? [], answers: own }];
  });
}

/** The bodies of request examples, by name. */
function bodiesOf(body: RequestBody | undefined): Map<string, JsonValue[]> {
  const bodies = new Map<string, JsonValue[]>();
  for (const entry of body?.content ?? [])
    for (const example of entry.examples.filter(isNamedExample))
      bodies.set(example.name, [
        ...(bodies.get(example.name) ?? []),
        bodyValue(entry, example.value),
      ]);
  return bodies;
}

const encoder = new TextEncoder();

/** A body as it is parsed: a text in a media type such as XML may stand for an object. */
function bodyValue(entry: MediaTypeSpec, value: JsonValue): JsonValue {
  if (typeof value !== 'string' || isJsonMediaType(entry.mediaType)) return value;
  const reading = contentReader(entry.mediaType, entry)(encoder.encode(value));
  return reading.kind === 'value' ? reading.value : value;
}

/**
 * The response that the contract shows for a request, if no behaviour is needed for it. Records
 * come first: an operation on them answers as shown only if the request is the whole example, and
 * with a success only if it reads, and the session has changed nothing.
 */
export function showPair(
  pair: PairedAnswer,
  { plan, session }: ValidRequest,
  { store }: Pick<MockOptions, 'store'>,
): MaybePromise<Shown | undefined> {
  const { role } = plan;
  if (role === undefined) return showNamed(pair.answer, plan);
  if (!pair.isWhole) return undefined;
  if (pair.answer.status >= 400) return showNamed(pair.answer, plan);
  if (!readingActions.has(role.action)) return undefined;
  return store
    .sessions()
    .then((changed) => (changed.includes(session) ? undefined : showNamed(pair.answer, plan)));
}
