import { nearestWord, type Place, suggestWord, VouchError } from '../../errors.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { defined, isJsonArray, isJsonObject, objectOf } from '../../json/value.ts';
import type { Pointer } from '../../json/pointer.ts';
import { joinPointer, parentPointer, splitPointer, valueAt } from '../../json/pointer.ts';
import { lazy } from '../lazy.ts';
import type { Operation } from '../model/operation.ts';
import type { ConfiguredRules, Rule, RuleStatement } from '../model/rule.ts';
import type { Schema } from '../model/schema.ts';
import { type CelExpression, ExpressionCompiler } from './expression.ts';

/** A rule about the objects of a schema, ready for evaluation. */
export interface SchemaRule extends Rule {
  /** The schema whose objects it covers. */
  readonly target: Pointer;
  readonly expression: CelExpression;
  /** The member that it computes, `total`, and the expression of its value. */
  readonly computes?: { readonly member: string; readonly value: CelExpression } | undefined;
}

/** A rule about the successful exchanges of an operation, ready for evaluation. */
export interface OperationRule extends Rule {
  readonly operation: Operation;
  readonly expression: CelExpression;
}

/** Every rule of a contract. */
export interface RuleSet {
  readonly schemas: readonly SchemaRule[];
  readonly operations: readonly OperationRule[];
}

export interface RuleSource {
  readonly document: JsonObject;
  readonly operations: readonly Operation[];
  /** The pointers of `x-vouch-rules` in the document. */
  readonly pointers: readonly Pointer[];
  /** The schema at a pointer of the document; undefined if there is none. */
  readonly schemaAt: (pointer: Pointer) => Schema | undefined;
  locate(pointer: Pointer): Place;
  frame(pointer: Pointer): string;
  /** The rules of the configuration, and how to report a fault in them. */
  readonly configured?: ConfiguredRules | undefined;
}

/** The names of the variables. */
const schemaVariables = ['self'];
const operationVariables = ['request', 'response'];

/**
 * Reads the rules of the document and of the configuration. Throws a VouchError with the place of a
 * value that is not a rule, does not parse, or names a part that the contract does not have.
 */
export function readRules(source: RuleSource): RuleSet {
  const reader = new RuleReader(source);
  for (const pointer of source.pointers) reader.readDocument(pointer);
  for (const name of Object.keys(source.configured?.statements ?? {})) reader.readConfigured(name);
  return reader;
}

interface Written {
  readonly statement: RuleStatement;
  readonly at: Pointer;
  readonly place: Place;
  readonly fault: (message: string, hint?: string) => VouchError;
}

class RuleReader implements RuleSet {
  readonly schemas: SchemaRule[] = [];
  readonly operations: OperationRule[] = [];
  readonly #source: RuleSource;
  readonly #ofSchemas = lazy(() => new ExpressionCompiler(schemaVariables));
  readonly #ofOperations = lazy(() => new ExpressionCompiler(operationVariables));

  constructor(source: RuleSource) {
    this.#source = source;
  }

  readDocument(pointer: Pointer): void {
    const { document, locate, frame, operations } = this.#source;
    const target = parentPointer(pointer);
    const fault = (at: Pointer) => (message: string, hint?: string) =>
      new VouchError('contract-invalid', message, { hint, place: locate(at), frame: frame(at) });
    const statements = readStatements(valueAt(document, pointer), pointer, fault);
    const operation = operations.find((each) => each.pointer === target);
    for (const { statement, at } of statements)
      this.#add({ statement, at, place: locate(at), fault: fault(at) }, operation ?? target);
  }

  readConfigured(name: string): void {
    const { configured } = this.#source;
    if (configured === undefined) return;
    const below = joinPointer('', name);
    const target = this.#targetOf(name, (message, hint) => configured.fault(below, message, hint));
    const at = typeof target === 'string' ? target : target.pointer;
    (configured.statements[name] ?? []).forEach((statement, index) => {
      const fault = (message: string, hint?: string): VouchError =>
        configured.fault(joinPointer(below, index, 'rule'), message, hint);
      const { place = this.#source.locate(at) } = fault('');
      this.#add({ statement, at, place, fault }, target);
    });
  }

  /** The schema's pointer, or the operation, that a name in the configuration means. */
  #targetOf(name: string, fault: Written['fault']): Pointer | Operation {
    const { operations, schemaAt } = this.#source;
    if (name.startsWith('#/')) {
      const pointer = name.slice(1);
      if (schemaAt(pointer) !== undefined) return pointer;
      throw fault(`The contract has no schema at ${name}.`, this.#nearestSchema(pointer));
    }
    const operation = operations.find(
      ({ id, method, path }) => name === id || name === `${method} ${path}`,
    );
    if (operation !== undefined) return operation;
    throw fault(
      `The contract has no operation ${name}.`,
      suggestWord(
        name,
        operations.flatMap(({ id, method, path }) => [`${method} ${path}`, id]),
      ) ?? 'Name a schema as #/components/schemas/Order, or an operation as GET /orders.',
    );
  }

  #nearestSchema(pointer: Pointer): string {
    const around = parentPointer(pointer);
    const siblings = valueAt(this.#source.document, around);
    const wanted = splitPointer(pointer).at(-1) ?? '';
    const near = isJsonObject(siblings) ? nearestWord(wanted, Object.keys(siblings)) : undefined;
    return near === undefined
      ? 'Name a schema by its JSON Pointer, such as #/components/schemas/Order.'
      : `Did you mean #${joinPointer(around, near)}?`;
  }

  #add(written: Written, target: Pointer | Operation): void {
    if (typeof target === 'string') this.#addOfSchema(written, target);
    else this.#addOfOperation(written, target);
  }

  #addOfSchema(written: Written, target: Pointer): void {
    const expression = compile(this.#ofSchemas(), written);
    const schema = this.#source.schemaAt(target);
    if (schema === undefined)
      throw written.fault(
        'x-vouch-rules is not in a schema or an operation.',
        'Move it into a schema, or into an operation.',
      );
    refuseUnknownMembers(written, expression, schema);
    refuseOtherValues(written, expression, schema);
    const computes = this.#computed(expression);
    const members = expression.membersOf('self');
    this.schemas.push({ ...ruleOf(written, expression), members, target, computes });
  }

  #addOfOperation(written: Written, operation: Operation): void {
    const expression = compile(this.#ofOperations(), written);
    this.operations.push({ ...ruleOf(written, expression), members: [], operation });
  }

  /** Recognises `self.total == …`, in either order, if the other side does not read `total`. */
  #computed(expression: CelExpression): SchemaRule['computes'] {
    const [left = '', right = ''] = expression.sides ?? [];
    for (const [side, other] of [
      [left, right],
      [right, left],
    ]) {
      const member = /^self\.(\w+)$/.exec(side ?? '')?.[1];
      if (member === undefined || other === undefined) continue;
      const value = this.#ofSchemas().compile(other);
      if ('text' in value && !value.membersOf('self').includes(member)) return { member, value };
    }
    return undefined;
  }
}

/** What rules of schemas and of operations have in common. */
function ruleOf<Expression extends CelExpression>(
  { statement, at, place }: Written,
  expression: Expression,
) {
  return { ...statement, at, place, resources: expression.resources, expression };
}

/** The rules at a place of the document. */
function readStatements(
  value: JsonValue | undefined,
  pointer: Pointer,
  fault: (at: Pointer) => Written['fault'],
): readonly { readonly statement: RuleStatement; readonly at: Pointer }[] {
  const shape = 'Write x-vouch-rules as a list of { rule: …, says: … }.';
  if (!isJsonArray(value)) throw fault(pointer)('x-vouch-rules is not a list.', shape);
  return value.map((item, index) => {
    const at = joinPointer(pointer, index);
    const { rule, says } = objectOf(item);
    if (typeof rule !== 'string' || (says !== undefined && typeof says !== 'string'))
      throw fault(at)('A rule of x-vouch-rules has no text "rule".', shape);
    return { statement: { rule, ...defined({ says }) }, at };
  });
}

function compile(compiler: ExpressionCompiler, { statement, fault }: Written): CelExpression {
  const compiled = compiler.compile(statement.rule, 'bool');
  if ('text' in compiled) return compiled;
  const where = `${statement.rule}\n${' '.repeat(compiled.column)}^`;
  throw fault(
    `The rule is not valid CEL: ${compiled.message}.\n${where}`,
    'A rule is a CEL expression over self (in a schema), or request and response (in an ' +
      'operation), that is true for sound data: see https://cel.dev.',
  );
}

/** Refuses a rule whose value is a member that is never true or false, by its schema. */
function refuseOtherValues({ fault }: Written, { results }: CelExpression, schema: Schema): void {
  for (const [, member, ...below] of results) {
    if (member === undefined || below.length > 0) continue;
    const place = schema.flatten().properties.get(member);
    const { types = [] } = place === undefined ? {} : schema.flatten(place);
    if (types.length > 0 && !types.includes('boolean'))
      throw fault(
        `The rule is self.${member}, which is ${types.join(' or ')}, and not true or false.`,
        'Compare it: a rule is an expression that is true for sound data.',
      );
  }
}

/**
 * Refuses a member that the schema does not declare: it is a typing error, unless the schema is
 * open.
 */
function refuseUnknownMembers({ fault }: Written, expression: CelExpression, schema: Schema): void {
  const { node, properties } = schema.flatten();
  const isOpen =
    properties.size === 0 ||
    node.additionalProperties !== undefined ||
    node.oneOf !== undefined ||
    node.anyOf !== undefined;
  if (isOpen) return;
  const unknown = expression.membersOf('self').find((name) => !properties.has(name));
  if (unknown === undefined) return;
  throw fault(
    `The rule reads self.${unknown}, which the schema does not have.`,
    suggestWord(unknown, [...properties.keys()]) ?? `It has ${[...properties.keys()].join(', ')}.`,
  );
}
