import { parentPort, workerData } from 'node:worker_threads';
import type { ContractChoice } from '../library/choose-contract.ts';
import { listTasks, loadServed, runTask } from './proof.ts';
import type { ProofSettings, SoundRun } from './run-mutation.ts';

export interface WorkerStart {
  readonly choice: ContractChoice;
  readonly settings: ProofSettings;
  readonly kinds?: readonly string[] | undefined;
  readonly sound: SoundRun;
}

// Only prove.ts starts this file, with this data.
const { choice, settings, kinds, sound } = workerData as WorkerStart;
const served = await loadServed(choice);
const tasks = await listTasks(served.contract, kinds);

/** Processes the requested tasks, one after the other. */
parentPort?.on('message', (index: number) => {
  const task = tasks[index];
  if (task === undefined) return parentPort?.close();
  void runTask(task, { served, settings, sound }).then((result) =>
    parentPort?.postMessage({ index, result }),
  );
});
parentPort?.postMessage({ ready: true });
