import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { breakBody, breakCommand, columnsOf, fitText } from '../../src/text/wrap-text.ts';

const curl =
  `curl -sS -i --path-as-is -X POST 'http://127.0.0.1:4010/v1/pets?name=a ` +
  `b' -H 'Accept: application/json' -H "Authorization: Bearer $TOKEN" ` +
  `--data-raw '{"name":"it'\\''s"}'`;

test.each([40, 60, 80, 400])('a command on %i columns is the same command to a shell', (width) => {
  const lines = breakCommand(curl, width);
  const wordsOf = (command: string): string =>
    execFileSync('sh', ['-c', `printf '%s\\n' ${command.replace(/^curl/, '')}`], {
      encoding: 'utf8',
      env: { TOKEN: 'a b' },
    });
  expect(wordsOf(lines.join('\n'))).toBe(wordsOf(curl));
  expect(lines.slice(0, -1).every((line) => line.endsWith(' \\'))).toBe(true);
});

test('a flag keeps its value, and a word is never broken', () => {
  expect(breakCommand(curl, 72)).toMatchInlineSnapshot(`
    [
      "curl -sS -i --path-as-is -X POST \\",
      "  'http://127.0.0.1:4010/v1/pets?name=a b' \\",
      "  -H 'Accept: application/json' -H "Authorization: Bearer $TOKEN" \\",
      "  --data-raw '{"name":"it'\\''s"}'",
    ]
  `);
});

test(
  'a body is broken between records, then behind a comma or a blank, and ' +
    'only then within a word',
  () => {
    expect(
      breakBody(
        '| [{"id":1,"name":"Rex"},{"id":2,"name":"Captain Waddles the Second"},{"id":3}]',
        40,
      ),
    ).toMatchInlineSnapshot(`
    [
      "| [{"id":1,"name":"Rex"},",
      "|   {"id":2,"name":"Captain Waddles the ",
      "|   Second"},{"id":3}]",
    ]
  `);
    expect(breakBody(`| ${'a'.repeat(50)}`, 24)).toEqual([
      `| ${'a'.repeat(22)}`,
      `|   ${'a'.repeat(20)}`,
      `|   ${'a'.repeat(8)}`,
    ]);
    expect(breakBody('| short', 24)).toEqual(['| short']);
  },
);

test.each([
  'a'.repeat(300),
  '{"a":"日本語日本語日本語日本語"}'.repeat(9),
  '🙂'.repeat(99),
  ','.repeat(100),
  ' '.repeat(100),
])('no line of %s is wider than it may be, and nothing is lost', (text) => {
  const lines = breakBody(`| ${text}`, 30);
  expect(lines.filter((line) => columnsOf(line) > 30)).toEqual([]);
  expect(lines.map((line, index) => line.slice(index === 0 ? 2 : 4)).join('')).toBe(text);
});

test('a line is truncated at the limit with a mark', () => {
  expect(['short', 'a longer line', '日本語日本語'].map((text) => fitText(text, 8))).toEqual([
    'short',
    'a longe…',
    '日本語…',
  ]);
});
