import type { Exchange } from '../check/model/exchange.ts';
import { type AnswerFault, judgeAnswer } from '../check/traffic/judge-answer.ts';
import { placeTraffic } from '../check/traffic/place-traffic.ts';
import { type Contract, methods, type Operation } from '../contract/model.ts';
import { formatPlace, suggestId, usage, type VouchError, withHint } from '../errors.ts';
import { emptyBody } from '../http/message.ts';
import { type ContractChoice, chooseContract } from '../library/choose-contract.ts';
import { countOf } from '../text/counts.ts';
import { cleanLine, cleanText, cutText } from '../text/safe-text.ts';
import { readTestAnswer, type TestAnswer } from './answer/read-test-answer.ts';

/** The options of the matcher. */
export interface MatchOptions {
  /**
   * A contract that overrides the one of the test file: a path, a document, or a loaded contract.
   */
  readonly contract?: ContractChoice['contract'];
}

/** The result of a matcher in Vitest, Jest and Playwright. */
export interface MatchResult {
  readonly pass: boolean;
  message(): string;
}

/**
 * Checks whether a response conforms to the documentation of its operation: status, media type,
 * headers and body, with exact 64-bit integers. The operation is an operation id or `GET /path`; by
 * default it is found by the request. Rejects with a VouchError for a usage error.
 */
export async function matchContract(
  received: unknown,
  name?: string,
  { contract: named }: MatchOptions = {},
): Promise<MatchResult> {
  try {
    const answer = await readTestAnswer(received);
    const contract = await currentContract(named);
    const operation = findOperation(contract, name, answer);
    return toResult(judgeAnswer(contract, operation, toExchange(answer, operation)), {
      answer,
      operation,
    });
  } catch (error) {
    throw withHint(error);
  }
}

function toResult(
  faults: readonly AnswerFault[],
  asked: { readonly answer: TestAnswer; readonly operation: Operation },
): MatchResult {
  return { pass: faults.length === 0, message: () => describeFaults(faults, asked) };
}

const longestValue = 200;
const longestBody = 1000;

/**
 * The message of a failed assertion: every violation with its line in the contract, and the body.
 * Without violations, the message for `.not`.
 */
function describeFaults(
  faults: readonly AnswerFault[],
  { answer, operation }: { readonly answer: TestAnswer; readonly operation: Operation },
): string {
  const name = `${operation.method} ${operation.path} (${operation.id})`;
  if (faults.length === 0)
    return (
      `The ${String(answer.status)} answer of ${name} keeps the contract, and ` +
      'was expected to break it.'
    );
  const head =
    `The ${String(answer.status)} answer of ${name} breaks the contract in ` +
    `${countOf(faults.length, 'place')}:`;
  const groups = [...Map.groupBy(faults, ({ place }) => formatPlace(place)).values()];
  const order = groups.flat();
  return [
    head,
    '',
    ...groups.flatMap((alike) => [
      ...alike.flatMap((fault) => faultLines(fault, order.indexOf(fault) + 1)),
      ...placeLines(alike[0]),
    ]),
    ...bodyLines(answer.body),
  ]
    .join('\n')
    .trimEnd();
}

/** The lines of the contract, once for all violations there. */
function placeLines(fault: AnswerFault | undefined): string[] {
  if (fault === undefined) return [];
  const frame = cleanText(fault.frame)
    .split('\n')
    .map((line) => `       ${line}`);
  return ['', `     ${formatPlace(fault.place)}`, ...frame, ''];
}

/** A violation; what was expected only where the sentence does not say it. */
function faultLines({ check, message, expected, actual }: AnswerFault, number: number): string[] {
  const text = cleanLine(cutText(expected, longestValue));
  const isSaid = cleanLine(message).toLowerCase().includes(text.toLowerCase());
  const mark = `  ${String(number)}) `;
  const indent = ' '.repeat(mark.length);
  return [
    `${mark}${cleanLine(message)} (${check})`,
    ...(isSaid ? [] : [`${indent}expected  ${text}`]),
    `${indent}actual    ${cleanLine(cutText(actual, longestValue))}`,
  ];
}

function bodyLines(body: Uint8Array): string[] {
  return body.length === 0
    ? ['  The answer has no body.']
    : [
        '  The body that came:',
        `  ${cleanLine(cutText(Buffer.from(body).toString('utf8'), longestBody))}`,
      ];
}

/** The response as an exchange, with the known parts of its request. */
function toExchange(answer: TestAnswer, operation?: Operation): Exchange {
  const url =
    answer.url === undefined || !URL.canParse(answer.url) ? undefined : new URL(answer.url);
  const { status, headers, body } = answer;
  return {
    baseUrl: url?.origin ?? 'http://127.0.0.1',
    request: {
      method: answer.method ?? operation?.method ?? 'GET',
      target: url === undefined ? (operation?.path ?? '/') : `${url.pathname}${url.search}`,
      headers: [],
      body: emptyBody,
    },
    response: { status, headers, body },
    durationMs: 0,
  };
}

/**
 * The given operation, otherwise the one of the request. Throws a VouchError ('usage') if neither
 * is known.
 */
function findOperation(
  contract: Contract,
  name: string | undefined,
  answer: TestAnswer,
): Operation {
  if (name !== undefined) return namedOperation(contract, name);
  const candidates = answer.method === undefined ? methods : [answer.method];
  const found =
    answer.url === undefined
      ? []
      : candidates.flatMap((method) =>
          placeTraffic(
            contract,
            [{ label: 'a test', bodyRecorded: true, exchange: toExchange({ ...answer, method }) }],
            undefined,
          ).placed.map(({ operation }) => operation),
        );
  if (found[0] !== undefined && found.length === 1) return found[0];
  throw unclear(contract, answer, found);
}

function namedOperation({ operations, title }: Contract, name: string): Operation {
  const named = operations.find(
    ({ id, method, path }) => id === name || `${method} ${path}` === name,
  );
  if (named !== undefined) return named;
  throw usage(`${title} has no operation ${name}.`, { hint: suggestId(name, operations) });
}

function unclear(
  { title, operations }: Contract,
  { method, url }: TestAnswer,
  found: readonly Operation[],
): VouchError {
  const example = found[0]?.id ?? operations[0]?.id ?? 'operation';
  const hint = `Name it: toMatchContract('${example}').`;
  if (url === undefined) return usage('This response does not include its request.', { hint });
  const asked = method === undefined ? url : `${method} ${url}`;
  if (found.length > 1)
    return usage(
      `The answer of ${url} does not say its method, and the contract has ` +
        `${found.map((each) => each.method).join(' and ')} there.`,
      { hint: `Name the operation: toMatchContract('${example}').` },
    );
  return usage(`${title} has no operation for ${asked}.`, { hint });
}

let current: ContractChoice = {};

/** Sets the default contract of a test file. Each test file loads this module anew. */
export function setContract(choice: ContractChoice): void {
  current = choice;
}

/**
 * The contract of a test: the given one, otherwise that of its file, otherwise that of
 * `vouch.config.yaml`, otherwise the one document of the current folder.
 */
async function currentContract(named: ContractChoice['contract']): Promise<Contract> {
  const { contract } = await chooseContract(
    named === undefined ? current : { ...current, contract: named },
  );
  return contract;
}

/**
 * Makes unique session names, so that parallel tests never share one: the title of the test,
 * shortened, and a number.
 */
export function makeSessionNames(): (title: string) => string {
  let made = 0;
  return (title) =>
    `${
      title
        .replaceAll(/[^\w]+/g, '-')
        .replace(/^-|-$/g, '')
        .slice(0, 40) || 'test'
    }-${String((made += 1))}`;
}
