// `npm ci` runs this: what a clone bundles when it starts is there for the first start. One that
// cannot be made now is made then.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findNode } from './find.js';

const node = findNode();
const program = fileURLToPath(new URL('../../bin/vouch.js', import.meta.url));
if (node !== undefined) spawnSync(node, [program, '--version'], { stdio: 'ignore' });
