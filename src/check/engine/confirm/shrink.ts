import type { JsonArray, JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonArray, isJsonObject, membersWhere, stringifyJson } from '../../../json/value.ts';
import { isValidOnWire } from '../../reading/find-request-fault.ts';
import { showsAgain, type Suspicion } from '../judge/judge.ts';
import { type Case, type Sequence, mediaOf } from '../../model/case.ts';
import type { BodyTemplate, Argument, RequestTemplate } from '../../model/request-template.ts';
import { showValue, type Step } from '../../model/step.ts';
import type { ConfirmContext } from './confirm.ts';
import { executeSequence } from '../send/execute-sequence.ts';
import { reMarkSequence } from '../send/re-mark-request.ts';
import { type RecordMaking, isNeeded, standAlone } from './stand-alone.ts';
import { splitPointer } from '../../../json/pointer.ts';
import { isSamePart, partsBesideControl, partsOf } from '../../reading/request-parts.ts';

/** The reproduction of a finding: the sequence as planned, and its steps. */
export type Reproduction = Pick<Suspicion, 'sequence' | 'steps' | 'violation'>;

/** A finding to shrink. `mayShorten`: also shorten values, besides leaving out parts. */
export interface Shrinkable extends Reproduction {
  readonly check: Suspicion['check'];
  readonly mayShorten: boolean;
}

/** The maximum number of requests to shrink one finding. */
const maxRequests = 10;

/**
 * The shortest of a few requests that still show the same check, place and cause. Each one is sent
 * and judged, so that the last one that showed it is reported. Deterministic if the server is.
 */
export async function shrink(first: Shrinkable, context: ConfirmContext): Promise<Reproduction> {
  const { judgeContext, seed, runId, sender } = context;
  const making: RecordMaking = {
    contract: judgeContext.contract,
    seed,
    runId,
    maySend: (operation) => context.maySend(operation),
  };
  const tried = new Set<string>();
  let best: Reproduction = first;
  let left = maxRequests;
  for (;;) {
    const next = firstUntried(candidates({ ...best, mayShorten: first.mayShorten }, making), tried);
    if (next === undefined || next.cases.length > left) return best;
    left -= next.cases.length;
    const fresh = reMarkSequence(next, `${runId}-s${String(tried.size)}`, runId);
    const { steps } = await executeSequence(fresh, sender, { phase: 'confirm' });
    if (steps.length < next.cases.length) {
      if (sender.signals.stop.aborted) return best;
      continue;
    }
    const violation = staysAsValid(best.steps, steps, sender.baseUrl.bind(sender))
      ? showsAgain(
          { check: first.check, violation: first.violation, sequence: fresh },
          steps,
          judgeContext,
        )
      : undefined;
    if (violation !== undefined) best = { sequence: next, steps, violation };
  }
}

function firstUntried(all: Iterable<Sequence>, tried: Set<string>): Sequence | undefined {
  for (const candidate of all) {
    const key = requestKey(candidate);
    if (tried.has(key)) continue;
    tried.add(key);
    return candidate;
  }
  return undefined;
}

/** Whether both last requests are valid as they are written, or both are invalid. */
function staysAsValid(
  before: readonly Step[],
  after: readonly Step[],
  baseUrl: (operation: Step['case']['operation']) => string,
): boolean {
  const isValid = (step: Step | undefined): boolean | undefined =>
    step &&
    isValidOnWire(
      step.case.operation,
      step.exchange.request,
      new URL(baseUrl(step.case.operation)).pathname.replace(/\/+$/, ''),
    );
  return isValid(before.at(-1)) === isValid(after.at(-1));
}

/**
 * The requests of a sequence as text, to compare sequences. With `mark`, the marks of the run,
 * which differ from case to case, are left out.
 */
export function requestKey({ cases }: Sequence, mark?: string): string {
  const key = cases.map(caseKey).join('\n');
  return mark === undefined ? key : key.replaceAll(new RegExp(`${mark}[\\w-]*`, 'g'), mark);
}

function caseKey({ operation, request }: Case): string {
  const { arguments: given, body, ...rest } = request;
  const written = given.map(({ parameter, source }) => {
    const value =
      source.kind === 'value' ? stringifyJson(source.value) : JSON.stringify(source, withBigints);
    return `${parameter.in} ${parameter.name} ${value}`;
  });
  return [operation.id, JSON.stringify(rest), ...written, bodyKey(body)].join(' ');
}

function bodyKey(body: BodyTemplate | undefined): string {
  if (body === undefined) return '';
  return body.kind === 'bytes'
    ? Buffer.from(body.bytes).toString('base64')
    : stringifyJson(body.value);
}

function withBigints(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${String(value)}n` : value;
}

/**
 * Simpler sequences, those that leave out most first. Each conforms to and violates the same rules
 * of the contract as the original.
 */
export function* candidates(
  { sequence, violation, mayShorten }: Omit<Shrinkable, 'check' | 'steps'>,
  making: RecordMaking,
): Generator<Sequence> {
  if (sequence.concurrent === true) return;
  const alone = standAlone(sequence, making);
  if (alone !== undefined) yield alone;
  yield* withoutSteps(sequence, making);
  for (const [index, testCase] of [...sequence.cases.entries()].toReversed()) {
    const keeping: Keeping = {
      fields: new Set([...splitPointer(violation.at), ...splitPointer(testedPlace(testCase))]),
      mark: making.runId,
    };
    const simpler = [
      ...withLess(testCase, keeping),
      ...(mayShorten ? withShorter(testCase, making.runId) : []),
    ];
    for (const candidate of simpler)
      if (
        faultsOf(testCase) === faultsOf(candidate) &&
        describe(testCase.request) !== describe(candidate.request)
      )
        yield { ...sequence, cases: sequence.cases.with(index, candidate) };
  }
}

function* withoutSteps(sequence: Sequence, { contract }: RecordMaking): Generator<Sequence> {
  for (let index = 0; index < sequence.cases.length - 1; index += 1) {
    if (!isNeeded(sequence, index, contract))
      yield { ...sequence, cases: sequence.cases.filter((_case, at) => at !== index) };
  }
}

function testedPlace({ intent }: Case): string {
  return 'at' in intent ? intent.at : '';
}

function describe({ arguments: given, body }: RequestTemplate): string {
  const values = given.map(({ parameter, source }) => {
    const value = source.kind === 'value' ? stringifyJson(source.value) : '';
    return `${parameter.name} ${value}`;
  });
  const text = body === undefined || body.kind === 'bytes' ? '' : stringifyJson(body.value);
  return [...values, text].join('\n');
}

/** Optional arguments and body members left out: first all that can be, then one by one. */
function withLess(testCase: Case, keeping: Keeping): Case[] {
  const { intent } = testCase;
  const { arguments: given } = testCase.request;
  const optional = given.filter(
    ({ parameter, source }) =>
      !parameter.required &&
      // A relation may be about what one parameter asks for.
      (intent.kind !== 'relation' || intent.at !== parameter.pointer) &&
      parameter.in !== 'path' &&
      (source.kind === 'value' || source.kind === 'field'),
  );
  const bare = withArguments(
    testCase,
    given.filter((argument) => !optional.includes(argument)),
  );
  const least = withBodies(bare, (value) => [
    leastOf(value, keeping, (candidate) => isSameFault(testCase, candidate)),
  ]);
  const oneByOne =
    optional.length > 1
      ? optional.map((left) =>
          withArguments(
            testCase,
            given.filter((argument) => argument !== left),
          ),
        )
      : [];
  return [
    ...least,
    ...(optional.length > 0 ? [bare] : []),
    ...oneByOne,
    ...withBodies(testCase, (value) => lessOf(value, keeping)),
  ];
}

function withArguments(testCase: Case, given: readonly Argument[]): Case {
  return { ...testCase, request: { ...testCase.request, arguments: given } };
}

/** Whether a case with another body violates the same rules. */
function isSameFault(testCase: Case, value: JsonValue): boolean {
  const [candidate] = withBodies(testCase, () => [value]);
  return candidate !== undefined && faultsOf(candidate) === faultsOf(testCase);
}

function withBodies(testCase: Case, change: (value: JsonValue) => readonly JsonValue[]): Case[] {
  const { body } = testCase.request;
  if (body === undefined || body.kind === 'bytes') return [];
  return change(body.value).map((value) => ({
    ...testCase,
    request: { ...testCase.request, body: { ...body, value } },
  }));
}

/**
 * One long value made shorter; the title then names it, if the request is sent for that value. A
 * request for a missing record keeps its identifier: a record with another one may exist.
 */
function withShorter(testCase: Case, mark: string): Case[] {
  const given = testCase.request.arguments;
  const shorterArguments = given.flatMap((argument, index) => {
    const { source, parameter } = argument;
    if (source.kind !== 'value' || parameter.in === 'path' || testCase.intent.kind === 'missing')
      return [];
    return shorterValues(source.value, mark).map((value) =>
      withArguments(testCase, given.with(index, { parameter, source: { kind: 'value', value } })),
    );
  });
  const shorterBodies = withBodies(testCase, (value) => shorterValues(value, mark));
  return [...shorterArguments, ...shorterBodies].map((shorter) => ({
    ...shorter,
    title: titleOfChange(testCase, shorter),
  }));
}

/** The title with the shorter value; titles of relations name no value. */
function titleOfChange(testCase: Case, shorter: Case): string {
  const { intent, title } = testCase;
  if (intent.kind === 'relation' || intent.kind === 'condition') return title;
  const [before, after] = [partsOf(testCase), partsOf(shorter)];
  const changed = [...after.keys()].find((name) => !isSamePart(before.get(name), after.get(name)));
  if (changed === undefined || !isTested(testCase, changed)) return title;
  return `${changed === '' ? 'the body' : changed} is ${showValue(after.get(changed))}`;
}

/**
 * Whether a request is sent for one of its parts: an invalid one for what makes it invalid, another
 * one for the tested place, or for all that differs from the control.
 */
function isTested(testCase: Case, name: string): boolean {
  if (testCase.intent.kind === 'invalid') return isFaulty(testCase, name);
  const tested = partsBesideControl(testCase) ?? [];
  return (
    tested.includes(name) &&
    (tested.length === 1 || splitPointer(testedPlace(testCase)).includes(name))
  );
}

function isFaulty(testCase: Case, name: string): boolean {
  const { body, arguments: given } = testCase.request;
  const value = body === undefined || body.kind === 'bytes' ? undefined : body.value;
  const faults =
    value === undefined ? [] : (mediaOf(testCase)?.schema?.validate(value, 'request') ?? []);
  return (
    faults.some(({ at }) => name === '' || splitPointer(at)[0] === name) ||
    given.some(
      ({ parameter, source }) =>
        parameter.name === name &&
        source.kind === 'value' &&
        !parameter.schema.accepts(source.value, 'request'),
    )
  );
}

/**
 * Every violation of the contract in a request, as text. A simpler request must violate the same
 * rules and no others, so that an invalid request stays invalid for one reason, and a valid one
 * stays valid.
 */
function faultsOf(testCase: Case): string {
  return [...parameterFaults(testCase), ...bodyFaults(testCase)].sort().join('\n');
}

function parameterFaults({ operation, request }: Case): string[] {
  const given = new Set(request.arguments.map(({ parameter }) => parameter));
  const missing = operation.parameters
    .filter((parameter) => parameter.required && !given.has(parameter))
    .map(({ name }) => `${name} is missing`);
  const broken = request.arguments.flatMap(({ parameter, source }) => {
    if (source.kind === 'text' || source.kind === 'raw')
      return [`${parameter.name} is ${source.text}`];
    if (source.kind !== 'value') return [];
    return parameter.schema
      .validate(source.value, 'request')
      .map(({ pointer }) => `${parameter.name} breaks ${pointer}`);
  });
  return [...missing, ...broken];
}

function bodyFaults(testCase: Case): string[] {
  const { body } = testCase.request;
  if (body === undefined)
    return testCase.operation.requestBody?.required === true ? ['no body'] : [];
  if (body.kind === 'bytes')
    return [`bytes ${body.mediaType ?? ''} ${Buffer.from(body.bytes).toString('base64')}`];
  const schema = mediaOf(testCase)?.schema;
  if (schema === undefined) return [`body ${stringifyJson(body.value)}`];
  return schema
    .validate(body.value, 'request')
    .map(({ pointer, property }) => `body breaks ${pointer} ${property ?? ''}`);
}

/** What must not be removed: tested fields, by name, and texts with the mark of the run. */
interface Keeping {
  readonly fields: ReadonlySet<string>;
  readonly mark: string;
}

/** A value without its other members: first without all of them, then without one each. */
export function lessOf(value: JsonValue, keeping: Keeping): JsonValue[] {
  if (!isJsonObject(value)) return [];
  const names = Object.keys(value).filter(
    (name) => !keeping.fields.has(name) && !hasMark(value[name], keeping.mark),
  );
  return [
    ...(names.length > 1 ? [without(value, names)] : []),
    ...names.map((name) => without(value, [name])),
  ];
}

/** A value without every member that can be left out while `isSame` holds. */
function leastOf(
  value: JsonValue,
  keeping: Keeping,
  isSame: (candidate: JsonValue) => boolean,
): JsonValue {
  if (!isJsonObject(value)) return value;
  return Object.keys(value).reduce<JsonValue>((rest, name) => {
    if (!isJsonObject(rest) || keeping.fields.has(name) || hasMark(rest[name], keeping.mark))
      return rest;
    const candidate = without(rest, [name]);
    return isSame(candidate) ? candidate : rest;
  }, value);
}

function without(value: JsonObject, names: readonly string[]): JsonObject {
  return membersWhere(value, (name) => !names.includes(name));
}

function hasMark(value: JsonValue | undefined, mark: string): boolean {
  return value !== undefined && stringifyJson(value).includes(mark);
}

/** The length of a text, and the size of a number, from which on values are shortened. */
const longText = 40;
const longNumber = 10_000;

/**
 * The value with one of its parts made shorter, the shortest first; none if everything is short.
 * Marked texts stay.
 */
export function shorterValues(value: JsonValue, mark: string): JsonValue[] {
  if (typeof value === 'string') return value.includes(mark) ? [] : shorterTexts(value);
  if (typeof value === 'number' || typeof value === 'bigint')
    return value > longNumber || value < -longNumber ? [1, 0, -1] : [];
  if (isJsonArray(value)) return shorterLists(value, mark);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    shorterValues(member, mark).map((shorter) => ({ ...value, [name]: shorter })),
  );
}

function shorterTexts(text: string): string[] {
  const characters = Array.from(text);
  if (characters.length <= longText) return [];
  return [
    characters.slice(0, 1),
    characters.slice(0, longText),
    characters.slice(0, Math.ceil(characters.length / 2)),
  ].map((kept) => kept.join(''));
}

function shorterLists(list: JsonArray, mark: string): JsonValue[] {
  const inner = list.flatMap((item, index) =>
    shorterValues(item, mark).map((shorter) => list.with(index, shorter)),
  );
  if (list.length < 2) return inner;
  return [
    list.slice(0, 1),
    list.slice(-1),
    ...(list.length > 3 ? [list.slice(0, Math.ceil(list.length / 2))] : []),
    ...inner,
  ];
}
