import { randomUUID } from 'node:crypto';
import type { Schema } from '../../contract/model.ts';
import type { Source } from '../model/request-template.ts';

type UniqueSource = Extract<Source, { kind: 'unique' }>;

/** What takes a key: a parameter, or a member of a body. */
interface Keyed {
  readonly schema: Schema;
}

const keyFormats: readonly UniqueSource[] = [
  { kind: 'unique' },
  { kind: 'unique', digits: 32 },
  { kind: 'unique', digits: 16 },
];

/** The source of a key that no request had before; undefined if the schema accepts none of them. */
export function newKey({ schema }: Keyed): UniqueSource | undefined {
  return keyFormats.find((format) => schema.accepts(uniqueText(format), 'request'));
}

/** The same for the name of a new record, which shows people where it comes from. */
export function newName({ schema }: Keyed): UniqueSource | undefined {
  return [{ kind: 'unique', digits: 16, prefix: 'vouch-' } as const, ...keyFormats].find((format) =>
    schema.accepts(uniqueText(format), 'request'),
  );
}

/**
 * A UUID, or its first hexadecimal digits, behind a prefix. Random and independent of the seed: a
 * service may know the keys of an earlier run.
 */
export function uniqueText({ digits, prefix = '' }: Omit<UniqueSource, 'kind'> = {}): string {
  const text = randomUUID();
  return prefix + (digits === undefined ? text : text.replaceAll('-', '').slice(0, digits));
}
