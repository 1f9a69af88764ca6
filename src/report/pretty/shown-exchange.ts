import type { Exchange } from '../../check/model/exchange.ts';
import type { Finding } from '../../check/model/finding.ts';
import { breakBody } from '../../text/break-body.ts';
import { cleanLine } from '../../text/safe-text.ts';
import type { TextStyle } from '../../text/text-style.ts';
import { bodyMatter, type BodyMatter, isMeantEverywhere, matterPattern } from '../body-matter.ts';
import { exchangeLines } from '../exchange-text.ts';
import type { BlockLayout } from './finding-block.ts';

/**
 * The exchange of a finding, one string a line: the body is dimmed but for what the finding is
 * about, which stands out.
 */
export function shownExchange(
  finding: Finding,
  exchange: Exchange,
  { style, width, terminal }: BlockLayout,
): string[] {
  const about = bodyMatter(finding);
  const [request = '', answer = '', ...body] = exchangeLines(exchange, about);
  const lines = terminal === true ? body.flatMap((line) => breakBody(line, width)) : body;
  const matter = about === undefined ? undefined : patternIn(lines, about);
  return [
    request,
    markStatus(answer, finding, style),
    ...lines.map((line) => markMatter(line, matter, style)),
  ];
}

/** Where the status is what is wrong, it stands out. */
function markStatus(line: string, { actual }: Finding, style: TextStyle): string {
  return /^\d{3}$/.test(actual) && line.startsWith(`${actual} `)
    ? style.yellow(actual) + line.slice(actual.length)
    : line;
}

/**
 * What to look for in each line of the body; undefined where none of it can be told from the rest.
 */
function patternIn(lines: readonly string[], about: BodyMatter): RegExp | undefined {
  const pattern = new RegExp(matterPattern(about, cleanLine), 'g');
  const places = lines.reduce((count, line) => count + [...line.matchAll(pattern)].length, 0);
  return places === 1 || isMeantEverywhere(about) ? pattern : undefined;
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
