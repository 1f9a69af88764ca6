import { selectMediaType, selectResponse } from '../../contract/select-response.ts';
import type { SchemaIssue } from '../../contract/model.ts';
import { valueAt } from '../../json/pointer.ts';
import type { JsonValue } from '../../json/value.ts';
import { isUnspecific } from '../evidence/refusal.ts';
import { showValue } from '../evidence/phrases.ts';
import type { Check, Violation } from './check.ts';

const mostIssues = 25;

/** A JSON body keeps the schema that the contract gives it: all distinct breaches, one for each place in the contract. */
export const bodyMatchesSchema = {
  id: 'body-matches-schema',
  basis: 'contract',
  severity: 'error',
  rule: 'A JSON body keeps the schema that the contract gives for its status: types, formats, bounds, enums and required fields, exactly.',
  reason: 'Client code is generated and typed from the schema; a value outside of it is a crash or a wrong display.',
  proof: 'once',
  inspect({ operation, exchange: { response }, answer }) {
    if (response === undefined || answer.kind !== 'json') return undefined;
    const documented = selectResponse(operation, response.status);
    const schema = documented === undefined || isUnspecific(documented, response) ? undefined : selectMediaType(documented.content, answer.mediaType)?.schema;
    if (schema === undefined) return undefined;
    const issues = schema.validate(answer.value, 'response');
    return firstOfEach(issues).map((issue) => toViolation(issue, answer.value, response.status));
  },
} as const satisfies Check;

function firstOfEach(issues: readonly SchemaIssue[]): SchemaIssue[] {
  const byPlace = new Map<string, SchemaIssue>();
  for (const issue of issues) {
    const name = `${issue.pointer} ${issue.property ?? ''}`;
    if (!byPlace.has(name)) byPlace.set(name, issue);
  }
  return [...byPlace.values()].slice(0, mostIssues);
}

function toViolation(issue: SchemaIssue, body: JsonValue, status: number): Violation {
  const subject = issue.at === '' ? 'the body' : `the value at ${issue.at}`;
  return {
    at: issue.pointer,
    message: `In the ${String(status)} answer, ${subject} ${issue.message}.`,
    expected: `${subject} ${issue.message}`,
    actual: issue.property !== undefined && issue.keyword === 'required' ? `${issue.property} is missing` : showValue(valueAt(body, issue.at)),
    cause: issue.property ?? '',
  };
}
