import { remember } from '../../remember.ts';
import { Derived } from '../lazy.ts';
import { type Pointer, valueAt } from '../../json/pointer.ts';
import type { JsonValue } from '../../json/value.ts';
import type {
  Dialect,
  Direction,
  FlatSchema,
  LocatedNode,
  Schema,
  SchemaIssue,
  SchemaNode,
} from '../model.ts';
import { type Cursor, type DocumentTree, referenceTarget } from '../read/cursor.ts';
import { SchemaConverter } from './convert-schema.ts';
import { holdsBigInt } from './keywords-and-formats.ts';
import { flattenSchema, movePointer, type SchemaShape, shapeOf } from './flatten-schema.ts';
import type { CompiledSchema, CompilerForm, LocatedError } from './schema-compiler.ts';
import { SchemaCompiler } from './schema-compiler.ts';
import type { ValidateBranch } from './schema-issue.ts';
import { discriminatorIssues, dropBranchErrors, nullableIssues, toIssue } from './schema-issue.ts';
import { WorkBudgetExceeded, WorkBudget } from '../../json/work-budget.ts';

/** A compiled schema, which may come from another place, and how its errors map to this one. */
interface PlacedSchema {
  readonly errorsIn: CompiledSchema;
  place(errors: readonly LocatedError[]): readonly LocatedError[];
}

function asTheyAre(errors: readonly LocatedError[]): readonly LocatedError[] {
  return errors;
}

/** Makes the schemas of one document, which share their compiled parts. */
export class SchemaFactory {
  readonly #tree: DocumentTree;
  readonly #converter: SchemaConverter;
  readonly #compilers = new Map<string, SchemaCompiler>();
  readonly #made = new Map<Pointer, DocumentSchema>();
  /** Schemas that were compiled once for several places, by their content. */
  readonly #shared = new Map<
    string,
    { readonly compiled: CompiledSchema; readonly places: readonly Pointer[] }
  >();
  readonly #shapes = new Map<Pointer, SchemaShape | undefined>();

  constructor(tree: DocumentTree, dialect: Dialect) {
    this.#tree = { targets: new Map(), ...tree };
    this.#converter = new SchemaConverter(dialect);
  }

  /** The schema at a cursor. Converted on first access, compiled on first validation. */
  at({ value, pointer }: Pick<Cursor, 'value' | 'pointer'>): Schema {
    return this.#schemaAt(pointer, () => this.#converter.convert(value));
  }

  make({ node, pointer }: LocatedNode): DocumentSchema {
    return this.#schemaAt(pointer, () => node);
  }

  #schemaAt(pointer: Pointer, read: () => SchemaNode): DocumentSchema {
    return remember(this.#made, pointer, () => new DocumentSchema(this, read, pointer));
  }

  compile(node: SchemaNode, pointer: Pointer, form: CompilerForm): PlacedSchema {
    const name = nameOf(form);
    const compiler = remember(
      this.#compilers,
      name,
      () => new SchemaCompiler(this.#tree, this.#converter, form),
    );
    const place = this.#behind({ node, pointer });
    const shape = this.#shapeOf(place);
    return shape === undefined
      ? { errorsIn: compiler.compile(place.node, place.pointer), place: asTheyAre }
      : this.#share(compiler, place, { ...shape, hash: `${name} ${shape.hash}` });
  }

  /**
   * Thousands of parameters, and many records, repeat one schema: it is compiled for the first of
   * them.
   */
  #share(
    compiler: SchemaCompiler,
    { node, pointer }: LocatedNode,
    { hash, places }: SchemaShape,
  ): PlacedSchema {
    const shared = remember(this.#shared, hash, () => ({
      compiled: compiler.compile(node, pointer),
      places,
    }));
    const { compiled: errorsIn, places: from } = shared;
    if (from === places || from.every((place, index) => place === places[index]))
      return { errorsIn, place: asTheyAre };
    return {
      errorsIn,
      place: (errors) =>
        errors.map(({ error, pointer: own }) => ({
          error,
          pointer: movePointer(own, from, places),
        })),
    };
  }

  /** Cached, because each direction and each referring schema needs it. */
  #shapeOf(place: LocatedNode): SchemaShape | undefined {
    if (!this.#shapes.has(place.pointer))
      this.#shapes.set(
        place.pointer,
        shapeOf(place, (reference, from) => this.target(reference, from)),
      );
    return this.#shapes.get(place.pointer);
  }

  /**
   * The end of a chain of bare references: most bodies are one, and the shared target is compiled
   * once. Of a circle, one of its references. In 3.1 a `$ref` may have siblings; flattening merges
   * those.
   */
  #behind(place: LocatedNode): LocatedNode {
    const seen = new Set<Pointer>();
    let here = place;
    while (isBareReference(here.node) && !seen.has(here.pointer)) {
      seen.add(here.pointer);
      here = this.target(here.node.$ref, here.pointer);
    }
    return here;
  }

  follow(place: LocatedNode): LocatedNode {
    const { node, pointer } = this.#behind(place);
    if (isBareReference(node))
      throw this.#tree.fault(pointer, `The reference ${node.$ref} is circular.`);
    return { node, pointer };
  }

  /** The node at a pointer; undefined if the document has none. */
  nodeAt(pointer: Pointer): SchemaNode | undefined {
    const value = valueAt(this.#tree.root, pointer);
    return value === undefined ? undefined : this.#converter.convert(value);
  }

  target(reference: string, from: Pointer): LocatedNode {
    const target = referenceTarget(this.#tree, reference, from);
    return { node: this.#converter.convert(target.value), pointer: target.pointer };
  }
}

/**
 * A large body can violate a rule half a million times; a report never needs more errors than
 * these.
 */
const maxErrors = 1_000;

/** Precomputed, because every validation uses one of them. */
const validatorNames = {
  request: {
    plain: 'request plain',
    exact: 'request exact',
    briefPlain: 'request plain brief',
    briefExact: 'request exact brief',
  },
  response: {
    plain: 'response plain',
    exact: 'response exact',
    briefPlain: 'response plain brief',
    briefExact: 'response exact brief',
  },
} as const;

function isBareReference(node: SchemaNode): node is SchemaNode & { readonly $ref: string } {
  return (
    typeof node === 'object' && typeof node.$ref === 'string' && Object.keys(node).length === 1
  );
}

function nameOf({ direction, exact, thorough }: CompilerForm): string {
  const names = validatorNames[direction];
  if (thorough) return exact ? names.exact : names.plain;
  return exact ? names.briefExact : names.briefPlain;
}

/** A clause that says why validation stopped early; other errors are thrown again. */
function explainUnjudged(error: unknown): string {
  if (error instanceof WorkBudgetExceeded) return 'cannot be validated within the work limit';
  if (!(error instanceof RangeError)) throw error;
  // A schema that refers to itself, or a value nested deeper than the stack.
  return 'cannot be validated: the schema is circular, or the value is nested too deeply';
}

class DocumentSchema implements Schema {
  readonly pointer: Pointer;
  readonly #factory: SchemaFactory;
  readonly #read: () => SchemaNode;
  #node: SchemaNode | undefined;
  // A contract of many megabytes has tens of thousands of schemas, of which most are never used.
  #compiled: Map<string, PlacedSchema> | undefined;
  #flat: Map<Pointer, FlatSchema> | undefined;
  readonly #derived = new Derived<Schema>();

  constructor(factory: SchemaFactory, read: () => SchemaNode, pointer: Pointer) {
    this.#factory = factory;
    this.#read = read;
    this.pointer = pointer;
  }

  get node(): SchemaNode {
    return (this.#node ??= this.#read());
  }

  validate(value: JsonValue, direction: Direction, budget = new WorkBudget()): SchemaIssue[] {
    try {
      return this.judge(value, direction, budget);
    } catch (error) {
      const message = explainUnjudged(error);
      return [{ at: '', keyword: '$ref', pointer: this.pointer, message, unjudged: true }];
    }
  }

  accepts(value: JsonValue, direction: Direction, budget = new WorkBudget()): boolean {
    try {
      return !this.#breaks(value, direction, budget);
    } catch (error) {
      explainUnjudged(error);
      return false;
    }
  }

  /** Like `validate`, but throws if validation cannot finish. */
  judge(value: JsonValue, direction: Direction, budget: WorkBudget): SchemaIssue[] {
    const errors = this.#errorsIn(value, direction, budget);
    return errors.length === 0 ? [] : this.#describeAll(errors, direction, budget);
  }

  /** Whether a value has errors, without describing them. */
  #breaks(value: JsonValue, direction: Direction, budget: WorkBudget): boolean {
    const exact = holdsBigInt(value);
    const has = (thorough: boolean): boolean =>
      this.#validator({ direction, exact, thorough }).errorsIn(value, budget).length > 0;
    try {
      return has(true);
    } catch (error) {
      if (!(error instanceof WorkBudgetExceeded)) throw error;
      return has(false);
    }
  }

  /** The errors of a value: all of them, or the first if collecting all takes too much work. */
  #errorsIn(value: JsonValue, direction: Direction, budget: WorkBudget): readonly LocatedError[] {
    const exact = holdsBigInt(value);
    try {
      return this.#judgeIn({ direction, exact, thorough: true }, value, budget);
    } catch (error) {
      if (!(error instanceof WorkBudgetExceeded)) throw error;
      return this.#judgeIn({ direction, exact, thorough: false }, value, budget);
    }
  }

  #judgeIn(form: CompilerForm, value: JsonValue, budget: WorkBudget): readonly LocatedError[] {
    const { errorsIn, place } = this.#validator(form);
    const errors = errorsIn(value, budget);
    if (errors.length === 0) return errors;
    return place(dropBranchErrors(errors.length > maxErrors ? errors.slice(0, maxErrors) : errors));
  }

  follow(place: LocatedNode): LocatedNode {
    return this.#factory.follow(place);
  }

  flatten({ node, pointer }: LocatedNode = this): FlatSchema {
    let flat = this.#flat?.get(pointer);
    if (flat === undefined) {
      flat = flattenSchema({ node, pointer }, (reference, from) =>
        this.#factory.target(reference, from),
      );
      (this.#flat ??= new Map()).set(pointer, flat);
    }
    return flat;
  }

  part(place: LocatedNode): DocumentSchema {
    return this.#factory.make(place);
  }

  derive<Made>(read: (schema: Schema) => Made): Made {
    return this.#derived.of(this, read);
  }

  #describeAll(
    errors: readonly LocatedError[],
    direction: Direction,
    budget: WorkBudget,
  ): SchemaIssue[] {
    const issues: SchemaIssue[] = [];
    const judge: ValidateBranch = (branch, value) =>
      this.#judgeBranch(branch, value, direction, budget);
    for (const located of errors) {
      if (located.error.keyword === 'oneOf' || located.error.keyword === 'anyOf')
        issues.push(...this.#describeChoice(located, judge));
      else issues.push(toIssue(located));
    }
    return issues;
  }

  /** A value that names its alternative is validated by that one. */
  #describeChoice(located: LocatedError, judge: ValidateBranch): SchemaIssue[] {
    const node = this.#factory.nodeAt(located.pointer);
    const issues =
      typeof node === 'object'
        ? (discriminatorIssues(node, located, judge) ?? nullableIssues(node, located, judge))
        : undefined;
    return issues ?? [toIssue(located)];
  }

  /** The issues of one alternative; none if no time is left. */
  #judgeBranch(
    branch: LocatedNode,
    value: JsonValue,
    direction: Direction,
    budget: WorkBudget,
  ): SchemaIssue[] {
    try {
      return this.part(branch).judge(value, direction, budget);
    } catch (error) {
      if (error instanceof WorkBudgetExceeded) return [];
      throw error;
    }
  }

  #validator(form: CompilerForm): PlacedSchema {
    const name = nameOf(form);
    let compiled = this.#compiled?.get(name);
    if (compiled === undefined) {
      compiled = this.#factory.compile(this.node, this.pointer, form);
      (this.#compiled ??= new Map()).set(name, compiled);
    }
    return compiled;
  }
}
