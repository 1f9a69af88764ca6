import { expect, test } from 'vitest';
import { saysItTakes } from '../../../src/contract/words/read-job.ts';
import { makeContract } from '../../contract/make-contract.ts';

const takes = (description: string, parameter = '', ms = 9_000): boolean => {
  const pause = { name: 'pause', in: 'query', schema: { type: 'integer' }, description: parameter };
  const get = { description, parameters: [pause], responses: { 200: { description: 'ok' } } };
  const [operation] = makeContract({ paths: { '/naps': { get } } }).operations;
  return saysItTakes(operation!, ms);
};

test.each<[boolean, string, string]>([
  [true, 'Answers after that pause (max of 10 seconds).', ''],
  [true, '', 'In seconds, 8s at most.'],
  [true, 'Takes up to 2 minutes.', ''],
  [false, 'Answers within 2 seconds.', ''],
  [false, 'Takes 9000 ms', ' '.repeat(2)],
  [false, 'Answers after a pause.', 'A number from 1 to 10.'],
])('says that it may take nine seconds: %s, "%s%s"', (expected, description, parameter) => {
  const ms = description.includes('ms') ? 12_000 : 9_000;
  expect(takes(description, parameter, ms)).toBe(expected);
});
