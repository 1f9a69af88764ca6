import { describe, expect, test } from 'vitest';
import {
  cleanLine,
  cleanText,
  cutText,
  disarmCommands,
  escapeGitHubMessage,
  escapeGitHubProperty,
  escapeXmlAttribute,
  escapeXmlText,
} from '../../src/text/safe-text.ts';

describe('hostile text', () => {
  test.each([
    ['plain text', 'Zoë 猫 🐈 a\tb', 'Zoë 猫 🐈 a\tb', 'Zoë 猫 🐈 a\\tb'],
    ['line feeds', 'a\nb\r\nc', 'a\nb\nc', 'a\\nb\\r\\nc'],
    [
      'a carriage return that would overwrite the line',
      'safe\rEVIL',
      'safe\\x0dEVIL',
      'safe\\rEVIL',
    ],
    ['ANSI colours', '\u001b[31mred', '\\x1b[31mred', '\\x1b[31mred'],
    [
      'an OSC 8 link',
      '\u001b]8;;http://evil\u0007',
      '\\x1b]8;;http://evil\\x07',
      '\\x1b]8;;http://evil\\x07',
    ],
    ['a C1 control sequence', '\u009b2J', '\\x9b2J', '\\x9b2J'],
    ['backspaces', 'ok\b\bno', 'ok\\x08\\x08no', 'ok\\x08\\x08no'],
    ['NUL and DEL', '\0\u007f', '\\x00\\x7f', '\\x00\\x7f'],
    ['right-to-left override', 'a\u202egnp.exe', 'a\\u202egnp.exe', 'a\\u202egnp.exe'],
    [
      'bidi isolates and marks',
      '\u2066\u2069\u200f\u061c',
      '\\u2066\\u2069\\u200f\\u061c',
      '\\u2066\\u2069\\u200f\\u061c',
    ],
    ['zero-width characters', 'a\u200bb\ufeff', 'a\\u200bb\\ufeff', 'a\\u200bb\\ufeff'],
    ['line separators', 'a\u2028b\u2029', 'a\\u2028b\\u2029', 'a\\u2028b\\u2029'],
    ['tag characters', 'a\u{e0041}', 'a\\u{e0041}', 'a\\u{e0041}'],
    ['lone surrogates', 'a\ud800b', 'a\\ud800b', 'a\\ud800b'],
    ['an emoji of several parts', '👩‍👩‍👧', '👩‍👩‍👧', '👩‍👩‍👧'],
  ])('%s', (_name, text, several, one) => {
    expect(cleanText(text)).toBe(several);
    expect(cleanLine(text)).toBe(one);
  });
});

describe('commands of a CI log', () => {
  test.each([
    ['::error::owned', '\\x3a:error::owned'],
    ['  ::set-env name=A::b', '  \\x3a:set-env name=A::b'],
    ['a\n::stop-commands::x', 'a\n\\x3a:stop-commands::x'],
    ['##[error]owned', '#\\x23[error]owned'],
    ['a ##[group]', 'a #\\x23[group]'],
    ['std::vector and ## heading', 'std::vector and ## heading'],
  ])('%j', (text, disarmed) => {
    expect(disarmCommands(text)).toBe(disarmed);
  });

  test('a message and a property', () => {
    expect(escapeGitHubMessage('100%, a:b\r\nc\u001b')).toBe('100%25, a:b%0Ac\\x1b');
    expect(escapeGitHubProperty('100%, a:b\nc')).toBe('100%25%2C a%3Ab%0Ac');
  });
});

test('XML: forbidden characters are dropped, the rest is escaped', () => {
  expect(escapeXmlText('a\0b\u000bc\ufffed\ud800e <&>"\' ]]> \t\n\r 猫🐈')).toBe(
    'abcde &lt;&amp;&gt;&quot;&apos; ]]&gt; \t\n&#13; 猫🐈',
  );
  expect(escapeXmlAttribute('a\tb\nc\r"')).toBe('a&#9;b&#10;c&#13;&quot;');
});

test('a truncated text names the missing length, and splits no character', () => {
  expect(cutText('short', 10)).toBe('short');
  expect(cutText('abcdef', 4)).toBe('abcd… (2 more characters)');
  expect(cutText('abc🐈', 4)).toBe('abc… (2 more characters)');
});
