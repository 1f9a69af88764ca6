import { fork, type ChildProcess } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Beside this file, and of its kind: TypeScript in the repository, JavaScript in the published
 * package.
 */
const programFile = fileURLToPath(
  new URL(`./prism-child${extname(import.meta.url)}`, import.meta.url),
);

/** What Node needs of the environment. */
const passedOn = ['PATH', 'SystemRoot', 'TMPDIR', 'TEMP', 'TMP', 'TZ'];

/** Starts the child program: stdout closed, stderr for the caller to read. */
export function forkProgram(): ChildProcess {
  return fork(programFile, [], {
    execPath: process.execPath,
    execArgv: [],
    env: childEnvironment(process.env),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
}

/**
 * The part of an environment that the child sees: what Node needs. The rest, secrets among it,
 * stays with the parent.
 */
export function childEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => passedOn.includes(name)),
  );
}
