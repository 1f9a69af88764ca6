import type { PageData, PageFinding } from '../../src/report/html/page-data.ts';
import { shortened } from '../shared/text.ts';

/** A finding as Markdown for an issue: what, expected and actual, the contract, how to see it. */
export function writeFinding(finding: PageFinding, run: PageData['run']): string {
  const { id, message, operation, check, place, frame, curl, replay } = finding;
  const { trying, expected, actual, evidence } = finding;
  const facts = [
    ['tried', trying],
    ['expected', expected],
    ['actual', actual],
  ] as const;
  const commands = [...curl, ...(replay ? [`npx vouch replay ${id}`] : [])];
  const at = `${place.file}:${String(place.line)}`;
  return [
    `**${plainText(message)}**`,
    [
      `- ${code(`${operation.method} ${operation.path}`)}, check ${code(check)}`,
      ...facts.flatMap(([name, text]) => (text === '' ? [] : [`- ${name}: ${plainText(text)}`])),
      ...(evidence === '' ? [] : [`- ${plainText(evidence)}`]),
      `- in the contract: ${code(at)}`,
    ].join('\n'),
    ...(frame === '' ? [] : [block(frame, '')]),
    ...(commands.length === 0 ? [] : [block(commands.join('\n'), 'sh')]),
    ...(run === undefined
      ? []
      : [`vouch ${run.version} against ${code(run.target)}, seed ${code(run.seed)}`]),
  ].join('\n\n');
}

const longest = 600;

/** One line of text whose signs are no markup, and which mentions nobody. */
function plainText(text: string): string {
  return shortened(text.replaceAll(/\s+/g, ' '), longest)
    .replaceAll(/[\\`*_<>[\]#|~&]/g, '\\$&')
    .replaceAll('@', '&#64;');
}

/** Code within a line, between more backticks than it has in a row. */
function code(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  const ticks = '`'.repeat(longestRun(line) + 1);
  const space = /^`|`$/.test(line) ? ' ' : '';
  return ticks + space + line + space + ticks;
}

/** A block of code, between lines with more backticks than it has in a row. */
function block(text: string, language: string): string {
  const ticks = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${ticks}${language}\n${text}\n${ticks}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
