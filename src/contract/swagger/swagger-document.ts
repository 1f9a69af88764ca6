import type { JsonObject, JsonValue } from '../../json/value.ts';
import { defined, isJsonObject, membersWhere } from '../../json/value.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { ParameterStyle } from '../model.ts';
import { type LocatedValue, locateReference } from '../read/cursor.ts';

/** A Swagger 2.0 document during the conversion to OpenAPI 3.0. */
export class SwaggerDocument {
  readonly document: JsonObject;
  /** The places of new objects in the original. */
  readonly origins = new WeakMap<object, Pointer>();

  constructor(document: JsonObject) {
    this.document = document;
  }

  /** Records the place of a new object. */
  at<Made extends object>(pointer: Pointer, made: Made): Made {
    this.origins.set(made, pointer);
    return made;
  }

  /**
   * Follows a chain of references. An unresolved one is returned unchanged: its reader reports it.
   */
  follow(value: JsonValue, pointer: Pointer): LocatedValue {
    let here: LocatedValue = { value, pointer };
    for (
      const seen = new Set<Pointer>();
      isJsonObject(here.value) && typeof here.value['$ref'] === 'string' && !seen.has(here.pointer);
    ) {
      seen.add(here.pointer);
      const target = locateReference(this.document, here.value['$ref']);
      if (target === undefined) return here;
      here = target;
    }
    return here;
  }
}

/** The texts of a list, or undefined if it is not a list of texts. */
export function stringsOf(value: JsonValue | undefined): string[] | undefined {
  const texts = Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  return texts.length > 0 ? texts : undefined;
}

/** The members of an object whose names begin with `x-`, and the given ones. */
export function pickMembers(object: JsonObject, names: readonly string[]): JsonObject {
  return membersWhere(object, (name) => name.startsWith('x-') || names.includes(name));
}

/**
 * A parameter in the form of OpenAPI 3.0, or undefined for one that is part of the body. The
 * parameter itself is its schema.
 */
export function convertParameter(
  source: SwaggerDocument,
  { value, pointer }: LocatedValue,
): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const place = value['in'];
  if (place === 'body' || place === 'formData') return undefined;
  const example = value['x-example'];
  return source.at(pointer, {
    ...pickMembers(value, ['name', 'in', 'description', 'required', 'allowEmptyValue']),
    ...layoutOf(value, place === 'query' ? 'form' : 'simple'),
    ...defined({ example }),
    schema: source.at(pointer, value),
  });
}

const styles: Readonly<Record<string, ParameterStyle>> = {
  ssv: 'spaceDelimited',
  tsv: 'tabDelimited',
  pipes: 'pipeDelimited',
};

/** The delimiter of the items of a list: `collectionFormat`, by default commas. */
export function layoutOf(
  parameter: JsonObject,
  usual: ParameterStyle,
): { readonly style: ParameterStyle; readonly explode: boolean } {
  const format: JsonValue | undefined = parameter['collectionFormat'];
  if (format === 'multi') return { style: usual, explode: true };
  return {
    style: (typeof format === 'string' ? styles[format] : undefined) ?? usual,
    explode: false,
  };
}
