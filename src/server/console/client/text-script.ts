/** The console's way with texts: what would be hidden is shown, JSON is indented without being read, numbers keep every digit. */
export const textScript = String.raw`
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}]|\p{Cs}/gu;

function visible(text) {
  return String(text).replace(hidden, (character) => '\\u{' + character.codePointAt(0).toString(16) + '}');
}

function countOf(number, noun) {
  return number.toLocaleString('en-US') + ' ' + noun + (number === 1 ? '' : 's');
}

function duration(milliseconds) {
  if (milliseconds < 10) return milliseconds.toFixed(1) + ' ms';
  if (milliseconds < 1000) return Math.round(milliseconds) + ' ms';
  return (milliseconds / 1000).toFixed(2) + ' s';
}

function timeOf(at) {
  return new Date(at).toLocaleTimeString('en-GB');
}

/* A number that a double cannot hold stays the text that it was written as. */
class ExactNumber {
  constructor(source) { this.source = source; }
  toString() { return this.source; }
  toJSON() { return JSON.rawJSON === undefined ? this.source : JSON.rawJSON(this.source); }
}

function readJson(text) {
  return JSON.parse(text, (_key, value, context) => (typeof value === 'number' && context?.source !== undefined && String(value) !== context.source && /^-?\d{16,}$/.test(context.source) ? new ExactNumber(context.source) : value));
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

function prettyBody(text) {
  try {
    JSON.parse(text);
    return indentJson(text);
  } catch {
    return text;
  }
}

/* Every word must stand somewhere in the text. */
function matchesWords(text, words) {
  const lower = text.toLowerCase();
  return words.toLowerCase().split(/\s+/).every((word) => lower.includes(word));
}

function shellQuote(text) {
  return "'" + text.replaceAll("'", "'\\''") + "'";
}
`;
