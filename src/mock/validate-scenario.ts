import type { Contract, HeaderSpec, MediaTypeSpec, Operation, ResponseSpec } from '../contract/model.ts';
import { decodeParameter } from '../contract/parameter/decode-parameter.ts';
import { selectMediaType, selectResponse } from '../contract/select-response.ts';
import { isJsonMediaType } from '../http/media-type.ts';
import { headerValue, type HeaderList } from '../http/message.ts';
import type { JsonValue } from '../json/value.ts';
import { suggestWord } from '../nearest-word.ts';
import { describeIssue } from './errors/describe-issue.ts';
import type { Scenario, ScenarioAnswer, ScenarioRule } from './scenario.ts';
import { chooseSuccessStatus } from './success-status.ts';

/** What is wrong with a scenario, and where: indexes count from 0. */
export interface ScenarioFault {
  readonly message: string;
  readonly rule: number;
  /** Undefined where the fault is the rule's and not one answer's. */
  readonly answer?: number;
}

/** Every way in which a scenario does not fit a contract: operations that it lacks, and answers that it does not allow and that do not say `offContract`. */
export function validateScenario(scenario: Scenario, contract: Contract): ScenarioFault[] {
  return scenario.rules.flatMap((rule, index) => {
    const operations = contract.operations.filter(({ id }) => rule.operation === '*' || rule.operation === id);
    if (operations.length === 0) return [{ rule: index, message: noOperation(rule, contract) }];
    const answers = rule.answers.flatMap((answer, position) => judgeAnswer(answer, operations).map((message) => ({ rule: index, answer: position, message })));
    return [...judgeMatch(rule, operations).map((message) => ({ rule: index, message })), ...answers];
  });
}

function noOperation({ operation }: ScenarioRule, contract: Contract): string {
  return `The contract has no operation ${operation}. ${suggestWord(operation, contract.operations.map(({ id }) => id))}`;
}

/** A parameter that no operation declares is never read, so that the rule would never match. */
function judgeMatch({ match }: ScenarioRule, operations: readonly Operation[]): string[] {
  const known = [...new Set(operations.flatMap(({ parameters }) => parameters.map(({ name }) => name)))];
  const unknown = Object.keys(match?.parameters ?? {}).filter((name) => !known.includes(name));
  return unknown.map((name) => `No parameter is called ${name}, so that the rule would never match. ${suggestWord(name, known)}`);
}

function judgeAnswer(answer: ScenarioAnswer, operations: readonly Operation[]): string[] {
  if (answer.offContract || answer.pass === true) return [];
  return operations.flatMap((operation) => judgeFor(answer, operation).map((message) => `${message} Say offContract: true if that is meant.`));
}

function judgeFor(answer: ScenarioAnswer, operation: Operation): string[] {
  const status = answer.status ?? chooseSuccessStatus(operation, undefined, undefined);
  const response = selectResponse(operation, status);
  if (response === undefined) return [`${operation.id} documents no ${String(status)}, only ${operation.responses.map((each) => each.status).join(', ') || 'nothing'}.`];
  const headers = Object.entries(answer.headers ?? {});
  const about = `The ${String(status)} of ${operation.id}`;
  const body = answer.body === undefined ? [] : judgeBody(answer.body, { status, response, headers });
  return [...body, ...response.headers.flatMap((header) => judgeHeader(header, headers))].map((message) => `${about}: ${message}`);
}

interface Documented {
  readonly status: number;
  readonly response: ResponseSpec;
  readonly headers: HeaderList;
}

function judgeBody(body: JsonValue, { status, response, headers }: Documented): string[] {
  if (status === 204 || status === 205 || status === 304) return ['an answer of this status has no body.'];
  if (response.content.length === 0) return [];
  const type = headerValue(headers, 'content-type');
  const entry = chooseEntry(response.content, type);
  if (entry === undefined) return [`the media type ${type ?? 'application/json'} is none of those that are documented: ${response.content.map(({ mediaType }) => mediaType).join(', ')}.`];
  return (entry.schema?.validate(body, 'response') ?? []).map((issue) => describeIssue(issue, body, { place: 'body', name: '' }).message);
}

function chooseEntry(content: readonly MediaTypeSpec[], type: string | undefined): MediaTypeSpec | undefined {
  if (type !== undefined) return selectMediaType(content, type);
  return content.find(({ mediaType }) => isJsonMediaType(mediaType)) ?? content[0];
}

function judgeHeader({ name, explode, schema }: HeaderSpec, headers: HeaderList): string[] {
  const form = { name, in: 'header', style: 'simple', explode, allowReserved: false, allowEmptyValue: false, schema } as const;
  const reading = decodeParameter(form, { path: new Map(), rawQuery: '', headers });
  if (reading.kind === 'absent') return [];
  if (reading.kind === 'unreadable') return [`the header ${name} ${reading.message}.`];
  return schema.validate(reading.value, 'response').map((issue) => `the header ${name} ${issue.message}.`);
}
