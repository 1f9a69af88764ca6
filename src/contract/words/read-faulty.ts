import { plainName } from '../infer/infer-names.ts';
import type { Contract } from '../model.ts';
import type { Operation, Parameter } from '../model/operation.ts';
import { codesIn } from './error-codes.ts';
import { contractTexts, operationTexts, parameterTexts } from './facts.ts';
import { sentencesOf } from './text.ts';

/**
 * What a contract says of a faulty value of a parameter: the code that names both, such as
 * `invalid_cursor`, or a sentence that names the parameter, none beside it, and the status of a
 * refusal: `An unknown cursor is 400.` The API as a whole may say it. Undefined if nothing does.
 */
export function faultTold(
  contract: Pick<Contract, 'description'>,
  operation: Operation,
  parameter: Parameter,
): string | undefined {
  const texts = [
    ...operationTexts(operation),
    ...parameterTexts(parameter),
    ...contractTexts(contract),
  ];
  const code = texts.flatMap(codesIn).find((one) => isFaultOf(one.code, parameter));
  const told = texts.flatMap((text) => (text.kind === 'stated' ? [] : sentencesOf(text.text)));
  const refused = operation.responses.filter(({ status }) => statuses.includes(status));
  const sentences = [
    ...told.filter((sentence) => refused.some(({ status }) => namesWord(sentence, status))),
    ...refused.flatMap(({ description = '' }) => sentencesOf(description)),
  ];
  return code?.code ?? sentences.find((sentence) => namesOnly(sentence, operation, parameter));
}

/** Whether a sentence about a parameter says that only a member of responses gives its values. */
export function isOnlyFrom(parameter: Parameter | undefined, member: string | undefined): boolean {
  if (parameter === undefined || member === undefined) return false;
  return parameterTexts(parameter)
    .flatMap((text) => (text.kind === 'stated' ? [] : sentencesOf(text.text)))
    .some((sentence) => namesWord(sentence, 'only') && namesWord(sentence, member));
}

const faulty = 'invalid|bad|malformed|unknown|wrong|illegal';
const faultyValue = new RegExp(
  `^(?:(?:${faulty})_(?<behind>\\w+)|(?<before>\\w+?)_(?:is_|was_|not_)?(?:${faulty}|valid))$`,
  'i',
);

function isFaultOf(code: string, { name }: Parameter): boolean {
  const { before, behind } = faultyValue.exec(code)?.groups ?? {};
  return plainName(before ?? behind ?? '') === plainName(name);
}

/** Statuses of a value that is no valid one; others may be those of one that no longer is. */
const statuses = ['400', '422'];

/** Whether a sentence names a parameter, and none of the others. */
function namesOnly(sentence: string, { parameters }: Operation, own: Parameter): boolean {
  const named = parameters.filter(({ name }) => namesWord(sentence, name));
  return named.length > 0 && named.every(({ name }) => name === own.name);
}

function namesWord(sentence: string, word: string): boolean {
  const at = sentence.toLowerCase().indexOf(word.toLowerCase());
  const around = `${sentence[at - 1] ?? ' '}${sentence[at + word.length] ?? ' '}`;
  return at !== -1 && !/[\w-]/.test(around);
}
