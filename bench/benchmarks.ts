import { businessDefects } from './check/business-defects.ts';
import { behindLatency } from './check/behind-latency.ts';
import { bigPlan } from './check/big-plan.ts';
import { interruption } from './check/interruption.ts';
import { judging } from './check/judging.ts';
import { proof } from './check/proof.ts';
import { severalBugs } from './check/several-bugs.ts';
import { runnerRivals } from './check/rivals/runner-rivals.ts';
import { volume } from './check/volume.ts';
import { wholeProcess } from './check/whole-process.ts';
import { hostileInputs } from './hostile-inputs.ts';
import type { Benchmark } from './measure/figures.ts';
import { bigDocuments } from './mock/big-documents.ts';
import { createApp } from './mock/create-app.ts';
import { flatMemory } from './mock/flat-memory.ts';
import { manyOperations } from './mock/many-operations.ts';
import { millionRecords } from './mock/million-records.ts';
import { proxy } from './mock/proxy.ts';
import { ready } from './mock/ready.ts';
import { mockRivalsBenchmark } from './mock/rivals/mock-rivals.ts';
import { startAndMemory } from './mock/rivals/start-and-memory.ts';
import { scale } from './mock/scale.ts';
import { speed } from './mock/speed.ts';
import { uniqueRequests } from './mock/unique-requests.ts';
import { reportPage } from './report-page.ts';
import { servicesBenchmark } from './services/measure-services.ts';
import { soak } from './soak/soak.ts';

/** Every benchmark, in the order in which `all` runs them. */
export const benchmarks: readonly Benchmark[] = [
  speed,
  uniqueRequests,
  ready,
  createApp,
  bigDocuments,
  manyOperations,
  millionRecords,
  flatMemory,
  mockRivalsBenchmark,
  startAndMemory,
  scale,
  proxy,
  wholeProcess,
  volume,
  bigPlan,
  judging,
  interruption,
  behindLatency,
  hostileInputs,
  proof,
  businessDefects,
  severalBugs,
  runnerRivals,
  servicesBenchmark,
  reportPage,
  soak,
];
