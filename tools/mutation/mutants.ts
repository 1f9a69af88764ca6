import { parseSync } from 'vite';

/** One small change to a source file, which a test should notice. */
export interface Mutant {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /**
   * What is executed here feels the change: of `a && b` that is already `a`, where the change is of
   * `&&`.
   */
  readonly from: number;
  /** What is changed into what, on one line. */
  readonly change: string;
}

/** A node of the syntax tree (ESTree), of which only what is looked at is named. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

type Edit = readonly [start: number, end: number, replacement: string, from?: number];
type Operator = (node: Node, text: string) => readonly Edit[];

const swaps: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '===': '!==',
    '!==': '===',
    '<': '<=',
    '<=': '<',
    '>': '>=',
    '>=': '>',
    '+': '-',
    '-': '+',
    '*': '/',
    '%': '*',
    '&&': '||',
    '||': '&&',
  }),
);
const calls: ReadonlyMap<string, string> = new Map(
  Object.entries({ some: 'every', every: 'some', startsWith: 'endsWith', endsWith: 'startsWith' }),
);
const dropped = new Set(['filter', 'toSorted', 'slice', 'trim', 'toLowerCase', 'reverse']);

const operators: Readonly<Record<string, Operator>> = {
  BinaryExpression: swapOperator,
  LogicalExpression: (node, text) =>
    node['operator'] === '??'
      ? [[node.start, node.end, slice(text, node['left'])]]
      : swapOperator(node, text),
  IfStatement: (node) => bothWays(node['test']),
  ConditionalExpression: (node) => bothWays(node['test']),
  UnaryExpression: (node, text) =>
    node['operator'] === '!' ? [[node.start, node.end, slice(text, node['argument'])]] : [],
  ExpressionStatement: (node) =>
    isNode(node['expression'], 'CallExpression') ||
    isNode(node['expression'], 'AssignmentExpression')
      ? [[node.start, node.end, ';']]
      : [],
  ReturnStatement: (node, text) =>
    isNode(node['argument']) && slice(text, node['argument']) !== 'undefined'
      ? [[node.start, node.end, 'return undefined as never;']]
      : [],
  Literal: (node) => changeLiteral(node),
  CallExpression: changeCall,
};

/**
 * Every change that the operators can make to the text of a TypeScript file, in the order of the
 * file.
 */
export function findMutants(file: string, text: string): Mutant[] {
  const { program, errors } = parseSync(file, text, { lang: 'ts' });
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message ?? ''}`);
  const edits: Edit[] = [];
  // The tree is ESTree's; its members are looked at by name.
  walk(program as unknown as Node, (node) =>
    edits.push(...(operators[node.type]?.(node, text) ?? [])),
  );
  return edits.map(([start, end, replacement, from = start]) => ({
    file,
    start,
    end,
    replacement,
    from,
    line: text.slice(0, start).split('\n').length,
    change: `${oneLine(text.slice(start, end))} → ${oneLine(replacement)}`,
  }));
}

/** The text with one mutant in it. */
export function applyMutant(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

const types =
  'Type|Interface|Union|Literal|Array|Function|Tuple|Mapped|Conditional|Intersection|Indexed';
const untested = new RegExp(`^(TS(${types})|Import|ExportAll)`);

/** Visits what has behaviour: not types, imports and names. */
function walk(node: Node, visit: (node: Node) => void): void {
  if (untested.test(node.type)) return;
  visit(node);
  for (const [name, member] of Object.entries(node)) {
    if (
      (name === 'key' && node['computed'] !== true) ||
      name === 'source' ||
      name === 'typeAnnotation'
    )
      continue;
    for (const child of Array.isArray(member) ? (member as unknown[]) : [member])
      if (isNode(child)) walk(child, visit);
  }
}

function swapOperator(node: Node, text: string): Edit[] {
  const { left, right, operator } = node;
  const swap = swaps.get(String(operator));
  if (swap === undefined || !isNode(left) || !isNode(right)) return [];
  const isText = [left, right].some(
    (side) => side.type === 'TemplateLiteral' || typeof side['value'] === 'string',
  );
  const at = text.indexOf(String(operator), left.end);
  return isText && operator === '+' ? [] : [[at, at + String(operator).length, swap, node.start]];
}

function bothWays(test: unknown): Edit[] {
  return isNode(test)
    ? [
        [test.start, test.end, 'true'],
        [test.start, test.end, 'false'],
      ]
    : [];
}

function changeLiteral({ value, start, end }: Node): Edit[] {
  if (typeof value === 'boolean') return [[start, end, String(!value)]];
  if (typeof value === 'number') return [[start, end, String(value + 1)]];
  return typeof value === 'string' && value !== '' ? [[start, end, "''"]] : [];
}

function changeCall(node: Node, text: string): Edit[] {
  const callee = node['callee'];
  if (
    !isNode(callee, 'MemberExpression') ||
    !isNode(callee['property'], 'Identifier') ||
    !isNode(callee['object'])
  )
    return [];
  const { property, object } = callee;
  const name = String(property['name']);
  const other = calls.get(name);
  if (other !== undefined) return [[property.start, property.end, other]];
  return dropped.has(name) ? [[node.start, node.end, slice(text, object)]] : [];
}

function isNode(value: unknown, type?: string): value is Node {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Node).type === 'string' &&
    (type === undefined || (value as Node).type === type)
  );
}

function slice(text: string, node: unknown): string {
  return isNode(node) ? text.slice(node.start, node.end) : '';
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 90 ? `${line.slice(0, 87)}…` : line;
}
