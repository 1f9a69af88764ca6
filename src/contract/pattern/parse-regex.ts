import type { PointRange, RegexTree } from './regex-tree.ts';
import { classEscapes, complement, printable, unicodeProperties } from './regex-tree.ts';

/**
 * Parses the common part of ECMA-262's regular expressions: classes, groups, alternatives,
 * quantifiers, escapes, back references, look-arounds (recognised only). Undefined for any other
 * syntax.
 */
export function parseRegex(source: string): RegexTree | undefined {
  const parser = new RegexParser(source);
  try {
    return parser.parse();
  } catch (error) {
    if (error instanceof UnreadableRegex) return undefined;
    throw error;
  }
}

/** Used only within this file: leaves the recursive parser at unknown syntax. */
class UnreadableRegex extends Error {}

/** More nested groups would overflow the stack. */
const maxDepth = 200;

const controlEscapes: Readonly<Record<string, number>> = {
  n: 0x0a,
  r: 0x0d,
  t: 0x09,
  v: 0x0b,
  f: 0x0c,
  0: 0x00,
};

class RegexParser {
  readonly #points: readonly string[];
  #index = 0;
  #groups = 0;
  #depth = 0;

  constructor(source: string) {
    this.#points = Array.from(source);
  }

  parse(): RegexTree {
    const tree = this.#choice();
    if (this.#index < this.#points.length) throw new UnreadableRegex();
    return tree;
  }

  #choice(): RegexTree {
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    return options.length === 1 && options[0] !== undefined
      ? options[0]
      : { kind: 'choice', options };
  }

  #sequence(): RegexTree {
    const parts: RegexTree[] = [];
    for (
      let next = this.#peek();
      next !== undefined && next !== '|' && next !== ')';
      next = this.#peek()
    ) {
      parts.push(this.#quantified(this.#atom()));
    }
    return { kind: 'sequence', parts };
  }

  #quantified(part: RegexTree): RegexTree {
    const range = this.#quantifier();
    if (range === undefined) return part;
    this.#take('?');
    return { kind: 'repeat', part, min: range[0], max: range[1] };
  }

  #quantifier(): [number, number] | undefined {
    if (this.#take('*')) return [0, Infinity];
    if (this.#take('+')) return [1, Infinity];
    if (this.#take('?')) return [0, 1];
    const counted = this.#match(/^\{(\d+)(?:(,)(\d*))?\}/);
    if (counted === undefined) return undefined;
    const min = Number(counted[1]);
    if (counted[2] === undefined) return [min, min];
    return [min, counted[3] === '' || counted[3] === undefined ? Infinity : Number(counted[3])];
  }

  #atom(): RegexTree {
    const point = this.#next();
    switch (point) {
      case '^':
      case '$':
        return { kind: 'sequence', parts: [], asserts: point };
      case '.':
        return { kind: 'point', ranges: printable, source: point };
      case '(':
        return this.#group();
      case '[':
        return this.#point(() => this.#set());
      case '\\':
        return this.#escape();
      case '*':
      case '+':
      case '?':
        throw new UnreadableRegex();
      default:
        return { kind: 'point', ranges: single(codeOf(point)), source: point };
    }
  }

  #group(): RegexTree {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new UnreadableRegex();
    const tree = this.#groupAt();
    this.#depth -= 1;
    return tree;
  }

  #groupAt(): RegexTree {
    if (this.#match(/^\?<?[=!]/) !== undefined) {
      this.#close(this.#choice());
      return { kind: 'look' };
    }
    if (this.#match(/^\?:/) !== undefined) return this.#close(this.#choice());
    const name = this.#match(/^\?<([^>]+)>/)?.[1];
    if (name === undefined && this.#peek() === '?') throw new UnreadableRegex();
    this.#groups += 1;
    const names = [String(this.#groups), ...(name === undefined ? [] : [name])];
    return { kind: 'group', names, part: this.#close(this.#choice()) };
  }

  #close(tree: RegexTree): RegexTree {
    if (!this.#take(')')) throw new UnreadableRegex();
    return tree;
  }

  #escape(): RegexTree {
    const echo = this.#match(/^(?:k<([^>]+)>|([1-9]\d*))/);
    if (echo !== undefined) return { kind: 'echo', name: echo[1] ?? echo[2] ?? '' };
    const boundary = this.#match(/^[bB]/)?.[0];
    if (boundary !== undefined)
      return { kind: 'sequence', parts: [], asserts: boundary === 'b' ? 'b' : 'B' };
    return this.#point(() => this.#escaped());
  }

  /** What is parsed next, with the character before it, which is already parsed. */
  #point(read: () => readonly PointRange[]): RegexTree {
    const start = this.#index - 1;
    const ranges = read();
    return { kind: 'point', ranges, source: this.#points.slice(start, this.#index).join('') };
  }

  /** The text after a backslash, in a class or outside. */
  #escaped(): readonly PointRange[] {
    const property = this.#match(/^([pP])\{(?:(?:Script|sc|General_Category|gc)=)?([^}]+)\}/);
    if (property !== undefined) return propertyRanges(property[1] === 'P', property[2] ?? '');
    const code = this.#match(/^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]+)\})/);
    if (code !== undefined) return single(Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16));
    const control = this.#match(/^c([A-Za-z])/);
    if (control !== undefined) return single((control[1] ?? '').charCodeAt(0) % 32);
    const point = this.#next();
    return classEscapes[point] ?? single(controlEscapes[point] ?? codeOf(point));
  }

  #set(): readonly PointRange[] {
    const negated = this.#take('^');
    const ranges: PointRange[] = [];
    while (!this.#take(']')) {
      const from = this.#setMember();
      if (this.#peek() === '-' && this.#points[this.#index + 1] !== ']' && isSingle(from)) {
        this.#next();
        const to = this.#setMember();
        ranges.push([from[0]?.[0] ?? 0, to[0]?.[0] ?? 0]);
      } else {
        ranges.push(...from);
      }
    }
    if (ranges.length === 0 && !negated) throw new UnreadableRegex();
    return negated ? complement(ranges) : ranges;
  }

  #setMember(): readonly PointRange[] {
    const point = this.#next();
    if (point !== '\\') return single(codeOf(point));
    return this.#match(/^b/) === undefined ? this.#escaped() : single(0x08);
  }

  #peek(): string | undefined {
    return this.#points[this.#index];
  }

  #next(): string {
    const point = this.#peek();
    if (point === undefined) throw new UnreadableRegex();
    this.#index += 1;
    return point;
  }

  #take(point: string): boolean {
    if (this.#peek() !== point) return false;
    this.#index += 1;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    // The matched texts are short, and ASCII except for names of groups.
    const found = pattern.exec(this.#points.slice(this.#index, this.#index + 64).join(''));
    if (found === null) return undefined;
    this.#index += Array.from(found[0]).length;
    return found;
  }
}

function codeOf(point: string): number {
  return point.codePointAt(0) ?? 0;
}

function single(code: number): readonly PointRange[] {
  return [[code, code]];
}

function isSingle(ranges: readonly PointRange[]): boolean {
  return ranges.length === 1 && ranges[0]?.[0] === ranges[0]?.[1];
}

function propertyRanges(negated: boolean, name: string): readonly PointRange[] {
  const ranges = Object.hasOwn(unicodeProperties, name)
    ? unicodeProperties[name]
    : name === 'Latin'
      ? unicodeProperties['L']
      : undefined;
  if (ranges === undefined) throw new UnreadableRegex();
  return negated ? complement(ranges) : ranges;
}
