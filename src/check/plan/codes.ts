import { createHash } from 'node:crypto';
import type { Schema } from '../../contract/model.ts';
import { type Pointer, splitPointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { countBroken } from '../../values/broken-rules.ts';
import { inFormOf } from '../reading/identifiers.ts';

/** Two texts of digits: what fits with either fits with others. */
const trials = ['one', 'two'].map((text) => createHash('sha256').update(text).digest('hex'));

/** A body, as far as its codes are concerned. */
export interface CodedBody {
  readonly schema?: Schema | undefined;
  readonly makesRecord?: boolean | undefined;
  readonly texts?: { readonly coded: readonly string[]; readonly unique: readonly string[] };
}

/**
 * The texts of a form that no two requests should share: those of a new record, and those of a
 * change that no other record may have.
 */
export function ownCodes({ makesRecord, texts }: CodedBody): readonly string[] {
  const { coded = [], unique = [] } = texts ?? {};
  return makesRecord === true ? coded : coded.filter((name) => unique.includes(name));
}

/**
 * The codes of a body that may have other letters and digits when its request is repeated; an ISBN
 * may not. The code at a tested place keeps its letters, unless it is invalid with others too.
 */
export function codesIn(
  body: CodedBody,
  value: JsonValue,
  tested: Pointer | undefined,
): readonly string[] | undefined {
  const { schema } = body;
  if (schema === undefined || !isJsonObject(value)) return undefined;
  const [place = ''] = splitPointer(tested ?? '');
  // A text at the tested place has no mark, and another record may have it.
  const unmarked = body.texts?.unique.includes(place) === true ? [place] : [];
  const codes = [...new Set([...ownCodes(body), ...unmarked])].filter((field) => {
    const text = value[field];
    const isKept = field === place && schema.accepts(value, 'request');
    // `20.00` is an amount: with other digits, a service may refuse it for being too much.
    if (isKept || typeof text !== 'string' || /^-?\d+\.\d{1,3}$/.test(text)) return false;
    return trials.every((digest) =>
      breaksAsMany(schema, value, { ...value, [field]: inFormOf(text, digest) }),
    );
  });
  return codes.length === 0 ? undefined : codes;
}

/** Whether a changed value violates as many rules of a schema as before. */
export function breaksAsMany(schema: Schema, value: JsonValue, changed: JsonValue): boolean {
  const count = countBroken(schema, value);
  return count === 0
    ? schema.accepts(changed, 'request')
    : schema.validate(changed, 'request').length === count;
}
