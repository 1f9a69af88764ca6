// Makes `dist/`, which is what the published package runs: Node refuses TypeScript below node_modules.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });
execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '--project', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
