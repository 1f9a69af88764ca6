import type * as Reading from '../contract/content/read-xml.ts';
import type * as Writing from '../contract/content/write-xml.ts';
import { loadPackage } from './browser-platform.ts';

/** XML in the build for browsers, loaded late: few contracts have any. */
export const readXml: typeof Reading.readXml = (...given) =>
  (loadPackage('read-xml') as typeof Reading).readXml(...given);

export const writeXml: typeof Writing.writeXml = (...given) => writing().writeXml(...given);
export const xmlName: typeof Writing.xmlName = (...given) => writing().xmlName(...given);
export const xmlOf: typeof Writing.xmlOf = (...given) => writing().xmlOf(...given);

function writing(): typeof Writing {
  return loadPackage('write-xml') as typeof Writing;
}
