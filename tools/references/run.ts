// Writes docs/reference/: `npm run docs`.
import { mkdir, writeFile } from 'node:fs/promises';
import { references } from './references.ts';

const folder = new URL('../../docs/reference/', import.meta.url);
await mkdir(folder, { recursive: true });
for (const { file, write } of references) await writeFile(new URL(file, folder), await write());

console.log(`Wrote ${references.map(({ file }) => `docs/reference/${file}`).join(', ')}.`);
