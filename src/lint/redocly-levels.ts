import { methods } from '../contract/model.ts';
import { type LintConfig, severityOf } from './lint-config.ts';
import type { RedoclyProblem } from './redocly.ts';
import type { LintContext } from './rules/rule.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { isWithin, parentPointer, splitPointer, valueAt } from '../json/pointer.ts';

/**
 * Redocly's problems with the severities of vouch: an error is what breaks a client, the mock or a
 * run, everything else is a warning at most. What the configuration sets stands, and so does every
 * severity of the sets that it names.
 */
export function withLevels(
  problems: readonly RedoclyProblem[],
  config: LintConfig,
  context: LintContext,
): RedoclyProblem[] {
  return problems.map((problem) => {
    const isBreaking =
      breaking.has(problem.rule) || judges[problem.rule]?.(problem, context) === true;
    const stands = config.namesSets || severityOf(config, problem.rule) !== undefined;
    return {
      ...problem,
      isStyle: problem.isStyle && !isBreaking,
      ...(stands || isBreaking ? {} : { severity: 'warning' }),
    };
  });
}

/** Rules whose every violation breaks something. */
const breaking: ReadonlySet<string> = new Set(
  (
    'no-undefined-server-variable no-unresolved-refs operation-operationId-unique ' +
    'operation-parameters-unique path-declaration-must-exist path-not-include-query ' +
    'path-parameters-defined spec-querystring-parameters'
  ).split(' '),
);

/** For the others: which violations do. */
const judges: Readonly<Record<string, (problem: RedoclyProblem, context: LintContext) => boolean>> =
  {
    struct: ({ message, pointer }, { contract }) =>
      !isHarmless(message, pointer, contract.document),
    // The rule has two messages; the other one is that an operation demands no credentials.
    'security-defined': ({ message }) => message.startsWith('There is no'),
    'no-identical-paths': ({ pointer }, { contract }) => isShadowed(pointer, contract.document),
    'no-enum-type-mismatch': ({ pointer }, context) => isRefused(pointer, context),
  };

/** Members that are read by people only, and those that say what follows without them too. */
const forPeople =
  /^(?:info|title|version|summary|description|termsOfService|contact|license|tags|externalDocs|example|examples|deprecated|responses|xml)$/;

/** Whether programs read a document alike with and without a violation of its structure. */
function isHarmless(message: string, pointer: string, document: JsonObject): boolean {
  const surplus = /^(?:Property|The field) `(.+)` is not (?:expected|allowed) here/.exec(message);
  // OpenAPI 3.1 has no `nullable`: a null, which its author allows, is refused.
  if (surplus !== null) return surplus[1] !== 'nullable';
  const missing = /^The field `(.+)` must be present/.exec(message);
  if (missing !== null) return forPeople.test(missing[1] ?? '');
  if (message.startsWith('Must contain at least one of the following fields')) return true;
  const isNamedByAuthor = /\/(?:properties|schemas|definitions)$/.test(parentPointer(pointer));
  if (!isNamedByAuthor && forPeople.test(lastToken(pointer))) return true;
  if (['/info', '/tags', '/externalDocs'].some((place) => isWithin(pointer, place))) return true;
  return pointer.endsWith('/type') && isReadableType(valueAt(document, pointer));
}

/** The types of a later version, and the file of Swagger 2.0, which every reader understands. */
function isReadableType(type: JsonValue | undefined): boolean {
  return Array.isArray(type) || type === 'file';
}

/** Whether another path, which differs in the names of its parameters only, has a method of one. */
function isShadowed(pointer: string, document: JsonObject): boolean {
  const { paths } = document;
  const item = valueAt(document, pointer);
  if (!isJsonObject(paths) || !isJsonObject(item)) return true;
  const shape = shapeOf(lastToken(pointer));
  return Object.entries(paths).some(
    ([path, other]) =>
      other !== item &&
      shapeOf(path) === shape &&
      isJsonObject(other) &&
      methods.some((method) =>
        [other, item].every((each) => each[method.toLowerCase()] !== undefined),
      ),
  );
}

function lastToken(pointer: string): string {
  return splitPointer(pointer).at(-1) ?? '';
}

function shapeOf(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, '{}');
}

/** Whether a value that an enum lists is refused, as vouch reads its schema. */
function isRefused(pointer: string, context: LintContext): boolean {
  const place = parentPointer(parentPointer(pointer));
  const node = context.nodes('schema').find((each) => each.pointer === place);
  const value = valueAt(context.contract.document, pointer);
  if (node === undefined || value === undefined) return true;
  const schema = context.schemaAt(node);
  return context.issuesOf(schema, value, node.direction ?? 'request').length > 0;
}
