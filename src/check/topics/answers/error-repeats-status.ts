import { selectMediaType, selectResponse } from '../../../contract/select-response.ts';
import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import { isJsonObject } from '../../../json/value.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import { check } from '../check.ts';
import { fieldSays } from '../../../contract/words/facts.ts';

const names = ['status', 'statusCode'] as const;

/**
 * A numeric status in an error body equals the status of the response (RFC 9457, section 3.1.2,
 * requires it for problem details).
 */
export const errorRepeatsStatus = check({
  id: 'error-repeats-status',
  basis: 'inferred',
  severity: 'error',
  rule: 'A numeric `status` or `statusCode` in the body of an error equals the HTTP status.',
  reason: 'Code that only sees the body takes the wrong branch if the two differ.',
  example: ['> GET /items/0', '< 404 Not Found', '< {"status": 400, "message": "no such item"}'],
  confirm: 'once',
  traits: ['one response', 'shared', 'error bodies'],
  inspect(subject) {
    const {
      exchange: { response },
      answer,
    } = subject;
    if (response === undefined || response.status < 400 || subject.case.intent.kind === 'method')
      return undefined;
    const body = jsonOf(answer);
    if (!isJsonObject(body)) return undefined;
    const name = names.find(
      (candidate) =>
        isStatus(body[candidate]) ||
        (isNumber(body[candidate]) && declared(subject, candidate)?.certain === true),
    );
    if (name === undefined) return undefined;
    const repeated = String(body[name]);
    if (repeated === String(response.status)) return [];
    return [
      {
        at: declared(subject, name)?.pointer ?? joinPointer(subject.operation.pointer, 'responses'),
        message:
          `The server answered ${String(response.status)} with a body whose ` +
          `${name} is ${repeated}.`,
        expected: `${name} is ${String(response.status)}, equal to the status of the response`,
        actual: `${name} is ${repeated}`,
      },
    ];
  },
});

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Other numbers may be codes of the application. */
function isStatus(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 100 && value <= 599;
}

interface Declared {
  readonly pointer: Pointer;
  /**
   * Whether it is the HTTP status according to its description, or because the body is problem
   * details.
   */
  readonly certain: boolean;
}

function declared(
  { operation, exchange: { response }, answer }: CheckInput,
  name: string,
): Declared | undefined {
  if (response === undefined || answer.kind !== 'json') return undefined;
  const documented = selectResponse(operation, response.status);
  const media =
    documented === undefined ? undefined : selectMediaType(documented.content, answer.mediaType);
  const property = media?.schema?.flatten().properties.get(name);
  if (media?.schema === undefined || property === undefined) return undefined;
  const problem = media.mediaType.toLowerCase().startsWith('application/problem+');
  return {
    pointer: property.pointer,
    certain:
      problem || fieldSays(media.schema.flatten(property.node, property.pointer), 'http-status'),
  };
}
