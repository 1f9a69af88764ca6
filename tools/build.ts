// Makes `dist/`, or the folder that is named, which is what the published package runs: Node
// refuses TypeScript below node_modules.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from './bundle-program.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = resolve(process.argv[2] ?? `${root}dist`);
rmSync(dist, { recursive: true, force: true });
execFileSync(
  process.execPath,
  [`${root}node_modules/typescript/bin/tsc`, '--project', 'tsconfig.build.json', '--outDir', dist],
  { cwd: root, stdio: 'inherit' },
);
await bundleProgram(dist);
