import { saysRead } from '../../contract/effect/effect-words.ts';
import { successSchema } from '../../contract/infer/conventions/envelope-styles.ts';
import { wordsOf } from '../../contract/infer/infer-names.ts';
import type { Contract, LocatedNode, Operation, Schema } from '../../contract/model.ts';
import { isSuccess } from '../../http/status.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { jsonOf } from '../evidence/answer/read-answer.ts';
import { showValue } from '../evidence/phrases.ts';
import { compareRecords, type Difference, isHidden } from '../evidence/record/compare-records.ts';
import { namesInPath } from '../evidence/record/created-record.ts';
import { answersRecord, shownForms } from '../evidence/record/shown-fields.ts';
import { shownRecord } from '../evidence/record/shown-records.ts';
import { mediaOf } from '../model/case.ts';
import type { CheckInput } from '../model/knowledge.ts';
import { roleOf } from '../model/step.ts';
import type { Check, Violation } from './check.ts';

/**
 * The response to a create has the values that were sent, digit for digit and character for
 * character.
 */
export const createdIsReturned = {
  id: 'created-is-returned',
  basis: 'inferred',
  severity: 'error',
  rule:
    'The response to a create has the values that were sent: 64-bit integers digit for ' +
    'digit, text character for character.',
  reason: 'A value that changes on the way in is lost without notice.',
  proof: 'again',
  intents: ['valid'],
  inspect(subject) {
    const { case: testCase, contract, operation, exchange, sent, answer } = subject;
    if (testCase.intent.kind !== 'valid' || !isSuccess(exchange.response?.status ?? 0))
      return undefined;
    const schema = mediaOf(testCase)?.schema;
    if (schema === undefined || !isJsonObject(sent.body)) return undefined;
    const role = roleOf(contract, operation);
    if (role === undefined) return wrongEchoes(subject, schema, sent.body);
    if (role.action !== 'create' || !answersRecord(operation, role.resource)) return undefined;
    const got = shownRecord(role.resource, answer);
    if (got === undefined) return undefined;
    const differences = compareRecords(sent.body, got, {
      schema,
      shown: shownForms(role.resource),
      absent: 'fine',
      except: [role.resource.identifier.field, ...namesInPath(operation)],
      blanks: 'told',
    });
    return differences.map(otherValue);
  },
} as const satisfies Check;

function otherValue(difference: Difference): Violation {
  const { field, pointer, wanted, got: other, rewritten, trimmed } = difference;
  return {
    at: pointer,
    message:
      `The response to a create has another ${field} than was sent: ` +
      `${showValue(other)} instead of ${showValue(wanted)}.`,
    expected: `${field} is ${showValue(wanted)}, as it was sent`,
    actual: `${field} is ${showValue(other)}`,
    ...(rewritten === true ? { severity: 'warning' as const, cause: 'rewritten' } : {}),
    // Many servers trim texts, and may.
    ...(trimmed === true ? { severity: 'note' as const, cause: 'trimmed' } : {}),
  };
}

/**
 * Members of a response that differ from the members of the request with the same name, where the
 * operation belongs to no resource: `POST /messages` answers with the message. The response has an
 * identifier that the request has not, so that it shows what was made. Only free texts count, and
 * only where one does not contain the other: a server may complete, cut or mask a text, and sets
 * states and numbers.
 */
function wrongEchoes(
  { contract, operation, answer }: CheckInput,
  schema: Schema,
  sent: JsonObject,
) {
  const echoed = echoedFields(contract, operation, schema);
  const got = jsonOf(answer);
  if (echoed.size === 0 || !isJsonObject(got)) return undefined;
  const texts = Object.entries(sent).filter(
    ([name, value]) => echoed.has(name) && typeof value === 'string' && value.trim() !== '',
  );
  return compareRecords(Object.fromEntries(texts), got, {
    schema,
    absent: 'fine',
    except: namesInPath(operation),
    blanks: 'told',
  })
    .filter(({ wanted, got: other }) => isOtherText(wanted, other))
    .map(otherValue);
}

/** Whether a text was replaced: not completed, cut or masked. */
function isOtherText(wanted: JsonValue, got: JsonValue | undefined): boolean {
  if (typeof wanted !== 'string' || typeof got !== 'string') return false;
  const isPart = got !== '' && (got.includes(wanted) || wanted.includes(got));
  return !isPart && !/[*•…]|\.\.\.$/.test(got);
}

/** The beginnings of words for operations that answer with something made of what they get. */
const transforming = new RegExp(
  '^(answer|anonymi|calcul|chat|complet|convert|correct|decod|decrypt|encod|encrypt|evaluat|' +
    'expand|format|generat|geocod|hash|login|lookup|map|normali|pars|predict|preview|redact|' +
    'render|repl|resolv|rewrit|saniti|search|session|shorten|sign|suggest|summar|token|' +
    'transform|transl)',
);

/**
 * The free texts that a POST outside of every resource has in its request and, under the same name,
 * in its success; none where the response does not show what was made.
 */
export function echoedFields(
  contract: Contract,
  operation: Operation,
  schema: Schema,
): ReadonlySet<string> {
  const answered = operation.method === 'POST' ? successSchema(operation)?.flatten() : undefined;
  const { id, path } = operation;
  const words = [id, ...path.split('/')].flatMap((name) => wordsOf(name));
  const isOther = path.endsWith('}') || words.some((word) => transforming.test(word));
  if (answered === undefined || isOther || saysRead(operation)) return new Set();
  if (roleOf(contract, operation) !== undefined) return new Set();
  const asked = schema.flatten().properties;
  const isMade = [...answered.properties.keys()].some(
    (name) => isIdentifierName(name) && !asked.has(name),
  );
  const shared = [...answered.properties].filter(([name, place]) => {
    const own = asked.get(name);
    return own !== undefined && isFreeText(schema, own) && isFreeText(schema, place);
  });
  return new Set(isMade ? shared.map(([name]) => name) : []);
}

function isIdentifierName(name: string): boolean {
  return /^(_?id|uuid|guid|sid)$|[a-z]Id$|_id$/.test(name);
}

/** Whether a place holds a text without listed values that a response may show. */
function isFreeText(schema: Schema, place: LocatedNode): boolean {
  const { node, types } = schema.flatten(place.node, place.pointer);
  return types.includes('string') && node.enum === undefined && !isHidden(schema, place);
}
