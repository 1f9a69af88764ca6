import { compareSeverities } from '../contract/model/severity.ts';
import { relative, resolve } from 'node:path';
import type { LoadOptions } from '../contract/load.ts';
import { loadContract, parseContract, readContractText } from '../contract/load.ts';
import { isAddress, isStandardInput, shownSource } from '../contract/load/source.ts';
import { type Locator, makeLocator } from '../contract/locate.ts';
import { type Contract, methods } from '../contract/model.ts';
import { meantType } from '../contract/invalid-parts/value-kind.ts';
import { VouchError } from '../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { parseYaml } from '../json/parse-yaml.ts';
import {
  isWithin,
  joinPointer,
  parentPointer,
  type Pointer,
  valueAt,
  splitPointer,
} from '../json/pointer.ts';
import { type LintConfig, readLintConfig, refuseUnknown, severityOf } from './lint-config.ts';
import { type LintContext, makeLintContext } from './rules/rule.ts';
import type { LintProblem, LintReport, LintSeverity } from './lint-report.ts';
import type { RedoclyProblem, RedoclyRun } from './redocly.ts';
import { documentationOf, isOfPlugin, runRedocly, withoutCircles } from './redocly.ts';
import { rules } from './rules/index.ts';

/** A problem before its place is looked up. */
type Found = Omit<LintProblem, 'place' | 'frame' | 'pointer'> & { readonly pointer: Pointer };

/** A given document; `file` is its name in places. */
export interface LintSource {
  readonly file: string;
  readonly text: string;
}

/**
 * Lints an OpenAPI document with Redocly's rules and vouch's own, as the `redocly.yaml` beside it
 * (or in the current folder) sets them. Reads the document, its references within its folder, and
 * that file, and nothing else. Throws a VouchError if any of them is invalid.
 */
export async function lintContract(
  source: string | LintSource,
  options: LoadOptions = {},
): Promise<LintReport> {
  const config = await readLintConfig(typeof source === 'string' ? source : source.file);
  refuseUnknownRules(config);
  const contract = await readContract(source, options);
  const problems = await findProblems(contract, config);
  return { file: contract.file, problems, counts: countBySeverity(problems) };
}

async function findProblems(
  contract: Contract | Unreadable,
  config: LintConfig,
): Promise<LintProblem[]> {
  if (contract instanceof Unreadable)
    return [...inOrder(await structuralFaults(contract, config)), ...rulesNotRun(config)];
  const readable = withMeantTypes(withoutCircles(contract.document), contract.faults);
  const context = makeLintContext(contract);
  const { problems, severities } = await runRedocly(readable, config, contract.dialect);
  const redocly = withLevels(problems, config, context).map((problem) =>
    problem.rule === unresolved ? explained(problem, contract) : problem,
  );
  const own = runRules(context, config, severities);
  const isFollowing = followsBrokenReference(contract);
  const found = [...redocly, ...own]
    .filter(({ rule, pointer }) => rule === unresolved || !isFollowing(pointer))
    .map((each) => placed(each, contract));
  const repaired = repairedFaults(contract, config, redocly);
  return [...inOrder([...found, ...repaired]), ...rulesNotRun(config)];
}

/**
 * A document with the types that its schemas mean: Redocly reports a name of another language at
 * each place that it affects, and vouch once, where it stands. The same object if there is none.
 */
function withMeantTypes(document: JsonObject, faults: Contract['faults']): JsonObject {
  const places = faults.filter(
    ({ rule, severity, pointer }) =>
      rule === 'struct' && severity === 'warning' && pointer.endsWith('/type'),
  );
  if (places.length === 0) return document;
  const copy = structuredClone(document);
  for (const { pointer } of places) {
    const schema = valueAt(copy, parentPointer(pointer));
    const meant = isJsonObject(schema) ? meantType(schema['type'] ?? null) : undefined;
    // The holder is part of the copy.
    if (meant !== undefined) (schema as Record<string, JsonValue>)['type'] = meant;
  }
  return copy;
}

/** A broken reference in the words of the contract, which knows what is read in its place. */
function explained(problem: RedoclyProblem, { faults }: Contract): RedoclyProblem {
  const fault = faults.find(
    ({ rule, pointer }) =>
      rule === unresolved &&
      (pointer === problem.pointer || parentPointer(pointer) === problem.pointer),
  );
  if (fault === undefined) return problem;
  const { message, hint } = fault;
  return { ...problem, message, ...(hint === undefined ? {} : { hint }) };
}

/** Redocly's rule on references that lead nowhere. */
const unresolved = 'no-unresolved-refs';

/**
 * Whether a problem is only that a reference leads nowhere: what it would have led to is missing at
 * its place, and in the list that it stands in.
 */
function followsBrokenReference({ faults }: Contract): (pointer: Pointer) => boolean {
  const places = faults
    .filter(({ rule }) => rule === unresolved)
    .map(({ pointer }) => (pointer.endsWith('/$ref') ? parentPointer(pointer) : pointer));
  const lists = new Set(places.filter((place) => /\/\d+$/.test(place)).map(parentPointer));
  return (pointer) => lists.has(pointer) || places.some((place) => isWithin(pointer, place));
}

/** Repairs of the model that Redocly does not report. */
function repairedFaults(
  contract: Contract,
  config: LintConfig,
  said: readonly RedoclyProblem[],
): LintProblem[] {
  const unsaid = contract.faults.filter(
    ({ pointer, rule }) =>
      severityOf(config, rule) !== 'off' &&
      !rules.some(({ id }) => id === rule) &&
      !said.some((each) =>
        rule === 'struct'
          ? isAbout(each, pointer)
          : each.rule === rule && isWithin(each.pointer, parentPointer(pointer)),
      ),
  );
  return unsaid.map(({ severity, ...fault }) => ({ ...fault, severity: severity ?? 'error' }));
}

/** Whether a problem is reported at a place, in it, or for what has it as a member. */
function isAbout({ pointer: said }: RedoclyProblem, pointer: Pointer): boolean {
  const around = parentPointer(pointer);
  return pointer !== '' && (isWithin(said, pointer) || (around !== '' && said === around));
}

/** A document of which no contract can be made, and the errors. */
class Unreadable {
  readonly file: string;
  readonly text: string;
  readonly cause: unknown;

  constructor({ file, text }: LintSource, cause: unknown) {
    this.file = file;
    this.text = text;
    this.cause = cause;
  }
}

async function readContract(
  source: string | LintSource,
  options: LoadOptions,
): Promise<Contract | Unreadable> {
  try {
    const contract =
      typeof source === 'string'
        ? await loadContract(source, options)
        : parseContract(source.text, source.file);
    readWhole(contract);
    return contract;
  } catch (error) {
    if (error instanceof VouchError) throw error;
    return new Unreadable(
      typeof source === 'string'
        ? { file: nameOf(source), text: await readContractText(source, options) }
        : source,
      error,
    );
  }
}

function nameOf(source: string): string {
  if (isAddress(source) || isStandardInput(source)) return shownSource(source);
  return relative(process.cwd(), resolve(source)) || source;
}

/**
 * A contract is read lazily; this reads all of it first, so that no rule meets an unreadable part.
 */
function readWhole({ operations, gaps }: Contract): number {
  const bodies = operations.flatMap(({ parameters, requestBody, responses }) => [
    ...parameters,
    requestBody,
    ...responses,
  ]);
  return bodies.length + gaps.length;
}

/** If no model can be made of a document, Redocly still reports its structural errors. */
async function structuralFaults(
  { file, text, cause }: Unreadable,
  config: LintConfig,
): Promise<LintProblem[]> {
  const reading = parseYaml(text);
  const found =
    reading.ok && isJsonObject(reading.value)
      ? (await runRedocly(reading.value, config)).problems
      : [];
  if (!found.some(({ severity }) => severity === 'error')) throw cause;
  const locator = makeLocator(file, text);
  return found.map((each) => placed(each, locator));
}

function refuseUnknownRules(config: LintConfig): void {
  const own = Object.keys(config.rules).filter((id) => id.startsWith('vouch/'));
  refuseUnknown(
    config,
    own,
    rules.map(({ id }) => id),
  );
}

function runRules(
  context: LintContext,
  config: LintConfig,
  severities: RedoclyRun['severities'],
): Found[] {
  return rules.flatMap(({ id, severity, documentation, inspect }) => {
    const set = severityOf(config, id) ?? (config.namesSets ? severities.get(id) : undefined);
    if (set === 'off') return [];
    const given: LintSeverity = set === undefined ? severity : set === 'warn' ? 'warning' : 'error';
    return inspect(context).map((fault) => ({
      rule: id,
      severity: given,
      ...fault,
      documentation: documentation ?? documentationOf(id),
    }));
  });
}

/** A note for each rule of a plugin that the configuration sets, because it is not run. */
function rulesNotRun(config: LintConfig): LintProblem[] {
  return Object.keys(config.rules)
    .filter(isOfPlugin)
    .flatMap((id) => {
      const { message, hint, place, frame } = config.fault(
        joinPointer('/rules', id),
        `The rule ${id} is of a plugin, and vouch runs no plugins.`,
        'Run it with Redocly itself: npx @redocly/cli lint FILE',
      );
      return place === undefined || frame === undefined || hint === undefined
        ? []
        : [
            {
              rule: 'vouch/plugin-not-run',
              severity: 'note',
              message,
              place,
              frame,
              hint,
            } as const,
          ];
    });
}

function placed(found: Found, locator: Locator): LintProblem {
  return { ...found, place: locator.locate(found.pointer), frame: locator.frame(found.pointer) };
}

function inOrder(problems: readonly LintProblem[]): LintProblem[] {
  return [...problems].sort(
    (left, right) =>
      left.place.line - right.place.line ||
      left.place.column - right.place.column ||
      compareSeverities(left.severity, right.severity),
  );
}

function countBySeverity(problems: readonly LintProblem[]): Record<LintSeverity, number> {
  const counts = { error: 0, warning: 0, note: 0 };
  for (const { severity } of problems) counts[severity] += 1;
  return counts;
}

/**
 * Redocly's problems with the severities of vouch: an error is what breaks a client, the mock or a
 * run, everything else is a warning at most. What the configuration sets stands, and so does every
 * severity of the sets that it names.
 */
function withLevels(
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
