import {
  describeFound,
  findHint,
  type JsonFault,
  type JsonLimits,
  nameCharacter,
  positionAt,
  quoteExcerpt,
} from './json-problem.ts';

/** An open array or object; `names` has its member names so far. */
interface Container {
  readonly opener: '[' | '{';
  readonly start: number;
  readonly names: Set<string>;
  begun: boolean;
}

/**
 * Finds the first violation of RFC 8259 or of a limit; undefined if the text is valid. Linear time,
 * without recursion, so that deep nesting cannot overflow the stack.
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
    const name = unescapeName(this.#text.slice(start, this.#at));
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

  #expected(what: string, remark = findHint(this.#text, this.#at)): JsonFault {
    return {
      code: 'syntax',
      reason: `expected ${what}, found ${describeFound(this.#text, this.#at)}${remark}`,
      offset: this.#at,
    };
  }

  #unclosed(container: Container): string {
    if (this.#at < this.#text.length) return findHint(this.#text, this.#at);
    const { line, column } = positionAt(this.#text, container.start);
    const kind = container.opener === '[' ? 'array' : 'object';
    return ` (the ${kind} that begins at line ${line}, column ${column} is not closed)`;
  }

  #skip(): void {
    this.#at = skipSpace(this.#text, this.#at);
  }
}

/** Unescapes a member name that `readString` has accepted. */
export function unescapeName(source: string): string {
  return source.includes('\\') ? String(JSON.parse(source)) : source.slice(1, -1);
}

/** The offset after a token, or its error. */
type Step = number | JsonFault;

/** The offset of the next character that is not white space (RFC 8259, section 2). */
function skipSpace(text: string, offset: number): number {
  let at = offset;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

const literals = ['true', 'false', 'null'];

/** Reads `true`, `false` or `null`; undefined if there is none. */
function readLiteral(text: string, offset: number): Step | undefined {
  const literal = literals.find((word) => text.startsWith(word, offset));
  if (literal === undefined) return undefined;
  const end = offset + literal.length;
  return /\w/.test(text.charAt(end)) ? undefined : end;
}

const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const numberLike = /[-+]?\.?[0-9][-+.\w]*|-(?![-+.\w])/y;

/**
 * Reads a number (RFC 8259, section 6) within the range of a double; undefined if there is none.
 */
function readNumber(text: string, offset: number): Step | undefined {
  numberLike.lastIndex = offset;
  const found = numberLike.exec(text)?.[0];
  if (found === undefined) return undefined;
  number.lastIndex = offset;
  const source = number.exec(text)?.[0] ?? '';
  if (source !== found)
    return {
      code: 'syntax',
      reason: `expected a number, found ${quoteExcerpt(found)}${hintForNumber(found)}`,
      offset,
    };
  if (Number.isFinite(Number(source))) return offset + source.length;
  return {
    code: 'number-range',
    reason: `the number ${quoteExcerpt(source)} is beyond what a double can hold (1.8e308)`,
    offset,
  };
}

function hintForNumber(found: string): string {
  if (/^[-+]?0[xob]/i.test(found)) return ' (JSON writes numbers in decimal)';
  if (found.startsWith('+')) return ' (JSON allows no `+` before a number)';
  if (/^-?0[0-9]/.test(found)) return ' (JSON allows no leading zero)';
  if (/^-?\.|\.(?![0-9])/.test(found)) return ' (a decimal point needs a digit on each side)';
  return '';
}

const plainPart = /[^"\\\u0000-\u001f\ud800-\udfff]*/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const pair = /[\ud800-\udbff][\udc00-\udfff]/y;
const escapedPair = /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/y;
const escapedHalf = /^\\u[dD][89a-fA-F]/;

/** Reads a string with its quotes (RFC 8259, section 7). Linear in its length. */
function readString(text: string, offset: number, limits: Required<JsonLimits>): Step {
  let at = offset + 1;
  for (;;) {
    at = after(plainPart, text, at) ?? at;
    if (text[at] === '"') return at + 1;
    const step = readSpecial(text, at, limits, offset);
    if (typeof step !== 'number') return step;
    at = step;
  }
}

/** Reads an escape or a surrogate within a string; any other special character is an error. */
function readSpecial(text: string, at: number, limits: Required<JsonLimits>, start: number): Step {
  const found = text[at];
  if (found === undefined) return unclosed(text, at, start);
  if (found < ' ') return controlInside(found, at);
  const whole = after(escapedPair, text, at) ?? after(pair, text, at);
  if (whole !== undefined) return whole;
  const escaped = after(escape, text, at);
  const isHalf =
    found !== '\\' || (escaped !== undefined && escapedHalf.test(text.slice(at, at + 4)));
  if (isHalf && limits.loneSurrogates === 'refuse') {
    const half = found === '\\' ? text.slice(at, at + 6) : nameCharacter(found);
    return {
      code: 'lone-surrogate',
      reason: `the string holds \`${half}\`, which is a lone surrogate`,
      offset: at,
    };
  }
  if (escaped !== undefined) return escaped;
  return isHalf ? at + 1 : brokenEscape(text, at, start);
}

function brokenEscape(text: string, at: number, start: number): JsonFault {
  if (at + 1 >= text.length) return unclosed(text, text.length, start);
  const isUnicode = text[at + 1] === 'u';
  const expected = isUnicode
    ? 'four hexadecimal digits after `\\u`'
    : 'one of `" \\ / b f n r t u` after the backslash';
  const found = quoteExcerpt(text.slice(at, at + (isUnicode ? 6 : 2)));
  return { code: 'syntax', reason: `expected ${expected}, found ${found}`, offset: at };
}

function unclosed(text: string, at: number, start: number): JsonFault {
  const { line, column } = positionAt(text, start);
  const reason =
    `expected \`"\` after the string that begins at line ${line}, column ${column}, ` +
    'found the end of the text';
  return { code: 'syntax', reason, offset: at };
}

function controlInside(found: string, at: number): JsonFault {
  const escaped = JSON.stringify(found).slice(1, -1);
  const reason =
    `expected the rest of a string, found ${nameControl(found)} ` +
    `(inside a string it is written \`${escaped}\`)`;
  return { code: 'syntax', reason, offset: at };
}

function nameControl(found: string): string {
  if (found === '\n' || found === '\r') return 'a line break';
  if (found === '\t') return 'a tab';
  return `the character ${nameCharacter(found)}`;
}

function after(pattern: RegExp, text: string, offset: number): number | undefined {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
