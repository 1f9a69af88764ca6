import { expect, test } from 'vitest';
import { applyMutant, findMutants } from '../../tools/mutation/mutants.ts';

const changesOf = (text: string): string[] =>
  findMutants('a.ts', text).map((mutant) => applyMutant(text, mutant));

test.each<[string, string[]]>([
  ['x = a === b;', [';', 'x = a !== b;']],
  ['if (!a) go();', ['if (true) go();', 'if (false) go();', 'if (a) go();', 'if (!a) ;']],
  ["const n = a ?? 'x';", ['const n = a;', "const n = a ?? '';"]],
  [
    'const s = list.filter(f).some(g);',
    ['const s = list.filter(f).every(g);', 'const s = list.some(g);'],
  ],
  ["const t = 'a' + b;", ["const t = '' + b;"]],
  ['const u = 1 < 2;', ['const u = 1 <= 2;', 'const u = 2 < 2;', 'const u = 1 < 3;']],
  ['function f(): number { return g(); }', ['function f(): number { return undefined as never; }']],
])('%s', (text, expected) => {
  expect(changesOf(text).toSorted()).toEqual(expected.toSorted());
});

test.each([
  "import { a } from 'b';",
  "type A = 'a' | 1;",
  "interface B { readonly kind: 'b' }",
  'function f(): void { return; }',
  "const x = { 'a b': c };",
  'const y = a.toString;',
])('a change of %s is no change of behaviour', (text) => {
  expect(changesOf(text)).toEqual([]);
});

test('names the line, the old text and the new one', () => {
  expect(findMutants('src/a.ts', 'const a = 1;\nconst b = true;\n')).toMatchObject([
    { file: 'src/a.ts', line: 1, change: '1 → 2' },
    { line: 2, change: 'true → false' },
  ]);
});

test('a change of && is executed if its left side is', () => {
  expect(
    findMutants('src/a.ts', 'const a = b && c;').map(({ change, start, from }) => [
      change,
      start,
      from,
    ]),
  ).toEqual([['&& → ||', 12, 10]]);
});
