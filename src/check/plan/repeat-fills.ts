import type { Schema } from '../../contract/model.ts';
import { joinPointer, type Pointer, splitPointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import type { Fill, IdentifierPath } from '../model/request-template.ts';
import { newKey } from './unique-text.ts';

/** A body, as far as the texts are concerned that mark its repetitions. */
interface RepeatableBody {
  readonly schema?: Schema | undefined;
  readonly texts?: { readonly repeats: readonly string[] };
  readonly identifier?: IdentifierPath;
}

/**
 * What gives each request of its own a text that marks repetitions: with that of another request,
 * it would do nothing. The text at a tested place stays, and so does an invalid one.
 */
export function repeatFills(
  { schema, texts, identifier }: RepeatableBody,
  value: JsonValue,
  tested: Pointer | undefined,
): Fill[] {
  const [place] = splitPointer(tested ?? '');
  const properties = schema?.flatten().properties;
  return (texts?.repeats ?? []).flatMap((name): Fill[] => {
    const located = properties?.get(name);
    const own = located && schema?.part(located);
    const given = isJsonObject(value) ? value[name] : undefined;
    if (own === undefined || given === undefined) return [];
    // The name that a new record is given is as good.
    if (name === place || name === identifier?.[0]) return [];
    const source = own.accepts(given, 'request') ? newKey({ schema: own }) : undefined;
    return source === undefined ? [] : [{ at: joinPointer('', name), source }];
  });
}
