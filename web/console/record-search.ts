import type { PlacedRecord } from '../../src/server/console/console-api.ts';
import { matchesWords } from '../shared/text.ts';

/** The words to search for, in one field; '' for all fields. */
export interface RecordSearch {
  readonly words: string;
  readonly field: string;
}

/** Whether a record has all words. A field with a number must be that number. */
export function matchesSearch(
  { id, record }: PlacedRecord,
  { words, field }: RecordSearch,
): boolean {
  if (field === '') return matchesWords(`${id} ${JSON.stringify(record)}`, words);
  const value = record[field];
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const wanted = words.trim();
  const isNumber = typeof value !== 'string' && /^-?\d/.test(text);
  return isNumber && wanted !== '' ? text === wanted : matchesWords(text, wanted);
}
