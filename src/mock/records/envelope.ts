import type { Schema } from '../../contract/model.ts';
import { splitPointer, type Pointer } from '../../json/pointer.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../json/value.ts';
import { plainValue } from '../../values/plain-value.ts';
import { firstDefined } from '../first-defined.ts';
import { makeCursor, type Page } from './page.ts';
import { fieldsOf, type SchemaField } from './schema-fields.ts';

/** What an envelope tells of the list in it. */
export interface ListFacts {
  readonly items: JsonArray;
  /** How many records match, on all pages. */
  readonly total: number;
  readonly page: Page;
}

/** Names of an envelope's members and what they hold; the first that fits the normalised name counts. */
const roles: readonly (readonly [names: RegExp, type: string, tell: (facts: ListFacts, field: SchemaField) => JsonValue | undefined])[] = [
  [/^(total|totalcount|totalitems|totalresults|totalrecords|totalelements|totalnumber|itemcount|resultcount|count|numfound|hits)$/, 'integer', ({ total }) => total],
  [/^(totalpages|pagecount|lastpage|pages)$/, 'integer', ({ total, page }) => (page.size === undefined ? 1 : Math.max(1, Math.ceil(total / page.size)))],
  [/^(limit|pagesize|perpage|size|top)$/, 'integer', ({ page, items }) => page.size ?? items.length],
  [/^(offset|skip|startindex|from)$/, 'integer', ({ page }) => page.offset],
  [/^(page|pagenumber|currentpage|number)$/, 'integer', ({ page }) => (page.size === undefined || page.size === 0 ? 1 : Math.floor(page.offset / page.size) + 1)],
  [/^(returned|numberofelements|itemsonpage)$/, 'integer', ({ items }) => items.length],
  [/^(hasmore|hasnext|hasnextpage|more|truncated|istruncated)$/, 'boolean', (facts) => nextOffset(facts) !== undefined],
  [/^(hasprevious|hasprev|haspreviouspage)$/, 'boolean', ({ page }) => page.offset > 0],
  [/^(last|islast|lastpagereached)$/, 'boolean', (facts) => nextOffset(facts) === undefined],
  [/^(first|isfirst)$/, 'boolean', ({ page }) => page.offset === 0],
  [/^(empty|isempty)$/, 'boolean', ({ items }) => items.length === 0],
  [/^(nextcursor|cursor|nextpagetoken|nexttoken|after|continuationtoken|endcursor)$/, 'string', cursorOf],
  [/^(nextcursor|cursor|nextpagetoken|nexttoken|after|continuationtoken|endcursor)$/, 'null', () => null],
];

function nextOffset({ items, page, total }: ListFacts): number | undefined {
  const end = page.offset + items.length;
  return items.length > 0 && end < total ? end : undefined;
}

/** Behind the last page there is no cursor; a field that must be a text is then an empty one. */
function cursorOf(facts: ListFacts, { required, flat }: SchemaField): string | undefined {
  const next = nextOffset(facts);
  if (next !== undefined) return makeCursor(next);
  return required && !flat.types.includes('null') ? '' : undefined;
}

/** A list in the form that the contract gives it: a bare array, or an envelope of which the rest is told as it is. */
export function wrapList(schema: Schema, at: Pointer, facts: ListFacts, seed: string): JsonValue {
  const [name] = splitPointer(at);
  return name === undefined ? facts.items : fillObject(schema, facts, { records: name, seed });
}

interface Filling {
  /** The member that holds the records. */
  readonly records?: string;
  readonly seed: string;
}

function fillObject(schema: Schema, facts: ListFacts, { records, seed }: Filling): JsonObject {
  const fields = [...fieldsOf(schema).values()].filter(({ writeOnly }) => !writeOnly);
  return Object.fromEntries(fields.flatMap((field) => {
    const value = field.name === records ? facts.items : firstDefined<JsonValue>(() => tell(field, facts), () => nest(field, facts, seed), () => make(field, seed));
    return value === undefined ? [] : [[field.name, value] as const];
  }));
}

function tell(field: SchemaField, facts: ListFacts): JsonValue | undefined {
  const { normalised, flat } = field;
  for (const [names, type, say] of roles) {
    if (!names.test(normalised) || !(flat.types.includes(type) || (type === 'integer' && flat.types.includes('number')))) continue;
    const value = say(facts, field);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** `meta`, `pagination` and their like: an object of which something is known. */
function nest({ schema }: SchemaField, facts: ListFacts, seed: string): JsonObject | undefined {
  const fields = [...fieldsOf(schema).values()];
  return fields.some((field) => tell(field, facts) !== undefined) ? fillObject(schema, facts, { seed }) : undefined;
}

function make({ required, schema, name }: SchemaField, seed: string): JsonValue | undefined {
  if (!required) return undefined;
  const made = plainValue(schema, { seed: `${seed} ${name}`, direction: 'response', required: 'only' });
  return made.ok ? made.value : undefined;
}
