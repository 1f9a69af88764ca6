import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import type { Projection } from '../../../contract/protocols/projection.ts';
import { groupsOf, layoutOf, openRecord } from '../../../contract/infer/record-view.ts';
import type { Resource, Schema } from '../../../contract/model.ts';
import {
  factsIn,
  fieldSays,
  operationTexts,
  parameterTexts,
} from '../../../contract/words/facts.ts';
import { isSuccess } from '../../../http/status.ts';
import type { JsonObject } from '../../../json/value.ts';
import { showValue } from '../../model/phrases.ts';
import { roleOf, type Step } from '../../model/step.ts';
import { compareRecords } from '../../reading/compare-records.ts';
import { sameIdentifier } from '../../reading/list-page.ts';
import { notRefused, type Related, type RelationFault } from '../../reading/related.ts';
import { saysSomething } from '../../reading/shown-fields.ts';
import { listedRecords, shownRecord } from '../../reading/shown-records.ts';
import { check } from '../check.ts';
import { planProjections } from './plan-projections.ts';

/** A response shows the fields that a projection asks for, as they are, and no others. */
export const projectionHolds = check({
  id: 'projection-holds',
  basis: 'inferred',
  severity: 'error',
  harm: 'results',
  rule:
    'A response to a request for some fields shows these fields with the values that they have ' +
    'otherwise, and no others (JSON:API 1.1, section 6.4; AIP-157); with $select, others may be ' +
    'shown too (OData 4.01, section 11.2.5.1).',
  reason:
    'A client asks for a few fields because the others are large or secret; one that gets none ' +
    'of them shows nothing.',
  example: [
    '> GET /items/7?fields[items]=name',
    '< {"data": {"type": "items", "id": "7", "attributes": {"name": "a", "size": 2}}}',
  ],
  confirm: 'again',
  traits: ['machinery'],
  plan: [{ at: 'lists', all: planProjections }],
  intents: ['relation'],
  mutants: [async () => (await import('./projection-mutants.ts')).projectionMutants],
  relations: { projected: notProjected, 'no-fields': notRefused, 'field-added': notAdded },
});

/** A field that a parameter adds, and that no record of the answer has. */
function notAdded({ subject, intent, status }: Related): RelationFault[] | undefined {
  const { contract, operation, case: testCase } = subject;
  const resource = roleOf(contract, operation)?.resource;
  const { field = '' } = intent;
  const records = resource === undefined || !isSuccess(status) ? [] : recordsOf(resource, subject);
  if (records.length === 0) return undefined;
  if (records.some((record) => Object.hasOwn(record, field))) return [];
  return [
    {
      message: `${operation.id} shows no ${field}, where ${testCase.title}.`,
      expected: `${field} in the record`,
      actual: `no ${field}`,
      cause: 'field not added',
    },
  ];
}

/** One record as a whole, and the part of it that was asked for. */
interface Pair {
  readonly whole: JsonObject;
  readonly part: JsonObject;
}

function notProjected({ subject, intent, of }: Related): RelationFault[] | undefined {
  const { contract, operation } = subject;
  const resource = roleOf(contract, operation)?.resource;
  const projection =
    resource &&
    protocolsOf(contract, resource).projections?.of.find((one) => one.operation === operation);
  const [before] = of;
  if (resource === undefined || projection === undefined || before === undefined) return undefined;
  const asked = (intent.field ?? '').split(',');
  const asking: Asking = { resource, projection, asked };
  const pairs = pairsOf(resource, before, subject);
  const faults = pairs.flatMap(
    (pair) => wronglyShown(pair, asking) ?? shownUnasked(pair, asking) ?? [],
  );
  return pairs.length === 0 ? undefined : faults.slice(0, 1);
}

/** The records that both responses show: by their identifiers, or as many in the same order. */
function pairsOf(resource: Resource, before: Step, after: Step): Pair[] {
  const { field } = resource.identifier;
  const [wholes, parts] = [before, after].map((step) => recordsOf(resource, step));
  if (wholes === undefined || parts === undefined) return [];
  const named = parts.flatMap((part): Pair[] => {
    const whole = wholes.find((one) => sameIdentifier(one[field], part[field]));
    return whole === undefined ? [] : [{ whole, part }];
  });
  if (named.length > 0 || wholes.length !== parts.length) return named;
  const isNameless = parts.every((part) => part[field] === undefined);
  if (!isNameless) return [];
  return wholes.flatMap((whole, at) => {
    const part = parts[at];
    return part === undefined ? [] : [{ whole, part }];
  });
}

function recordsOf(
  resource: Resource,
  { case: { operation }, answer }: Step,
): readonly JsonObject[] {
  const record = shownRecord(resource, answer);
  const shown =
    operation === resource.operations.list
      ? (listedRecords(resource, answer) ?? [])
      : record === undefined
        ? []
        : [record];
  // What a projection names stands in the groups of a record.
  const layout = layoutOf(resource.record) === undefined ? groupsOf(resource.record) : undefined;
  return layout === undefined ? shown : shown.map((one) => openRecord(layout, one));
}

interface Asking {
  readonly resource: Resource;
  readonly projection: Projection;
  readonly asked: readonly string[];
}

/** A field that was asked for and that is missing, or has another value. */
function wronglyShown(
  { whole, part }: Pair,
  { resource, projection, asked }: Asking,
): RelationFault | undefined {
  const told = asked.filter((name) => saysSomething(whole[name]));
  const expected = Object.fromEntries(told.map((name) => [name, whole[name] ?? null]));
  const [difference] = compareRecords(expected, part, {
    schema: resource.record,
    absent: 'different',
    except: [],
  });
  if (difference === undefined) return undefined;
  const { field, got } = difference;
  return {
    message:
      `${projection.operation.id} with ${projection.parameter.name} for ${asked.join(', ')} ` +
      (got === undefined
        ? `does not show the ${field} of a record.`
        : `shows another ${field} than without it: ${showValue(got)}.`),
    expected: `${field} is ${showValue(difference.expected)}`,
    actual: got === undefined ? `no ${field}` : `${field} is ${showValue(got)}`,
    cause: got === undefined ? 'asked field missing' : 'asked field differs',
  };
}

/** Fields that were not asked for: some where the text forbids it, otherwise all of them. */
function shownUnasked(
  { whole, part }: Pair,
  { projection, asked, resource: { record } }: Asking,
): RelationFault | undefined {
  const unasked = projection.fields.filter(
    (name) =>
      !asked.includes(name) &&
      saysSomething(whole[name]) &&
      !isAlwaysShown(name, projection, record),
  );
  const shown = unasked.filter((name) => Object.hasOwn(part, name));
  const isFine = projection.isStrict ? shown.length === 0 : shown.length < unasked.length;
  if (isFine || shown.length === 0) return undefined;
  const names = shown.join(', ');
  return {
    message:
      `${projection.operation.id} with ${projection.parameter.name} for ${asked.join(', ')} ` +
      `shows ${names} too.`,
    expected: `${asked.join(', ')} alone`,
    actual: `also ${names}`,
    cause: 'not projected',
  };
}

/** Whether the words of a field, of the parameter or of the operation say that it is always shown. */
function isAlwaysShown(
  name: string,
  { operation, parameter }: Projection,
  record: Schema,
): boolean {
  const place = record.flatten().properties.get(name);
  if (place !== undefined && fieldSays(record.flatten(place.node, place.pointer), 'always-shown'))
    return true;
  const told = [...parameterTexts(parameter), ...operationTexts(operation)];
  return factsIn(told, 'always-shown').some(({ sentence }) =>
    sentence.split(/[^\w-]+/).includes(name),
  );
}
