import { isJsonMediaType, matchesMediaRange, parseMediaType } from '../http/media-type.ts';

/**
 * The text of a body that Prism made, in the media type that it chose; `''` where it made none.
 * Throws where the value has no text in that media type, as Prism's own server does.
 */
export function serializeBody(value: unknown, mediaType: string | undefined): string {
  if (value === undefined) return '';
  if (mediaType !== undefined && isJsonMediaType(mediaType)) return JSON.stringify(value);
  if (typeof value === 'string') return value;
  if (mediaType !== undefined && isXmlMediaType(mediaType)) return writeXml('xml', value);
  throw new Error(
    'Prism made a value that has no text as ' +
      `${mediaType ?? 'a body without a media type'}: ${JSON.stringify(value)}`,
  );
}

function isXmlMediaType(mediaType: string): boolean {
  const essence = parseMediaType(mediaType)?.essence ?? '';
  return (
    essence.endsWith('+xml') ||
    matchesMediaRange(mediaType, 'application/xml') ||
    matchesMediaRange(mediaType, 'text/xml')
  );
}

function writeXml(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => writeXml(name, item)).join('');
  return `<${name}>${writeContent(value)}</${name}>`;
}

function writeContent(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return escapeXml(String(value));
  return Object.entries(value)
    .map(([name, member]) => writeXml(name, member))
    .join('');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
