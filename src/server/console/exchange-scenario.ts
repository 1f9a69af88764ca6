import type { Operation } from '../../contract/model.ts';
import { expectedValue } from '../../contract/parameter/expected-value.ts';
import { VouchError } from '../../errors.ts';
import { type HeaderList, headerValue } from '../../http/message.ts';
import { decodePercent, decodeQueryPercent, splitQuery } from '../../http/target.ts';
import { decodeUtf8, parseJson } from '../../json/parse-json.ts';
import {
  defined,
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  stringifyJson,
} from '../../json/value.ts';
import type { Mock } from '../../mock/mock.ts';
import { checkScenarios } from '../../mock/scenarios/judge/check-scenarios.ts';
import { parseScenario } from '../../mock/scenarios/parse/parse-scenario.ts';
import { escapeJson } from '../../mock/scenarios/templates/json-template.ts';
import { escapeTemplate } from '../../mock/scenarios/templates/read-template.ts';
import { isHidden } from '../../redact/hide-named.ts';
import type { Redactor } from '../../redact/redactor.ts';
import type { JournalEntry } from '../journal/journal-entry.ts';
import type { WrittenScenario } from './console-api.ts';
import { looksLike } from '../../words-in.ts';

/**
 * An exchange as a scenario file that repeats the response for the same operation, and for the same
 * record if the path contains one. The scenario is validated against the contract, and has
 * offContract if the response does not conform. Undefined if no operation answered.
 */
export function scenarioOfExchange(
  entry: JournalEntry,
  { options }: Pick<Mock, 'options'>,
  redact: Redactor,
): WrittenScenario | undefined {
  const operation = options.contract.operations.find(({ id }) => id === entry.answer.operation);
  if (operation === undefined) return undefined;
  const status = String(entry.answer.status);
  const name = `${fileName(operation.id)}-${status}`;
  const answer = answerOf(entry, redact);
  const match = matchOf(operation, entry.request.target);
  return {
    name,
    yaml: writeScenario(`${operation.method} ${operation.path} answers ${status}.`, [
      ruleOf(operation, { answer, ...match }, options),
    ]),
  };
}

/**
 * An exchange as a rule that repeats the response for requests with the same path, query and JSON
 * body. `body` is that of the request. Undefined if no scenario can have such a rule.
 */
export function recordedRule(
  entry: JournalEntry,
  { operation, options, redact, body }: RecordedRuleOptions,
): WrittenRule | undefined {
  const { target } = entry.request;
  const { match: path = {} } = matchOf(operation, target);
  const query = redact.target(target).split('?')[1] ?? '';
  const given = splitQuery(query).flatMap(([name, value]): [string, JsonValue][] =>
    !isHidden(value) &&
    operation.parameters.some((each) => each.in === 'query' && each.name === name)
      ? [[name, valueOf(operation, name, decodeQueryPercent(value) ?? value)]]
      : [],
  );
  const match: JsonObject = {
    ...path,
    ...(given.length === 0 ? {} : { query: Object.fromEntries(given) }),
    ...(body === undefined || operation.requestBody === undefined ? {} : { body }),
  };
  const answer = answerOf(entry, redact);
  const rule = Object.keys(match).length === 0 ? { answer } : { answer, match };
  const written = ruleOf(operation, rule, options);
  return fits(fileName(operation.id), { ...written, operation }, options) ? written : undefined;
}

export interface RecordedRuleOptions {
  readonly operation: Operation;
  readonly options: Mock['options'];
  readonly redact: Redactor;
  readonly body?: JsonValue | undefined;
}

/** The rule, with offContract if the response does not conform. */
function ruleOf(
  operation: Operation,
  { answer, match }: Omit<WrittenRule, 'operation'>,
  options: Mock['options'],
): WrittenRule {
  const rule = { operation: operation.id, answer, ...defined({ match }) };
  const kept = [answer, { ...answer, offContract: true }].find((each) =>
    fits(fileName(operation.id), { ...rule, operation, answer: each }, options),
  );
  return { ...rule, answer: kept ?? answer };
}

function fileName(operationId: string): string {
  return operationId
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .toLowerCase();
}

/** The path parameters with the types of the contract. */
function matchOf({ path, parameters }: Operation, target: string): { readonly match?: JsonObject } {
  const expected = path.split('/');
  const given = (target.split('?', 1)[0] ?? '').split('/').slice(-expected.length);
  const values = expected.flatMap((segment, index): [string, JsonValue][] => {
    const name = /^\{([^{}]+)\}$/.exec(segment)?.[1];
    const text = decodePercent(given[index] ?? '');
    if (name === undefined || text === undefined) return [];
    return [[name, valueOf({ parameters }, name, text)]];
  });
  return values.length === 0 ? {} : { match: { path: Object.fromEntries(values) } };
}

/** The value of a parameter, as a number if the contract declares an integer. */
function valueOf(
  { parameters }: Pick<Operation, 'parameters'>,
  name: string,
  text: string,
): JsonValue {
  const parameter = parameters.find((each) => each.name === name);
  const isNumber = parameter !== undefined && expectedValue(parameter.schema).types.has('integer');
  return isNumber && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

function answerOf(
  { answer: { status, headers, body }, answerSize, fault }: JournalEntry,
  redact: Redactor,
): JsonObject {
  const told = headers.map(redact.header).filter(([name]) => isTelling(name));
  const kept = Object.fromEntries(told.map(([name, value]) => [name, escapeTemplate(value)]));
  const shown =
    body.length === 0 || body.length < answerSize ? undefined : bodyOf(body, headers, redact);
  return {
    status,
    ...(Object.keys(kept).length === 0 ? {} : { headers: kept }),
    ...defined({ body: shown === undefined ? undefined : escapeJson(shown), fault }),
  };
}

/** Headers that the mock does not add to each response by itself. */
const isTelling = looksLike(
  /^(location|retry-after|www-authenticate|link|etag|last-modified|cache-control)$/i,
);

function bodyOf(body: Uint8Array, headers: HeaderList, redact: Redactor): JsonValue | undefined {
  const decoded = decodeUtf8(body);
  if (!decoded.ok) return undefined;
  const text = redact.text(decoded.text);
  const reading = /json/i.test(headerValue(headers, 'Content-Type') ?? '')
    ? parseJson(new TextEncoder().encode(text))
    : undefined;
  return reading?.ok === true ? reading.value : text;
}

function fits(
  name: string,
  { operation, match, answer }: Omit<WrittenRule, 'operation'> & { readonly operation: Operation },
  options: Mock['options'],
): boolean {
  try {
    const scenario = parseScenario(name, {
      description: name,
      rules: [{ operation: operation.id, ...defined({ match }), answers: [answer] }],
    });
    checkScenarios({
      contract: options.contract,
      assumptions: options.assumptions,
      scenarios: [scenario],
    });
    return true;
  } catch (error) {
    if (error instanceof VouchError) return false;
    throw error;
  }
}

export interface WrittenRule {
  readonly operation: string;
  readonly match?: JsonObject;
  readonly answer: JsonObject;
}

/** Formats a scenario as a readable YAML file. Numbers keep every digit. */
export function writeScenario(description: string, written: readonly WrittenRule[]): string {
  const rules = written.map(({ operation, match, answer }) => ({
    operation,
    ...defined({ match }),
    answers: [answer],
  }));
  return `${writeBlock({ description, rules }, 0)}\n`;
}

const longestLine = 72;

/**
 * Readable YAML, in which numbers keep every digit. Indents every line; values on the line of their
 * name are JSON, which is valid YAML.
 */
function writeBlock(value: JsonValue, indent: number): string {
  const pad = ' '.repeat(indent);
  if (isJsonArray(value))
    return value
      .map(
        (item) =>
          `${pad}- ${isShort(item) ? writeFlow(item) : writeBlock(item, indent + 2).trimStart()}`,
      )
      .join('\n');
  if (!isJsonObject(value)) return `${pad}${writeFlow(value)}`;
  return Object.entries(value)
    .map(([name, member]) => {
      const written = isShort(member)
        ? ` ${writeFlow(member)}`
        : `\n${writeBlock(member, indent + 2)}`;
      return `${pad}${writeName(name)}:${written}`;
    })
    .join('\n');
}

/** Nested and long lists and objects are not short. */
function isShort(value: JsonValue): boolean {
  if (isJsonArray(value)) return value.length === 0;
  if (!isJsonObject(value)) return true;
  const members = Object.values(value);
  return (
    members.length === 0 ||
    (writeFlow(value).length <= longestLine &&
      members.every((member) => !isJsonObject(member) && !isJsonArray(member)) &&
      members.length <= 4 &&
      !Object.hasOwn(value, 'status'))
  );
}

function writeFlow(value: JsonValue): string {
  if (isJsonObject(value))
    return Object.keys(value).length === 0
      ? '{}'
      : `{ ${Object.entries(value)
          .map(([name, member]) => `${writeName(name)}: ${writeFlow(member)}`)
          .join(', ')} }`;
  if (isJsonArray(value)) return `[${value.map(writeFlow).join(', ')}]`;
  return typeof value === 'string' && isPlain(value) ? value : stringifyJson(value);
}

function writeName(name: string): string {
  return isPlain(name) ? name : stringifyJson(name);
}

/** Text that every YAML parser reads as a string without quotes. */
function isPlain(text: string): boolean {
  return (
    /^[A-Za-z_][\w-]*( [A-Za-z][\w-]*)*$/.test(text) &&
    !/^(true|false|yes|no|on|off|null|y|n)$/i.test(text)
  );
}
