import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { RegExpEngine, UriResolver } from 'ajv/dist/types/index.js';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { isJsonObject, objectOf, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { WorkBudget } from '../../json/work-budget.ts';
import type { Direction, SchemaNode, SchemaObject } from '../model.ts';
import { makeSafePattern, type SafePattern } from '../pattern/safe-pattern.ts';
import { type DocumentTree, referenceTarget } from '../read/cursor.ts';
import { mapSubschemas, type SchemaConverter, withoutUnusable } from './convert-schema.ts';
import {
  exactDefinitions,
  exactKeywords,
  exactName,
  keepsIntegerFormat,
  meteredFormats,
  needsExactForm,
  textLengths,
  uniqueItems,
} from './keywords-and-formats.ts';
import type { WorkLimits } from './work-meter.ts';
import { meterCode, weightOf, workDefinition, workKeyword, WorkMeter } from './work-meter.ts';

/**
 * A compiled schema: returns Ajv's errors, each with the pointer of the violated schema object.
 * Throws `OutOfWork` if validation exceeds its share of the budget.
 */
export type CompiledSchema = (value: JsonValue, budget: WorkBudget) => readonly LocatedError[];
export interface LocatedError {
  readonly error: ErrorObject;
  /** The pointer of the schema object that holds the violated keyword. */
  readonly pointer: Pointer;
}

/** The kind of validators that a compiler makes. */
export interface CompilerForm {
  readonly direction: Direction;
  /** Whether every digit counts: for values with a `bigint`. */
  readonly exact: boolean;
  /** Whether all errors are collected; otherwise the validators stop at the first. */
  readonly thorough: boolean;
}

/** More schemas than these, which refer to each other, are compiled one by one. */
const manySchemas = 100;

/** A value with more errors than these is validated again for its first error only. */
const thoroughLimits: WorkLimits = { share: 0.5, maxErrors: 10_000 };
/** The errors of items that do not match `contains` are held until one item matches. */
const briefLimits: WorkLimits = { share: 1, maxErrors: 600_000 };

/**
 * Compiles the schemas of one document for one direction, in plain or exact form. Each `$ref`
 * target is compiled separately, so only used schemas are compiled, and recursion needs no special
 * case.
 */
export class SchemaCompiler {
  readonly #tree: DocumentTree;
  readonly #converter: SchemaConverter;
  readonly #form: CompilerForm;
  readonly #meter = new WorkMeter();
  readonly #ajv: Ajv2020;
  readonly #pointers = new WeakMap<object, Pointer>();
  readonly #added = new Set<Pointer>();
  /** Schemas that were met and are not yet passed to Ajv. */
  readonly #met: { readonly node: SchemaNode; readonly pointer: Pointer }[] = [];

  constructor(tree: DocumentTree, converter: SchemaConverter, form: CompilerForm) {
    this.#tree = tree;
    this.#converter = converter;
    this.#form = form;
    this.#ajv = makeAjv(this.#meter, form.thorough);
  }

  /** Compiles the schema at a pointer. Throws a VouchError if it is not a usable schema. */
  compile(node: SchemaNode, pointer: Pointer): CompiledSchema {
    this.#add(node, pointer);
    let validate: ValidateFunction | undefined;
    try {
      const fresh = this.#passAll();
      if (fresh.length > manySchemas) this.#compileApart(fresh);
      validate = this.#ajv.getSchema(key(pointer));
    } catch (error) {
      throw this.#tree.fault(
        pointer,
        `This schema cannot be used: ${error instanceof Error ? error.message : String(error)}.`,
      );
    }
    const limits = this.#form.thorough ? thoroughLimits : briefLimits;
    return (value, budget) => {
      const isSound = this.#meter.within(budget, limits, () => validate?.(value) !== false);
      return isSound ? none : (validate?.errors ?? []).map((error) => this.#place(error, pointer));
    };
  }

  #add(node: SchemaNode, pointer: Pointer): void {
    if (this.#added.has(pointer)) return;
    this.#added.add(pointer);
    this.#met.push({ node, pointer });
  }

  /** Passes schemas to Ajv until no further one is met; returns their pointers. */
  #passAll(): Pointer[] {
    const passed: Pointer[] = [];
    for (let next = this.#met.pop(); next !== undefined; next = this.#met.pop()) {
      const { node, pointer } = next;
      this.#ajv.addSchema(this.#prepare(node, pointer), key(pointer));
      passed.push(pointer);
    }
    return passed;
  }

  /**
   * Compiles schemas one by one. Ajv compiles what a schema refers to while it compiles the schema,
   * so a chain of a few hundred would exceed the stack; what is being compiled already, it leaves.
   */
  #compileApart(pointers: readonly Pointer[]): void {
    const under = this.#ajv._compilations;
    const schemas = pointers.flatMap((pointer) => this.#ajv.schemas[key(pointer)] ?? []);
    for (const schema of schemas) under.add(schema);
    try {
      for (const [index, schema] of schemas.entries()) {
        under.delete(schema);
        this.#ajv.getSchema(key(pointers[index] ?? ''));
      }
    } finally {
      for (const schema of schemas) under.delete(schema);
    }
  }

  /**
   * The node in the form for Ajv: references renamed to compiled schemas, the direction applied,
   * pointers attached.
   */
  #prepare(node: SchemaNode, pointer: Pointer, whole = noWhole): Record<string, unknown> {
    const prepared =
      typeof node === 'boolean'
        ? { ...(node ? {} : { not: {} }) }
        : this.#prepareObject(node, pointer, whole);
    this.#pointers.set(prepared, pointer);
    return prepared;
  }

  #prepareObject(node: SchemaObject, pointer: Pointer, whole: Whole): Record<string, unknown> {
    const spared = this.#sparedIn(node, whole);
    // With a plain `false` in these keywords, Ajv can name the extra member.
    const closes = (child: JsonValue, keyword: string | undefined): boolean =>
      child === false && closingKeywords.has(keyword ?? '');
    const mapped = mapSubschemas(node, (child, ...tokens) =>
      closes(child, tokens[0])
        ? false
        : tokens[0] === 'allOf'
          ? this.#preparePart(child as SchemaNode, joinPointer(pointer, ...tokens), spared)
          : this.#prepare(child as SchemaNode, joinPointer(pointer, ...tokens)),
    );
    // `$id` and anchors would change the targets of references; `discriminator` is validated as the
    // plain oneOf beside it.
    const { $id, $anchor, $dynamicAnchor, $schema, id, discriminator, nullable, ...named } = mapped;
    const rest = withOutcome(withoutUnusable(named));
    const directed = this.#applyDirection(rest, node, spared);
    const referred =
      typeof directed['$ref'] === 'string'
        ? this.#withReference(directed, this.#refer(directed['$ref'], pointer), pointer)
        : directed;
    const apart = this.#withConditionsApart(referred, pointer);
    return this.#weighed(this.#form.exact ? makeExact(apart) : makePlain(apart));
  }

  /**
   * The node with its reference. Beside choices it is one of `allOf`: Ajv forgets what a reference
   * has evaluated when a choice is made beside it
   * (https://github.com/ajv-validator/ajv/issues/2559).
   */
  #withReference(
    node: Record<string, unknown>,
    reference: string,
    pointer: Pointer,
  ): Record<string, unknown> {
    if (!choiceKeywords.some((keyword) => Object.hasOwn(node, keyword)))
      return { ...node, $ref: reference };
    const { $ref: _reference, ...rest } = node;
    const referring = { $ref: reference };
    this.#pointers.set(referring, pointer);
    return { ...rest, allOf: [referring, ...partsOf(rest)] };
  }

  /**
   * The node with its conditions as parts of `allOf`: where one is not met, Ajv forgets what has
   * been evaluated beside it (the same issue).
   */
  #withConditionsApart(node: Record<string, unknown>, pointer: Pointer): Record<string, unknown> {
    const found = conditions.filter(([first]) => node[first] !== undefined);
    if (found.length === 0) return node;
    const moved: readonly string[] = found.flat();
    const entries = Object.entries(node);
    const parts = found.map((keywords: readonly string[]) =>
      Object.fromEntries(entries.filter(([keyword]) => keywords.includes(keyword))),
    );
    for (const part of parts) this.#pointers.set(part, pointer);
    const rest = entries.filter(([keyword]) => !moved.includes(keyword));
    return { ...Object.fromEntries(rest), allOf: [...partsOf(node), ...parts] };
  }

  /** The node with its weight. A node without rules stays without a weight: Ajv skips it. */
  #weighed(node: Record<string, unknown>): Record<string, unknown> {
    const { all } = this.#ajv.RULES;
    const hasRules = Object.keys(node).some(
      (keyword) => keyword !== '$ref' && Object.hasOwn(all, keyword),
    );
    return hasRules ? { ...node, [workKeyword]: weightOf(node) } : node;
  }

  #refer(reference: string, pointer: Pointer): string {
    const target = referenceTarget(this.#tree, reference, pointer);
    this.#add(this.#converter.convert(target.value), target.pointer);
    return key(target.pointer);
  }

  /**
   * OpenAPI 3.0.4, section 4.7.24.2: readOnly is not required in requests, writeOnly neither
   * required nor shown in responses. Generators require members with a default, which a service
   * fills in: a request may leave them out.
   */
  #applyDirection(
    prepared: Record<string, unknown>,
    { properties }: SchemaObject,
    { names }: Whole,
  ): Record<string, unknown> {
    const own = Object.keys(objectOf(properties));
    const isResponse = this.#form.direction === 'response';
    const hidden = isResponse ? own.filter((name) => names.has(name)) : [];
    const required = prepared['required'];
    return {
      ...prepared,
      ...(Array.isArray(required) && names.size > 0
        ? { required: required.filter((name: string) => !names.has(name)) }
        : {}),
      ...(hidden.length > 0 ? { writeOnlyAbsent: hidden } : {}),
    };
  }

  /** A part of an object, which requires no member that another part spares. */
  #preparePart(node: SchemaNode, pointer: Pointer, whole: Whole): Record<string, unknown> {
    const reference = typeof node === 'object' ? node.$ref : undefined;
    if (reference === undefined || whole.names.size === 0)
      return this.#prepare(node, pointer, whole);
    const target = referenceTarget(this.#tree, reference, pointer);
    const part = this.#converter.convert(target.value);
    const isAlone = Object.keys(node).length === 1 && !whole.trail.has(target.pointer);
    const { required, spared } = this.#gather(part);
    const isOpen = [...required].some((name) => whole.names.has(name) && !spared.has(name));
    if (!isAlone || !isOpen) return this.#prepare(node, pointer);
    const trail = new Set([...whole.trail, target.pointer]);
    return this.#prepare(part, target.pointer, { ...whole, trail });
  }

  /** The members that an object spares: those of the whole that it is a part of, and its own. */
  #sparedIn(node: SchemaObject, whole: Whole): Whole {
    const { spared } = this.#gather(node);
    if (spared.size === 0) return whole;
    return { names: new Set([...whole.names, ...spared]), trail: whole.trail };
  }

  /** The members that an object and its parts require, and those that need not be given. */
  #gather(node: SchemaNode): Record<'required' | 'spared', Set<string>> {
    const found = { required: new Set<string>(), spared: new Set<string>() };
    const seen = new Set<SchemaNode>();
    const open = [node];
    for (let part = open.pop(); part !== undefined; part = open.pop()) {
      if (!isJsonObject(part) || seen.has(part)) continue;
      seen.add(part);
      const { properties, required, allOf, $ref } = part as SchemaObject;
      const members = Object.entries(objectOf(properties));
      for (const [name, member] of members) if (this.#isSpared(member)) found.spared.add(name);
      if (Array.isArray(required)) for (const name of required) found.required.add(String(name));
      if (Array.isArray(allOf)) open.push(...(allOf as readonly SchemaNode[]));
      if (typeof $ref === 'string')
        open.push(this.#converter.convert(referenceTarget(this.#tree, $ref, '').value));
    }
    return found;
  }

  #isSpared(member: JsonValue | undefined): boolean {
    if (!isJsonObject(member)) return false;
    const isRequest = this.#form.direction === 'request';
    const isMarked = (node: JsonObject): boolean =>
      node[isRequest ? 'readOnly' : 'writeOnly'] === true ||
      (isRequest && Object.hasOwn(node, 'default'));
    if (isMarked(member)) return true;
    const reference = member['$ref'];
    if (typeof reference !== 'string') return false;
    const target = referenceTarget(this.#tree, reference, '').value;
    return isJsonObject(target) && isMarked(target);
  }

  #place(error: ErrorObject, root: Pointer): LocatedError {
    const parent: unknown = error.parentSchema;
    const pointer =
      typeof parent === 'object' && parent !== null ? this.#pointers.get(parent) : undefined;
    return { error, pointer: pointer ?? root };
  }
}

/** What the object that a schema is a part of does not require, and the parts on the way to it. */
interface Whole {
  readonly names: ReadonlySet<string>;
  readonly trail: ReadonlySet<Pointer>;
}

const noWhole: Whole = { names: new Set(), trail: new Set() };

// The result for nearly every value.
const none: readonly never[] = [];

const choiceKeywords = ['oneOf', 'anyOf'];
const conditions = [['if', 'then', 'else'], ['dependentSchemas']] as const;

function partsOf({ allOf }: Record<string, unknown>): unknown[] {
  return Array.isArray(allOf) ? (allOf as unknown[]) : [];
}

const closingKeywords = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'items',
  'unevaluatedItems',
]);

/**
 * Ajv omits an `if` without `then` or `else`; but the members that it matches count as evaluated
 * (JSON Schema 2020-12, section 11).
 */
function withOutcome(node: Record<string, unknown>): Record<string, unknown> {
  if (node['if'] === undefined || node['then'] !== undefined) return node;
  // A rule that every value passes, and that Ajv does not omit.
  return { ...node, then: { minProperties: 0 } };
}

function key(pointer: Pointer): string {
  return `contract:${encodeURIComponent(pointer)}`;
}

/** Ajv cannot write an integer beyond 2^53, and computes with doubles. */
function makePlain(node: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(node).map(([keyword, value]) => [
      // The values of these keywords come from the document, so they are JSON.
      needsExactForm(keyword, value as JsonValue) ? exactName(keyword) : keyword,
      value,
    ]),
  );
}

function makeExact(node: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(node).map(([keyword, value]): [string, unknown] => [
    Object.hasOwn(exactKeywords, keyword) ? exactName(keyword) : keyword,
    value,
  ]);
  const format = node['format'];
  const exactFormat = format === 'int32' || format === 'int64' ? { exactFormat: format } : {};
  return { ...Object.fromEntries(entries), ...exactFormat };
}

/** Every reference is a key, which names a whole schema: nothing is relative to anything. */
const namesAsTheyAre: UriResolver = {
  parse: (path) => ({ path }),
  serialize: ({ path = '' }) => path,
  resolve: (base, name) => (name === '' ? base : name),
};

function makeAjv(meter: WorkMeter, thorough: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: thorough,
    verbose: true,
    // vouch writes its own messages.
    messages: false,
    validateSchema: false,
    // The lint validates schemas themselves; compiling the meta-schemas costs each contract a
    // megabyte.
    meta: false,
    // Inlining would copy a shared schema into each schema that references it.
    inlineRefs: false,
    logger: false,
    // Only own members count, such as one named `constructor`.
    ownProperties: true,
    uriResolver: namesAsTheyAre,
    formats: meteredFormats(meter),
    // V8 does the same optimisations as Ajv, which would take half of the compile time.
    code: { regExp: patternEngine(meter), optimize: false, process: meterCode },
  });
  ajv.addKeyword({
    keyword: 'writeOnlyAbsent',
    errors: false,
    validate: (names: readonly string[], value: JsonValue) =>
      !isJsonObject(value) || !names.some((name) => Object.hasOwn(value, name)),
  });
  ajv.addKeyword(workDefinition(meter));
  for (const definition of exactDefinitions(meter)) ajv.addKeyword(definition);
  ajv.removeKeyword('uniqueItems').addKeyword(uniqueItems(meter));
  for (const definition of textLengths(meter))
    ajv.removeKeyword(definition.keyword).addKeyword(definition);
  ajv.addKeyword({ keyword: 'exactFormat', errors: false, validate: keepsIntegerFormat });
  return ajv;
}

/** The constructor of Ajv's patterns. */
function patternEngine(meter: WorkMeter): RegExpEngine {
  const make = (source: string): SafePattern =>
    makeSafePattern(source, (units) => meter.spend(units));
  return Object.assign(make, { code: 'new RegExp' });
}
