import type { SchemaIssue } from '../../contract/model.ts';
import { joinPointer, splitPointer, valueAt, type Pointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { type LintContext, openApiPage, type LintFault, type LintRule } from './rule.ts';
import type { DocumentNode } from '../walk-document.ts';

/**
 * Redocly judges most examples, but neither those of headers nor integers beyond 2^53. This rule
 * judges all; `lintContract` drops its result for an example that Redocly has reported.
 */
export const exampleValid = {
  id: 'vouch/example-valid',
  severity: 'warning',
  reason: 'People copy examples, and mocks return them.',
  documentation: openApiPage('example-object'),
  inspect: (context) => [
    ...(['parameter', 'header', 'mediaType'] as const)
      .flatMap((kind) => context.nodes(kind))
      .flatMap((node) => inspectExamples(node, context)),
    ...(context.withheld.size === 0
      ? []
      : context.nodes('schema').flatMap((node) => inspectOwnExamples(node, context))),
  ],
} as const satisfies LintRule;

function inspectExamples(node: DocumentNode, context: LintContext): LintFault[] {
  const written = node.value['schema'];
  // The text of another media type is a value that only its own parser could read.
  if (!isJsonObject(written) || (node.kind === 'mediaType' && !/[/+]json\b/i.test(node.key)))
    return [];
  const schema = context.schemaAt({
    ...node,
    value: written,
    pointer: joinPointer(node.pointer, 'schema'),
  });
  return examplesOf(node).flatMap(({ value, pointer }) => {
    const [issue] = context.issuesOf(schema, value, node.direction ?? 'response');
    return issue === undefined ? [] : [faultOf(issue, pointer)];
  });
}

/** The examples of a schema itself, by the patterns that Redocly did not get. */
function inspectOwnExamples(node: DocumentNode, context: LintContext): LintFault[] {
  const { value, pointer, direction } = node;
  const listed = value['examples'];
  const examples = [
    ...(value['example'] === undefined
      ? []
      : [{ given: value['example'], at: joinPointer(pointer, 'example') }]),
    ...(Array.isArray(listed)
      ? listed.map((given: JsonValue, index) => ({
          given,
          at: joinPointer(pointer, 'examples', index),
        }))
      : []),
  ];
  return examples.flatMap(({ given, at }) => {
    const issues = context.issuesOf(context.schemaAt(node), given, direction ?? 'response');
    const issue = issues.find((each) => isOfWithheld(each, context));
    return issue === undefined ? [] : [faultOf(issue, at)];
  });
}

/** Whether an issue concerns a removed pattern, or a place below one. */
function isOfWithheld({ pointer }: SchemaIssue, { contract, withheld }: LintContext): boolean {
  const pattern = valueAt(contract.document, pointer);
  if (typeof pattern === 'string' && withheld.has(pattern)) return true;
  return splitPointer(pointer).some(
    (token, index, tokens) => tokens[index - 1] === 'patternProperties' && withheld.has(token),
  );
}

function faultOf(issue: SchemaIssue, pointer: Pointer): LintFault {
  const where = issue.at === '' ? 'it' : `the value at ${issue.at}`;
  return {
    pointer: pointer + issue.at,
    message: `The example breaks its schema: ${where} ${issue.message}.`,
    hint: 'Correct the example, or the schema.',
  };
}

function examplesOf({ value, pointer }: DocumentNode): { value: JsonValue; pointer: Pointer }[] {
  const single = value['example'];
  const named = value['examples'];
  const several = isJsonObject(named) ? Object.entries(named) : [];
  return [
    ...(single === undefined ? [] : [{ value: single, pointer: joinPointer(pointer, 'example') }]),
    ...several.flatMap(([name, example]) => {
      if (!isJsonObject(example)) return [];
      return (['value', 'dataValue'] as const).flatMap((key) => {
        const given = example[key];
        return given === undefined
          ? []
          : [{ value: given, pointer: joinPointer(pointer, 'examples', name, key) }];
      });
    }),
  ];
}
