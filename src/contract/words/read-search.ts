import { recordFields } from '../infer/record-fields.ts';
import type { Operation, Parameter } from '../model/operation.ts';
import type { TextSearch } from '../model/resource.ts';
import type { Schema } from '../model/schema.ts';
import { type Fact, factIn, factsIn, operationTexts, parameterTexts } from './facts.ts';
import { mentions } from './mentions.ts';

/** What `a country that has this code` is not. */
const anyPart = /\b(?:contain|part|substring|fragment)/i;

/** A search, and the sentence that states it. */
interface ToldSearch extends TextSearch {
  readonly fact: Fact;
}

/**
 * The search that the description of a parameter states, or that of its operation: `Only groups
 * whose name starts with the search term.` In the fields that it names, else in all texts.
 * Undefined if it states none.
 */
export function toldSearch(
  parameter: Parameter,
  record: Schema,
  operation?: Operation,
): ToldSearch | undefined {
  const own = parameterTexts(parameter);
  const texts = operation === undefined ? own : [...own, ...operationTexts(operation)];
  const fields = recordFields(record)
    .filter(({ types, many }) => !many && types.includes('string'))
    .map(({ name }) => name);
  const namedIn = (text: string): string[] => fields.filter((name) => mentions(text, name));
  const beginning = factIn(texts, 'searches-beginnings');
  const part = factsIn(texts, 'searches').find(({ value = '' }) => namedIn(value).length > 0);
  const fact = beginning ?? part ?? factIn(texts, 'searches-texts');
  if (fact === undefined) return undefined;
  const isPart = fact === part && (operation !== undefined || anyPart.test(fact.sentence));
  const named = namedIn(fact === part ? (part.value ?? '') : fact.sentence);
  return {
    parameter,
    fields: named.length > 0 ? named : fields,
    at: beginning === undefined ? 'anywhere' : 'start',
    isExact: named.length > 0 && (fact === beginning || isPart),
    ignoresCase: factIn(texts, 'ignores-case') !== undefined,
    fact,
  };
}
