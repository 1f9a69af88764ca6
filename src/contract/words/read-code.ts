import type { Contract } from '../model.ts';
import type { Parameter } from '../model/operation.ts';
import { contractTexts, parameterTexts } from './facts.ts';

/** The longest text that counts as code. */
const longest = 200;

/** The texts between backticks or quotes in the description of a parameter: `state = "ACTIVE"`. */
export function codeIn(parameter: Parameter): string[] {
  return parameterTexts(parameter).flatMap((told) => {
    if (told.kind === 'stated') return [];
    const marked = betweenMarks(told.text, /`+([^`]+)`+/g);
    const rest = told.text.replaceAll(/`+[^`]+`+/g, ' ');
    return [
      ...marked,
      ...betweenMarks(rest, /["“]([^"“”]+)["”]/g),
      ...betweenMarks(rest, /(?<!\w)'([^']+(?:'[^']*'[^']*)*)'(?!\w)/g),
    ];
  });
}

/**
 * The field of a record that a path parameter carries where that is all that its description says:
 * `Database name`, `The username of the member.`
 */
export function carriedField(
  { description = '' }: Parameter,
  { noun, fields }: { readonly noun: string; readonly fields: readonly string[] },
): string | undefined {
  const form = /^(?:the )?(?:[\w-]+ )?(?:(\w+) (\w+)|(\w+) of (?:the|an?) (\w+))\.?$/i;
  const [, before, last, first, after] = form.exec(description.trim()) ?? [];
  const isNoun = (before ?? after)?.toLowerCase() === noun;
  const said = (last ?? first)?.toLowerCase();
  return isNoun ? fields.find((field) => field.toLowerCase() === said) : undefined;
}

/** The texts between backticks in the description of a contract: links, states, members. */
export function codeInContract(contract: Pick<Contract, 'description'>): string[] {
  return contractTexts(contract).flatMap((told) =>
    told.kind === 'stated' ? [] : betweenMarks(told.text, /`+([^`]+)`+/g),
  );
}

function betweenMarks(text: string, mark: RegExp): string[] {
  return [...text.matchAll(mark)]
    .map(([, code = '']) => code.trim())
    .filter((code) => code !== '' && code.length <= longest);
}

/** Standards of query languages that a description may name, by the ids of the languages. */
const standards: readonly (readonly [language: string, name: RegExp])[] = [
  ['aip-160', /\bAIP[- ]?160\b|\baip\.dev\/160\b/i],
  ['odata-filter', /\bOData\b/i],
  ['rsql', /\b(?:RSQL|FIQL)\b/i],
];

/** The id of the language whose standard the description of a parameter names. */
export function languageNamed(parameter: Parameter): string | undefined {
  const texts = parameterTexts(parameter).flatMap((told) =>
    told.kind === 'stated' ? [] : [told.text],
  );
  const named = standards.filter(([, name]) => texts.some((text) => name.test(text)));
  return named.length === 1 ? named[0]?.[0] : undefined;
}
