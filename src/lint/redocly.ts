import { join } from 'node:path';
import type * as Redocly from '@redocly/openapi-core';
import { referencePointer } from '../contract/read/cursor.ts';
import { suggestWord, VouchError } from '../errors.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { isJsonObject, mapMembers, membersWhere } from '../json/value.ts';
import { exampleRules } from './rules/example-valid.ts';
import { joinPointer, type Pointer, valueAt } from '../json/pointer.ts';
import type { Dialect } from '../contract/model.ts';
import { type LintConfig, refuseUnknown } from './lint-config.ts';
import type { LintProblem } from './lint-report.ts';

/** A problem as Redocly reports it, with a plain pointer. */
export interface RedoclyProblem extends Omit<LintProblem, 'place' | 'frame'> {
  readonly isStyle: boolean;
  readonly pointer: Pointer;
}

/** What Redocly reports, and how severe its rules are that vouch runs in its place. */
export interface RedoclyRun {
  readonly problems: readonly RedoclyProblem[];
  readonly severities: ReadonlyMap<string, 'error' | 'warn' | 'off'>;
}

/** Runs Redocly's rules on a parsed document. Reads and fetches nothing, and runs no plugin. */
export async function runRedocly(
  document: JsonObject,
  config: LintConfig,
  dialect?: Dialect,
): Promise<RedoclyRun> {
  // Takes 250 ms to load, so it is loaded on first use.
  const core = await import('@redocly/openapi-core');
  const { settings, defects } = await makeConfig(core, config);
  const version = dialect === undefined || dialect === '2.0' ? 'oas2' : versions[dialect];
  const severities = new Map(
    replacedRules.map((id) => [id, settings.getRuleSettings(id, version).severity]),
  );
  settings.skipRules([...replacedRules]);
  const source = new core.Source('contract.yaml', '');
  const problems = await guard(() =>
    core.lintDocument({
      document: { source, parsed: withoutBigInts(withVersion(document, dialect)) },
      config: settings,
      externalRefResolver: makeSealedResolver(core),
    }),
  );
  const found = problems.filter(({ ignored }) => ignored !== true);
  return { problems: distinct(found.map((each) => toProblem(each, defects))), severities };
}

const replacedRules = exampleRules.map(({ id }) => id).filter((id) => !id.includes('/'));
const versions = { '3.0': 'oas3_0', '3.1': 'oas3_1', '3.2': 'oas3_2' } as const;

/** Redocly refuses a document whose version is not written as it has to be. */
function withVersion(document: JsonObject, dialect: Dialect | undefined): JsonObject {
  if (dialect === undefined) return document;
  const key = dialect === '2.0' ? 'swagger' : 'openapi';
  const isRight =
    dialect === '2.0'
      ? document[key] === '2.0'
      : typeof document[key] === 'string' && /^3\.\d+\.\d+/.test(document[key]);
  if (isRight) return document;
  const { swagger: _swagger, openapi: _openapi, ...rest } = document;
  return { [key]: dialect === '2.0' ? dialect : `${dialect}.0`, ...rest };
}

/** The configuration of a lint, and the rules whose violation is a defect. */
interface Settings {
  readonly settings: Redocly.Config;
  readonly defects: ReadonlySet<string>;
}

async function makeConfig(core: typeof Redocly, config: LintConfig): Promise<Settings> {
  const own = membersWhere(config.rules, (id) => !isOfPlugin(id) && !id.startsWith('vouch/'));
  // Redocly's type lists every option of every rule; a wrong option is reported by the rule itself.
  const raw = {
    extends: [...config.extends],
    rules: own,
    resolve: { doNotResolveExamples: true },
  } as Redocly.RawUniversalConfig;
  // Redocly runs `@theme/plugin.js` from the folder of the configuration. A path below a file has
  // no such folder.
  const configPath = join(process.execPath, 'redocly.yaml');
  const presets = await core.createConfig({ extends: [] }, { configPath });
  refuseUnknownSets(
    config,
    presets.plugins.flatMap(({ configs }) => Object.keys(configs ?? {})),
  );
  refuseUnknown(config, Object.keys(own), knownRules(presets));
  const externalRefResolver = makeSealedResolver(core);
  const settings = await core.createConfig(raw, { configPath, externalRefResolver });
  return { settings, defects: new Set([...rulesOfSpecification(presets), ...contradictions]) };
}

/** Rules that no set of Redocly's tells from style: what they find contradicts itself. */
const contradictions = (
  'no-ambiguous-paths no-duplicated-enum-values no-enum-type-mismatch ' +
  'no-illogical-composition-keywords no-mixed-number-range-constraints ' +
  'no-required-schema-properties-undefined no-schema-type-mismatch ' +
  'no-server-variables-empty-enum security-scopes-defined'
).split(' ');

/** The rules of Redocly's set `spec`: what the specifications require. */
function rulesOfSpecification({ plugins }: Redocly.Config): string[] {
  return plugins.flatMap(({ configs }) =>
    Object.values(configs?.['spec'] ?? {}).flatMap((rules: object | undefined) =>
      Object.entries(rules ?? {}).flatMap(([id, setting]) => (isOff(setting) ? [] : [id])),
    ),
  );
}

function isOff(setting: unknown): boolean {
  const given = typeof setting === 'object' && setting !== null ? setting : { severity: setting };
  return 'severity' in given && given.severity === 'off';
}

/**
 * Whether a rule belongs to a Redocly plugin: neither built in, nor defined by the configuration,
 * nor vouch's own.
 */
export function isOfPlugin(id: string): boolean {
  return id.includes('/') && !id.startsWith('rule/') && !id.startsWith('vouch/');
}

const families = ['oas2', 'oas3', 'async2', 'async3', 'arazzo1', 'overlay1', 'openrpc1'] as const;

function knownRules(config: Redocly.Config): string[] {
  return [
    ...new Set(
      families.flatMap((family) =>
        config.getRulesForSpecVersion(family).flatMap((set) => Object.keys(set)),
      ),
    ),
  ];
}

function refuseUnknownSets(config: LintConfig, known: readonly string[]): void {
  config.extends.forEach((name, index) => {
    if (known.includes(name)) return;
    throw config.fault(
      joinPointer('/extends', index),
      `vouch knows no set of rules ${name}, and reads no other file for it.`,
      suggestWord(name, known),
    );
  });
}

/** Redocly throws plain errors for documents that it cannot walk, such as a reference to itself. */
async function guard<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw new VouchError(
      'internal',
      'Redocly could not lint the document: ' +
        `${cause instanceof Error ? cause.message : String(cause)}.`,
      { cause, hint: 'Please report it, with the document if you can.' },
    );
  }
}

function toProblem(
  { ruleId, severity, message, location, suggest, reference }: Redocly.NormalizedProblem,
  defects: ReadonlySet<string>,
): RedoclyProblem {
  const hint = suggest.length === 0 ? {} : { hint: `Did you mean ${suggest.join(' or ')}?` };
  const documentation = reference ?? documentationOf(ruleId);
  return {
    rule: ruleId,
    severity: severity === 'error' ? 'error' : 'warning',
    isStyle: !defects.has(ruleId),
    message: message.trim().replaceAll(/\s*\n\s*/g, ' '),
    pointer: (location[0]?.pointer ?? '#/').replace(/^#\/?/, '/').replace(/^\/$/, ''),
    ...hint,
    documentation,
  };
}

/** Some rules visit one place twice. */
function distinct(problems: readonly RedoclyProblem[]): RedoclyProblem[] {
  const byName = new Map(
    problems.map((problem) => [`${problem.rule} ${problem.pointer} ${problem.message}`, problem]),
  );
  return [...byName.values()];
}

/** Redocly's own schemas have no bigints; vouch's own rules judge the digits that are lost. */
function withoutBigInts(value: JsonValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(withoutBigInts);
  return isJsonObject(value) ? mapMembers(value, withoutBigInts) : value;
}

/** Rules that Redocly documents as common to all kinds of documents; the others are under `oas`. */
const commonRules = new Set(
  (
    'no-duplicated-enum-values no-enum-type-mismatch no-mixed-number-range-constraints ' +
    'no-required-schema-properties-undefined no-schema-type-mismatch no-unresolved-refs ' +
    'no-unsafe-markdown security-scopes-defined struct'
  ).split(' '),
);

/** The page of Redocly's manual about a rule; undefined for a rule that a configuration defines. */
export function documentationOf(rule: string): string | undefined {
  if (rule.includes('/')) return undefined;
  const folder = commonRules.has(rule) ? 'common' : 'oas';
  return `https://redocly.com/docs/cli/rules/${folder}/${rule.replaceAll('.', '-')}`;
}

/**
 * A resolver for Redocly that reads no file and no URL. The document is passed parsed, and
 * everything else that it names (in an example's `externalValue`, in a discriminator's mapping) is
 * not read.
 */
export function makeSealedResolver(core: typeof Redocly): Redocly.BaseResolver {
  class SealedResolver extends core.BaseResolver {
    override loadExternalRef(reference: string): Promise<Redocly.Source> {
      return Promise.reject(
        new core.ResolveError(
          new Error(
            `${reference} is outside the document, and vouch reads nothing but the document`,
          ),
        ),
      );
    }
  }
  return new SealedResolver();
}

/**
 * A document without chains of references that only lead back to themselves, in which Redocly would
 * loop. The same object if it has none.
 */
export function withoutCircles(document: JsonObject): JsonObject {
  const circles = new Set<JsonValue>();
  const open: JsonValue[] = [document];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (isJsonObject(value) && goesRound(document, value)) circles.add(value);
    for (const item of Object.values(value)) open.push(item);
  }
  // An object is copied as an object.
  return circles.size === 0 ? document : (copyWithout(document, circles) as JsonObject);
}

function copyWithout(value: JsonValue, circles: ReadonlySet<JsonValue>): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => copyWithout(item, circles));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => name !== '$ref' || !circles.has(value));
  return Object.fromEntries(members.map(([name, item]) => [name, copyWithout(item, circles)]));
}

function goesRound(document: JsonObject, start: JsonValue): boolean {
  const seen = new Set<JsonValue>();
  let value: JsonValue | undefined = start;
  while (isJsonObject(value) && typeof value['$ref'] === 'string') {
    if (seen.has(value)) return true;
    seen.add(value);
    const target = referencePointer(value['$ref']);
    value = target === undefined ? undefined : valueAt(document, target);
  }
  return false;
}
