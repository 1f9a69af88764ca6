import type { HeaderSpec } from '../contract/model.ts';
import { encodeParameter } from '../contract/parameter/encode-parameter.ts';
import { headerValue, type HeaderList } from '../http/message.ts';
import type { JsonValue } from '../json/value.ts';
import { normaliseName } from '../values/named-texts.ts';
import { plainValue } from '../values/plain-value.ts';
import { headerText } from './errors/visible-text.ts';

/** What is known when documented headers are filled in. */
export interface HeaderFacts {
  /** The fields that the answer has already. */
  readonly present: HeaderList;
  /** How many records there are in all, where the answer is a list. */
  readonly total: number | undefined;
  readonly seed: string;
}

/** Fields for the headers that the contract documents: those that are required get a value, and so do those of which something is known. */
export function fillHeaders(documented: readonly HeaderSpec[], facts: HeaderFacts): HeaderList {
  return documented.flatMap((header) => {
    if (headerValue(facts.present, header.name) !== undefined) return [];
    const value = known(header, facts) ?? (header.required ? make(header, facts.seed) : undefined);
    return value === undefined ? [] : [[header.name, headerText(value)] as const];
  });
}

function known({ name, schema }: HeaderSpec, { total }: HeaderFacts): string | undefined {
  if (total === undefined || !/^x?(total|totalcount|count|paginationcount|totalitems)$/.test(normaliseName(name))) return undefined;
  return schema.validate(total, 'response').length === 0 ? String(total) : undefined;
}

function make(header: HeaderSpec, seed: string): string | undefined {
  const [example] = header.examples;
  if (example !== undefined) return write(header, example.value);
  const made = plainValue(header.schema, { seed: `${seed} ${header.name}`, direction: 'response' });
  return made.ok ? write(header, made.value) : undefined;
}

function write({ name, explode, schema }: HeaderSpec, value: JsonValue): string {
  const form = { name, in: 'header', style: 'simple', explode, allowReserved: false, allowEmptyValue: false, schema } as const;
  const encoded = encodeParameter(form, value);
  return encoded.in === 'header' ? encoded.value : '';
}
