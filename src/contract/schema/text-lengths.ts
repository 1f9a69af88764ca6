import { _, type Code, type CodeKeywordDefinition, type KeywordCxt } from 'ajv/dist/2020.js';
import type { WorkMeter } from './work-meter.ts';

/**
 * `minLength` and `maxLength` (JSON Schema Validation 2020-12, section 6.3). Both are of
 * characters, which Ajv counts one by one in every text: here only where the number of UTF-16
 * units, of which a character has one or two, leaves a doubt.
 */
export const textLengths = (meter: WorkMeter): TextLength[] => [
  textLength(
    meter,
    'minLength',
    (units, characters, limit) =>
      _`${units} < ${limit} || ${units} < 2 * ${limit} && ${characters} < ${limit}`,
  ),
  textLength(
    meter,
    'maxLength',
    (units, characters, limit) =>
      _`${units} > 2 * ${limit} || ${units} > ${limit} && ${characters} > ${limit}`,
  ),
];

type TextLength = CodeKeywordDefinition & { readonly keyword: string };

type Breaks = (units: Code, characters: Code, limit: Code) => Code;

function textLength(meter: WorkMeter, keyword: string, breaks: Breaks): TextLength {
  const countIn = (text: string): number => countCharacters(text, meter);
  const code = (context: KeywordCxt): void => {
    const count = context.gen.scopeValue('func', { ref: countIn });
    context.fail(
      breaks(_`${context.data}.length`, _`${count}(${context.data})`, _`${context.schemaCode}`),
    );
  };
  return { keyword, type: 'string', schemaType: 'number', code };
}

function countCharacters(text: string, meter: WorkMeter): number {
  meter.spend(text.length);
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}
