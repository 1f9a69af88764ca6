import { describe, expect, test } from 'vitest';
import { valueAt } from '../../src/json/pointer.ts';
import { differences, document, facts, sections, source } from './bundled.ts';
import { additions } from './comparison.ts';
import { pointersIn } from './edit.ts';
import { linesOf } from './fact.ts';

describe('the document and its source', () => {
  test('agree, in both directions', () => {
    expect(differences(document)).toEqual([]);
  });

  test.each(additions)('except "$says", which the source leaves open', ({ says }) => {
    expect(facts.map((fact) => fact.says)).not.toContain(says);
  });

  test('a missing URL of the source is a host reserved for examples', () => {
    const defaults = pointersIn(document, []).filter((pointer) =>
      /\/variables\/\w+\/default$/.test(pointer),
    );
    expect(defaults.map((pointer) => valueAt(document, pointer))).toEqual([
      'https://api.petstore.example',
      'https://staging.petstore.example',
      'https://messages.petstore.example',
    ]);
  });
});

describe('every part of the source is compared with the document', () => {
  const read = new Set(facts.map(({ line }) => line));
  const labels = ['Gaps:', 'Responses:'];
  const rows = sections.flatMap((section) =>
    section.rows.map(({ line, cells }) => ({ line, text: [...cells.values()].join(' | ') })),
  );
  const sentences = sections.flatMap(linesOf).filter(({ text }) => !labels.includes(text));
  const headings = sections
    .filter(({ level }) => level === 3)
    .map(({ line, heading }) => ({ line, text: heading }));

  test.each([...rows, ...sentences, ...headings].sort((a, b) => a.line - b.line))(
    'line $line: $text',
    ({ line }) => {
      expect(read).toContain(line);
    },
  );

  test('every line is read as a table or a list', () => {
    const lines = source.split('\n');
    const tables = lines.filter((line) => line.startsWith('|---'));
    expect(rows.length).toBe(
      lines.filter((line) => line.startsWith('|')).length - 2 * tables.length,
    );
    expect(sentences.length).toBe(
      lines.filter((line) => /^[^#|]/.test(line) && !labels.includes(line)).length,
    );
  });
});
