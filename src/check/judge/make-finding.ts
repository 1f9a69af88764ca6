import type { Contract } from '../../contract/model.ts';
import { hash } from '../case.ts';
import type { Finding } from '../finding.ts';
import { nameOperation } from '../operation-name.ts';
import type { Redactor } from '../redact.ts';
import { toCommands } from '../reproduction.ts';
import type { Assurance } from '../run/confirm.ts';
import type { Secret } from '../secrets.ts';
import type { SuspicionGroup } from './group.ts';

/** What a finding is written with. */
export interface Press {
  readonly contract: Contract;
  readonly redactor: Redactor;
  /** What a shell reads from its environment instead of from a command. */
  readonly shellSecrets: readonly Secret[];
}

/** A confirmed group as a finding, fit for every output. Undefined where the suspicion was let go. */
export function makeFinding(group: SuspicionGroup, assurance: Assurance, { contract, redactor, shellSecrets }: Press): Finding | undefined {
  const last = assurance.steps.at(-1);
  if (assurance.severity === undefined || last === undefined) return undefined;
  const { violation, suspicions } = group;
  const { check } = suspicions[0];
  const operation = nameOperation(last.case.operation);
  const { text } = redactor;
  return {
    id: hash(`finding ${check.id} ${violation.at} ${violation.cause ?? ''}`),
    check: check.id,
    basis: violation.basis ?? check.basis,
    severity: assurance.severity,
    blame: violation.blame ?? 'server',
    operation,
    message: text(violation.message),
    expected: text(violation.expected),
    actual: text(violation.actual),
    trying: text(last.case.title),
    pointer: violation.at,
    place: contract.locate(violation.at),
    frame: contract.frame(violation.at),
    exchange: redactor.exchange(last.exchange),
    curl: toCommands(assurance.steps, contract, shellSecrets).map(text),
    count: suspicions.length,
    operations: [...new Set(suspicions.map(({ steps }) => steps.at(-1)?.case.operation.id ?? operation.id))],
    evidence: assurance.evidence,
  };
}
