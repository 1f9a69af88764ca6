// Runs a command of development with the Node that `npm ci` installed first on the PATH:
// `node tools/node/run.js vitest run`. Installs the packages of development where they are missing.
// npm itself may run on an older Node, and not every npm links `node_modules/.bin/node`.
import { spawn } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { findNode, needed } from './find.js';
import { bringPackages } from './packages.js';

const [command, ...rest] = process.argv.slice(2);
const node = findNode();
if (command === undefined || node === undefined) {
  console.error(
    command === undefined
      ? 'usage: node tools/node/run.js COMMAND [ARGUMENT ...]'
      : `vouch is developed on Node ${needed.join('.')} or newer; this is ` +
          `${process.versions.node}, and \`npm ci\` installed none.\n` +
          'Run `npm ci` again without --omit=optional, or install a newer Node.',
  );
  process.exit(2);
}
if (!(await bringPackages())) {
  console.error('The packages of development could not be installed: npm says above why.');
  process.exit(2);
}
const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
// npm sets it for its scripts, because .npmrc leaves out the packages of development.
if (env.npm_lifecycle_event !== undefined) delete env.NODE_ENV;
const child = spawn(command, rest, { stdio: 'inherit', env, shell: process.platform === 'win32' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(`${command}: ${error.message}`);
  process.exit(127);
});
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
