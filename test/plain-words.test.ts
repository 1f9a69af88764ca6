import { readdirSync, readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';

/** The phrases in the table of CONTEXT.md, each with what is said in its place. */
function avoided(): string[] {
  const text = readFileSync('CONTEXT.md', 'utf8');
  const [, table = ''] = text.split('## Words that messages do not use');
  return [...table.matchAll(/^\| `([^`]+)` *\|/gm)].flatMap(([, phrase]) => phrase ?? []);
}

/** The texts of a source file that have words: literals and the fixed parts of templates. */
function textsIn(file: string): string[] {
  const texts: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, value } = node as { readonly type?: string; readonly value?: unknown };
    if ((type === 'Literal' || type === 'JSXText') && typeof value === 'string') texts.push(value);
    if (type === 'TemplateElement')
      texts.push((value as { readonly cooked?: string | null }).cooked ?? '');
    for (const part of Object.values(node)) visit(part);
  };
  const lang = file.endsWith('x') ? 'tsx' : 'ts';
  visit(parseAst(readFileSync(file, 'utf8'), { lang }));
  return texts.filter((text) => text.includes(' '));
}

function sources(): string[] {
  return ['src', 'web'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?<!\.d)\.tsx?$/.test(entry.name))
      .map((entry) => `${entry.parentPath}/${entry.name}`)
      // What documents say is read there, in their own words.
      .filter((file) => !/^src\/(contract\/words|values)\//.test(file)),
  );
}

test('no message has a word that only vouch knows', () => {
  const phrases = avoided();
  expect(phrases.length).toBeGreaterThan(8);
  const found = sources().flatMap((file) =>
    textsIn(file).flatMap((text) =>
      phrases.filter((phrase) => text.includes(phrase)).map((phrase) => `${file}: ${phrase}`),
    ),
  );
  expect(found).toEqual([]);
});
