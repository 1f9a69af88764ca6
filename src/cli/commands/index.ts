import { checkCommand } from './check.ts';
import { cleanupCommand, replayCommand, reportCommand } from './earlier-runs.ts';
import type { CommandEntry } from './command.ts';
import { demoCommand, doctorCommand, initCommand } from './set-up.ts';
import { explainCommand } from './explain.ts';
import { gapsCommand, lintCommand, typesCommand } from './contract.ts';
import { mcpCommand, mockCommand, proxyCommand, startCommand } from './serve.ts';

/** The commands by what they are for, in the order of the help. */
export const commandGroups: Readonly<Record<string, readonly CommandEntry[]>> = {
  'Serve a contract:': [startCommand, mockCommand, proxyCommand, mcpCommand],
  'Check a deployment:': [
    checkCommand,
    replayCommand,
    cleanupCommand,
    reportCommand,
    explainCommand,
  ],
  'Work on a document:': [lintCommand, gapsCommand, typesCommand],
  'Set up:': [demoCommand, initCommand, doctorCommand],
};

/** Every command, in the order of the help. */
export const commands: readonly CommandEntry[] = Object.values(commandGroups).flat();
