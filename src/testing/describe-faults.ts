import type { AnswerFault } from '../check/traffic/judge-answer.ts';
import type { Operation } from '../contract/model.ts';
import { formatPlace } from '../errors.ts';
import { countOf } from '../text/counts.ts';
import { cleanLine, cleanText, cutText } from '../text/safe-text.ts';
import type { TestAnswer } from './answer/test-answer.ts';

const longestValue = 200;
const longestBody = 1000;

/**
 * What a failed test says: every fault with the line of the contract, and the body that came.
 * Without a fault, what `.not` says.
 */
export function describeFaults(
  faults: readonly AnswerFault[],
  { answer, operation }: { readonly answer: TestAnswer; readonly operation: Operation },
): string {
  const name = `${operation.method} ${operation.path} (${operation.id})`;
  if (faults.length === 0)
    return (
      `The ${String(answer.status)} answer of ${name} keeps the contract, and ` +
      'was expected to break it.'
    );
  const head =
    `The ${String(answer.status)} answer of ${name} breaks the contract in ` +
    `${countOf(faults.length, 'place')}:`;
  return [
    head,
    '',
    ...faults.flatMap((fault, index) => faultLines(fault, index + 1)),
    ...bodyLines(answer.body),
  ]
    .join('\n')
    .trimEnd();
}

function faultLines(
  { check, message, expected, actual, place, frame }: AnswerFault,
  number: number,
): string[] {
  const lines = [
    `${cleanLine(message)} (${check})`,
    `expected  ${cleanLine(cutText(expected, longestValue))}`,
    `actual    ${cleanLine(cutText(actual, longestValue))}`,
    '',
    formatPlace(place),
    ...cleanText(frame)
      .split('\n')
      .map((line) => `  ${line}`),
    '',
  ];
  const mark = `  ${String(number)}) `;
  return lines.map((line, index) =>
    line === '' ? '' : `${index === 0 ? mark : ' '.repeat(mark.length)}${line}`,
  );
}

function bodyLines(body: Uint8Array): string[] {
  return body.length === 0
    ? ['  The answer has no body.']
    : [
        '  The body that came:',
        `  ${cleanLine(cutText(Buffer.from(body).toString('utf8'), longestBody))}`,
      ];
}
