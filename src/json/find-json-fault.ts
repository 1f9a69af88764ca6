import { describeFound, hintFor } from './describe-json-text.ts';
import type { JsonLimits } from './json-limits.ts';
import { quoteExcerpt, type JsonFault } from './json-problem.ts';
import { readLiteral, readNumber, readString, skipSpace, type Step } from './read-json-token.ts';
import { positionAt } from './text-position.ts';

/** An array or an object that is not closed yet; `names` are the member names seen so far. */
interface Container {
  readonly opener: '[' | '{';
  readonly start: number;
  readonly names: Set<string>;
  begun: boolean;
}

/**
 * The first place, in reading order, where a text breaks RFC 8259 or a limit; undefined where it
 * does neither. Linear in the text, and without recursion: no nesting overflows the stack.
 */
export function findJsonFault(text: string, limits: Required<JsonLimits>): JsonFault | undefined {
  return new FaultFinder(text, limits).find();
}

class FaultFinder {
  readonly #text: string;
  readonly #limits: Required<JsonLimits>;
  readonly #open: Container[] = [];
  #at = 0;

  constructor(text: string, limits: Required<JsonLimits>) {
    this.#text = text;
    this.#limits = limits;
  }

  find(): JsonFault | undefined {
    this.#skip();
    if (this.#at === this.#text.length)
      return { code: 'empty', reason: 'expected a JSON value, found nothing', offset: 0 };
    let fault = this.#value('a value');
    for (
      let inner = this.#open.at(-1);
      inner !== undefined && fault === undefined;
      inner = this.#open.at(-1)
    ) {
      fault = this.#continue(inner);
    }
    if (fault !== undefined) return fault;
    this.#skip();
    return this.#at === this.#text.length ? undefined : this.#expected('nothing after the value');
  }

  /** Reads one more item or member of the innermost container, or its end. */
  #continue(container: Container): JsonFault | undefined {
    const closer = container.opener === '[' ? ']' : '}';
    this.#skip();
    const found = this.#text[this.#at];
    if (found === closer) return this.#leave();
    if (container.begun && found !== ',')
      return this.#expected(`\`,\` or \`${closer}\``, this.#unclosed(container));
    if (container.begun) this.#at += 1;
    this.#skip();
    if (this.#text[this.#at] === closer)
      return this.#expected(
        'more after the comma',
        ' (JSON allows no comma before a closing bracket)',
      );
    const position = container.begun ? ' after the comma' : ` or \`${closer}\``;
    container.begun = true;
    return container.opener === '['
      ? this.#value(`a value${position}`)
      : this.#member(container, position);
  }

  #member(object: Container, position: string): JsonFault | undefined {
    const start = this.#at;
    if (this.#text[start] !== '"')
      return this.#expected(`a member name in double quotes${position}`);
    const fault =
      this.#take(readString(this.#text, start, this.#limits)) ?? this.#checkName(object, start);
    if (fault !== undefined) return fault;
    this.#skip();
    if (this.#text[this.#at] !== ':') return this.#expected('`:` after the member name');
    this.#at += 1;
    this.#skip();
    return this.#value('a value after the colon');
  }

  #checkName(object: Container, start: number): JsonFault | undefined {
    const name = meaningOf(this.#text.slice(start, this.#at));
    if (this.#limits.forbiddenKeys.includes(name)) {
      return {
        code: 'forbidden-key',
        reason: `the member name ${quoteExcerpt(name)} is not allowed`,
        offset: start,
      };
    }
    if (this.#limits.duplicateKeys === 'refuse' && object.names.has(name)) {
      return {
        code: 'duplicate-key',
        reason: `the member ${quoteExcerpt(name)} is given twice in one object`,
        offset: start,
      };
    }
    object.names.add(name);
    return undefined;
  }

  #value(expected: string): JsonFault | undefined {
    const first = this.#text[this.#at];
    if (first === '[' || first === '{') return this.#enter(first);
    if (first === '"') return this.#take(readString(this.#text, this.#at, this.#limits));
    const step = readLiteral(this.#text, this.#at) ?? readNumber(this.#text, this.#at);
    return step === undefined ? this.#expected(expected) : this.#take(step);
  }

  #enter(opener: '[' | '{'): JsonFault | undefined {
    const { maxDepth } = this.#limits;
    if (this.#open.length >= maxDepth) {
      return {
        code: 'depth',
        reason: `arrays and objects are nested more than ${maxDepth} levels deep`,
        offset: this.#at,
      };
    }
    this.#open.push({ opener, start: this.#at, names: new Set(), begun: false });
    this.#at += 1;
    return undefined;
  }

  #leave(): undefined {
    this.#open.pop();
    this.#at += 1;
  }

  #take(step: Step): JsonFault | undefined {
    if (typeof step !== 'number') return step;
    this.#at = step;
    return undefined;
  }

  #expected(what: string, remark = hintFor(this.#text, this.#at)): JsonFault {
    return {
      code: 'syntax',
      reason: `expected ${what}, found ${describeFound(this.#text, this.#at)}${remark}`,
      offset: this.#at,
    };
  }

  #unclosed(container: Container): string {
    if (this.#at < this.#text.length) return hintFor(this.#text, this.#at);
    const { line, column } = positionAt(this.#text, container.start);
    return ` (the ${container.opener === '[' ? 'array' : 'object'} that begins at line ${line}, column ${column} is not closed)`;
  }

  #skip(): void {
    this.#at = skipSpace(this.#text, this.#at);
  }
}

/** A member name as it is meant, from its source, which `readString` has passed. */
function meaningOf(source: string): string {
  return source.includes('\\') ? String(JSON.parse(source)) : source.slice(1, -1);
}
