import { recordFields } from '../infer/record-fields.ts';
import type { Parameter } from '../model/operation.ts';
import type { Schema } from '../model/schema.ts';
import { factIn, parameterTexts } from './facts.ts';
import { mentions } from './mentions.ts';

/** In which fields of a record a list looks for the text of a parameter, and where in them. */
export interface ToldSearch {
  readonly fields: readonly string[];
  readonly at: 'start' | 'anywhere';
}

/**
 * The search that the description of a parameter states: `Only groups whose name starts with the
 * search term.` In the fields that it names, else in all texts. Undefined if it states none.
 */
export function toldSearch(parameter: Parameter, record: Schema): ToldSearch | undefined {
  const texts = parameterTexts(parameter);
  const beginning = factIn(texts, 'searches-beginnings');
  const open = beginning ?? factIn(texts, 'searches-texts');
  const fact = open ?? factIn(texts, 'searches');
  if (fact === undefined) return undefined;
  const fields = recordFields(record)
    .filter(({ types, many }) => !many && types.includes('string'))
    .map(({ name }) => name);
  const named = fields.filter((name) => mentions(fact.sentence, name));
  if (open === undefined && named.length === 0) return undefined;
  return {
    fields: named.length > 0 ? named : fields,
    at: beginning === undefined ? 'anywhere' : 'start',
  };
}
