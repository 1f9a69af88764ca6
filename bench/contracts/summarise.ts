import type { ContractReport } from './judge-contract.ts';

/** Counts over one or more contracts. */
export interface Summary {
  readonly contracts: number;
  readonly loaded: number;
  readonly operations: number;
  /** Operations that answered a documented, valid success. */
  readonly success: number;
  /** Operations that answered anything documented and valid, refusals included. */
  readonly documented: number;
}

export function summarise(reports: readonly ContractReport[]): Summary {
  const judgements = reports.flatMap((report) => report.judgements);
  return {
    contracts: reports.length,
    loaded: reports.filter(({ unreadable }) => unreadable === undefined).length,
    operations: judgements.length,
    success: judgements.filter(({ verdict }) => verdict === 'success').length,
    documented: judgements.filter(({ verdict }) => verdict !== 'neither').length,
  };
}

/** A reason with every operation that it holds for. */
export interface ReasonGroup {
  readonly reason: string;
  readonly operations: readonly string[];
}

/**
 * Why operations gave no success: reasons that differ in names and numbers alone are one. The
 * commonest comes first.
 */
export function groupReasons(reports: readonly ContractReport[]): ReasonGroup[] {
  const wrong = reports
    .flatMap(({ judgements }) => judgements)
    .filter(({ verdict }) => verdict !== 'success');
  const groups = Map.groupBy(
    wrong,
    ({ reason, verdict }) =>
      `${verdict} ${reason.replaceAll(/`[^`]*`|"[^"]*"|\d{4,}|\/[\w{}.~/-]+/g, '…').slice(0, 160)}`,
  );
  return [...groups.values()]
    .map((group) => ({
      reason: group[0]?.reason ?? '',
      operations: group.map(({ operation }) => operation),
    }))
    .sort((left, right) => right.operations.length - left.operations.length);
}
