import { plainName } from '../infer/infer-names.ts';
import type { Contract } from '../model.ts';
import type { Operation } from '../model/operation.ts';
import { codesIn } from './error-codes.ts';
import { contractTexts, operationTexts, type ToldText } from './facts.ts';
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
