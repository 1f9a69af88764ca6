import type { SuspicionGroup } from '../judge/group.ts';
import { type JudgeContext, severityOf, showsAgain } from '../judge/judge.ts';
import { requestKey, shrink } from './shrink.ts';
import { type ConfirmContext, type ConfirmedGroup, confirmGroup } from './confirm.ts';
import { type Confirmation } from '../judge/make-finding.ts';
import type { RunLimits } from '../send/run-limits.ts';
import { fixedLanes, type Lanes, sideBySide } from '../send/side-by-side.ts';

/** How groups are confirmed: in parallel, until the limits end the run. */
export interface ConfirmAllContext extends ConfirmContext {
  readonly limits: RunLimits;
  readonly lanes: Lanes;
}

/**
 * Confirms every group, in any order; those that must be retried alone come last. Returns them in
 * the given order.
 */
export async function confirmAll(
  groups: readonly SuspicionGroup[],
  options: ConfirmAllContext,
): Promise<ConfirmedGroup[]> {
  const confirmations = new Map<SuspicionGroup, Confirmation>();
  const work = async (group: SuspicionGroup): Promise<void> => {
    const confirmation = await confirmGroup(group, options);
    // Confirmations that succeeded count even if the run ends now.
    confirmations.set(group, confirmation);
    const isWorkflow = confirmation.sequence.workflow !== undefined;
    if (confirmation.severity !== undefined && confirmation.repeated && !isWorkflow)
      confirmations.set(group, {
        ...confirmation,
        ...(await shrinkGroup(group, confirmation, options)),
      });
  };
  const isAlone = ({ violation: { alone, mayLag } }: SuspicionGroup): boolean =>
    alone !== undefined || mayLag === true;
  const waves = [
    { wave: groups.filter((group) => !isAlone(group)), lanes: options.lanes },
    { wave: groups.filter(isAlone), lanes: fixedLanes(1) },
  ];
  for (const { wave, lanes } of waves) {
    if (isOpen(options.limits))
      await sideBySide(wave, { lanes, work, abandon: () => options.limits.abandon() });
  }
  const confirmed = groups.map((group) => {
    const confirmation = isOpen(options.limits) ? confirmations.get(group) : undefined;
    return { group, confirmation: confirmation ?? unconfirmed(group) };
  });
  return joinSame(confirmed, options);
}

/**
 * The message of a group names one of its requests: optional parts of that one may be removed, but
 * its values stay.
 */
function shrinkGroup(
  { suspicions: [{ check, violation: first }], violation }: SuspicionGroup,
  confirmation: Confirmation,
  options: ConfirmAllContext,
): ReturnType<typeof shrink> {
  return shrink({ ...confirmation, check, mayShorten: first === violation }, options);
}

/** A spent budget leaves a reserve for confirmations; every other end of a run ends them too. */
function isOpen({ stop }: RunLimits): boolean {
  if (stop === undefined) return true;
  return ['requests-spent', 'budget-spent', 'shut-out'].includes(stop.code);
}

/**
 * The result if the run ended before confirmation: violations that one response proves, or that
 * occurred several times.
 */
export function unconfirmed({ suspicions }: SuspicionGroup): Confirmation {
  const [first] = suspicions;
  const { confirm } = first.check;
  const isAlone = first.violation.alone === true;
  const stands =
    confirm === 'once' ||
    first.violation.conclusive === true ||
    (confirm === 'repeat' && suspicions.length > 1 && !isAlone);
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

/**
 * Joins findings of one check whose shrunk requests are the same: the other tested parts are not
 * the cause. The one with the smallest original request represents all. Separate faults of one
 * response stay separate findings.
 */
export function joinSame(
  confirmed: readonly ConfirmedGroup[],
  comparing: Pick<ConfirmContext, 'judgeContext' | 'runId'>,
): ConfirmedGroup[] {
  const byRequest = Map.groupBy(confirmed, (one) => keyOf(one, comparing.runId));
  const joined = new Map<ConfirmedGroup, ConfirmedGroup>();
  for (const alike of byRequest.values()) {
    const [first, ...rest] = alike.toSorted((left, right) => size(left) - size(right));
    if (first === undefined) continue;
    const separate = rest.filter((one) => isSeparate(first, one, comparing.judgeContext));
    for (const one of separate) joined.set(one, one);
    joined.set(
      first,
      standFor(
        first,
        rest.filter((one) => !separate.includes(one)),
      ),
    );
  }
  return confirmed.flatMap((one) => joined.get(one) ?? []);
}

/** Whether the response that shows one finding shows the other too: then they are separate. */
function isSeparate(
  { confirmation: { steps, sequence } }: ConfirmedGroup,
  { group, confirmation: { violation } }: ConfirmedGroup,
  judgeContext: JudgeContext,
): boolean {
  return (
    showsAgain({ check: group.suspicions[0].check, violation, sequence }, steps, judgeContext) !==
    undefined
  );
}

function standFor(leader: ConfirmedGroup, others: readonly ConfirmedGroup[]): ConfirmedGroup {
  if (others.length === 0) return leader;
  const [own, ...rest] = leader.group.suspicions;
  return {
    ...leader,
    group: {
      ...leader.group,
      suspicions: [own, ...rest, ...others.flatMap(({ group }) => group.suspicions)],
    },
  };
}

function keyOf(one: ConfirmedGroup, runId: string): string | ConfirmedGroup {
  const {
    group: {
      suspicions: [{ check }],
    },
    confirmation,
  } = one;
  const { severity, repeated, sequence, steps } = confirmation;
  // Only reproduced findings other than notes have been shrunk.
  if (!repeated || severity === undefined || severity === 'note') return one;
  return [
    check.id,
    severity,
    steps.at(-1)?.exchange.response?.status ?? 'nothing',
    requestKey(sequence, runId),
  ].join(' ');
}

function size({
  group: {
    suspicions: [{ sequence }],
  },
}: ConfirmedGroup): number {
  return requestKey(sequence).length;
}
