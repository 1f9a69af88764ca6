import { isCatastrophicPattern } from '../../contract/pattern/catastrophic-pattern.ts';
import type { SchemaObject } from '../../contract/model.ts';
import { joinPointer } from '../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';
import type { LintContext, LintFault, LintRule } from './rule.ts';
import { atEach, openApiPage, showJson } from './rule.ts';
import type { DocumentNode } from '../walk-document.ts';

type Keyword =
  | 'minimum'
  | 'exclusiveMinimum'
  | 'maximum'
  | 'exclusiveMaximum'
  | 'minLength'
  | 'maxLength'
  | 'minItems'
  | 'maxItems'
  | 'minProperties'
  | 'maxProperties'
  | 'minContains'
  | 'maxContains';

const pairs: readonly (readonly [lower: Keyword, upper: Keyword, mayBeEqual: boolean])[] = [
  ['minimum', 'maximum', true],
  ['exclusiveMinimum', 'maximum', false],
  ['minimum', 'exclusiveMaximum', false],
  ['exclusiveMinimum', 'exclusiveMaximum', false],
  ['minLength', 'maxLength', true],
  ['minItems', 'maxItems', true],
  ['minProperties', 'maxProperties', true],
  ['minContains', 'maxContains', true],
];

export const boundsOrdered = {
  id: 'vouch/bounds-ordered',
  severity: 'error',
  reason: 'If the lower bound is above the upper one, no value is valid.',
  documentation: 'https://json-schema.org/draft/2020-12/json-schema-validation',
  inspect: atEach('schema', (written, context) => {
    const { node } = context.schemaAt(written);
    if (typeof node === 'boolean') return [];
    return pairs.flatMap(([low, high, mayBeEqual]) => {
      const [from, to] = [numberOf(node, low), numberOf(node, high)];
      if (from === undefined || to === undefined || (mayBeEqual ? from <= to : from < to))
        return [];
      // In 3.0 an exclusive bound is written as `minimum` beside a flag.
      const key =
        written.value[low] === undefined || written.value[low] === true
          ? low.replace('exclusiveM', 'm')
          : low;
      return {
        pointer: joinPointer(written.pointer, key),
        message: `No value can keep ${low} ${showJson(from)} and ${high} ${showJson(to)} at once.`,
        hint: 'Swap or correct the bounds.',
      };
    });
  }),
} as const satisfies LintRule;

function numberOf(node: SchemaObject, keyword: Keyword): number | bigint | undefined {
  const value = node[keyword];
  return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
}

export const multiplePositive = {
  id: 'vouch/multiple-positive',
  severity: 'error',
  reason: 'Nothing is a multiple of zero, and JSON Schema allows no negative `multipleOf`.',
  documentation: 'https://json-schema.org/draft/2020-12/json-schema-validation#name-multipleof',
  inspect: atEach('schema', ({ value, pointer }) => {
    const step = value['multipleOf'];
    if (typeof step !== 'number' || step > 0) return undefined;
    return {
      pointer: joinPointer(pointer, 'multipleOf'),
      message: `multipleOf is ${showJson(step)}, and must be above 0.`,
      hint: 'Write a number above 0, or leave it out.',
    };
  }),
} as const satisfies LintRule;

export const enumPossible = {
  id: 'vouch/enum-possible',
  severity: 'error',
  reason:
    'A value that the enum lists and another keyword forbids can never be ' +
    'used, and an empty enum forbids everything.',
  documentation: 'https://json-schema.org/draft/2020-12/json-schema-validation#name-enum',
  inspect: atEach('schema', inspectEnum),
} as const satisfies LintRule;

/** Values of a wrong type are left to Redocly's `no-enum-type-mismatch`. */
function inspectEnum(
  node: DocumentNode,
  context: LintContext,
): LintFault | LintFault[] | undefined {
  const values = node.value['enum'];
  if (!isJsonArray(values)) return undefined;
  const pointer = joinPointer(node.pointer, 'enum');
  if (values.length === 0)
    return {
      pointer,
      message:
        'The enum is empty: strictly no value is valid, but most tools, including vouch, ' +
        'accept any.',
      hint: 'List the values, or leave the enum out.',
    };
  const schema = context.schemaAt(node);
  return values.flatMap((value, index) => {
    const issues = context.issuesOf(schema, value, node.direction ?? 'request');
    const [issue] = issues.some(({ keyword }) => keyword === 'type') ? [] : issues;
    if (issue === undefined) return [];
    return {
      pointer: joinPointer(pointer, index),
      message:
        `The enum lists ${showJson(value)}, which another keyword of its schema ` +
        `forbids: it ${issue.message}.`,
      hint: 'Take the value from the enum, or widen the other keyword.',
    };
  });
}

export const defaultValid = {
  id: 'vouch/default-valid',
  severity: 'error',
  reason:
    'A default that violates its own schema is used if the field is omitted, and refused if ' +
    'it is sent.',
  documentation: openApiPage('schema-object'),
  inspect: atEach('schema', (node, context) => {
    const { value, pointer, direction } = node;
    const given = value['default'];
    if (given === undefined) return undefined;
    const [issue] = context.issuesOf(context.schemaAt(node), given, direction ?? 'request');
    return (
      issue && {
        pointer: joinPointer(pointer, 'default'),
        message: `The default ${showJson(given)} breaks its own schema: it ${issue.message}.`,
        hint: 'Give a default that the schema allows, or widen the schema.',
      }
    );
  }),
} as const satisfies LintRule;

export const dateReadable = {
  id: 'vouch/date-readable',
  severity: 'warning',
  reason: 'vouch announces and judges the removal of an operation by these dates.',
  inspect: atEach('operation', ({ value, pointer }) =>
    ['x-sunset', 'x-deprecated-at'].flatMap((key) => {
      const date = value[key];
      if (date === undefined || isDay(date)) return [];
      return {
        pointer: joinPointer(pointer, key),
        message: `${key} is ${showJson(date)}, which is not a date.`,
        hint: "Write it as '2030-12-31': year, month, day.",
      };
    }),
  ),
} as const satisfies LintRule;

function isDay(value: JsonValue): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  // A day that the month does not have becomes one of the next month.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

export const directionSingle = {
  id: 'vouch/direction-single',
  severity: 'error',
  reason:
    'Read-only values are not sent and write-only values are not returned, so a value with ' +
    'both keywords is never used.',
  documentation: openApiPage('schema-object'),
  inspect: atEach('schema', ({ key, value, pointer }) => {
    if (value['readOnly'] !== true || value['writeOnly'] !== true) return undefined;
    return {
      pointer: joinPointer(pointer, 'writeOnly'),
      message: `${key} is both readOnly and writeOnly.`,
      hint: 'Keep one of the two.',
    };
  }),
} as const satisfies LintRule;

export const branchesCompatible = {
  id: 'vouch/branches-compatible',
  severity: 'error',
  reason:
    '`additionalProperties: false` in one branch of an allOf forbids what ' +
    'another branch requires, so that nothing fits both.',
  documentation: openApiPage('composition-and-inheritance-polymorphism'),
  inspect: atEach('schema', inspectBranches),
} as const satisfies LintRule;

function inspectBranches(written: DocumentNode, context: LintContext): LintFault[] {
  const branches = written.value['allOf'];
  if (!Array.isArray(branches)) return [];
  const whole = context.schemaAt(written);
  const { required } = whole.flatten();
  return branches.flatMap((branch, index) => {
    if (!isJsonObject(branch)) return [];
    const pointer = joinPointer(written.pointer, 'allOf', index);
    const { node } = whole.follow({
      node: context.schemaAt({ ...written, value: branch, pointer }).node,
      pointer,
    });
    if (
      typeof node === 'boolean' ||
      node.additionalProperties !== false ||
      node.patternProperties !== undefined
    )
      return [];
    const known = node.properties ?? {};
    const forbidden = [...required].filter((name) => !Object.hasOwn(known, name));
    if (forbidden.length === 0) return [];
    return {
      pointer,
      message:
        'This branch allows only its own properties, and the schema requires ' +
        `${forbidden.join(', ')}: nothing fits both.`,
      hint:
        'Move `additionalProperties: false` out of the branch, or write ' +
        '`unevaluatedProperties: false` beside the allOf.',
    };
  });
}

export const patternBounded = {
  id: 'vouch/pattern-bounded',
  severity: 'warning',
  reason:
    'A pattern that can read one text in very many ways may take minutes to ' +
    'refuse a short text that almost fits.',
  documentation:
    'https://owasp.org/www-community/attacks/Regular_expression_Denial_of_Service_-_ReDoS',
  inspect: atEach('schema', (node) =>
    patternsOf(node)
      .filter(({ pattern }) => isCatastrophicPattern(pattern))
      .map(({ pattern, tokens }) => ({
        pointer: joinPointer(node.pointer, ...tokens),
        message:
          `The pattern ${pattern} can run away: it repeats something that it can ` +
          'read in more than one way.',
        hint:
          'Write it so that each character fits one part only: `^a+$` for ' +
          '`^(a+)+$`, `^\\w+( \\w+)*$` for `^(\\w+ ?)+$`.',
      })),
  ),
} as const satisfies LintRule;

export const patternValid = {
  id: 'vouch/pattern-valid',
  severity: 'error',
  reason: 'An invalid regular expression validates nothing, or makes tools fail.',
  documentation: 'https://json-schema.org/draft/2020-12/json-schema-core#name-regular-expressions',
  // The model is read without such patterns, so its faults have them.
  inspect: ({ contract }) =>
    contract.faults
      .filter(({ rule }) => rule === 'vouch/pattern-valid')
      .map(({ pointer, message, hint = '' }) => ({ pointer, message, hint })),
} as const satisfies LintRule;

/** A regular expression of a schema, and the tokens that lead to it from there. */
interface WrittenPattern {
  readonly pattern: string;
  readonly tokens: readonly string[];
}

/** The regular expressions of a schema: its `pattern`, and the names of its `patternProperties`. */
function patternsOf({ value }: DocumentNode): WrittenPattern[] {
  const pattern: JsonValue | undefined = value['pattern'];
  const named = value['patternProperties'];
  return [
    ...(typeof pattern === 'string' ? [{ pattern, tokens: ['pattern'] }] : []),
    ...(isJsonObject(named)
      ? Object.keys(named).map((name) => ({ pattern: name, tokens: ['patternProperties', name] }))
      : []),
  ];
}
