import type { Comparison, Operator } from './language.ts';

const forms = {
  contains: (text: string) => `*${text}*`,
  starts: (text: string) => `${text}*`,
  ends: (text: string) => `*${text}`,
} as const;

/** A part of a text as languages write it that compare by `=` and have `*` for any characters. */
export function writeWildcard(op: Operator, text: string): string | undefined {
  return op === 'contains' || op === 'starts' || op === 'ends' ? forms[op](text) : undefined;
}

/**
 * What a text with `*` at its ends asks for; undefined for one with `*` elsewhere or alone. A text
 * without any is compared as a whole.
 */
export function readWildcard(text: string): Pick<Comparison, 'op' | 'value'> | undefined {
  if (!text.includes('*')) return { op: 'eq', value: text };
  const [, before = '', value = '', after = ''] = /^(\*?)([^*]+)(\*?)$/.exec(text) ?? [];
  if (value === '') return undefined;
  const op = before === '' ? 'starts' : after === '' ? 'ends' : 'contains';
  return { op, value };
}
