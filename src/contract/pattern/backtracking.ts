/** How many attempts a backtracking engine may make with a pattern. */
export interface Backtracking {
  /** The most attempts for a text of so many characters, roughly: an upper bound for its growth. */
  attempts(length: number): number;
}

/** An engine makes this many attempts for each character of a text even where nothing varies. */
const leastPerCharacter = 1;

/**
 * Measures how far a backtracking engine may run away with a pattern, by its source. Each
 * quantifier that can take more or less adds a power of the length; a quantified group multiplies
 * with each character. What stands in a look-around is decided once, and so counts for itself.
 */
export function measureBacktracking(source: string): Backtracking {
  const { varying, repeatsGroup, isAnchored } = readQuantifiers(source);
  const waysPerCharacter = 2 + (source.match(/\|/g)?.length ?? 0);
  const powers = varying + (isAnchored ? 0 : 1);
  return {
    attempts: (length) => {
      const polynomial = Math.max(
        leastPerCharacter * length,
        Math.min(length, 1e6) ** Math.max(1, powers),
      );
      return repeatsGroup
        ? Math.max(polynomial, waysPerCharacter ** Math.min(length, 500))
        : polynomial;
    },
  };
}

interface Quantifiers {
  /** The most quantifiers of varying width in one part: outside, or in one look-around. */
  readonly varying: number;
  readonly repeatsGroup: boolean;
  readonly isAnchored: boolean;
}

const escape = /\\(?:[pPu]\{[^}]*\}|.)/su;
const set = /\[(?:\\.|[^\]\\])*\]/su;
const group = /\(\?<?[=!]|\(|\)(?:[*+?]|\{\d+(?:,\d*)?\})?/su;
const quantifier = /[*+?]|\{\d+,\d*\}/su;
const sources = [escape, set, group, quantifier].map(({ source }) => source);
const pieces = new RegExp(sources.join('|'), 'gsu');

function readQuantifiers(source: string): Quantifiers {
  const inParts: number[] = [0];
  const open: number[] = [];
  let [part, repeatsGroup] = [0, false];
  for (const [piece] of source.matchAll(pieces)) {
    if (piece.startsWith('(')) {
      open.push(part);
      if (piece.length > 1) part = inParts.push(0) - 1;
    } else if (piece.startsWith(')')) {
      part = open.pop() ?? 0;
      // An optional group varies once; one that may come several times can vary each time.
      if (piece === ')?') inParts[part] = (inParts[part] ?? 0) + 1;
      else if (piece.length > 1 && piece !== '){1}') repeatsGroup = true;
    } else if (/^[*+?{]/.test(piece)) inParts[part] = (inParts[part] ?? 0) + 1;
  }
  return {
    varying: Math.max(...inParts),
    repeatsGroup,
    isAnchored: source.startsWith('^') && !source.includes('|'),
  };
}
