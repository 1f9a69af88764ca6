import { decodePercent } from '../../http/percent.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { readDelimiter } from './delimiter.ts';
import type { ParameterForm } from './parameter-form.ts';
import type { Split, SplitInto } from './split.ts';
import { gatherPieces, givenTimes, splitEntry } from './split-pieces.ts';

/**
 * Cuts a path value in `simple`, `label` or `matrix` style (RFC 6570, sections 3.2.2, 3.2.5 and
 * 3.2.7); content has no style.
 */
export function splitPath(form: ParameterForm, raw: string, into: SplitInto): Split {
  if (form.mediaType !== undefined) return { kind: 'text', text: raw };
  if (form.style === 'label') return splitLabel(form, unescapeDots(raw), into);
  if (form.style === 'matrix') return splitMatrix(form, raw, into);
  return into === 'text'
    ? { kind: 'text', text: raw }
    : gatherPieces(raw.split(readDelimiter(form)), into, form.explode);
}

/**
 * A segment of one or two dots is sent as `%2E`, so that nobody folds it away; to a label the first
 * of them is a delimiter.
 */
function unescapeDots(raw: string): string {
  return /^(?:%2e|\.){1,2}$/i.test(raw) ? raw.replaceAll(/%2e/gi, '.') : raw;
}

function splitLabel(form: ParameterForm, raw: string, into: SplitInto): Split {
  if (!raw.startsWith('.'))
    return { kind: 'unreadable', message: `must begin with \`.\`, but is ${quoteExcerpt(raw)}` };
  const text = raw.slice(1);
  if (into === 'text') return { kind: 'text', text };
  return gatherPieces(text.split(form.explode ? '.' : ','), into, form.explode);
}

function splitMatrix(form: ParameterForm, raw: string, into: SplitInto): Split {
  const [before, ...pieces] = raw.split(';');
  const entries = pieces.map(splitEntry);
  const ownNames = into === 'members' && form.explode;
  if (
    before !== '' ||
    entries.length === 0 ||
    !(ownNames || entries.every(([name]) => decodePercent(name) === form.name))
  ) {
    return {
      kind: 'unreadable',
      message: `must begin with ${quoteExcerpt(ownNames ? ';' : `;${form.name}`)}, but is ${quoteExcerpt(raw)}`,
    };
  }
  if (ownNames) return { kind: 'members', entries };
  const texts = entries.map(([, text]) => text);
  if (into === 'list' && form.explode) return { kind: 'list', texts };
  if (texts.length > 1) return givenTimes(texts.length);
  return into === 'text'
    ? { kind: 'text', text: texts[0] ?? '' }
    : gatherPieces((texts[0] ?? '').split(','), into, false);
}
