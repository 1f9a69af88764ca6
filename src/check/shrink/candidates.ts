import { splitPointer } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import type { Violation } from '../checks/check.ts';
import { showValue } from '../evidence/phrases.ts';
import type { Case, Sequence } from '../model/case.ts';
import type { RequestTemplate } from '../model/request-template.ts';
import { faultsOf } from './faults.ts';
import { isNeeded } from './needs.ts';
import { type Keeping, leastOf, lessOf, shorterValues } from './simpler-values.ts';
import { type Making, standAlone } from './stand-alone.ts';

/**
 * What candidates are made from: the sequence as it is, what it shows, and whether its values may
 * change too.
 */
export interface Shape {
  readonly sequence: Sequence;
  readonly violation: Violation;
  readonly mayShorten: boolean;
}

/**
 * Sequences that say the same with less, the boldest first. All keep to the rules that the first
 * one keeps, and break those that it breaks.
 */
export function* candidates(
  { sequence, violation, mayShorten }: Shape,
  making: Making,
): Generator<Sequence> {
  if (sequence.concurrent === true) return;
  const alone = standAlone(sequence, making);
  if (alone !== undefined) yield alone;
  yield* withoutSteps(sequence, making);
  for (const [index, tried] of [...sequence.cases.entries()].toReversed()) {
    const keeping: Keeping = {
      fields: new Set([...namesIn(violation.at), ...namesIn(atOf(tried))]),
      mark: making.runId,
    };
    for (const simpler of [
      ...withLess(tried, keeping),
      ...(mayShorten ? withShorter(tried, making.runId) : []),
    ]) {
      if (isSame(tried, simpler)) yield withCase(sequence, index, simpler);
    }
  }
}

function* withoutSteps(sequence: Sequence, { contract }: Making): Generator<Sequence> {
  for (let index = 0; index < sequence.cases.length - 1; index += 1) {
    if (!isNeeded(sequence, index, contract))
      yield { ...sequence, cases: sequence.cases.filter((_tried, at) => at !== index) };
  }
}

function isSame(tried: Case, simpler: Case): boolean {
  return (
    faultsOf(tried) === faultsOf(simpler) && describe(tried.request) !== describe(simpler.request)
  );
}

function describe({ arguments: given, body }: RequestTemplate): string {
  return [
    ...given.map(
      ({ parameter, source }) =>
        `${parameter.name} ${source.kind === 'value' ? stringifyJson(source.value) : ''}`,
    ),
    body === undefined || body.kind === 'bytes' ? '' : stringifyJson(body.value),
  ].join('\n');
}

function withCase(sequence: Sequence, index: number, tried: Case): Sequence {
  return { ...sequence, cases: sequence.cases.with(index, tried) };
}

function namesIn(pointer: string): string[] {
  return splitPointer(pointer);
}

function atOf({ intent }: Case): string {
  return 'at' in intent ? intent.at : '';
}

/** Optional arguments and body fields left out: all that can be at once, then one by one. */
function withLess(tried: Case, keeping: Keeping): Case[] {
  const { request } = tried;
  const optional = request.arguments.filter(
    ({ parameter, source }) =>
      !parameter.required &&
      parameter.in !== 'path' &&
      (source.kind === 'value' || source.kind === 'field'),
  );
  const bare = {
    ...request,
    arguments: request.arguments.filter((argument) => !optional.includes(argument)),
  };
  const least = withBodies({ ...tried, request: bare }, (value) => [
    leastOf(value, keeping, (candidate) => isAllowed(tried, candidate)),
  ]);
  const apart =
    optional.length > 1
      ? optional.map((left) => ({
          ...tried,
          request: {
            ...request,
            arguments: request.arguments.filter((argument) => argument !== left),
          },
        }))
      : [];
  const without = optional.length > 0 ? [{ ...tried, request: bare }] : [];
  return [...least, ...without, ...apart, ...withBodies(tried, (value) => lessOf(value, keeping))];
}

function isAllowed(tried: Case, value: JsonValue): boolean {
  const [candidate] = withBodies(tried, () => [value]);
  return candidate !== undefined && faultsOf(candidate) === faultsOf(tried);
}

function withBodies(tried: Case, change: (value: JsonValue) => readonly JsonValue[]): Case[] {
  const { body } = tried.request;
  if (body === undefined || body.kind === 'bytes') return [];
  return change(body.value).map((value) => ({
    ...tried,
    request: { ...tried.request, body: { ...body, value } },
  }));
}

/**
 * One long value made shorter, which the title then names. What asks for a record that is not there
 * keeps its identifier: another one may be there.
 */
function withShorter(tried: Case, mark: string): Case[] {
  const given = tried.request.arguments;
  const shorterArguments = given.flatMap((argument, index) => {
    const { source, parameter } = argument;
    if (source.kind !== 'value' || parameter.in === 'path' || tried.intent.kind === 'missing')
      return [];
    return shorterValues(source.value, mark).map((value) => ({
      ...tried,
      title: `${parameter.name} is ${showValue(value)}`,
      request: {
        ...tried.request,
        arguments: given.with(index, { ...argument, source: { kind: 'value' as const, value } }),
      },
    }));
  });
  return [
    ...shorterArguments,
    ...withBodies(tried, (value) => shorterValues(value, mark)).map((shorter) => ({
      ...shorter,
      title: titleOfChange(tried, shorter),
    })),
  ];
}

/** Names the member of a body that is another one than before. */
function titleOfChange(tried: Case, shorter: Case): string {
  const [before, after] = [bodyValue(tried), bodyValue(shorter)];
  if (!isJsonObject(before) || !isJsonObject(after)) return `the body is ${showValue(after)}`;
  const name = Object.keys(after).find(
    (member) => stringifyJson(after[member] ?? null) !== stringifyJson(before[member] ?? null),
  );
  return name === undefined ? tried.title : `${name} is ${showValue(after[name])}`;
}

function bodyValue({ request: { body } }: Case): JsonValue | undefined {
  return body === undefined || body.kind === 'bytes' ? undefined : body.value;
}
