import { keyOf, linkedBy, linksOf, objectsIn } from '../../../contract/protocols/inclusion.ts';
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
  harm: 'results',
  rule:
    'A response to a request with `include` has each record that the relationships name in ' +
    '`included`, once, with the values that its own read shows, and no others (JSON:API 1.1, ' +
    'section 6.3); of these, `fields[TYPE]` shows the named fields alone (section 6.4).',
  reason: 'A client shows the names of the authors from `included`, and does not ask again.',
  example: [
    '> GET /articles?include=author',
    '< {"data": [{"relationships": {"author": {"data": {"type": "people", "id": "1"}}}, …}],',
    '<  "included": []}',
  ],
  confirm: 'again',
  traits: ['machinery'],
  plan: [{ at: 'lists', all: planInclusions }],
  intents: ['relation'],
  relations: {
    included: notIncluded,
    'included-agrees': includedOtherwise,
    'included-sparse': notSparse,
    'no-inclusion': notRefused,
  },
});

/** The resource objects in a member of the document that answers a step. */
function shownIn({ answer }: Pick<Step, 'answer'>, member: 'data' | 'included'): JsonObject[] {
  const body = jsonOf(answer);
  return body !== undefined && isJsonObject(body) ? objectsIn(body[member]) : [];
}

/** A linked record that exists and is not included, one twice, or one that nothing links. */
function notIncluded({ subject, intent, of }: Related): RelationFault[] | undefined {
  if (!sends(subject, 'include')) return undefined;
  const names = (intent.field ?? '').split(',');
  const primary = shownIn(subject, 'data');
  const included = shownIn(subject, 'included');
  const linked = names.flatMap((path) => linkedByPath(primary, included, path.split('.')));
  if (linked.length === 0) return undefined;
  const keys = included.map(keyOf);
  const known = new Set(
    of.flatMap((step) => [...shownIn(step, 'data'), ...shownIn(step, 'included')]).map(keyOf),
  );
  const shown = new Set([...keys, ...primary.map(keyOf)]);
  const missing = linked.find(({ key }) => known.has(key) && !shown.has(key));
  const twice = keys.find((key, at) => keys.indexOf(key) !== at);
  const { id } = subject.operation;
  const asked = names.join(',');
  if (missing !== undefined)
    return [
      {
        message:
          `${id} with include=${asked} does not include ${missing.key}, which ${missing.name} ` +
          'names.',
        expected: `${missing.key} in included`,
        actual: keys.length === 0 ? 'nothing included' : `included: ${keys.join(', ')}`,
        cause: 'not included',
      },
    ];
  if (twice !== undefined)
    return [
      {
        message: `${id} with include=${asked} includes ${twice} twice.`,
        expected: `${twice} once (JSON:API 1.1, section 5.4.2)`,
        actual: 'twice',
        cause: 'included twice',
      },
    ];
  return unlinked(subject, primary, included);
}

/** Whether a request has a parameter: the run looks for a shorter one that shows the same. */
function sends({ sent }: Pick<Step, 'sent'>, expected: string): boolean {
  return [...sent.arguments.keys()].some(({ name }) => name === expected);
}

/** What a path of relationships names, each with the path. */
function linkedByPath(
  records: readonly JsonObject[],
  included: readonly JsonObject[],
  [name = '', ...rest]: readonly string[],
): { readonly key: string; readonly name: string }[] {
  const keys = records.flatMap((record) => linkedBy(record, name)).map(keyOf);
  const next = new Set(keys);
  const deeper =
    rest.length === 0
      ? []
      : linkedByPath(
          included.filter((record) => next.has(keyOf(record))),
          included,
          rest,
        );
  return [...keys.map((key) => ({ key, name })), ...deeper];
}

/** An included record that no other record of the document names (JSON:API 1.1, section 5.4.2). */
function unlinked(
  { operation }: Pick<Related['subject'], 'operation'>,
  primary: readonly JsonObject[],
  included: readonly JsonObject[],
): RelationFault[] {
  const named = new Set([...primary, ...included].flatMap(linksOf).map(keyOf));
  const stray = included.map(keyOf).find((key) => !named.has(key));
  if (stray === undefined) return [];
  return [
    {
      message: `${operation.id} includes ${stray}, which no record of the response names.`,
      expected: 'only records that another one names (JSON:API 1.1, section 5.4.2)',
      actual: `${stray} in included`,
      cause: 'unlinked',
    },
  ];
}

/** An attribute of an included record that was not asked for (JSON:API 1.1, section 6.4). */
function notSparse({ subject, intent }: Related): RelationFault[] | undefined {
  const [type = '', ...asked] = (intent.field ?? '').split(',');
  if (!sends(subject, 'include') || !sends(subject, `fields[${type}]`)) return undefined;
  const records = shownIn(subject, 'included').filter((one) => one['type'] === type);
  if (records.length === 0) return undefined;
  const others = records.flatMap((record) => {
    const attributes = record['attributes'] ?? null;
    return isJsonObject(attributes)
      ? Object.keys(attributes).filter((name) => !asked.includes(name))
      : [];
  });
  const [other] = others;
  if (other === undefined) return [];
  return [
    {
      message:
        `${subject.operation.id} with fields[${type}]=${asked.join(',')} includes records with ` +
        `${[...new Set(others)].join(', ')} too.`,
      expected: `${asked.join(', ')} alone`,
      actual: `also ${other}`,
      cause: 'not sparse',
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
