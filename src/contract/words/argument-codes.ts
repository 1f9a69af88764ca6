import { plainName } from '../infer/infer-names.ts';
import type { Contract } from '../model.ts';
import type { Operation, Parameter } from '../model/operation.ts';
import { codesIn } from './error-codes.ts';
import { contractTexts, operationTexts, parameterTexts, type ToldText } from './facts.ts';
import { sentencesOf } from './text.ts';

/** What is wrong with an argument of a call: `short` and `long` of texts, numbers and lists alike. */
export type ArgumentProblem = 'missing' | 'type' | 'short' | 'long' | 'other';

/**
 * The code with which a call is refused for one of its arguments, as the texts of the operation and
 * of the API say: `` `label` is invalid_label or label_too_long, others are bad_input ``. Without
 * such a sentence, the code that has the name of the argument, or that of any argument.
 */
export function argumentCode(
  contract: Pick<Contract, 'description'>,
  operation: Operation,
  { name, problem }: { readonly name: string; readonly problem: ArgumentProblem },
): string | undefined {
  const texts = [...operationTexts(operation), ...contractTexts(contract)];
  const sentences = texts.flatMap(plainSentences);
  const known = texts.flatMap(codesIn).map(({ code }) => code);
  return (
    problemCode(sentences, problem) ??
    ownCode(sentences, name, problem) ??
    known.find((code) => plainName(code) === plainName(`invalid_${name}`)) ??
    clauseCodes(sentences, /\bothers?\b([^`,;.]*)/i)[0] ??
    known.find((code) => ofAny.test(code))
  );
}

/** Whether a text of the operation or of the API has a code. */
export function isStatedCode(
  contract: Pick<Contract, 'description'>,
  operation: Operation,
  code: string,
): boolean {
  const texts = [...operationTexts(operation), ...contractTexts(contract)];
  return texts.flatMap(codesIn).some((stated) => stated.code === code);
}

/** Whether the description of the API says that texts name what is wrong by a JSON Pointer. */
export function quotesPointers(contract: Pick<Contract, 'description'>): boolean {
  return contractTexts(contract).some(
    (told) => told.kind !== 'stated' && told.text.includes('[json-pointer:/'),
  );
}

/** Codes for any argument. */
const ofAny = /^(?:invalid|bad)_(?:arguments?|args?|param(?:eter)?s?|inputs?|request|values?)$/i;

function plainSentences(told: ToldText): string[] {
  return told.kind === 'stated'
    ? []
    : sentencesOf(told.text).map((sentence) => sentence.replaceAll(/\s+/g, ' '));
}

const saying: Readonly<Partial<Record<ArgumentProblem, RegExp>>> = {
  missing: /\b(?:missing|absent|left out|omitted)\b/i,
  type: /\b(?:another|other|wrong|invalid|incorrect) type\b/i,
};

/** The only code of a sentence about what is missing, or of another type. */
function problemCode(sentences: readonly string[], problem: ArgumentProblem): string | undefined {
  const about = saying[problem];
  if (about === undefined) return undefined;
  for (const sentence of sentences) {
    const [code, ...others] = about.test(sentence) ? codesOf(sentence) : [];
    if (code !== undefined && others.length === 0) return code;
  }
  return undefined;
}

const fitting: Readonly<Record<'short' | 'long' | 'other', RegExp>> = {
  short: /^(?:no|missing|empty)_|_(?:empty|missing)$|too_(?:short|small|few|low)/i,
  long: /too_(?:long|large|big|many|high)/i,
  other: /^(?:invalid|bad|malformed)_|_invalid$/i,
};

/** The code behind the name of an argument; of several, the one for the problem. */
function ownCode(
  sentences: readonly string[],
  name: string,
  problem: ArgumentProblem,
): string | undefined {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const codes = clauseCodes(sentences, new RegExp(`\`${escaped}\`([^\`,;.]*)`));
  const kind = problem === 'missing' ? 'short' : problem === 'type' ? 'other' : problem;
  return codes.find((code) => fitting[kind].test(code)) ?? codes[0];
}

/** The codes in the first part of a sentence that a pattern captures. */
function clauseCodes(sentences: readonly string[], clause: RegExp): string[] {
  for (const sentence of sentences) {
    const codes = codesOf(clause.exec(sentence)?.[1] ?? '');
    if (codes.length > 0) return codes;
  }
  return [];
}

/** The codes of a sentence that are no names of members. */
function codesOf(sentence: string): string[] {
  const text = sentence.replaceAll(/`[^`]*`/g, ' ');
  return codesIn({ kind: 'operation', text, pointer: '' }).map(({ code }) => code);
}

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
