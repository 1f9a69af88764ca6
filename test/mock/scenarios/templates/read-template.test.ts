import { describe, expect, test } from 'vitest';
import { fc } from '../../../property.ts';
import {
  escapeTemplate,
  readTemplate,
} from '../../../../src/mock/scenarios/templates/read-template.ts';

function shown(text: string): unknown {
  const reading = readTemplate(text);
  if (reading.kind !== 'template') return reading.kind === 'text' ? reading.text : reading.message;
  return reading.template.map((part) =>
    typeof part === 'string' ? part : 'text' in part ? [part.kind, part.text] : [part.kind],
  );
}

describe('a text of a scenario', () => {
  test.each([
    ['without placeholders stays as it is', 'a { b } $c {d} $now', 'a { b } $c {d} $now'],
    ['may be one expression', '{$request.path.id}', [['request', '$request.path.id']]],
    [
      'may have several placeholders',
      'a {$request.body#/b/0} c {{ 1 + 2 }}{$now}',
      ['a ', ['request', '$request.body#/b/0'], ' c ', ['computed', '1 + 2'], ['now']],
    ],
    [
      'may have an identifier and other parts of requests',
      '{$uuid}{$url}{$method}',
      [['uuid'], ['request', '$url'], ['request', '$method']],
    ],
    ['can hold the braces themselves', 'a \\{$now} \\{{ b }}', 'a {$now} {{ b }}'],
    ['keeps other backslashes', '\\a \\\\{$now} \\', '\\a \\{$now} \\'],
    ['can hold both', '\\{{ {$now}', ['{{ ', ['now']]],
  ])('%s', (_what, text, expected) => {
    expect(shown(text)).toEqual(expected);
  });

  test.each([
    ['{$request.pth.id}', '{$request.pth.id} cannot be read: it is no runtime expression.'],
    ['{$}', '{$} cannot be read: it is no runtime expression.'],
    ['a {$request.body', '{$request.body cannot be read: it has no }.'],
    ['{$response.body#/a}', '{$response.body#/a} cannot be read: the response is only being made.'],
    ['{$statusCode}', '{$statusCode} cannot be read: the response is only being made.'],
    ['{{ request.pth.id }}', '{{ request.pth.id }} cannot be read: a request has no pth.'],
    ['{{ path.id }}', expect.stringContaining('{{ path.id }} cannot be read: unknown variable')],
    ['{{ 1 + }}', expect.stringContaining('{{ 1 + }} cannot be read: ')],
    ['{{ 1', '{{ 1 cannot be read: it has no }}.'],
  ])('that is %s is unreadable, and says why', (text, message) => {
    expect(readTemplate(text).kind).toBe('unreadable');
    expect(shown(text)).toEqual(message);
  });

  test('is read as it stands if it is escaped', () => {
    const part = fc.constantFrom('\\', '{', '{$', '{{', '}}', '}', '$now', 'a', ' ');
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join('');
        expect(readTemplate(escapeTemplate(text))).toEqual({ kind: 'text', text });
      }),
    );
  });
});
