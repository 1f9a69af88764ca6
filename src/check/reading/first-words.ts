import { membersOf } from '../../json/body-members.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Step } from '../model/step.ts';
import { jsonOf } from './read-answer.ts';

/** What an answer says about a failure: its words to people, and what is alike in all such. */
export interface FirstWords {
  /** The beginning of its text, as it stands there; empty if it says nothing. */
  readonly shown: string;
  /** The same without what may differ from one request to the next: values, numbers, quotes. */
  readonly kind: string;
}

const [mostWords, mostCharacters] = [8, 80];

/**
 * The first words of an answer: of the first sentences in its JSON, else of its text. A failure is
 * of the same kind as another one if both begin alike.
 */
export function firstWords(step: Pick<Step, 'sent' | 'answer' | 'exchange'>): FirstWords {
  const value = jsonOf(step.answer);
  const texts = value === undefined ? [plainText(step)] : textsIn(value);
  // A summary alone, such as `Internal Server Error`, is the same for every failure.
  const lines = texts.map(firstLine).filter((line) => line !== '');
  const sentences = lines.filter((line) => line.includes(' '));
  const said = (sentences.length > 0 ? sentences : lines).slice(0, 2);
  const shown = said.at(-1) ?? '';
  return {
    shown: shown.length > mostCharacters ? `${shown.slice(0, mostCharacters)}…` : shown,
    kind: [...new Set(said.map((line) => steadyWords(line, step.sent)))].join('; '),
  };
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  return membersOf(value).flatMap((member) =>
    typeof member.value === 'string' ? [member.value] : [],
  );
}

function plainText({ exchange: { response } }: Pick<Step, 'exchange'>): string {
  const text = new TextDecoder().decode(response?.body.subarray(0, 4_000));
  // A page says it in its title or in its first heading; what stands in its head is not shown.
  return text
    .replaceAll(/<(style|script)\b[^]*?<\/\1>/gi, ' ')
    .replaceAll(/<[^>]*>/g, '\n')
    .trim();
}

function firstLine(text: string): string {
  return (text.trim().split('\n', 1)[0] ?? '').replaceAll(/\s+/g, ' ').trim();
}

function steadyWords(line: string, sent: Step['sent']): string {
  const values = [...sent.arguments.values(), ...membersOf(sent.body ?? null).map(valueOf)]
    .flatMap((value) => (typeof value === 'string' && value.length > 2 ? [value] : []))
    .toSorted((left, right) => right.length - left.length);
  const bare = values.reduce((text, value) => text.replaceAll(value, '…'), line);
  return bare
    .replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, '…')
    .split(' ')
    .slice(0, mostWords)
    .map((word) => word.replaceAll(/\S*\d\S*/g, '…'))
    .join(' ');
}

function valueOf({ value }: { readonly value: JsonValue }): JsonValue {
  return value;
}
