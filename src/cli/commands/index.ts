import { checkCommand } from './check.ts';
import { cleanupCommand, replayCommand } from './earlier-runs.ts';
import type { CommandEntry } from './command.ts';
import { completionCommand, doctorCommand, initCommand } from './set-up.ts';
import { explainCommand } from './explain.ts';
import { gapsCommand, lintCommand } from './contract.ts';
import { mcpCommand } from './mcp.ts';
import { reportCommand } from './report.ts';
import { mockCommand, proxyCommand, startCommand } from './serve.ts';
import { typesCommand } from './types.ts';

/** Every command, in the order of the help. */
export const commands: readonly CommandEntry[] = [
  startCommand,
  mockCommand,
  checkCommand,
  proxyCommand,
  replayCommand,
  cleanupCommand,
  lintCommand,
  gapsCommand,
  reportCommand,
  explainCommand,
  typesCommand,
  mcpCommand,
  initCommand,
  doctorCommand,
  completionCommand,
];
