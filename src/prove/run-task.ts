import { separate } from '../check/judge/join-causes.ts';
import { gatherDocuments } from '../library/prepare-mock.ts';
import type { ContractChoice } from '../library/choose-contract.ts';
import { VouchError } from '../errors.ts';
import { openService, type ServedContract } from './open-service.ts';
import type { Task, TaskResult } from './proof.ts';
import {
  checkService,
  findingKey,
  runDeviation,
  runTemper,
  type ProofSettings,
} from './run-deviation.ts';
import { tempers } from './tempers.ts';

/**
 * The contract that is proved, with the records and assumptions that the configuration has for it.
 */
export async function loadServed(choice: ContractChoice): Promise<ServedContract> {
  const documents = await gatherDocuments({ ...choice, scenarios: [] });
  const [document] = documents;
  if (document === undefined || documents.length > 1)
    throw new VouchError(
      'usage',
      'A proof is of one contract, and the configuration has several.',
      { hint: 'Name the document: vouch check --prove openapi.yaml.' },
    );
  const { contract, fixtures, assumptions } = document;
  return { contract, fixtures, assumptions };
}

/** What a run says of the sound service itself. */
export interface SoundRun {
  /** The findings, by id and severity: whatever deviates must show more than these. */
  readonly known: ReadonlySet<string>;
  readonly requests: number;
}

/** Checks the sound service: its notes are no news of any deviation. */
export async function runSound(
  served: ServedContract,
  settings: ProofSettings,
  signal?: AbortSignal,
): Promise<SoundRun> {
  const service = await openService(served, { seed: settings.seed });
  const { findings, summary } = await checkService(served, service.respond, settings, signal);
  return { known: new Set(findings.flatMap(separate).map(findingKey)), requests: summary.requests };
}

/** Works one piece of a proof off. */
export async function runTask(
  task: Task,
  {
    served,
    settings,
    sound,
  }: {
    readonly served: ServedContract;
    readonly settings: ProofSettings;
    readonly sound: SoundRun;
  },
): Promise<TaskResult> {
  if (task.kind === 'deviation')
    return {
      kind: 'deviation',
      result: await runDeviation(served, task.deviation, {
        settings,
        sound: sound.known,
        caughtBy: task.deviation.caughtBy ?? task.operator.caughtBy ?? 'error',
      }),
    };
  const temper = tempers[task.index];
  if (temper === undefined)
    throw new VouchError('internal', `There is no temper ${String(task.index)}.`);
  const { findings, summary } = await runTemper(served, temper, settings);
  // What the sound service shows without any temper is seen there, and counts there.
  const alarms = findings
    .filter(({ severity }) => severity !== 'note')
    .map(({ check, severity, message }) => ({ check, severity, message }));
  return {
    kind: 'temper',
    result: { temper: temper.id, rule: temper.rule, alarms, requests: summary.requests },
  };
}
