import type { Operation } from '../../contract/model.ts';
import { expectedValue } from '../../contract/parameter/expected-value.ts';
import { headerValue, type HeaderList } from '../../http/message.ts';
import { decodePercent } from '../../http/percent.ts';
import { decodeUtf8 } from '../../json/decode-utf8.ts';
import { parseJson } from '../../json/parse-json.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Mock } from '../../mock/mock.ts';
import { checkScenarios } from '../../mock/scenarios/judge/check-scenarios.ts';
import { parseScenario } from '../../mock/scenarios/parse/parse-scenario.ts';
import { VouchError } from '../../errors.ts';
import type { JournalEntry } from '../journal/journal.ts';
import type { Redact } from '../journal/redact.ts';
import { writeScenario } from './write-scenario.ts';

/** A scenario file: its name without the ending, and its YAML. */
export interface WrittenScenario {
  readonly name: string;
  readonly yaml: string;
}

/**
 * An exchange as a scenario that answers the same again: for the same operation, and for the same
 * record where its path names one. What is written is held against the contract, and says
 * offContract where it does not keep it. Undefined for an exchange of no operation.
 */
export function scenarioOfExchange(
  entry: JournalEntry,
  { options }: Pick<Mock, 'options'>,
  redact: Redact,
): WrittenScenario | undefined {
  const operation = options.contract.operations.find(({ id }) => id === entry.answer.operation);
  if (operation === undefined) return undefined;
  const name = `${operation.id
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .toLowerCase()}-${String(entry.answer.status)}`;
  const rule = { ...matchOf(operation, entry.request.target), answer: answerOf(entry, redact) };
  const keeps = [rule.answer, { ...rule.answer, offContract: true }].find((answer) =>
    fits(name, { operation, ...rule, answer }, options),
  );
  return {
    name,
    yaml: writeScenario(
      `${operation.method} ${operation.path} answers ${String(entry.answer.status)}.`,
      { operation: operation.id, ...rule, answer: keeps ?? rule.answer },
    ),
  };
}

interface Written {
  readonly match?: JsonObject;
  readonly answer: JsonObject;
}

/** Values of the path, as the contract has their types. */
function matchOf({ path, parameters }: Operation, target: string): { readonly match?: JsonObject } {
  const wanted = path.split('/');
  const given = (target.split('?', 1)[0] ?? '').split('/').slice(-wanted.length);
  const values = wanted.flatMap((segment, index): [string, JsonValue][] => {
    const name = /^\{([^{}]+)\}$/.exec(segment)?.[1];
    const text = decodePercent(given[index] ?? '');
    if (name === undefined || text === undefined) return [];
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
    const isNumber =
      parameter !== undefined && expectedValue(parameter.schema).types.has('integer');
    return [[name, isNumber && /^-?\d{1,15}$/.test(text) ? Number(text) : text]];
  });
  return values.length === 0 ? {} : { match: { path: Object.fromEntries(values) } };
}

function answerOf(
  { answer: { status, headers, body }, answerSize, fault }: JournalEntry,
  redact: Redact,
): JsonObject {
  const told = Object.fromEntries(redact.headers(headers).filter(([name]) => isTelling(name)));
  const shown =
    body.length === 0 || body.length < answerSize ? undefined : bodyOf(body, headers, redact);
  return {
    status,
    ...(Object.keys(told).length === 0 ? {} : { headers: told }),
    ...(shown === undefined ? {} : { body: shown }),
    ...(fault === undefined ? {} : { fault }),
  };
}

/** What the mock writes into each answer anew need not be scripted. */
function isTelling(name: string): boolean {
  return /^(location|retry-after|www-authenticate|link|etag|last-modified|cache-control)$/i.test(
    name,
  );
}

function bodyOf(body: Uint8Array, headers: HeaderList, redact: Redact): JsonValue | undefined {
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
  { operation, match, answer }: Written & { readonly operation: Operation },
  options: Mock['options'],
): boolean {
  try {
    const scenario = parseScenario(name, {
      description: name,
      rules: [
        { operation: operation.id, ...(match === undefined ? {} : { match }), answers: [answer] },
      ],
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
