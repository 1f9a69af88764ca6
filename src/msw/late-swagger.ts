import type { ConvertedDocument } from '../contract/swagger/convert-swagger.ts';
import type { JsonObject } from '../json/value.ts';
import { loadPackage } from './browser-platform.ts';

/** What the build for browsers has instead of the conversion of 2.0: few pages have such a document. */
export function convertSwagger(document: JsonObject): ConvertedDocument {
  const { convertSwagger: convert } = loadPackage('swagger') as {
    readonly convertSwagger: (document: JsonObject) => ConvertedDocument;
  };
  return convert(document);
}
