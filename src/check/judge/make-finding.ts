import type { Contract } from '../../contract/model.ts';
import { withoutOthers } from '../evidence/record/without-others.ts';
import type { Finding } from '../model/finding.ts';
import { nameOperation } from '../model/operation-name.ts';
import type { Redactor } from '../secrets/redact.ts';
import type { ReplayForm } from '../model/replay-form.ts';
import { redactValue } from '../secrets/redact-value.ts';
import { writeReplay } from '../replay/write-replay.ts';
import { toCommands } from '../reproduction/reproduction.ts';
import type { Assurance } from '../run/confirm.ts';
import { showsAgain } from '../run/shows.ts';
import type { Secret } from '../secrets/secrets.ts';
import { findingId } from './finding-id.ts';
import type { SuspicionGroup } from './group.ts';
import { gatherKnowledge } from './knowledge.ts';
import { timesSeen } from './times-seen.ts';
import { withEvidence } from './write-evidence.ts';

/** What a finding is written with. */
export interface Press {
  readonly contract: Contract;
  /** The mark of the run, where it wrote any. */
  readonly runId?: string;
  readonly redactor: Redactor;
  /** What a shell reads from its environment instead of from a command. */
  readonly shellSecrets: readonly Secret[];
}

/**
 * A confirmed group as a finding, fit for every output. Undefined where the suspicion was let go.
 */
export function makeFinding(
  group: SuspicionGroup,
  assurance: Assurance,
  press: Press,
): Finding | undefined {
  const last = assurance.steps.at(-1);
  if (assurance.severity === undefined || last === undefined) return undefined;
  const { contract, redactor, shellSecrets } = press;
  const { suspicions } = group;
  const { check, violation: first } = suspicions[0];
  // What is said of the whole group stands; else the words are those of the requests that are
  // shown.
  const violation = group.violation === first ? assurance.violation : group.violation;
  const blame = violation.blame ?? 'server';
  const operation = nameOperation(last.case.operation);
  const { text } = redactor;
  const count = timesSeen(group);
  return withEvidence({
    id: findingId(
      {
        check: check.id,
        at: violation.at,
        cause: violation.cause ?? '',
        blame,
        everywhere: group.everywhere === true,
      },
      contract.document,
    ),
    check: check.id,
    basis: violation.basis ?? check.basis,
    severity: assurance.severity,
    blame,
    operation,
    ...(violation.cause === undefined ? {} : { cause: text(violation.cause) }),
    message: text(violation.message),
    expected: text(violation.expected),
    actual: text(violation.actual),
    trying: text(last.case.title),
    pointer: violation.at,
    place: contract.locate(violation.at),
    frame: contract.frame(violation.at),
    exchange: redactor.exchange(last.exchange),
    curl: toCommands(assurance.steps, contract, shellSecrets).map(text),
    count,
    operations: [
      ...new Set(suspicions.map(({ steps }) => steps.at(-1)?.case.operation.id ?? operation.id)),
    ],
    confirmation: assurance.evidence,
    ...(violation.proposal === undefined
      ? {}
      : {
          proposal: {
            at: violation.proposal.at,
            update: redactValue(violation.proposal.update, text),
          },
        }),
    replay: replayOf(check, assurance, press),
  });
}

/** How often an answer that came only now and then has to stay away before it counts as gone. */
const timesOfRare = 20;

function replayOf(
  check: SuspicionGroup['suspicions'][0]['check'],
  { violation, sequence, steps, repeated, severity }: Assurance,
  { contract, runId = 'vouch', redactor }: Press,
): ReplayForm {
  const court = { contract, checks: [check], knowledge: gatherKnowledge(contract, steps, runId) };
  const alone =
    showsAgain({ check, violation, sequence }, withoutOthers(steps, runId), court) !== undefined;
  return writeReplay(
    {
      check: check.id,
      violation,
      sequence,
      alone,
      times: repeated || severity === 'note' ? 1 : timesOfRare,
      mark: runId,
      status: steps.at(-1)?.exchange.response?.status,
    },
    contract,
    redactor.text,
  );
}
