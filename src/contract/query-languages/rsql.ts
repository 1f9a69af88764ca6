import type { FilterLanguage } from './language.ts';
import {
  isFieldName,
  isWritable,
  type OperatorWords,
  readPlain,
  readTerms,
  swapOperators,
  writePlain,
} from './read-terms.ts';

const words: OperatorWords = {
  eq: '==',
  ne: '!=',
  lt: '=lt=',
  le: '=le=',
  gt: '=gt=',
  ge: '=ge=',
};
const operators = swapOperators(words);

/**
 * RSQL, and FIQL, of which it is a superset (draft-nottingham-atompub-fiql-00, section 3.2):
 * `state==active;size=gt=10`. A semicolon joins what must hold together, a comma alternatives. A
 * text stands as it is if it has none of the reserved characters, otherwise in quotes, which FIQL
 * does not have; `*` in a text stands for any characters.
 */
export const rsql: FilterLanguage = {
  id: 'rsql',
  name: 'RSQL',
  source: 'https://datatracker.ietf.org/doc/html/draft-nottingham-atompub-fiql-00',
  write({ field, op, value }) {
    const literal = typeof value === 'string' ? writeText(value) : writePlain(value);
    const word = words[op];
    return literal === undefined || word === undefined || !isFieldName(field)
      ? undefined
      : field + word + literal;
  },
  both: (left, right) => `${left};${right}`,
  read: (text) =>
    readTerms(text, {
      term,
      and: /^;/,
      operators,
      readField: (field) => field,
      readValue: (literal) =>
        /^["']/.test(literal) ? literal.slice(1, -1) : (readPlain(literal) ?? literal),
    }),
  distinct: /==|=(lt|le|gt|ge)=/,
  invalid: ['(((', '==1', ';;'],
};

const quoted = String.raw`"[^"\\*]*"|'[^'\\*]*'`;
const bare = String.raw`[^"'();,=!~<>\s*]+`;
const term = new RegExp(
  String.raw`^(?<field>[A-Za-z_][\w.]*)(?<op>==|!=|=lt=|=le=|=gt=|=ge=)` +
    `(?<value>${quoted}|${bare})`,
);

function writeText(text: string): string | undefined {
  if (!isWritable(text) || /["\\*]/.test(text)) return undefined;
  return /["'();,=!~<>\s]/.test(text) ? `"${text}"` : text;
}
