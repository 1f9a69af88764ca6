import type { JsonValue } from '../json/value.ts';
import { joinPointer, type Pointer } from '../json/pointer.ts';
import { convertSchema } from './convert-schema.ts';
import { referenceTarget, type Cursor, type DocumentTree } from './cursor.ts';
import { holdsBigInt } from './exact-keywords.ts';
import { flattenSchema } from './flatten-schema.ts';
import type { Dialect, Direction, FlatSchema, LocatedNode, Schema, SchemaIssue, SchemaNode } from './model.ts';
import { SchemaCompiler, type CompiledSchema, type LocatedError } from './schema-compiler.ts';
import { isWithin, toIssue } from './schema-issue.ts';

/** Makes the schemas of one document; they share their compiled parts. */
export class SchemaFactory {
  readonly #tree: DocumentTree;
  readonly #dialect: Dialect;
  readonly #compilers = new Map<string, SchemaCompiler>();
  readonly #made = new Map<Pointer, Schema>();

  constructor(tree: DocumentTree, dialect: Dialect) {
    this.#tree = tree;
    this.#dialect = dialect;
  }

  /** The schema that stands at a cursor. Compiled when it first validates, not before. */
  at(cursor: Cursor): Schema {
    return this.make({ node: convertSchema(cursor.value, this.#dialect), pointer: cursor.pointer });
  }

  make({ node, pointer }: LocatedNode): Schema {
    const known = this.#made.get(pointer);
    if (known !== undefined) return known;
    const made = new DocumentSchema(this, node, pointer);
    this.#made.set(pointer, made);
    return made;
  }

  compile(node: SchemaNode, pointer: Pointer, direction: Direction, exact: boolean): CompiledSchema {
    const name = `${direction} ${String(exact)}`;
    let compiler = this.#compilers.get(name);
    if (compiler === undefined) {
      compiler = new SchemaCompiler(this.#tree, this.#dialect, direction, exact);
      this.#compilers.set(name, compiler);
    }
    return compiler.compile(node, pointer);
  }

  follow(node: SchemaNode, pointer: Pointer): LocatedNode {
    const seen = new Set<Pointer>();
    let here: LocatedNode = { node, pointer };
    // In 3.1 a `$ref` may have siblings; flattening merges those, so only a bare one is followed here.
    while (typeof here.node === 'object' && typeof here.node.$ref === 'string' && Object.keys(here.node).length === 1) {
      if (seen.has(here.pointer)) throw this.#tree.fault(here.pointer, `The reference ${here.node.$ref} leads back to itself.`);
      seen.add(here.pointer);
      here = this.target(here.node.$ref, here.pointer);
    }
    return here;
  }

  target(reference: string, from: Pointer): LocatedNode {
    const target = referenceTarget(this.#tree, reference, from);
    return { node: convertSchema(target.value, this.#dialect), pointer: target.pointer };
  }
}

/** A body of a megabyte can break a rule half a million times; nobody reads more than these. */
const mostErrors = 1_000;

class DocumentSchema implements Schema {
  readonly pointer: Pointer;
  readonly node: SchemaNode;
  readonly #factory: SchemaFactory;
  readonly #compiled = new Map<string, CompiledSchema>();
  readonly #flat = new Map<Pointer, FlatSchema>();

  constructor(factory: SchemaFactory, node: SchemaNode, pointer: Pointer) {
    this.#factory = factory;
    this.node = node;
    this.pointer = pointer;
  }

  validate(value: JsonValue, direction: Direction): SchemaIssue[] {
    const compiled = this.#validator(direction, holdsBigInt(value));
    try {
      return withoutBranches(compiled(value).slice(0, mostErrors)).map(toIssue);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // A schema that is its own branch, or a value nested deeper than the stack: neither can be judged to its end.
      return [{ at: '', keyword: '$ref', pointer: this.pointer, message: 'cannot be judged: the schema leads back to itself, or the value is nested too deep' }];
    }
  }

  follow(node: SchemaNode, pointer: Pointer): LocatedNode {
    return this.#factory.follow(node, pointer);
  }

  flatten(node: SchemaNode = this.node, pointer: Pointer = this.pointer): FlatSchema {
    let flat = this.#flat.get(pointer);
    if (flat === undefined) {
      flat = flattenSchema({ node, pointer }, (reference, from) => this.#factory.target(reference, from));
      this.#flat.set(pointer, flat);
    }
    return flat;
  }

  part(place: LocatedNode): Schema {
    return this.#factory.make(place);
  }

  #validator(direction: Direction, exact: boolean): CompiledSchema {
    const name = `${direction} ${String(exact)}`;
    let compiled = this.#compiled.get(name);
    if (compiled === undefined) {
      compiled = this.#factory.compile(this.node, this.pointer, direction, exact);
      this.#compiled.set(name, compiled);
    }
    return compiled;
  }
}

/**
 * Ajv reports a failed `oneOf` or `anyOf` and, before it, what each branch disliked. A reader wants the one that failed:
 * errors of the branches are dropped, told apart by where they stand in the contract.
 */
function withoutBranches(errors: readonly LocatedError[]): readonly LocatedError[] {
  const composites = errors.filter(({ error }) => error.keyword === 'oneOf' || error.keyword === 'anyOf');
  if (composites.length === 0) return distinct(errors);
  return distinct(errors.filter((candidate) => !composites.some((composite) => isOfBranch(candidate, composite))));
}

function isOfBranch(candidate: LocatedError, composite: LocatedError): boolean {
  if (candidate === composite || !isWithin(candidate.error.instancePath, composite.error.instancePath)) return false;
  const own = joinPointer(composite.pointer, composite.error.keyword);
  if (isWithin(candidate.pointer, own)) return true;
  // A branch that is a `$ref` breaks rules that stand elsewhere: outside the composite's own schema object.
  return !isWithin(candidate.pointer, composite.pointer) && hasReferences(composite.error.schema);
}

function hasReferences(branches: unknown): boolean {
  return Array.isArray(branches) && branches.some((branch) => typeof branch === 'object' && branch !== null && '$ref' in branch);
}

function distinct(errors: readonly LocatedError[]): LocatedError[] {
  const seen = new Set<string>();
  return errors.filter(({ error, pointer }) => {
    const name = `${error.instancePath} ${pointer} ${error.keyword} ${JSON.stringify(error.params)}`;
    return seen.has(name) ? false : seen.add(name) !== undefined;
  });
}
