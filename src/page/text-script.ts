/**
 * What every page does with texts: what would be hidden is shown, JSON is indented without being
 * read, numbers get their unit.
 */
export const pageTextScript = String.raw`
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}]|\p{Cs}/gu;

function visible(text) {
  return String(text).replace(hidden, (character) => {
    const digits = character.codePointAt(0).toString(16);
    return digits.length < 3 ? '\\x' + digits.padStart(2, '0') : '\\u{' + digits + '}';
  });
}

function countOf(number, noun) {
  return number.toLocaleString('en-US') + ' ' + noun + (number === 1 ? '' : 's');
}

function duration(milliseconds) {
  if (milliseconds < 10) return milliseconds.toFixed(1) + ' ms';
  if (milliseconds < 1000) return Math.round(milliseconds) + ' ms';
  return (milliseconds / 1000).toFixed(2) + ' s';
}

/* Indents JSON by its tokens alone: no number is rounded, no name is lost, and what is no JSON stays as it is. */
function indentJson(text) {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+|"/g) ?? [];
  const lines = [''];
  let depth = 0;
  const start = () => lines.push('  '.repeat(Math.max(0, depth)));
  const add = (piece) => { lines[lines.length - 1] += piece; };
  tokens.forEach((token, index) => {
    const next = tokens[index + 1];
    if (token === '{' || token === '[') {
      add(token);
      if (next === '}' || next === ']') return;
      depth += 1;
      start();
    } else if (token === '}' || token === ']') {
      if (tokens[index - 1] !== '{' && tokens[index - 1] !== '[') { depth -= 1; start(); }
      add(token);
    } else if (token === ',') { add(token); start(); }
    else add(token === ':' ? ': ' : token);
  });
  return lines.join('\n');
}

/* Every word must stand somewhere in the text. */
function matchesWords(text, words) {
  const lower = text.toLowerCase();
  return words.toLowerCase().split(/\s+/).every((word) => lower.includes(word));
}
`;
