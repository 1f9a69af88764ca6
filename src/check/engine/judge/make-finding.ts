import type { Contract } from '../../../contract/model.ts';
import { joinPointer, type Pointer, splitPointer } from '../../../json/pointer.ts';
import {
  defined,
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonValue,
} from '../../../json/value.ts';
import type { Violation } from '../../model/violation.ts';
import { withoutOthers } from '../../reading/without-others.ts';
import { hash, type Sequence } from '../../model/case.ts';
import {
  type Blame,
  type Finding,
  nameOperation,
  type ReplayForm,
  type Severity,
} from '../../model/finding.ts';
import { actionFor } from '../../reading/overlay-action.ts';
import { writeReplay } from './write-replay.ts';
import { toCommands, toCurl } from './reproduction.ts';
import { redactAction, type Redactor } from '../../secrets/redact.ts';
import type { Secret } from '../../secrets/secrets.ts';
import { gatherKnowledge } from './gather-knowledge.ts';
import { type SuspicionGroup, timesSeen } from './group.ts';
import { withEvidence } from './evidence.ts';
import { showsAgain, type Suspicion } from './judge.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Step } from '../../model/step.ts';

/** What is needed to write a finding. */
export interface FindingWriter {
  readonly contract: Contract;
  /** The mark of the run, if it wrote any. */
  readonly runId?: string;
  readonly redactor: Redactor;
  /** Secrets that a shell command reads from its environment. */
  readonly shellSecrets: readonly Secret[];
}

/** A confirmed group as a finding, fit for every output. Undefined if the suspicion was dropped. */
export function makeFinding(
  group: SuspicionGroup,
  confirmation: Confirmation,
  writer: FindingWriter,
): Finding | undefined {
  const last = confirmation.steps.at(-1);
  if (confirmation.severity === undefined || last === undefined) return undefined;
  const { contract, redactor, shellSecrets } = writer;
  const { suspicions } = group;
  const { check, violation: first } = suspicions[0];
  // The message of a whole group stays; otherwise it is that of the shown requests.
  const violation = group.violation === first ? confirmation.violation : group.violation;
  const blame = violation.blame ?? 'server';
  const { operation = last.case.operation } = violation;
  const { text } = redactor;
  const shown = asSent(last.exchange);
  const action = actionFor(contract, violation, { operation, response: shown.response });
  // When a service stops, any of the requests in flight may be the cause.
  const inFlight = last.exchange.serviceEnd?.others ?? [];
  const count = timesSeen(group);
  const identity = {
    check: check.id,
    at: violation.at,
    cause: violation.cause ?? '',
    blame,
    everywhere: group.everywhere === true,
  };
  return withEvidence({
    id: findingId(identity, contract.document),
    check: check.id,
    basis: violation.basis ?? check.basis,
    severity: confirmation.severity,
    blame,
    operation: nameOperation(operation),
    ...(violation.cause === undefined ? {} : { cause: text(violation.cause) }),
    message: text(violation.message),
    expected: text(violation.expected),
    actual: text(violation.actual),
    trying: text(last.case.title),
    pointer: violation.at,
    place: violation.stated?.place ?? contract.locate(violation.at),
    frame: violation.stated?.frame ?? contract.frame(violation.at),
    exchange: redactor.exchange(shown),
    control: confirmation.control && redactor.exchange(confirmation.control),
    curl: [
      ...toCommands(confirmation.steps, contract, shellSecrets),
      ...inFlight.map(({ exchange }) => toCurl(exchange, shellSecrets)),
    ].map(redactor.own),
    count,
    operations: [...new Set(suspicions.map(operationAtFault))],
    ...(group.storedBy === undefined ? {} : { storedBy: group.storedBy.map(({ id }) => id) }),
    confirmation: confirmation.evidence,
    ...defined({ overlayAction: redactAction(action, text) }),
    replay: replayOf(check, confirmation, writer),
  });
}

function operationAtFault({ steps, violation: { operation } }: Suspicion): string {
  return (operation ?? steps.at(-1)?.case.operation)?.id ?? '';
}

/** How often a rare response must not occur before the defect counts as fixed. */
const timesOfRare = 20;

function replayOf(
  check: SuspicionGroup['suspicions'][0]['check'],
  { violation, sequence, steps, repeated, severity }: Confirmation,
  { contract, runId = 'vouch', redactor }: FindingWriter,
): ReplayForm {
  const context = { contract, checks: [check], knowledge: gatherKnowledge(contract, steps, runId) };
  const alone =
    showsAgain({ check, violation, sequence }, withoutOthers(steps, runId), context) !== undefined;
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
    redactor.own,
  );
}

/** The facts that identify a finding from run to run. */
interface Identity {
  readonly check: string;
  readonly at: Pointer;
  readonly cause: string;
  readonly blame: Blame;
  /** Whether it occurs at so many places that the first one is arbitrary. */
  readonly everywhere: boolean;
}

/**
 * The id of a finding: independent of the seed, the host, the order of the contract and unrelated
 * parts of it. Only a change of the affected part changes it.
 */
export function findingId(
  { check, at, cause, blame, everywhere }: Identity,
  document: JsonValue,
): string {
  const blamed = blame === 'server' ? '' : ` ${blame}`;
  return hash(
    `finding ${check} ${everywhere ? 'everywhere' : steadyPointer(at, document)} ${cause}${blamed}`,
  );
}

/**
 * A pointer in which an item of a list is identified by its content, so that it stays the same when
 * the list is reordered.
 */
export function steadyPointer(pointer: Pointer, document: JsonValue): Pointer {
  let value: JsonValue | undefined = document;
  let list = '';
  return joinPointer(
    '',
    ...splitPointer(pointer).map((token) => {
      const around = value;
      const name = isJsonArray(around) ? nameItem(around, Number(token), list) : token;
      // The keys of an array are its indexes.
      value =
        typeof around === 'object' && around !== null && Object.hasOwn(around, token)
          ? (around as { readonly [key: string]: JsonValue })[token]
          : undefined;
      list = token;
      return name;
    }),
  );
}

function nameItem(items: JsonArray, index: number, list: string): string {
  const named = wordOf(items[index], list);
  if (named !== undefined) return named;
  // An item without a name is numbered among equal ones: adding a reference before it changes
  // nothing.
  const before = items.slice(0, index).filter((item) => wordOf(item, list) === undefined).length;
  return `unnamed ${String(before)}`;
}

function wordOf(item: JsonValue | undefined, list: string): string | undefined {
  if (!isJsonObject(item))
    return item === undefined || isJsonArray(item) ? undefined : String(item);
  const { $ref, name, in: place, url } = item;
  if (typeof $ref === 'string') return $ref;
  if (typeof name === 'string') return typeof place === 'string' ? `${place} ${name}` : name;
  if (typeof url === 'string') return url;
  return list === 'security' ? Object.keys(item).sort().join(' and ') : undefined;
}
/** The result of reproducing a suspicion. */
export interface Confirmation {
  /** Undefined if it was not reproduced: it is dropped. */
  readonly severity: Severity | undefined;
  /**
   * The violation that the check reports for `steps`, which are the steps of the replay that
   * reproduced it, and their sequence.
   */
  readonly violation: Violation;
  readonly sequence: Sequence;
  readonly steps: readonly Step[];
  /** Whether a replay reproduced it. */
  readonly repeated: boolean;
  /**
   * How it was confirmed, as the sentence continues after `Seen 12 times`: ` in the run, and again
   * when it was replayed.`
   */
  readonly evidence: string;
  /** The control, if one was sent and succeeded. */
  readonly control?: Exchange | undefined;
}

/** The exchange with the status that was sent, whatever its answer means. */
function asSent(exchange: Exchange): Exchange {
  const { response } = exchange;
  if (response?.sentStatus === undefined) return exchange;
  const { sentStatus, ...rest } = response;
  return { ...exchange, response: { ...rest, status: sentStatus } };
}
