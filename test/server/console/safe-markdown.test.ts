import { describe, expect, test } from 'vitest';
import {
  isSafeUrl,
  safeDocument,
  safeMarkdown,
} from '../../../src/server/console/docs-document.ts';

const gap = '\u200b';

describe('a text in Markdown', () => {
  test.each([
    ['plain text with 1 < 2 and a > b', 'plain text with 1 < 2 and a > b'],
    [
      '<b>bold</b><br/> <TABLE border=1><tr><td>x</td></tr></TABLE>',
      '<b>bold</b><br> <TABLE><tr><td>x</td></tr></TABLE>',
    ],
    [
      '<a href="https://a.example/x?y=1" onclick="x()">a</a>',
      '<a href="https://a.example/x?y=1">a</a>',
    ],
    ['<a href=javascript:x()>a</a>', '<a>a</a>'],
    ['<a href="java&#115;cript:x()">a</a>', '<a>a</a>'],
    ['<script>x()</script>', `<${gap}script>x()<${gap}/script>`],
    ['<b <script>x()', `<${gap}b <${gap}script>x()`],
    ['<img src=x onerror=y>', `<${gap}img src=x onerror=y>`],
    ['<!-- a --><?php', `<${gap}!-- a --><${gap}?php`],
    ['`<b>` and `<script>`', `\`<${gap}b>\` and \`<${gap}script>\``],
    ['```\n<script>\n```', `\`\`\`\n<${gap}script>\n\`\`\``],
    [
      '[a](https://a.example "title") [b](#there) [c](../docs/x.md) [d](mailto:a@b.example)',
      '[a](https://a.example "title") [b](#there) [c](../docs/x.md) [d](mailto:a@b.example)',
    ],
    [
      '[a](javascript:x) [![b](https://b.example/b.png)](vbscript:x)',
      '[a](about:blank) [![b](about:blank)](about:blank)',
    ],
    ['[a](JAVA&#115;cript:x)', '[a](about:blank)'],
    ['[a]( data:text/html,x)', '[a]( about:blank)'],
    ['![a](https://a.example/pixel.png)', '![a](about:blank)'],
    ['[a]: javascript:x', '[a]: about:blank'],
    ['[a]: https://a.example', '[a]: https://a.example'],
  ])('%s', (text, safe) => {
    expect(safeMarkdown(text)).toBe(safe);
  });

  test('of 100,000 unclosed marks is made safe', () => {
    for (const piece of ['<', '<a ', '[', '](', '`', '<a href="', '[a]: ', '~~~'])
      expect(safeMarkdown(piece.repeat(100_000))).not.toContain('<a href=');
  });
});

test.each([
  ['https://a.example/x:y', true],
  ['HTTP://a.example', true],
  ['/a/b?c=d:e', true],
  ['{scheme}/a', true],
  ['', true],
  ['javascript:x', false],
  [' javascript:x', false],
  ['java\nscript:x', false],
  ['java%0ascript:x', false],
  ['&#106;avascript:x', false],
  ['data:text/html,x', false],
  ['\\\\evil.example', false],
])('the link %j is safe: %s', (url, isSafe) => {
  expect(isSafeUrl(url)).toBe(isSafe);
});

test('data in a document does not change, with any member names', () => {
  const example = { url: 'javascript:x', description: '<script>' };
  const properties = {
    description: { type: 'string', default: '<script>' },
    url: { enum: ['<script>'] },
  };
  const document = {
    components: {
      schemas: { url: { properties, example } },
      examples: { one: { value: example } },
    },
    'x-own': { description: '<script>' },
  };
  expect(safeDocument(document)).toEqual(document);
});
