import { pathKey } from '../../../contract/infer/conventions/path-styles.ts';
import { contentForm } from '../../../http/media-type.ts';
import { headerValue } from '../../../http/message.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';
import type { Answer, Step } from '../../model/step.ts';

/** Bounds the memory for a target that shows very much, in values. */
const maxValues = 200_000;
/** A longer text is no identifier. */
const maxLength = 200;

/** The headers that show addresses of records (RFC 9110, sections 8.7 and 10.2.2; RFC 8288). */
const addressHeaders = ['location', 'content-location', 'link'];

/** The moment of an answer, and whether the contract says which records it shows. */
interface Noting {
  readonly at: number;
  readonly isKnown: boolean;
}

/** Where a value stands: in the answer to a request on a path. */
interface Place extends Noting {
  readonly path: string;
}

/**
 * Every text that any response of a run showed, wherever it stood, and every number, also as a text
 * of few digits, by the path that showed it; each with the moment of its first appearance. What a
 * response showed before a create was sent is no record of the run, whatever the create answers.
 */
export class ShownValues {
  readonly #texts = new Map<string, number>();
  readonly #numbers = new Map<string, Map<string, number>>();
  #count = 0;

  /**
   * Notes what the response of a step shows, at a moment of `Ownership.now`; without numbers where
   * the records in it are known.
   */
  note(
    { case: { operation }, answer, exchange: { response } }: Step,
    { at, isKnown }: Noting,
  ): void {
    if (response === undefined || this.#isFull) return;
    const place = { at, isKnown, path: pathKey(operation.path) };
    for (const name of addressHeaders) {
      const value = headerValue(response.headers, name);
      if (value !== undefined) this.#addText(value, place);
    }
    if (answer.kind === 'json') this.#addValue(answer.value, place);
    else if (answer.kind === 'bytes' && isText(answer))
      for (const word of words(new TextDecoder().decode(answer.bytes))) this.#addText(word, place);
  }

  /**
   * Whether a response had shown a text before a moment, or a number at or below a path. Once the
   * memory is full, every value counts as shown.
   */
  wasShown(value: JsonValue, { before, below }: { before: number; below: string }): boolean {
    const text = String(value);
    const numbers = [...this.#numbers]
      .filter(([path]) => path === below || path.startsWith(`${below}/`))
      .map(([, known]) => known.get(text));
    const moments = typeof value === 'string' ? [this.#texts.get(text), ...numbers] : numbers;
    return this.#isFull || moments.some((moment) => moment !== undefined && moment < before);
  }

  get #isFull(): boolean {
    return this.#count >= maxValues;
  }

  #addValue(value: JsonValue, place: Place): void {
    // A service may write all numbers as texts.
    const isNumber = typeof value === 'string' && /^\d{1,7}$/.test(value);
    if (isNumber || typeof value === 'number' || typeof value === 'bigint')
      this.#addNumber(value, place);
    else if (typeof value === 'string') this.#addText(value, place);
    else if (isJsonArray(value)) for (const item of value) this.#addValue(item, place);
    else if (isJsonObject(value))
      for (const [name, member] of Object.entries(value)) {
        this.#addText(name, place);
        this.#addValue(member, place);
      }
  }

  #addNumber(value: number | bigint | string, { path, at, isKnown }: Place): void {
    if (isKnown) return;
    const numbers = this.#numbers.get(path) ?? new Map<string, number>();
    this.#numbers.set(path, numbers);
    this.#add(numbers, String(value), at);
  }

  /** A text, and the segments of an address in it. */
  #addText(text: string, { at }: Place): void {
    this.#add(this.#texts, text, at);
    if (text.includes('/')) for (const word of words(text)) this.#add(this.#texts, word, at);
  }

  #add(moments: Map<string, number>, text: string, at: number): void {
    if (text === '' || text.length > maxLength || this.#isFull || moments.has(text)) return;
    this.#count += 1;
    moments.set(text, at);
  }
}

/** Longer bodies are files. */
const maxBytes = 1_000_000;

function isText({ mediaType, bytes }: Extract<Answer, { kind: 'bytes' }>): boolean {
  const form = contentForm(mediaType ?? 'text/plain');
  return bytes.length <= maxBytes && form !== 'binary' && form !== 'multipart';
}

/** The parts of a text between blanks, quotes and the delimiters of URLs, decoded. */
function words(text: string): string[] {
  return text.split(/[\s"'<>()[\]{},;/?#&=]+/).map((word) => {
    try {
      return decodeURIComponent(word);
    } catch {
      return word;
    }
  });
}
