import type { LocatedNode, Operation, Schema } from '../../../contract/model.ts';
import { shownBy } from '../../../contract/schema/shown-values.ts';
import { parseJson } from '../../../json/parse-json.ts';
import type { JsonValue } from '../../../json/value.ts';
import { isJsonArray, isJsonObject, scalarTexts, memberOf } from '../../../json/value.ts';
import { isUnguessable, type Step } from '../../model/step.ts';
import type { RecordName } from '../../model/record.ts';
import type { BodyTemplate } from '../../model/request-template.ts';
import { isOwnNumber } from '../../reading/identifiers.ts';

/**
 * Who chose the identifier of a record: the run, which made it up, or somebody else. What an
 * example, a default or a person gave may name anybody's record, whatever a create answers.
 */
export class ChosenNames {
  readonly #documented = new DocumentValues();
  readonly #given: ReadonlySet<string>;
  readonly #presence = new Map<string, 'absent' | 'unknown'>();

  /** `given`: the values that a person gave for requests. */
  constructor(given: JsonValue) {
    this.#given = new Set(scalarTexts(given));
  }

  /** Notes what a read showed about a name: no such record, or nothing. */
  notePresence(name: RecordName, presence: 'absent' | 'unknown'): void {
    this.#presence.set(nameKey(name), presence);
  }

  /** What a read showed about a name; undefined if none asked for it. */
  presenceOf(name: RecordName): 'absent' | 'unknown' | undefined {
    return this.#presence.get(nameKey(name));
  }

  /** Whether the contract or a person gave a value for an operation. */
  isDocumented(operation: Operation, value: JsonValue): boolean {
    return this.#given.has(String(value)) || this.#documented.has(operation, value);
  }

  /**
   * Whether the run made an identifier up: no other client has it, or a read found no such record;
   * and neither the contract nor a person gave it.
   */
  isMadeUp({ case: { operation } }: Step, name: RecordName): boolean {
    const { identifier } = name;
    const isFree =
      isUnguessable(identifier) || isOwnNumber(identifier) || this.presenceOf(name) === 'absent';
    return isFree && !this.isDocumented(operation, identifier);
  }

  /**
   * Whether the identifier came from the request, and the run did not make it up. A small number
   * may stand there by chance: it counts where the identifier stands, or where the contract shows
   * it.
   */
  isGiven(step: Step, name: RecordName): boolean {
    const { resource, identifier } = name;
    const { arguments: given } = step.sent;
    const body = bodyValue(step.case.request.body) ?? null;
    if (this.isMadeUp(step, name)) return false;
    if (typeof identifier === 'string') return holds([body, ...given.values()], identifier);
    const own = memberOf(body, resource.identifier.field);
    if (own !== undefined && holds(own, identifier)) return true;
    return this.#documented.has(step.case.operation, identifier) && holds(body, identifier);
  }
}

/** A body as a value, even if it is sent as bytes under another media type. */
export function bodyValue(body: BodyTemplate | undefined): JsonValue | undefined {
  if (body?.kind !== 'bytes') return body?.value;
  const read = parseJson(new TextDecoder().decode(body.bytes));
  return read.ok ? read.value : undefined;
}

function nameKey({ resource, identifier, parents }: RecordName): string {
  return [resource.collection, ...parents.values(), identifier].map(String).join(' ');
}

/** Whether a value is or contains another, at any depth. */
export function holds(whole: JsonValue, value: JsonValue): boolean {
  if (isJsonArray(whole)) return whole.some((part) => holds(part, value));
  if (isJsonObject(whole)) return Object.values(whole).some((part) => holds(part, value));
  return whole !== null && String(whole) === String(value);
}

/** Schemas of a record are rarely deeper; a recursive one ends here. */
const deepest = 6;

/**
 * The texts and numbers that a contract shows for the requests of an operation: examples, defaults
 * and listed values, as text. A record that one of them names may be anybody's.
 */
class DocumentValues {
  readonly #known = new Map<Operation, ReadonlySet<string>>();

  /** Whether the contract shows a value for an operation. */
  has(operation: Operation, value: JsonValue): boolean {
    let known = this.#known.get(operation);
    if (known === undefined) this.#known.set(operation, (known = shownFor(operation)));
    return known.has(String(value));
  }
}

function shownFor({ parameters, requestBody }: Operation): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { examples, schema } of [...parameters, ...(requestBody?.content ?? [])]) {
    for (const { value } of examples) for (const text of scalarTexts(value)) found.add(text);
    if (schema !== undefined) addFrom(schema, schema, { found, depth: 0 });
  }
  return found;
}

function addFrom(
  schema: Schema,
  place: LocatedNode,
  { found, depth }: { readonly found: Set<string>; readonly depth: number },
): void {
  if (depth > deepest) return;
  const { node, items, properties } = schema.flatten(place);
  const shown = [...shownBy(node), node.default, node.const, ...(node.enum ?? [])];
  for (const text of scalarTexts(shown.filter((value) => value !== undefined))) found.add(text);
  for (const part of [...properties.values(), ...(items ? [items] : [])])
    addFrom(schema, part, { found, depth: depth + 1 });
}
