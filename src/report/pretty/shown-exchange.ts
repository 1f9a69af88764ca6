import type { Exchange, Finding } from '../../check/finding.ts';
import { cleanLine } from '../../text/safe-text.ts';
import type { TextStyle } from '../../text/text-style.ts';
import { breakBody } from '../../text/break-body.ts';
import { onlyPlaceOf } from '../body-text.ts';
import { exchangeLines, matterOf } from '../exchange-text.ts';
import type { BlockLayout } from './finding-block.ts';

/** The exchange of a finding, one string a line: the body is dimmed but for what the finding is about, which stands out. */
export function shownExchange(finding: Finding, exchange: Exchange, { style, width, terminal }: BlockLayout): string[] {
  const [request = '', answer = '', ...body] = exchangeLines(exchange, matterOf(finding));
  const lines = terminal === true ? body.flatMap((line) => breakBody(line, width)) : body;
  const matter = matterPattern(finding, lines);
  return [request, markStatus(answer, finding, style), ...lines.map((line) => markMatter(line, matter, style))];
}

/** Where the status is what is wrong, it stands out. */
function markStatus(line: string, { actual }: Finding, style: TextStyle): string {
  return /^\d{3}$/.test(actual) && line.startsWith(`${actual} `) ? style.yellow(actual) + line.slice(actual.length) : line;
}

/**
 * What to look for in the body: the text or number that the finding names, where it stands there once; of a finding such as
 * `status is "sold"` every field with that value. Undefined where it cannot be told.
 */
function matterPattern(finding: Finding, lines: readonly string[]): RegExp | undefined {
  const [, field, value] = /^([\w.-]+) is ("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)(?=$|[\s,.;])/.exec(finding.actual) ?? [];
  if (field !== undefined && value !== undefined) return new RegExp(`"${literal(field)}"\\s*:\\s*${literal(cleanLine(value))}(?![\\w.])`, 'g');
  const matter = matterOf(finding);
  const cleaned = matter === undefined ? undefined : cleanLine(matter);
  return cleaned === undefined || onlyPlaceOf(cleaned, lines.join('\n')) === -1 ? undefined : new RegExp(literal(cleaned), 'g');
}

function markMatter(line: string, matter: RegExp | undefined, style: TextStyle): string {
  if (matter === undefined) return style.dim(line);
  const parts: string[] = [];
  let end = 0;
  for (const { 0: found, index } of line.matchAll(matter)) {
    parts.push(style.dim(line.slice(end, index)), style.yellow(found));
    end = index + found.length;
  }
  return [...parts, style.dim(line.slice(end))].join('');
}

/** A text as the regular expression that finds it. */
function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
