import { severityOf } from '../judge/judge.ts';
import type { SuspicionGroup } from '../judge/group.ts';
import { joinSame } from '../shrink/join-same.ts';
import { shrink } from '../shrink/shrink.ts';
import { confirmGroup, type Confirmation, type Assurance } from './confirm.ts';
import type { Guard } from './guard.ts';
import { sideBySide } from './side-by-side.ts';

/** A group, and what came of making sure of it. */
export interface Confirmed {
  readonly group: SuspicionGroup;
  readonly assurance: Assurance;
}

/** How groups are confirmed: side by side, until the guard says stop. */
export interface ConfirmAll extends Confirmation {
  readonly guard: Guard;
  readonly concurrency: number;
}

/**
 * Makes sure of every group, in any order, and last of those that are to be asked alone; answers
 * them in the order given.
 */
export async function confirmAll(
  groups: readonly SuspicionGroup[],
  options: ConfirmAll,
): Promise<Confirmed[]> {
  const assurances = new Map<SuspicionGroup, Assurance>();
  const work = async (group: SuspicionGroup): Promise<void> => {
    const assurance = await confirmGroup(group, options);
    // Whatever ends the run now, what was confirmed is.
    assurances.set(group, assurance);
    if (assurance.severity !== undefined && assurance.repeated)
      assurances.set(group, { ...assurance, ...(await shrinkGroup(group, assurance, options)) });
  };
  const isAlone = ({ violation }: SuspicionGroup): boolean => violation.alone === true;
  const waves = [
    { wave: groups.filter((group) => !isAlone(group)), concurrency: options.concurrency },
    { wave: groups.filter(isAlone), concurrency: 1 },
  ];
  for (const { wave, concurrency } of waves) {
    if (isOpen(options.guard))
      await sideBySide(wave, { concurrency, work, abandon: () => options.guard.abandon() });
  }
  const confirmed = groups.map((group) => {
    const assurance = isOpen(options.guard) ? assurances.get(group) : undefined;
    return { group, assurance: assurance ?? unconfirmed(group) };
  });
  return joinSame(confirmed, options);
}

/**
 * A message that speaks for a whole group names one of its requests: that one may lose what it need
 * not have, and keeps its values.
 */
function shrinkGroup(
  { suspicions: [{ check, violation: first }], violation }: SuspicionGroup,
  assurance: Assurance,
  options: ConfirmAll,
): ReturnType<typeof shrink> {
  return shrink({ ...assurance, check, mayShorten: first === violation }, options);
}

/** A spent budget leaves a reserve for confirmations; whatever else ends a run ends them too. */
function isOpen({ stop }: Guard): boolean {
  if (stop === undefined) return true;
  return ['requests-spent', 'budget-spent', 'shut-out'].includes(stop.code);
}

/**
 * What can be said where the run ended before it could be made sure of: what one answer proves, and
 * what came more than once.
 */
function unconfirmed({ suspicions }: SuspicionGroup): Assurance {
  const [first] = suspicions;
  const { proof } = first.check;
  const isAlone = first.violation.alone === true;
  const stands =
    proof === 'once' ||
    first.violation.conclusive === true ||
    (proof === 'repeat' && suspicions.length > 1 && !isAlone);
  const severity = severityOf(first);
  return {
    severity: stands || (severity === 'note' && !isAlone) ? severity : undefined,
    violation: first.violation,
    sequence: { ...first.sequence, cases: first.sequence.cases.slice(0, first.steps.length) },
    steps: first.steps,
    repeated: false,
    evidence: first.violation.evidence ?? '; the run ended before it could be repeated.',
  };
}
