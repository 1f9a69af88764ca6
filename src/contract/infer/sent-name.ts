import { isSameName } from '../../http/message.ts';
import type { Operation, Schema } from '../model.ts';
import { bodySchema } from '../model/operation.ts';
import { successResponses } from '../select-response.ts';
import { successSchema } from './conventions/envelope-styles.ts';
import type { IdentifierReading, IdentifierSource } from './infer-identifier.ts';
import { inferIdentifier } from './infer-identifier.ts';

/** The identifier of a record, and the form of the record that shows it. */
export type Identified = IdentifierReading & { readonly record: Schema };

/**
 * What a client calls a record that it makes, where the answer tells it nothing: the only text that
 * the body requires.
 */
export function sentName(
  create: Operation,
  { item, parameter }: IdentifierSource,
): string | undefined {
  const answers = successResponses(create);
  const tells =
    answers.some(({ headers }) => headers.some(({ name }) => isSameName(name, 'location'))) ||
    (successSchema(create)?.flatten().properties.size ?? 0) > 0;
  const carrier = item?.parameters.find(({ in: at, name }) => at === 'path' && name === parameter);
  const body = bodySchema(create);
  // `{noteId}` is what the service calls it.
  if (/id$/i.test(parameter ?? 'id')) return undefined;
  if (tells || body === undefined || carrier?.schema.flatten().types.includes('string') !== true)
    return undefined;
  const { required, properties } = body.flatten();
  const texts = [...properties].flatMap(([name, place]) => {
    const { types, node } = body.flatten(place);
    const isName = types.includes('string') && node.enum === undefined && node.const === undefined;
    return required.has(name) && isName && node.format === carrier.schema.flatten().node.format
      ? [name]
      : [];
  });
  return texts.length === 1 ? texts[0] : undefined;
}

/** The same as an identifier, in the first form of the record that has it. */
export function identifiedAs(
  sent: string,
  forms: readonly (Schema | undefined)[],
  source: IdentifierSource,
): Identified | undefined {
  const why = [`Records are identified by ${sent}: a create answers nothing else.`];
  for (const record of forms) {
    const found = record && inferIdentifier(record, { ...source, field: sent });
    if (found !== undefined && record !== undefined)
      return { ...found, conventions: ['identifier.sent'], why, record };
  }
  return undefined;
}
