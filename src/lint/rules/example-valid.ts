import type { Direction, Schema, SchemaIssue } from '../../contract/model.ts';
import { type LocatedValue, locateReference } from '../../contract/read/cursor.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { isJsonObject, memberOf, type JsonValue } from '../../json/value.ts';
import { atEach, type LintContext, type LintFault, type LintRule } from './rule.ts';
import type { DocumentNode } from '../walk-document.ts';

const reason = 'People copy examples, and mocks return them.';

/**
 * The examples of a document, judged by the schemas as vouch reads them. The rules have the names
 * of Redocly's, in whose place they are run: its validator knows neither directions nor exact
 * numbers, and patterns of a document can make it backtrack without end.
 */
export const exampleRules = (
  [
    ['no-invalid-media-type-examples', 'mediaType'],
    ['no-invalid-parameter-examples', 'parameter'],
    ['no-invalid-schema-examples', 'schema'],
    ['vouch/example-valid', 'header'],
  ] as const
).map(([id, kind]): LintRule => ({
  id,
  severity: 'warning',
  reason,
  inspect: atEach(kind, inspectExamples),
}));

function inspectExamples(node: DocumentNode, context: LintContext): LintFault[] {
  const examples = examplesOf(node, context);
  const schema = examples.length === 0 ? undefined : schemaOf(node, context);
  if (schema === undefined) return [];
  return examples.flatMap(({ value, pointer }) => {
    const [issue] = issuesOf(value, schema, { node, context });
    return issue === undefined ? [] : [faultOf(issue, pointer)];
  });
}

function schemaOf(node: DocumentNode, context: LintContext): Schema | undefined {
  if (node.kind === 'schema') return context.schemaAt(node);
  const written = node.value['schema'];
  // The text of another media type is a value that only its own parser could read.
  if (!isJsonObject(written) || (node.kind === 'mediaType' && !/[/+]json\b/i.test(node.key)))
    return undefined;
  const pointer = joinPointer(node.pointer, 'schema');
  return context.schemaAt({ ...node, value: written, pointer });
}

/** An example of a part that belongs to neither direction may be one of either. */
function issuesOf(
  value: JsonValue,
  schema: Schema,
  { node, context }: { readonly node: DocumentNode; readonly context: LintContext },
): readonly SchemaIssue[] {
  const directions: readonly Direction[] =
    node.direction === undefined ? ['request', 'response'] : [node.direction];
  const found = directions.map((direction) => context.issuesOf(schema, value, direction));
  return found.some(({ length }) => length === 0) ? [] : (found.at(-1) ?? []);
}

function faultOf(issue: SchemaIssue, pointer: Pointer): LintFault {
  const where = issue.at === '' ? 'it' : `the value at ${issue.at}`;
  return {
    pointer: pointer + issue.at,
    message: `The example breaks its schema: ${where} ${issue.message}.`,
    hint: 'Correct the example, or the schema.',
  };
}

function examplesOf({ kind, value, pointer }: DocumentNode, context: LintContext): LocatedValue[] {
  const single = value['example'];
  const several = value['examples'];
  const own =
    single === undefined ? [] : [{ value: single, pointer: joinPointer(pointer, 'example') }];
  if (kind === 'schema' && Array.isArray(several))
    return [
      ...own,
      ...several.map((each: JsonValue, index) => ({
        value: each,
        pointer: joinPointer(pointer, 'examples', index),
      })),
    ];
  if (kind === 'schema' || !isJsonObject(several)) return own;
  const named = Object.entries(several).map(([name, each]) =>
    followed({ value: each, pointer: joinPointer(pointer, 'examples', name) }, context),
  );
  return [...own, ...named.flatMap(valuesOf)];
}

function followed(example: LocatedValue, { contract }: LintContext): LocatedValue {
  const reference = memberOf(example.value, '$ref');
  const target =
    typeof reference === 'string' ? locateReference(contract.document, reference) : undefined;
  return target ?? example;
}

function valuesOf({ value, pointer }: LocatedValue): LocatedValue[] {
  if (!isJsonObject(value)) return [];
  return (['value', 'dataValue'] as const).flatMap((key) => {
    const given = value[key];
    return given === undefined ? [] : [{ value: given, pointer: joinPointer(pointer, key) }];
  });
}
