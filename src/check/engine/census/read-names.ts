import { successSchema } from '../../../contract/infer/conventions/envelope-styles.ts';
import type { LocatedNode, Operation, Schema } from '../../../contract/model.ts';
import { isSuccess } from '../../../http/status.ts';
import { isJsonArray, isJsonObject } from '../../../json/value.ts';
import { makeCase, makeSequence } from '../../model/case.ts';
import type { Phase } from '../../model/phase.ts';
import { draftRequest, requestOf } from '../../plan/draft.ts';
import { plainIntent } from '../../plan/plan-context.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { executeSequence } from '../send/execute-sequence.ts';
import type { CensusTaking } from './take-census.ts';

/** The names that lists show which have no records: tags, topics; by `GET /tags`. */
export type ListedNames = ReadonlyMap<string, ReadonlySet<string>>;

const maxLists = 10;

/** Reads the lists of names alone: texts, or the members of an object. */
export async function readNames(
  { contract, seed, sender, maySend }: CensusTaking,
  phase: Phase,
): Promise<ListedNames> {
  const placed = new Set(contract.resources.map(({ collectionPath }) => collectionPath));
  const lists = contract.operations.filter(
    (operation) =>
      operation.method === 'GET' &&
      !operation.path.includes('{') &&
      !placed.has(operation.path) &&
      maySend(operation) &&
      listsNames(operation),
  );
  const names = new Map<string, ReadonlySet<string>>();
  for (const operation of lists.slice(0, maxLists)) {
    const drafted = draftRequest(contract, operation, { seed });
    if (!drafted.ok) continue;
    const { draft } = drafted;
    const asked = makeCase({
      title: 'which names there are',
      phase,
      operation,
      request: requestOf(draft, 'known'),
      intent: plainIntent(draft),
    });
    const [step] = (await executeSequence(makeSequence(asked), sender)).steps;
    if (step === undefined || !isSuccess(step.exchange.response?.status ?? 0)) continue;
    names.set(`GET ${operation.path}`, new Set(namesIn(jsonOf(step.answer))));
  }
  return names;
}

/** Whether the contract says that an operation answers texts, or an object of objects. */
function listsNames(operation: Operation): boolean {
  const schema = successSchema(operation);
  if (schema === undefined) return false;
  const { properties } = schema.flatten();
  const [only, ...others] = [...properties.values()];
  const places = [schema, ...(only !== undefined && others.length === 0 ? [only] : [])];
  return places.some((place) => areNames(schema, place));
}

function areNames(schema: Schema, place: LocatedNode): boolean {
  const flat = schema.flatten(place);
  const isArray = flat.types.includes('array');
  const inner = isArray ? flat.items : flat.others;
  if (typeof inner?.node !== 'object') return false;
  if (flat.types.includes('object') && flat.properties.size > 0) return false;
  const { types } = schema.flatten(inner);
  return types.join() === (isArray ? 'string' : 'object');
}

function namesIn(value: ReturnType<typeof jsonOf>): string[] {
  if (isJsonArray(value)) return value.filter((one) => typeof one === 'string');
  if (!isJsonObject(value)) return [];
  const [only, ...others] = Object.values(value);
  if (others.length === 0 && isJsonArray(only)) return namesIn(only);
  return Object.keys(value);
}
