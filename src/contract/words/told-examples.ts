import { joinPointer } from '../../json/pointer.ts';
import type { Example, Parameter } from '../model.ts';

/**
 * The values that the description of a text gives as examples: `KGX` of "The station, e.g. KGX for
 * London Kings Cross". Quoted words are one; a bare word is one if it has a capital or a digit,
 * since "for example to list them" shows no value. Its schema need not accept them.
 */
export function toldExamples({
  description = '',
  schema,
  pointer,
}: Pick<Parameter, 'description' | 'schema' | 'pointer'>): Example[] {
  if (!schema.flatten().types.includes('string')) return [];
  const text = description.replaceAll(/<\/?[a-z][^<>]{0,200}>/gi, '');
  const values = [...text.matchAll(introduced)].flatMap(([, quoted, bare = '']) => {
    const value = quoted?.slice(1, -1) ?? bare.replace(/[.,:;)\]]+$/, '');
    const isValue = quoted === undefined ? /[A-Z0-9]/.test(value) : !value.includes(' ');
    return isValue && value !== '' && !isPlaceholder.test(value) ? [value] : [];
  });
  const place = joinPointer(pointer, 'description');
  return values.map((value) => ({ name: 'description', value, pointer: place }));
}

const introduced =
  /(?:\be\.\s?g\.[,:]?|\bfor (?:example|instance)[,:]?|\bexamples?:|\bex[.:]|\bsuch as)\s+(?:is\s+)?(?:(`[^`\n]{1,200}`|'[^'\n]{1,200}'|"[^"\n]{1,200}")|([^\s"'`()]{1,200}))/gi;

/** A text whose value the reader is to fill in: `<id>`, `{id}`, `abc...`, `Cxxxxxxx`. */
const isPlaceholder = /[<>{}]|\.\.\.|…|x{4,}/i;
