/**
 * Compiles a pattern as JSON Schema does (2020-12 core, section 6.4): with the flag `u`, or without
 * it if the pattern is invalid with it, as many are. Undefined if it is not a regular expression.
 */
export function compilePattern(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags);
    } catch {
      // Try without the flag.
    }
  }
  return undefined;
}

/** Why a pattern is not a regular expression, as a clause; undefined if it is one. */
export function patternFault(source: string): string | undefined {
  if (compilePattern(source) !== undefined) return undefined;
  try {
    new RegExp(source, 'u');
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message.slice(message.lastIndexOf(': ') + 2).toLowerCase();
  }
}

/**
 * Syntax of other dialects (PCRE, Java, Python), and its equivalent or nearest form in ECMA-262.
 */
const dialects: readonly (readonly [RegExp, string])[] = [
  // `/pattern/` as Perl and JavaScript programs write it; flags are read before.
  [/^\/(.*)\/[a-z]*$/s, '$1'],
  [/\(\?>/g, '(?:'],
  [/\(\?P?<([A-Za-z_]\w*)>/g, '(?<$1>'],
  [/\(\?P=(\w+)\)/g, '\\k<$1>'],
  // A possessive quantifier matches no less than a greedy one.
  [/([*+?}])\+/g, '$1'],
  [/\\A/g, '^'],
  [/\\[zZ]/g, '$'],
  [/\\h/g, '[ \\t]'],
  [/\\Q(.*?)\\E/g, '$1'],
  [/\(\?#[^)]*\)/g, ''],
  [/\[:alnum:\]/g, 'a-zA-Z0-9'],
  [/\[:alpha:\]/g, 'a-zA-Z'],
  [/\[:digit:\]/g, '0-9'],
  [/\[:lower:\]/g, 'a-z'],
  [/\[:upper:\]/g, 'A-Z'],
  [/\[:space:\]/g, '\\s'],
  [/\[:xdigit:\]/g, '0-9a-fA-F'],
  [/\[:word:\]/g, '\\w'],
];

/**
 * Translates a pattern of another dialect to ECMA-262: without `(?i)`, possessive quantifiers,
 * atomic groups, POSIX classes and the like. Undefined if it is not a pattern of those either.
 */
export function translatePattern(source: string): string | undefined {
  const flags = /^\^?\(\?([a-z]+)\)/.exec(source)?.[1] ?? /^\/.*\/([a-z]+)$/s.exec(source)?.[1];
  const bare = source.replace(/^(\^?)\(\?[a-z]+\)/, '$1');
  const plain = dialects.reduce((text, [found, instead]) => text.replace(found, instead), bare);
  const meant = flags?.includes('i') === true ? ignoringCase(plain) : plain;
  return meant !== source && compilePattern(meant) !== undefined ? meant : undefined;
}

/** Makes each letter match both cases: `a[b-d]` becomes `[aA][b-dB-D]`. */
function ignoringCase(source: string): string {
  return source.replaceAll(
    /\\(?:[pPu]\{[^}]*\}|.)|\[(?:\\.|[^\]\\])*\]|\(\?<?[A-Za-z]*>?|[A-Za-z]/gs,
    (piece) => {
      if (piece.startsWith('[')) return `${piece.slice(0, -1)}${otherCase(piece.slice(1, -1))}]`;
      return piece.length === 1 ? `[${piece.toLowerCase()}${piece.toUpperCase()}]` : piece;
    },
  );
}

/** The letters and ranges of letters in a class, in the other case. */
function otherCase(members: string): string {
  const letters = members.replaceAll(/\\./gs, '').match(/[a-z]-[a-z]|[A-Z]-[A-Z]|[A-Za-z]/g) ?? [];
  return letters
    .map((letter) => (/[a-z]/.test(letter) ? letter.toUpperCase() : letter.toLowerCase()))
    .join('');
}
