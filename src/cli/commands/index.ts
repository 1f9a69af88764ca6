import { checkCommand } from './check.ts';
import { cleanupCommand } from './cleanup.ts';
import type { CommandEntry } from './command.ts';
import { completionCommand } from './completion.ts';
import { doctorCommand } from './doctor.ts';
import { explainCommand } from './explain.ts';
import { gapsCommand } from './gaps.ts';
import { initCommand } from './init.ts';
import { lintCommand } from './lint.ts';
import { mockCommand } from './mock.ts';
import { replayCommand } from './replay.ts';
import { reportCommand } from './report.ts';
import { startCommand } from './start.ts';

/** Every command, in the order of the help. */
export const commands: readonly CommandEntry[] = [
  startCommand,
  mockCommand,
  checkCommand,
  replayCommand,
  cleanupCommand,
  lintCommand,
  gapsCommand,
  reportCommand,
  explainCommand,
  initCommand,
  doctorCommand,
  completionCommand,
];
