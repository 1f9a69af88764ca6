import { pageTextScript } from '../../../page/text-script.ts';

/** The console's way with texts: that of every page, and numbers keep every digit. */
export const textScript =
  pageTextScript +
  String.raw`
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

function prettyBody(text) {
  try {
    JSON.parse(text);
    return indentJson(text);
  } catch {
    return text;
  }
}

function shellQuote(text) {
  return "'" + text.replaceAll("'", "'\\''") + "'";
}
`;
