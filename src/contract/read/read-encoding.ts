import type { Cursor } from './cursor.ts';
import type { MemberEncoding, ParameterStyle } from '../model.ts';
import { defined } from '../../json/defined.ts';

/**
 * The styles that a member of a form may have: those of a query (OpenAPI 3.1, section 4.8.12.2).
 */
const styles: readonly ParameterStyle[] = [
  'form',
  'spaceDelimited',
  'pipeDelimited',
  'tabDelimited',
  'deepObject',
];

/**
 * The `encoding` map of a media type (OpenAPI 3.1, section 4.8.15), or undefined where there is
 * none.
 */
export function readEncoding(mediaType: Cursor): ReadonlyMap<string, MemberEncoding> | undefined {
  const entries = mediaType.entries('encoding');
  return entries.length === 0
    ? undefined
    : new Map(entries.map(([name, cursor]) => [name, readMember(cursor)]));
}

function readMember(cursor: Cursor): MemberEncoding {
  const contentType = cursor.string('contentType');
  const style = styles.find((known) => known === cursor.string('style'));
  return {
    ...defined({ contentType, style }),
    ...(cursor.raw('explode') === undefined ? {} : { explode: cursor.flag('explode') }),
  };
}
