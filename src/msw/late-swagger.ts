import type { ConvertedDocument } from '../contract/swagger/convert-swagger.ts';
import type { JsonObject } from '../json/value.ts';
import { loadPackage } from './browser-platform.ts';

/** The conversion of 2.0 in the build for browsers, loaded late: few pages have such a document. */
export function convertSwagger(document: JsonObject): ConvertedDocument {
  const { convertSwagger: convert } = loadPackage('swagger') as {
    readonly convertSwagger: (document: JsonObject) => ConvertedDocument;
  };
  return convert(document);
}
