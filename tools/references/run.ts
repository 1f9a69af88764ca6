// Writes docs/reference/ and the table of checks in README.md: `npm run docs`.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { checksTable } from './checks.ts';
import { references } from './references.ts';

const folder = new URL('../../docs/reference/', import.meta.url);
await mkdir(folder, { recursive: true });
for (const { file, write } of references) await writeFile(new URL(file, folder), await write());

const readme = new URL('../../README.md', import.meta.url);
const text = await readFile(readme, 'utf8');
await writeFile(
  readme,
  text.replace(/(?<=<!-- checks -->\n)(?:\|.*\n)+/, () => `${checksTable().join('\n')}\n`),
);
console.log(
  `Wrote ${references.map(({ file }) => `docs/reference/${file}`).join(', ')}, README.md.`,
);
