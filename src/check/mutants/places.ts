import type {
  Contract,
  LocatedNode,
  MediaTypeSpec,
  Operation,
  Resource,
  ResponseSpec,
  Schema,
} from '../../contract/model.ts';
import type { SchemaObject } from '../../contract/model/schema.ts';
import { contentForm, isJsonMediaType, isStream } from '../../http/media-type.ts';
import { isJsonArray, isJsonObject, type JsonValue, membersWhere } from '../../json/value.ts';

/** A member of a body, by its path: names, and `*` for the items of a list. */
export interface FieldPlace {
  readonly way: readonly string[];
  readonly node: SchemaObject;
  readonly types: readonly string[];
  readonly required: boolean;
}

/** A documented body in JSON, otherwise in XML, with a schema. */
export interface BodyPlace {
  readonly operation: Operation;
  /** The documented status; `2XX` and `default` cover several. */
  readonly status: string;
  readonly media: MediaTypeSpec;
  readonly schema: Schema;
  readonly fields: readonly FieldPlace[];
}

const deepest = 4;
const maxFields = 60;

/** The bodies of documented successes. */
export function successBodies(contract: Contract): BodyPlace[] {
  return bodiesIn(contract, /^2(\d\d|XX)$/, bodiesOf);
}

export function refusalBodies(contract: Contract): BodyPlace[] {
  return bodiesIn(contract, /^4\d\d$/, bodiesOf);
}

/** The documented sequences of items (OpenAPI 3.2, `itemSchema`), as lists of them. */
export function sequenceBodies(contract: Contract): BodyPlace[] {
  return bodiesIn(contract, /^2(\d\d|XX)$/, (operation, { status, content: [media] }) => {
    const schema = media?.itemSchema;
    if (schema === undefined || !isStream(media?.mediaType ?? '')) return [];
    const fields = fieldsOf(schema).map((field) => ({ ...field, way: ['*', ...field.way] }));
    return media === undefined ? [] : [{ operation, status, media, schema, fields }];
  });
}

function bodiesIn(
  { operations }: Contract,
  statuses: RegExp,
  bodies: (operation: Operation, response: ResponseSpec) => BodyPlace[],
): BodyPlace[] {
  return operations.flatMap((operation) =>
    operation.responses
      .filter(({ status }) => statuses.test(status))
      .flatMap((response) => bodies(operation, response)),
  );
}

function bodiesOf(operation: Operation, { status, content }: ResponseSpec): BodyPlace[] {
  const described = content.filter(({ schema }) => schema !== undefined);
  const media =
    described.find(({ mediaType }) => isJsonMediaType(mediaType)) ??
    described.find(({ mediaType }) => contentForm(mediaType) === 'xml');
  return media?.schema === undefined
    ? []
    : [{ operation, status, media, schema: media.schema, fields: fieldsOf(media.schema) }];
}

/** Every member of a body that its schema declares, those near the root first. */
export function fieldsOf(schema: Schema): FieldPlace[] {
  const found: FieldPlace[] = [];
  const open: { readonly schema: Schema; readonly way: readonly string[] }[] = [
    { schema, way: [] },
  ];
  for (
    let next = open.shift();
    next !== undefined && found.length < maxFields;
    next = open.shift()
  ) {
    const { way } = next;
    const flat = next.schema.flatten();
    if (way.length >= deepest) continue;
    if (flat.items !== undefined && flat.types.includes('array'))
      open.push({ schema: next.schema.part(flat.items), way: [...way, '*'] });
    for (const [name, located] of flat.properties) {
      const part = next.schema.part(located);
      const { node, types } = part.flatten();
      if (node.writeOnly === true) continue;
      found.push({ way: [...way, name], node, types, required: flat.required.has(name) });
      open.push({ schema: part, way: [...way, name] });
    }
  }
  return found;
}

/**
 * Changes the value at a path: `*` is the first item of a list that has the rest of the path, a
 * number is one item. Undefined if nothing changes.
 */
export function editAt(
  value: JsonValue,
  way: readonly string[],
  edit: (found: JsonValue) => JsonValue | undefined,
): JsonValue | undefined {
  const [step, ...rest] = way;
  if (step === undefined) return edit(value);
  if (isJsonArray(value)) {
    for (const [index, item] of value.entries()) {
      const isMeant = step === '*' || step === String(index);
      const edited = isMeant ? editAt(item, rest, edit) : undefined;
      if (edited !== undefined) return value.with(index, edited);
    }
    return undefined;
  }
  if (step === '*' || !isJsonObject(value) || !Object.hasOwn(value, step)) return undefined;
  const member = value[step];
  const edited = member === undefined ? undefined : editAt(member, rest, edit);
  return edited === undefined ? undefined : { ...value, [step]: edited };
}

/** Removes the member at a path from the first object that has it. */
export function dropAt(value: JsonValue, way: readonly string[]): JsonValue | undefined {
  const last = way.at(-1);
  if (last === undefined) return undefined;
  return editAt(value, way.slice(0, -1), (holder) => {
    if (!isJsonObject(holder) || !Object.hasOwn(holder, last)) return undefined;
    return membersWhere(holder, (name) => name !== last);
  });
}

/** A path in readable form: `items[].price`; `the body` for the root. */
export function showWay(way: readonly string[]): string {
  return way.length === 0
    ? 'the body'
    : way
        .map((step, index) =>
          step === '*' ? '[]' : `${index === 0 || way[index - 1] === undefined ? '' : '.'}${step}`,
        )
        .join('')
        .replace(/^\./, '');
}

/** About as many records as a run creates of one kind. */
const roomy = 100;

/**
 * Why a list may not show an existing record, as a clause that ends in `what`: `the newest one
 * could be requested`. Undefined if all records can be requested.
 */
export function whyUnseen(
  { id }: Operation,
  { limit, paging, filters }: NonNullable<Resource['list']>,
  what: string,
): string | undefined {
  const max = limit?.maximum;
  return paging.length > 0 || filters.length > 0 || max === undefined || max >= roomy
    ? undefined
    : `${id} shows at most ${String(max)} records, ` +
        `and has neither pages nor a filter by which ${what}`;
}

/** The resources with many records. */
export function collections({ resources }: Contract): Resource[] {
  return resources.filter(({ kind }) => kind === 'collection');
}

/** The members of a body that clients set: what is read-only is not judged in a request. */
export function sendableMembers(schema: Schema): [string, LocatedNode][] {
  return [...schema.flatten().properties].filter(
    ([, place]) => schema.part(place).flatten().node.readOnly !== true,
  );
}
