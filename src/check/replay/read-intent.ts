import { wordsIn } from '../../words-in.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { identityOutcomes, type Intent, relationRules, wantedOutcomes } from '../model/case.ts';

const kinds = wordsIn('valid invalid credential method missing condition relation identity');
const places = ['path', 'query', 'header', 'cookie', 'body'] as const;
const choices = wordsIn('none empty wrong wrong-scheme other-scheme prefix longer other-case');

/** The credentials of a request. */
export const credentials = ['given', ...choices] as const;

/** Reads the intent of a request. Throws `Unreadable` if a member is not as expected. */
export function readIntent(intent: JsonObject): Intent {
  const at = (): string => textOf(intent['at'], 'intent');
  const kind = wordOf(intent['kind'], 'intent', kinds);
  switch (kind) {
    case 'valid':
      return {
        kind,
        rigour: wordOf(intent['rigour'], 'intent', ['plain', 'invented', 'exotic']),
        at: at(),
      };
    case 'invalid':
      return {
        kind,
        at: at(),
        rule: textOf(intent['rule'], 'intent'),
        part: wordOf(intent['part'], 'intent', places),
        subject: textOf(intent['subject'], 'intent'),
        accepted: wordOf(intent['accepted'], 'intent', ['error', 'warning', 'fine']),
        ...(intent['unreadable'] === true ? { unreadable: true } : {}),
        ...(typeof intent['class'] === 'string' ? { class: intent['class'] } : {}),
      };
    case 'credential':
      return {
        kind,
        choice: wordOf(intent['choice'], 'intent', choices),
        ...(typeof intent['scheme'] === 'string' ? { scheme: intent['scheme'] } : {}),
      };
    case 'method':
      return {
        kind,
        method: textOf(intent['method'], 'intent'),
        wanted: wordOf(intent['wanted'], 'intent', ['refused', 'like GET']),
      };
    case 'missing':
      return { kind, at: at(), rigour: wordOf(intent['rigour'], 'intent', ['plain', 'exotic']) };
    case 'condition':
      return { kind, at: at(), wanted: wordOf(intent['wanted'], 'intent', wantedOutcomes) };
    case 'relation':
      return readRelation(intent, at());
    case 'identity': {
      const identity = textOf(intent['identity'], 'intent');
      const expected = wordOf(intent['wanted'], 'intent', identityOutcomes);
      return { kind, at: at(), identity, wanted: expected };
    }
  }
}

function readRelation({ rule, of, field, by, doubtful }: JsonObject, at: string): Intent {
  return {
    kind: 'relation',
    at,
    rule: wordOf(rule, 'intent', relationRules),
    of: textsOf(of),
    ...(typeof field === 'string' ? { field } : {}),
    ...(typeof by === 'number' ? { by } : {}),
    ...(doubtful === true ? { doubtful: true } : {}),
  };
}

/** A list of texts. */
export function textsOf(value: JsonValue | undefined): string[] {
  return isJsonArray(value) ? value.filter((text) => typeof text === 'string') : [];
}

/** A report with a missing or unexpected member; the message is a clause. */
export class Unreadable extends Error {}

/** A member that must be a text. Throws `Unreadable`, as all of these do. */
export function textOf(value: JsonValue | undefined, name: string): string {
  if (typeof value === 'string') return value;
  throw new Unreadable(`the report has no ${name} for its requests`);
}

/** A member that must be a positive integer. */
export function countOf(value: JsonValue | undefined, name: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value;
  throw new Unreadable(`the report has no ${name} for its requests`);
}

/** A member that must be an object. */
export function objectOf(value: JsonValue | undefined, name: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw new Unreadable(`the report has no ${name} for its requests`);
}

/** A member that must be one of some words: another release may have others. */
export function wordOf<Word extends string>(
  value: JsonValue | undefined,
  name: string,
  words: readonly Word[],
): Word {
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  throw new Unreadable(
    `this release of vouch does not support the ${name} of the report (${textOf(value, name)})`,
  );
}

/** Header fields: pairs of texts. */
export function headersOf(value: JsonValue): (readonly [name: string, value: string])[] {
  if (!isJsonArray(value)) throw new Unreadable('the report has no headers for its requests');
  return value.map((field) => {
    const [name, text] = isJsonArray(field) ? field : [];
    return [textOf(name, 'headers'), textOf(text, 'headers')];
  });
}
