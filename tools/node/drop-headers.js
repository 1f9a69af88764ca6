// `npm ci` runs this: the headers of the Node that it brought, 67 of 188 MB, compile addons in C++.
// Nothing here has any.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { findInstalled } from './find.js';

const folder = findInstalled();
if (folder !== undefined) rmSync(join(folder, 'include'), { recursive: true, force: true });
