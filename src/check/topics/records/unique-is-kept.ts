import { tellsStatus } from '../../../contract/words/read-unique.ts';
import { documents } from '../../../contract/select-response.ts';
import { isOfClient } from '../../reading/refusal.ts';
import { isRefusal, isSuccess } from '../../../http/message.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonObject, memberOf, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { type Case, mediaOf } from '../../model/case.ts';
import { hasSuccess, showValue, type Step } from '../../model/step.ts';
import { otherStatus, type Related, type RelationFaults } from '../../reading/related.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import { check } from '../check.ts';

/** No two records share a value that the contract calls unique. */
export const uniqueIsKept = check({
  id: 'unique-is-kept',
  basis: 'contract',
  harm: 'data',
  rule:
    'A create or an update with a value that another record has, in a field that a description ' +
    'calls unique, is refused with the documented 409: also in another case, if it says so, and ' +
    'if several are sent at once. Below another record it is accepted, if it is unique within one.',
  reason: 'Two accounts with one address, or two rooms with one name, cannot be told apart later.',
  example: [
    '> POST /items',
    '> {"email": "kim@example.com"}',
    '< 201 Created',
    '> POST /items',
    '> {"email": "kim@example.com"}',
    '< 201 Created   (409: another item has this email)',
  ],
  explains: [
    {
      // Nothing looks for the value: neither creates nor changes do.
      findings: ['unique-is-kept'],
      explains: ({ root, cause }, other) =>
        other.root === root && fieldOf(other.cause) === fieldOf(cause),
    },
    {
      // A value that is stored as another one is not found again.
      findings: ['created-is-returned'],
      leads: ({ cause }) => fieldOf(cause) !== undefined,
      explains: ({ root, cause }, { root: place, field }) =>
        place === root && field === fieldOf(cause),
    },
  ],
  intents: ['condition', 'relation'],
  relations: { accepted: notTakenElsewhere },
  inspect(subject) {
    const { case: testCase, exchange, sent, operation } = subject;
    const { intent } = testCase;
    if (intent.kind !== 'condition' || intent.wanted !== 'conflict') return undefined;
    const status = exchange.response?.status;
    const field = fieldOf(testCase.title);
    const first = field === undefined ? undefined : holderBefore(subject, field);
    if (status === undefined || field === undefined || first === undefined) return undefined;
    const isFitting = [409, 412, 428].includes(status) || isOfClient(status);
    // Where the answer itself carries the verdict, no status is documented for that.
    const isOther =
      isRefusal(status) &&
      !isFitting &&
      documents(operation, '409') &&
      !isToldOf(testCase, field, status);
    if (!isSuccess(status) && !isOther) return [];
    if (isOther && mayBeForAnother(subject, first, field)) return [];
    const value = memberOf(sent.body, field);
    return {
      at: intent.at,
      message: isOther
        ? `The server answered ${String(status)} to a request whose ${field} is that of ` +
          'another record; the contract documents 409 for that.'
        : `The server accepted (${String(status)}) the ${field} of another record: ` +
          `${showValue(value)}.`,
      expected: documents(operation, '409') ? '409, as documented' : 'a refusal, as documented',
      actual: String(status),
      cause: isOther ? 'status' : testCase.title,
      momentary: true,
    };
  },
});

/** Whether the words of the member say the status: then 409 stands for something else. */
function isToldOf(tried: Case, field: string, status: number): boolean {
  const schema = mediaOf(tried)?.schema;
  return schema !== undefined && tellsStatus(schema, field, String(status));
}

/**
 * Whether what was refused may be another value: one that the first request did not have, or, of a
 * change with its whole body, another member.
 */
function mayBeForAnother({ sent, operation }: CheckInput, first: Step, field: string): boolean {
  const isWhole = isJsonObject(sent.body) && Object.keys(sent.body).length > 1;
  return first.case.operation === operation ? !isAlike(first, sent, field) : isWhole;
}

/** 409 for a value that is unique within one record, below another one. */
function notTakenElsewhere({ subject, intent, status }: Related): RelationFaults {
  if (isSuccess(status)) return [];
  if (status !== 409) return undefined;
  const why = `: the contract calls ${intent.field ?? 'it'} unique within one of them only`;
  return { ...otherStatus({ subject, status }, 'a success', why), momentary: true };
}

/** The field that a case is about: `email is that of another record`. */
function fieldOf(title: string): string | undefined {
  return /^(\S+) is that of another record/.exec(title)?.[1];
}

/** The accepted step that gave a record the value, in any case. */
function holderBefore({ earlier, sent }: CheckInput, field: string): Step | undefined {
  const expected = isJsonObject(sent.body) ? textOf(sent.body, field) : undefined;
  return expected === undefined
    ? undefined
    : earlier.find(
        (step) =>
          hasSuccess(step) &&
          isJsonObject(step.sent.body) &&
          textOf(step.sent.body, field) === expected,
      );
}

/** Whether two requests sent the same but for one field. */
function isAlike(first: Step, { body }: Step['sent'], field: string): boolean {
  const others = (value: JsonValue | undefined): JsonObject =>
    isJsonObject(value) ? { ...value, [field]: null } : {};
  return equalJson(others(first.sent.body), others(body));
}

function textOf(body: JsonObject, field: string): string | undefined {
  const value = Object.hasOwn(body, field) ? body[field] : undefined;
  return typeof value === 'string' || typeof value === 'number'
    ? String(value).toLowerCase()
    : undefined;
}
