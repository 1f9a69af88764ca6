import { randomUUID } from 'node:crypto';
import type { Parameter } from '../../../contract/model.ts';
import type { Source } from '../../model/request-template.ts';

type Unique = Extract<Source, { kind: 'unique' }>;

const shapes: readonly Unique[] = [
  { kind: 'unique' },
  { kind: 'unique', digits: 32 },
  { kind: 'unique', digits: 16 },
];

/**
 * The source of a key that no request bore before; undefined where its schema takes none that could
 * be made up.
 */
export function newKey({ schema }: Parameter): Unique | undefined {
  return shapes.find(({ digits }) => schema.accepts(uniqueText(digits), 'request'));
}

/**
 * A UUID, or its first hexadecimal digits. Left to chance and not to the seed: a service may know
 * the keys of an earlier run.
 */
export function uniqueText(digits?: number): string {
  const text = randomUUID();
  return digits === undefined ? text : text.replaceAll('-', '').slice(0, digits);
}
