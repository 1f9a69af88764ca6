import { inMilliseconds } from './check-settings.ts';
import { wordsIn } from '../../words-in.ts';
import type { CheckOptions } from '../../check/engine/check-target.ts';
import { readShard } from '../../check/engine/choose/shard.ts';
import { usage } from '../../errors.ts';
import { defined, pick } from '../../json/value.ts';
import type { ContractFlags } from '../find-contract.ts';

/** The flags that are options of a run under the same name. */
const sameNamed = wordsIn('mode seed include exclude failOn only skip rate maxRequests proxy');

/** The flags of `vouch check`. */
export interface CheckFlags extends ContractFlags, Pick<CheckOptions, (typeof sameNamed)[number]> {
  readonly self: boolean;
  readonly prove: boolean;
  /** Whether the run is repeated until it passes. */
  readonly watch: boolean;
  readonly minScore?: number;
  readonly har?: string;
  /** Arazzo documents. */
  readonly workflows: readonly string[];
  readonly workflowsOnly: boolean;
  /** `NAME=VALUE`. */
  readonly input: readonly string[];
  readonly against?: string;
  readonly againstAuth?: string;
  readonly auth: readonly string[];
  readonly header: readonly string[];
  readonly server: Readonly<Record<string, string>>;
  readonly reporter: readonly string[];
  readonly baseline?: string;
  readonly updateBaseline?: boolean;
  readonly writeOverlay?: string;
  readonly plan: boolean;
  /** Operations to send regardless of their effect. */
  readonly allow: readonly string[];
  readonly yes: boolean;
  readonly changedSince?: string;
  readonly shard?: string;
  /** Milliseconds. */
  readonly budget?: number;
  readonly maxTime?: number;
  readonly timeout?: number;
  readonly verbose: boolean;
}

/** The parsed command line of `vouch check`. */
export interface CheckRequest {
  readonly url: string | undefined;
  readonly document: string | undefined;
  readonly flags: CheckFlags;
}

/**
 * The limits that the flags set. Flags that are not given are left to the environment, the
 * configuration and the defaults.
 */
export function limitsOf(flags: CheckFlags): Partial<CheckOptions> {
  const { shard, budget } = flags;
  return {
    ...pick(flags, sameNamed),
    ...(shard === undefined ? {} : { shard: readShard(shard) }),
    ...defined({ budgetMs: budget }),
    ...inMilliseconds(flags),
  };
}

/** Throws a VouchError if flags exclude each other, or if one requires another that is missing. */
export function refuseConflictingFlags(flags: CheckFlags): void {
  const given = [
    flags.prove ? '--prove' : '',
    flags.self ? '--self' : '',
    flags.har === undefined ? '' : '--har',
    flags.against === undefined ? '' : '--against',
    flags.watch ? '--watch' : '',
  ].filter((flag) => flag !== '');
  if (given.length > 1)
    throw usage(`${given.join(' and ')} cannot be combined.`, {
      hint: `Run vouch check once with ${given[0] ?? ''}, and once with ${given[1] ?? ''}.`,
    });
  const once = flags.plan ? '--plan' : flags.updateBaseline ? '--update-baseline' : undefined;
  if (flags.watch && once !== undefined)
    throw usage(`${once} and --watch cannot be combined.`, {
      hint: `Remove ${once}, or remove --watch.`,
    });
  if (flags.prove) refuseUnusedFlags(flags, '--prove', 'a proof checks the mock, not a deployment');
  else if (flags.har !== undefined)
    refuseUnusedFlags(flags, '--har', 'a recording is checked as it is');
  if (flags.minScore !== undefined && !flags.prove)
    throw usage('--min-score needs --prove.', { hint: 'Add --prove, or remove --min-score.' });
  if (flags.againstAuth !== undefined && flags.against === undefined)
    throw usage('--against-auth needs --against.', {
      hint: 'Add --against URL, or remove --against-auth.',
    });
}

function refuseUnusedFlags(flags: CheckFlags, alone: string, reason: string): void {
  const [idle] = unusedFlags(flags);
  if (idle !== undefined)
    throw usage(`${idle} has no effect with ${alone}.`, { hint: `Remove ${idle}: ${reason}.` });
}

/** The given flags that have an effect only in a run against a deployment. */
function unusedFlags(flags: CheckFlags): string[] {
  const given = {
    '--plan': flags.plan,
    '--baseline': flags.baseline,
    '--update-baseline': flags.updateBaseline,
    '--write-overlay': flags.writeOverlay,
    '--changed-since': flags.changedSince,
    '--workflows': flags.workflows.length > 0,
    '--workflows-only': flags.workflowsOnly,
    '--input': flags.input.length > 0,
    '--shard': flags.shard,
    '--budget': flags.har === undefined ? undefined : flags.budget,
    '--server': Object.keys(flags.server).length > 0 && flags.har === undefined,
    '--header': flags.header.length > 0,
  };
  return Object.entries(given).flatMap(([flag, value]) =>
    value === undefined || value === false ? [] : [flag],
  );
}
