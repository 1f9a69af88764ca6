import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { isAddress } from '../contract/load/source.ts';
import { codeFrame, faultsIn, makeLocator } from '../contract/locate.ts';
import { codeOf, nearestWord, suggestWord, VouchError } from '../errors.ts';
import { parseYaml, syntaxHint } from '../json/parse-yaml.ts';
import { joinPointer, type Pointer } from '../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import type { LintContext } from './rules/rule.ts';

/** The rules to run, as in a `redocly.yaml`: named sets of rules, and changes to them. */
export interface LintConfig {
  readonly extends: readonly string[];
  /** Whether the file names the sets; the severities of named ones stand as they are. */
  readonly namesSets: boolean;
  /** By rule id: a severity, or an object with one and the rule's options. */
  readonly rules: Readonly<Record<string, JsonValue>>;
  /** Makes the error for a place in the file; the caller throws it. */
  fault(pointer: Pointer, message: string, hint: string): VouchError;
}

const fileName = 'redocly.yaml';

/**
 * The `redocly.yaml` beside a document, otherwise the one in the current folder, otherwise
 * Redocly's recommended rules. Only `extends` and `rules` are used: plugins are code and are never
 * run. Throws a VouchError if it is invalid.
 */
export async function readLintConfig(document: string): Promise<LintConfig> {
  const beside = isAddress(document) ? [] : [join(dirname(resolve(document)), fileName)];
  const candidates = new Set([...beside, resolve(fileName)]);
  for (const path of candidates) {
    const text = await readIfThere(path);
    if (text !== undefined) return parseLintConfig(text, relative(resolve(), path) || path);
  }
  return {
    extends: ['recommended'],
    namesSets: false,
    rules: {},
    fault: (_pointer, message, hint) => new VouchError('config-invalid', message, { hint }),
  };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined;
    throw new VouchError(
      'config-invalid',
      `${path} cannot be read: ${codeOf(cause) ?? String(cause)}.`,
      { cause, hint: 'Check that you may read it.' },
    );
  }
}

/** The same for a given text; `file` is its name in places. */
export function parseLintConfig(text: string, file: string): LintConfig {
  // A file with only comments is empty, which is valid.
  const reading = parseYaml(text.split('\n').every((line) => /^\s*(#|$)/.test(line)) ? '{}' : text);
  if (!reading.ok) {
    const { message, line, column } = reading.problem;
    throw new VouchError('config-invalid', `${file} is not readable as YAML: ${message}`, {
      place: { file, line, column },
      frame: codeFrame(text, { line, column }),
      hint: syntaxHint,
    });
  }
  const fault = faultsIn(makeLocator(file, text), 'config-invalid');
  const { value } = reading;
  if (!isJsonObject(value))
    throw fault('', `${file} is no mapping of settings.`, 'Begin it with `extends:` and `rules:`.');
  return {
    extends: namesOf(value['extends'], fault),
    namesSets: (value['extends'] ?? null) !== null,
    rules: rulesOf(value['rules'], fault),
    fault,
  };
}

function namesOf(value: JsonValue | undefined, fault: LintConfig['fault']): string[] {
  if (value === undefined || value === null) return ['recommended'];
  const names = [value].flat();
  return names.map((name, index) => {
    if (typeof name === 'string') return name;
    throw fault(
      Array.isArray(value) ? joinPointer('/extends', index) : '/extends',
      'What is extended is named by a word.',
      'Write it as `extends: [recommended]`.',
    );
  });
}

const severities: readonly JsonValue[] = ['error', 'warn', 'off'];

function rulesOf(value: JsonValue | undefined, fault: LintConfig['fault']): LintConfig['rules'] {
  if (value === undefined || value === null) return {};
  if (!isJsonObject(value))
    throw fault(
      '/rules',
      'The rules are no mapping.',
      'Write each as `rule-id: error`, `warn` or `off`.',
    );
  for (const [id, setting] of Object.entries(value)) {
    const severity = isJsonObject(setting) ? (setting['severity'] ?? 'error') : setting;
    if (!severities.includes(severity))
      throw fault(
        joinPointer('/rules', id),
        `The rule ${id} is set to ${String(severity)}, which is no severity.`,
        'Write error, warn or off.',
      );
  }
  return value;
}

/** The severity of a rule in the configuration; undefined if it does not set one. */
export function severityOf(config: LintConfig, id: string): 'error' | 'warn' | 'off' | undefined {
  const setting = Object.hasOwn(config.rules, id) ? config.rules[id] : undefined;
  if (setting === undefined) return undefined;
  const severity = isJsonObject(setting) ? (setting['severity'] ?? 'error') : setting;
  // `rulesOf` has rejected everything else.
  return severity as 'error' | 'warn' | 'off';
}

/** Every operationId of the document, including webhooks and callbacks. */
export function operationIds(context: LintContext): string[] {
  return context.nodes('operation').flatMap(({ value }) => {
    const id = value['operationId'];
    return typeof id === 'string' ? [id] : [];
  });
}

/** The hint for the name of an operation that does not exist. */
export function suggestOperation(id: string, ids: readonly string[]): string {
  const nearest = nearestWord(id, ids);
  if (nearest !== undefined) return `Did you mean ${nearest}?`;
  return ids.length === 0
    ? 'Give the operation that is meant an operationId.'
    : `Name one of its operations, such as ${ids.slice(0, 3).join(', ')}.`;
}

/** Throws if one of some ids is none of the known rules. */
export function refuseUnknown(
  config: LintConfig,
  ids: readonly string[],
  known: readonly string[],
): void {
  const stray = ids.find((id) => !id.startsWith('rule/') && !known.includes(id));
  if (stray !== undefined)
    throw config.fault(
      joinPointer('/rules', stray),
      `There is no rule ${stray}.`,
      suggestWord(stray, known),
    );
}
