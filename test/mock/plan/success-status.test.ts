import { expect, test } from 'vitest';
import type { ResourceRole } from '../../../src/mock/model/request.ts';
import { chooseSuccessStatus } from '../../../src/mock/plan/plan-operations.ts';
import { makeContract } from '../../contract/make-contract.ts';

test.each<
  [
    documented: readonly string[],
    action: ResourceRole['action'] | undefined,
    assumed: number | undefined,
    status: number,
    why: string,
  ]
>([
  [['200', '201', '202'], 'create', undefined, 201, 'that fits a create'],
  [['200', '204', '205'], 'delete', undefined, 204, 'that fits a delete'],
  [['204', '200'], 'read', undefined, 200, 'that is lowest'],
  [['202', '204'], undefined, undefined, 202, 'that is lowest'],
  [['200', '202'], 'create', undefined, 200, 'that is lowest, where none fits'],
  [['2XX'], 'create', 202, 202, 'that is assumed'],
  [['206', '207'], 'read', undefined, 207, 'that is for whole answers'],
  [['206'], 'read', undefined, 206, 'that is the only one'],
  [['302', '404'], undefined, undefined, 302, 'that redirects, where nothing else is done'],
  [['2XX', '302'], undefined, undefined, 200, 'that the range holds'],
  [['default'], undefined, undefined, 200, 'that HTTP has for any success'],
  [[], undefined, undefined, 200, 'that HTTP has for any success'],
  [['3XX'], undefined, undefined, 302, 'that is the most usual redirect'],
  [['5XX'], undefined, undefined, 500, 'that is all there is'],
  [['503', '501'], undefined, undefined, 501, 'that is lowest of all there is'],
  [['101'], undefined, undefined, 101, 'that is all there is'],
  [['3XX', '500'], undefined, undefined, 302, 'that is no failure'],
  [['5XX'], 'delete', undefined, 200, 'that HTTP has for what was done'],
  [['404', '500'], undefined, undefined, 200, 'that was left out where refusals were not'],
  [['500', 'default'], undefined, undefined, 200, 'that default stands for'],
  [['200', '204'], 'clear', undefined, 204, 'that fits a deletion of many'],
  [['200', '201'], 'create-many', undefined, 201, 'that fits a creation of many'],
])(
  'of %j, a %s with %s assumed succeeds with %i: the one %5$s',
  (documented, action, assumed, status, _why) => {
    const responses = Object.fromEntries(
      documented.map((name) => [name, { description: 'Said.' }]),
    );
    const [operation] = makeContract({ paths: { '/a': { get: { responses } } } }).operations;
    if (operation === undefined) throw new Error('the test has no operation');
    expect(chooseSuccessStatus(operation, action, assumed)).toBe(status);
  },
);
