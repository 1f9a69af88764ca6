import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { RegExpEngine } from 'ajv/dist/types/index.js';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import type { Direction, SchemaNode } from '../model.ts';
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
import {
  meterCode,
  weightOf,
  type WorkBudget,
  workDefinition,
  workKeyword,
  type WorkLimits,
  WorkMeter,
} from './work-meter.ts';

/**
 * A compiled schema: Ajv's errors, each with the pointer of the schema object that it broke. Throws
 * `OutOfWork` where the judgement takes more than its share of the budget.
 */
export type CompiledSchema = (value: JsonValue, budget: WorkBudget) => readonly LocatedError[];
export interface LocatedError {
  readonly error: ErrorObject;
  /** Where the schema object that holds the broken keyword stands in the contract. */
  readonly pointer: Pointer;
}

/** Which validators a compiler makes. */
export interface CompilerForm {
  readonly direction: Direction;
  /** Every digit counts: for values that hold a `bigint`. */
  readonly exact: boolean;
  /** All errors are wanted; else the validators stop at the first. */
  readonly thorough: boolean;
}

/** A value with more errors than these is judged again for its first error alone. */
const thoroughLimits: WorkLimits = { share: 0.5, mostErrors: 10_000 };
/** The errors of items that are not what `contains` looks for are held until one is. */
const briefLimits: WorkLimits = { share: 1, mostErrors: 600_000 };

/**
 * Compiles the schemas of one document for one direction, in plain or exact form. Each `$ref`
 * target becomes a schema of its own, so that only what is used is compiled, and recursion needs no
 * care.
 */
export class SchemaCompiler {
  readonly #tree: DocumentTree;
  readonly #converter: SchemaConverter;
  readonly #form: CompilerForm;
  readonly #meter = new WorkMeter();
  readonly #ajv: Ajv2020;
  readonly #pointers = new WeakMap<object, Pointer>();
  readonly #added = new Set<Pointer>();

  constructor(tree: DocumentTree, converter: SchemaConverter, form: CompilerForm) {
    this.#tree = tree;
    this.#converter = converter;
    this.#form = form;
    this.#ajv = makeAjv(this.#meter, form.thorough);
  }

  /**
   * Compiles the schema that stands at a pointer. Throws a VouchError where it is no usable schema.
   */
  compile(node: SchemaNode, pointer: Pointer): CompiledSchema {
    this.#add(node, pointer);
    let validate: ValidateFunction | undefined;
    try {
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
    this.#ajv.addSchema(this.#prepare(node, pointer), key(pointer));
  }

  /**
   * The node as Ajv shall see it: references renamed to compiled schemas, the direction applied,
   * pointers remembered.
   */
  #prepare(node: SchemaNode, pointer: Pointer): Record<string, unknown> {
    const prepared =
      typeof node === 'boolean'
        ? { ...(node ? {} : { not: {} }) }
        : this.#prepareObject(node, pointer);
    this.#pointers.set(prepared, pointer);
    return prepared;
  }

  #prepareObject(node: object, pointer: Pointer): Record<string, unknown> {
    // A plain `false` in these keywords is what Ajv needs to name the member that is too many.
    const closes = (child: JsonValue, keyword: string | undefined): boolean =>
      child === false && closingKeywords.has(keyword ?? '');
    const mapped = mapSubschemas(node, (child, ...tokens) =>
      closes(child, tokens[0])
        ? false
        : this.#prepare(child as SchemaNode, joinPointer(pointer, ...tokens)),
    );
    // `$id` and anchors would move references; `discriminator` is judged as the plain oneOf that it
    // accompanies.
    const { $id, $anchor, $dynamicAnchor, $schema, id, discriminator, nullable, ...named } = mapped;
    const rest = withOutcome(withoutUnusable(named));
    const directed = this.#applyDirection(rest, node);
    const referred =
      typeof directed['$ref'] === 'string'
        ? { ...directed, $ref: this.#refer(directed['$ref'], pointer) }
        : directed;
    return this.#weighed(this.#form.exact ? makeExact(referred) : makePlain(referred));
  }

  /** The node with its weight. What holds no rules stays without: Ajv passes over it. */
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
   * required nor shown in responses.
   */
  #applyDirection(prepared: Record<string, unknown>, node: object): Record<string, unknown> {
    const properties = (node as { properties?: unknown }).properties;
    if (!isJsonObject(properties)) return prepared;
    const mark = this.#form.direction === 'request' ? 'readOnly' : 'writeOnly';
    const hidden = Object.keys(properties).filter((name) => this.#isMarked(properties[name], mark));
    if (hidden.length === 0) return prepared;
    const required = prepared['required'];
    const kept = Array.isArray(required)
      ? { required: required.filter((name: string) => !hidden.includes(name)) }
      : {};
    return { ...prepared, ...kept, ...(mark === 'writeOnly' ? { writeOnlyAbsent: hidden } : {}) };
  }

  #isMarked(property: JsonValue | undefined, mark: string): boolean {
    if (!isJsonObject(property)) return false;
    if (property[mark] === true) return true;
    const reference = property['$ref'];
    if (typeof reference !== 'string') return false;
    const target = referenceTarget(this.#tree, reference, '').value;
    return isJsonObject(target) && target[mark] === true;
  }

  #place(error: ErrorObject, root: Pointer): LocatedError {
    const parent: unknown = error.parentSchema;
    const pointer =
      typeof parent === 'object' && parent !== null ? this.#pointers.get(parent) : undefined;
    return { error, pointer: pointer ?? root };
  }
}

// Of nearly every value.
const none: readonly never[] = [];

const closingKeywords = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'items',
  'unevaluatedItems',
]);

/**
 * Ajv leaves an `if` out that nothing follows from; but what it looked at counts as evaluated (JSON
 * Schema 2020-12, section 11).
 */
function withOutcome(node: Record<string, unknown>): Record<string, unknown> {
  if (node['if'] === undefined || node['then'] !== undefined) return node;
  // A rule that everything keeps, and that Ajv does not leave out in its turn.
  return { ...node, then: { minProperties: 0 } };
}

function key(pointer: Pointer): string {
  return `contract:${encodeURIComponent(pointer)}`;
}

/**
 * A rule that itself names an integer beyond 2^53 is judged exactly, whatever the value: Ajv cannot
 * even write it down.
 */
function makePlain(node: Record<string, unknown>): Record<string, unknown> {
  // What stands at these keywords comes from the document, so it is JSON.
  const isBig = (keyword: string, value: unknown): boolean =>
    needsExactForm(keyword, value as JsonValue);
  return Object.fromEntries(
    Object.entries(node).map(([keyword, value]) => [
      isBig(keyword, value) ? exactName(keyword) : keyword,
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

function makeAjv(meter: WorkMeter, thorough: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: thorough,
    verbose: true,
    // What is wrong is said in our own words.
    messages: false,
    validateSchema: false,
    // The schemas of schemas are judged by the lint; to compile them costs each contract a
    // megabyte.
    meta: false,
    // What many schemas share would be written out in each of them.
    inlineRefs: false,
    logger: false,
    multipleOfPrecision: 9,
    // A property named `constructor` is one only where the value itself has it.
    ownProperties: true,
    formats: meteredFormats(meter),
    // What Ajv would fold together, V8 folds too; the folding takes half the time that compiling
    // takes.
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

/** What Ajv makes its patterns with. */
function patternEngine(meter: WorkMeter): RegExpEngine {
  const make = (source: string): SafePattern =>
    makeSafePattern(source, (units) => meter.spend(units));
  return Object.assign(make, { code: 'new RegExp' });
}
