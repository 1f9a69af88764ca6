import type { OrderKey, OrderLanguage, OrderStandard } from './language.ts';
import { isFieldName } from './literals.ts';

/**
 * Fields with the word `desc` behind those that descend: `name,size desc` (AIP-132, "Ordering";
 * OData 4.01, Part 2: URL Conventions, section 5.1.6, which has `asc` too).
 */
export const wordOrder: OrderLanguage = {
  id: 'word-order',
  name: 'a trailing desc sorts in descending order',
  write: (keys) =>
    writeKeys(keys, ({ field, descending }) => `${field}${descending ? ' desc' : ''}`),
  read: (text) =>
    readKeys(text, (word) => {
      const [, field = '', way] = /^([\w.]+)(?: +(asc|desc))?$/.exec(word) ?? [];
      return { field, descending: way === 'desc' };
    }),
};

/** Fields with a minus in front of those that descend: `name,-size` (JSON:API 1.1, section 6.5). */
export const signOrder: OrderLanguage = {
  id: 'sign-order',
  name: 'a leading minus sorts in descending order',
  write: (keys) => writeKeys(keys, ({ field, descending }) => `${descending ? '-' : ''}${field}`),
  read: (text) =>
    readKeys(text, (word) => ({ field: word.replace(/^-/, ''), descending: word.startsWith('-') })),
};

/** The name of one field: no other order is known. */
export const plainOrder: OrderLanguage = {
  id: 'plain-order',
  name: 'one field',
  write: ([key, ...others]) =>
    key === undefined || others.length > 0 || key.descending ? undefined : key.field,
  read: (text) => (text.includes(',') ? undefined : [{ field: text, descending: false }]),
};

/** The standards that say more of orders than how they are written. */
export const orderStandards = {
  aip: { source: 'Google AIP-132', isNullLowest: false, refusesUnknown: true },
  odata: {
    source: 'OData 4.01, Part 1, section 11.2.6.2',
    isNullLowest: true,
    refusesUnknown: true,
  },
  jsonApi: { source: 'JSON:API 1.1, section 6.5', isNullLowest: false, refusesUnknown: true },
} satisfies Readonly<Record<string, OrderStandard>>;

function writeKeys(
  keys: readonly OrderKey[],
  write: (key: OrderKey) => string,
): string | undefined {
  const isFine = keys.length > 0 && keys.every(({ field }) => isFieldName(field));
  return isFine ? keys.map(write).join(',') : undefined;
}

function readKeys(text: string, read: (word: string) => OrderKey): OrderKey[] | undefined {
  const keys = text.split(',').map((word) => read(word.trim()));
  return keys.every(({ field }) => isFieldName(field)) ? keys : undefined;
}
