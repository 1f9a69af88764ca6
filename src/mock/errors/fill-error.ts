import { schemaOfItems } from '../../contract/schema/object-members.ts';
import type { Schema } from '../../contract/model.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { fieldsOf, type SchemaField } from '../records/record-fields.ts';
import type { ErrorFacts, Siblings } from './error-roles.ts';
import { factsOfIssue, isSentence, namesField, errorFieldValue } from './error-roles.ts';
import { alternatives, namePattern, plainName } from '../../contract/infer/infer-names.ts';

/**
 * An error body in a schema: fields are recognised by name and type, other required ones are
 * generated. The result is valid; undefined if none was found, or if it would contain only
 * generated values.
 */
export function fillError(schema: Schema, facts: ErrorFacts): JsonValue | undefined {
  const tagged = fillTagged(schema, facts);
  if (tagged !== undefined) return tagged;
  for (const form of branchesOf(schema).sort(
    (left, right) => Number(hasKnownField(right, facts)) - Number(hasKnownField(left, facts)),
  )) {
    // First without validating each field, which is slower and rarely needed.
    for (const careful of [false, true]) {
      const filler = new ErrorFiller(careful);
      const value = filler.fill(form, facts, 0);
      if (
        value !== undefined &&
        !filler.isMadeUp &&
        schema.validate(value, 'response').length === 0
      )
        return value;
    }
  }
  return undefined;
}

/**
 * The branch of a choice between errors that is named after this one, as serde writes an enum of
 * Rust: `{ "NotFound": "…" }`.
 */
function fillTagged(schema: Schema, { code, title, message }: ErrorFacts): JsonValue | undefined {
  const names = [title, code].map(plainName);
  const [name] = branchesOf(schema).flatMap((branch) => {
    const [only, ...others] = fieldsOf(branch).values();
    const isOne = only !== undefined && others.length === 0 && only.flat.types.includes('string');
    return isOne && names.includes(plainName(only.name)) ? [only.name] : [];
  });
  const error = name === undefined ? undefined : { [name]: message };
  return error !== undefined && schema.accepts(error, 'response') ? error : undefined;
}

function branchesOf(schema: Schema): Schema[] {
  const flat = schema.flatten();
  const branches = flat.branches.map((branch) => schema.part(branch));
  return flat.properties.size > 0 || branches.length === 0 ? [schema, ...branches] : branches;
}

const deepest = 6;
const maxEntries = 20;
const lists = alternatives(
  'errors? details? issues (field|validation)?(errors|violations) invalidparams messages causes',
  'reasons problems failures',
);
const listNames = namePattern(`^(${lists})$`);
/** Names of lists with an object for each invalid field; lists of texts can mean anything. */
const fieldListNames = /^((invalid|bad)?(fields|params|parameters|properties))$/;
/** The name for an error in the whole request. */
const wholeName = 'base';
const nestedNames =
  /^(errors?|fault|problem|cause|source|(response)?meta(data)?|data|details?|payload)$/;

/** The context of a field. */
interface Around {
  readonly siblings: Siblings;
  readonly facts: ErrorFacts;
  readonly depth: number;
}

class ErrorFiller {
  readonly #careful: boolean;
  #hasFacts = false;
  #invented = false;

  constructor(careful: boolean) {
    this.#careful = careful;
  }

  /** Whether the result contains values, but no facts. */
  get isMadeUp(): boolean {
    return this.#invented && !this.#hasFacts;
  }

  fill(schema: Schema, facts: ErrorFacts, depth: number): JsonValue | undefined {
    const flat = schema.flatten();
    if (flat.properties.size > 0) return this.#fillObject(schema, facts, depth);
    if (flat.types.includes('string')) return this.#use(facts.message);
    if (!flat.types.includes('array')) return this.#invent(schema, facts);
    return this.#fillList(
      schema,
      facts,
      depth,
      facts.issues.length > 0 ? facts.issues : [undefined],
    );
  }

  #fillObject(schema: Schema, facts: ErrorFacts, depth: number): JsonValue {
    const fields = [...fieldsOf(schema).values()];
    const members = fields.flatMap((field) => {
      const value = this.#fillField(field, { siblings: fields, facts, depth });
      return value === undefined ? [] : [[field.name, value] as const];
    });
    return Object.fromEntries(members);
  }

  #fillField(field: SchemaField, around: Around): JsonValue | undefined {
    if (field.writeOnly) return undefined;
    const value =
      errorFieldValue(field, around.facts, around.siblings) ?? this.#fillNested(field, around);
    if (
      value !== undefined &&
      (!this.#careful || field.schema.validate(value, 'response').length === 0)
    )
      return this.#use(value);
    if (!field.required) return undefined;
    // What names an invalid field is empty where none is.
    return namesField(field) && field.schema.accepts('', 'response')
      ? ''
      : this.#invent(field.schema, around.facts);
  }

  #use<Value extends JsonValue>(value: Value): Value {
    this.#hasFacts = true;
    return value;
  }

  #invent(schema: Schema, { fill }: ErrorFacts): JsonValue | undefined {
    const filled = fill(schema);
    this.#invented ||=
      filled.ok && !(isJsonObject(filled.value) && Object.keys(filled.value).length === 0);
    return filled.ok ? filled.value : undefined;
  }

  #fillNested(field: SchemaField, around: Around): JsonValue | undefined {
    const { normalised, schema, flat, required } = field;
    const { facts, depth } = around;
    if (depth >= deepest) return undefined;
    if (flat.types.includes('array') && isListOfIssues(field)) {
      const entries = entriesIn(field, around);
      return !required && (entries.length === 0 || !canListMessages(schema, facts))
        ? undefined
        : this.#fillList(schema, facts, depth, entries);
    }
    const member =
      listNames.test(normalised) || fieldListNames.test(normalised) ? membersOf(schema) : undefined;
    if (member !== undefined) {
      const entries = entriesOf(around);
      return !required && entries.length === 0
        ? undefined
        : this.#fillMap(member, facts, depth, entries);
    }
    // The only member of an error is the error.
    return (nestedNames.test(normalised) || around.siblings.length === 1) &&
      (hasKnownField(schema, facts) || listsIssues(schema, facts))
      ? this.#fillObject(schema, facts, depth + 1)
      : undefined;
  }

  /** Errors by the name of the invalid field: `{ "name": ["is too short"] }`. */
  #fillMap(
    member: Schema,
    facts: ErrorFacts,
    depth: number,
    entries: readonly ErrorFacts['issue'][],
  ): JsonValue | undefined {
    const byName = Map.groupBy(entries.slice(0, maxEntries), (issue) => issue?.name || wholeName);
    const members = [...byName].map(([name, issues]): [string, JsonValue | undefined] => {
      const [first] = issues;
      if (member.flatten().types.includes('array') && !member.flatten().types.includes('string'))
        return [name, this.#fillList(member, facts, depth + 1, issues)];
      return [
        name,
        this.fill(member, first === undefined ? facts : factsOfIssue(facts, first), depth + 1),
      ];
    });
    return members.some(([, value]) => value === undefined)
      ? undefined
      : (Object.fromEntries(members) as JsonObject);
  }

  #fillList(
    schema: Schema,
    facts: ErrorFacts,
    depth: number,
    entries: readonly ErrorFacts['issue'][],
  ): JsonValue | undefined {
    const { node } = schema.flatten();
    const items = schemaOfItems(schema);
    const made = entries
      .slice(0, Math.min(node.maxItems ?? maxEntries, maxEntries))
      .map((issue) => {
        const inner = issue === undefined ? facts : factsOfIssue(facts, issue);
        return items === undefined ? this.#use(inner.message) : this.fill(items, inner, depth + 1);
      });
    return made.every((item) => item !== undefined) ? made : undefined;
  }
}

/** Whether an object has a field with a known meaning; otherwise it is left out. */
function isListOfIssues({ normalised, schema }: SchemaField): boolean {
  return (
    listNames.test(normalised) ||
    (fieldListNames.test(normalised) &&
      schemaOfItems(schema)?.flatten().types.includes('string') === false)
  );
}

/**
 * Whether an entry holds the list of all invalid fields itself, and nothing about one of them:
 * `google.rpc.BadRequest` among the details of an error (Google AIP-193).
 */
function holdsList(entry: Schema | undefined): boolean {
  const fields = entry === undefined ? [] : [...fieldsOf(entry).values()];
  return fields.some(isListOfIssues) && !fields.some(isSentence);
}

/** What a list has an entry for: the error as a whole, where it must have some. */
function entriesIn(
  { schema, flat, required }: SchemaField,
  around: Around,
): readonly ErrorFacts['issue'][] {
  if (holdsList(schemaOfItems(schema))) return [undefined];
  const entries = entriesOf(around);
  const isNeeded = required && (flat.node.minItems ?? 0) > 0;
  return isNeeded && entries.length === 0 ? [undefined] : entries;
}

/** Without other fields for the message, the list contains it. */
function entriesOf({ facts, siblings }: Around): readonly ErrorFacts['issue'][] {
  return facts.issues.length > 0 || siblings.some(isSentence) ? facts.issues : [undefined];
}

function hasKnownField(schema: Schema, facts: ErrorFacts): boolean {
  const fields = [...fieldsOf(schema).values()];
  return fields.some((field) => errorFieldValue(field, facts, fields) !== undefined);
}

/** Whether an object has a list for what is invalid, and there is something to list. */
function listsIssues(schema: Schema, facts: ErrorFacts): boolean {
  return (
    facts.issues.length > 0 &&
    [...fieldsOf(schema).values()].some(
      (field) =>
        field.flat.types.includes('array') &&
        isListOfIssues(field) &&
        canListMessages(field.schema, facts),
    )
  );
}

/** Whether a list can contain messages: texts, or objects with known fields. */
function canListMessages(schema: Schema, facts: ErrorFacts): boolean {
  const items = schemaOfItems(schema);
  return (
    items === undefined ||
    items.flatten().types.includes('string') ||
    hasKnownField(items, facts) ||
    (facts.issues.length > 0 && holdsList(items))
  );
}

/** The schema of the values of a map; undefined for other objects. */
function membersOf(schema: Schema): Schema | undefined {
  const { others, properties, types } = schema.flatten();
  const isMap = properties.size === 0 && types.includes('object') && !types.includes('array');
  return isMap && typeof others?.node === 'object' ? schema.part(others) : undefined;
}
