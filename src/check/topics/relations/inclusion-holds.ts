import { keyOf, linkedBy, objectsIn } from '../../../contract/protocols/inclusion.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonObject, type JsonObject } from '../../../json/value.ts';
import { showValue } from '../../model/phrases.ts';
import type { Step } from '../../model/step.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { notRefused, type Related, type RelationFault } from '../../reading/related.ts';
import { check } from '../check.ts';
import { planInclusions } from './plan-inclusions.ts';

/** A response that is asked to include related records has each of them once, as it is. */
export const inclusionHolds = check({
  id: 'inclusion-holds',
  basis: 'inferred',
  severity: 'error',
  rule:
    'A response to a request with `include` has each record that the relationship names in ' +
    '`included`, once, with the values that its own read shows (JSON:API 1.1, section 6.3).',
  reason: 'A client shows the names of the authors from `included`, and does not ask again.',
  example: [
    '> GET /articles?include=author',
    '< {"data": [{"relationships": {"author": {"data": {"type": "people", "id": "1"}}}, …}],',
    '<  "included": []}',
  ],
  confirm: 'again',
  plan: [{ at: 'lists', all: planInclusions }],
  intents: ['relation'],
  relations: {
    included: notIncluded,
    'included-agrees': includedOtherwise,
    'no-inclusion': notRefused,
  },
});

/** The resource objects in a member of the document that answers a step. */
function shownIn({ answer }: Pick<Step, 'answer'>, member: 'data' | 'included'): JsonObject[] {
  const body = jsonOf(answer);
  return body !== undefined && isJsonObject(body) ? objectsIn(body[member]) : [];
}

/** A linked record that exists and is not included, or one that is included twice. */
function notIncluded({ subject, intent, of }: Related): RelationFault[] | undefined {
  const { field = '' } = intent;
  const [list] = of;
  const primary = shownIn(subject, 'data');
  const linked = primary.flatMap((record) => linkedBy(record, field)).map(keyOf);
  if (list === undefined || linked.length === 0) return undefined;
  const included = shownIn(subject, 'included').map(keyOf);
  const known = new Set(shownIn(list, 'data').map(keyOf));
  const shown = new Set([...included, ...primary.map(keyOf)]);
  const missing = linked.find((key) => known.has(key) && !shown.has(key));
  const twice = included.find((key, at) => included.indexOf(key) !== at);
  const { id } = subject.operation;
  if (missing !== undefined)
    return [
      {
        message: `${id} with include=${field} does not include ${missing}, which ${field} names.`,
        expected: `${missing} in included`,
        actual: included.length === 0 ? 'nothing included' : `included: ${included.join(', ')}`,
        cause: 'not included',
      },
    ];
  if (twice === undefined) return [];
  return [
    {
      message: `${id} with include=${field} includes ${twice} twice.`,
      expected: `${twice} once (JSON:API 1.1, section 5.4.2)`,
      actual: 'twice',
      cause: 'included twice',
    },
  ];
}

/** An attribute that an included record has otherwise than its own read shows it. */
function includedOtherwise({ subject, of }: Related): RelationFault[] | undefined {
  const [asked] = of;
  const [own] = shownIn(subject, 'data');
  const shown = own && asked && shownIn(asked, 'included').find((one) => keyOf(one) === keyOf(own));
  const [left, right] = [shown, own].map((one) => one?.['attributes'] ?? null);
  if (left === undefined || right === undefined) return undefined;
  if (!isJsonObject(left) || !isJsonObject(right) || asked === undefined) return undefined;
  const name = Object.keys(left).find(
    (one) => Object.hasOwn(right, one) && !equalJson(left[one] ?? null, right[one] ?? null),
  );
  if (name === undefined) return [];
  return [
    {
      message:
        `${asked.case.operation.id} includes a record with another ${name} than its own read ` +
        `shows: ${showValue(left[name])}.`,
      expected: `${name} is ${showValue(right[name])}`,
      actual: `${name} is ${showValue(left[name])}`,
      operation: asked.case.operation,
      cause: 'included otherwise',
    },
  ];
}
