import { wordsIn } from '../../words-in.ts';
import type { CheckOptions } from '../../check/engine/check-target.ts';
import { checks } from '../../check/topics/index.ts';
import { type Mode, modes } from '../../check/model/phase.ts';
import { hasExpired, type Skip } from '../../check/plan/skip.ts';
import type { CheckConfig, Config, TargetConfig } from '../../config/config.ts';
import type { ChosenContract } from '../../library/choose-contract.ts';
import type { Contract, EffectOverrides } from '../../contract/model.ts';
import { formatPlace, suggestWord, usage, VouchError } from '../../errors.ts';
import { findStrayValue } from '../../check/plan/given-values.ts';
import { defined, isJsonObject, type JsonValue, mapMembers, pick } from '../../json/value.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import type { Io } from '../io.ts';

/** The settings of a run, from the configuration and the environment. */
export interface CheckSettings {
  readonly options: Partial<CheckOptions>;
  /** Warnings to print before the run, one sentence each. */
  readonly warnings: readonly string[];
}

/** A section of the configuration with settings of a run, and its location in the file. */
interface Part {
  readonly at: Pointer;
  readonly part: CheckConfig;
}

/**
 * The settings of a run. Environment variables `VOUCH_…` override the target, which overrides the
 * section `check` of the configuration. Skips, examples and severities of both sections are merged.
 * Throws a VouchError with line and column if the configuration names something that the contract
 * does not have.
 */
export function readCheckSettings(
  io: Io,
  { config, contract }: ChosenContract,
  target?: string,
): CheckSettings {
  const chosen = target === undefined ? undefined : config.targets[target];
  const parts: Part[] = [
    ...(config.check === undefined ? [] : [{ at: '/check', part: config.check }]),
    ...(chosen === undefined ? [] : [{ at: joinPointer('/targets', target ?? ''), part: chosen }]),
  ];
  for (const part of parts) refuseUnknownNames(part, config, contract);
  if (chosen !== undefined && target !== undefined)
    refuseUnknownSchemes(chosen, target, { config, contract });
  const today = io.clock().toISOString().slice(0, 10);
  const skips = parts.flatMap(({ at, part }) =>
    (part.skip ?? []).map((skip, index) => ({ skip, at: joinPointer(at, 'skip', index) })),
  );
  return {
    options: {
      ...settled(parts.map(({ part }) => part)),
      ...(skips.length === 0 ? {} : { skips: skips.map(({ skip }) => skip) }),
      ...(chosen?.mode === undefined ? {} : { mode: chosen.mode }),
      ...fromEnvironment(io),
    },
    warnings: skips
      .filter(({ skip }) => hasExpired(skip, today))
      .map(({ skip, at }) => expired(skip, config.fault?.(at, '').place)),
  };
}

/** Like `readCheckSettings`, and prints the warnings to stderr. */
export function readSettingsAndWarn(
  io: Io,
  chosen: Parameters<typeof readCheckSettings>[1],
  target?: string,
): Partial<CheckOptions> {
  const { options, warnings } = readCheckSettings(io, chosen, target);
  for (const warning of warnings) io.err(`${warning}\n`);
  return options;
}

function settled(parts: readonly CheckConfig[]): Partial<CheckOptions> {
  const last = parts.reduce<CheckConfig>((joined, part) => ({ ...joined, ...defined(part) }), {});
  return {
    ...pick(last, wordsIn('rate maxRequests concurrency slowMs failOn')),
    ...inMilliseconds(last),
    examples: parts.reduce<NonNullable<CheckConfig['examples']>>(
      (joined, { examples = {} }) => ({
        ...joined,
        ...mapMembers(examples, (values, id) => ({ ...joined[id], ...values })),
      }),
      {},
    ),
    ...choicesOf(parts),
    ...valuesOf(parts),
    severities: parts.reduce<NonNullable<CheckConfig['checks']>>(
      (joined, { checks: own }) => ({ ...joined, ...own }),
      {},
    ),
  };
}

/** The limits of time, which are given in seconds. */
export function inMilliseconds({
  maxTime,
  timeout,
}: Pick<CheckConfig, 'maxTime' | 'timeout'>): Partial<CheckOptions> {
  return defined({ maxTimeMs: maxTime && maxTime * 1000, timeoutMs: timeout && timeout * 1000 });
}

/** The effects that all sections set, or undefined if none does. */
function choicesOf(
  parts: readonly CheckConfig[],
): Pick<Partial<CheckOptions>, 'effects' | 'allow'> {
  const effects = Object.assign({}, ...parts.map((part) => part.effects ?? {})) as EffectOverrides;
  const allow = parts.flatMap((part) => part.allow ?? []);
  return {
    ...(Object.keys(effects).length === 0 ? {} : { effects }),
    ...(allow.length === 0 ? {} : { allow }),
  };
}

/** The values that all sections give, those of one operation joined; none if there are none. */
function valuesOf(parts: readonly CheckConfig[]): Pick<Partial<CheckOptions>, 'values'> {
  const joined: Record<string, JsonValue> = {};
  for (const [name, given] of parts.flatMap(({ values = {} }) => Object.entries(values))) {
    const before = joined[name];
    joined[name] = isJsonObject(before) && isJsonObject(given) ? { ...before, ...given } : given;
  }
  return Object.keys(joined).length === 0 ? {} : { values: joined };
}

/** Each variable with the setting that it overrides. */
const variables: Readonly<Record<string, (text: string, name: string) => Partial<CheckOptions>>> = {
  VOUCH_MODE: (text, name) => ({ mode: readMode(text, name) }),
  VOUCH_SEED: (text) => ({ seed: text }),
  VOUCH_RATE: (text, name) => ({ rate: readNumber(text, name) }),
  VOUCH_MAX_REQUESTS: (text, name) => ({ maxRequests: readNumber(text, name) }),
  VOUCH_MAX_TIME: (text, name) => ({ maxTimeMs: readNumber(text, name) * 1000 }),
  VOUCH_TIMEOUT: (text, name) => ({ timeoutMs: readNumber(text, name) * 1000 }),
  VOUCH_CONCURRENCY: (text, name) => ({ concurrency: readNumber(text, name) }),
  VOUCH_SLOW_MS: (text, name) => ({ slowMs: readNumber(text, name) }),
};

function fromEnvironment({ env }: Io): Partial<CheckOptions> {
  return Object.entries(variables).reduce<Partial<CheckOptions>>((options, [name, read]) => {
    const text = env[name]?.trim() ?? '';
    return text === '' ? options : { ...options, ...read(text, name) };
  }, {});
}

function readNumber(text: string, name: string): number {
  const number = Number(text);
  if (number > 0 && Number.isFinite(number)) return number;
  throw usage(`The environment variable ${name} is ${text}, but must be a number above 0.`, {
    hint: `Set it to a number, or unset it: unset ${name}`,
  });
}

function readMode(text: string, name: string): Mode {
  const mode = modes.find((known) => known === text);
  if (mode === undefined)
    throw usage(`The environment variable ${name} is ${text}, which is not a mode.`, {
      hint: suggestWord(text, modes),
    });
  return mode;
}

function refuseUnknownNames({ at, part }: Part, { fault }: Config, contract: Contract): void {
  const { operations } = contract;
  const ids = operations.map(({ id }) => id);
  const checkIds = checks.map(({ id }) => id);
  const refuse = (
    word: string | undefined,
    known: readonly string[],
    noun: string,
    place: Pointer,
  ): void => {
    if (word === undefined || known.includes(word)) return;
    const message = `The configuration names an unknown ${noun}: ${word}.`;
    throw (
      fault?.(place, message, suggestWord(word, known)) ??
      new VouchError('config-invalid', message, { hint: suggestWord(word, known) })
    );
  };
  for (const id of Object.keys(part.checks ?? {}))
    refuse(id, checkIds, 'check', joinPointer(at, 'checks', id));
  (part.skip ?? []).forEach(({ operation, check }, index) => {
    refuse(operation, ids, 'operation', joinPointer(at, 'skip', index, 'operation'));
    refuse(check, checkIds, 'check', joinPointer(at, 'skip', index, 'check'));
  });
  for (const id of Object.keys(part.effects ?? {}))
    refuse(id, ids, 'operation', joinPointer(at, 'effects', id));
  (part.allow ?? []).forEach((id, index) =>
    refuse(id, ids, 'operation', joinPointer(at, 'allow', index)),
  );
  refuseStray({ at, part }, fault, contract);
  for (const [id, values] of Object.entries(part.examples ?? {})) {
    refuse(id, ['*', ...ids], 'operation', joinPointer(at, 'examples', id));
    const names = operations
      .filter((operation) => id === '*' || operation.id === id)
      .flatMap(({ parameters }) => parameters.map(({ name }) => name));
    for (const name of Object.keys(values))
      refuse(name, names, `parameter of ${id}`, joinPointer(at, 'examples', id, name));
  }
}

function refuseStray({ at, part }: Part, fault: Config['fault'], contract: Contract): void {
  const stray = findStrayValue(contract, part.values ?? {});
  if (stray === undefined) return;
  const { at: path, message, hint } = stray;
  throw (
    fault?.(joinPointer(at, 'values', ...path), message, hint) ??
    new VouchError('config-invalid', message, { hint })
  );
}

function refuseUnknownSchemes(
  { auth }: TargetConfig,
  target: string,
  { config: { fault }, contract }: ChosenContract,
): void {
  const known = [...contract.securitySchemes.keys()];
  const stray =
    typeof auth === 'object'
      ? Object.keys(auth).find((scheme) => !known.includes(scheme))
      : undefined;
  if (stray === undefined) return;
  const message = `The configuration names an unknown security scheme: ${stray}.`;
  const hint = suggestWord(stray, known);
  throw (
    fault?.(joinPointer('/targets', target, 'auth', stray), message, hint) ??
    new VouchError('config-invalid', message, { hint })
  );
}

function expired(
  { operation, check, until = '' }: Skip,
  place: Parameters<typeof formatPlace>[0] | undefined,
): string {
  const what = [
    ...(check === undefined ? [] : [check]),
    ...(operation === undefined ? [] : [operation]),
  ].join(' on ');
  return (
    `${place === undefined ? '' : `${formatPlace(place)}: `}the skip of ` +
    `${what} expired on ${until}, so its findings count again. Fix the ` +
    'cause, or change the date.'
  );
}
