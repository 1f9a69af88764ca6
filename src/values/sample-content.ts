const objects: readonly string[] = [
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 144] /Contents 4 0 R /' +
    'Resources << /Font << /F1 5 0 R >> >> >>',
  stream('BT /F1 24 Tf 40 60 Td (A sample page.) Tj ET'),
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
];

/** A PDF of one page with a line of text (ISO 32000-1, section 7.5); ASCII only. */
const samplePdf: string = write();

function stream(content: string): string {
  return `<< /Length ${String(content.length)} >>\nstream\n${content}\nendstream`;
}

function write(): string {
  let text = '%PDF-1.4\n';
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(text.length);
    text += `${String(index + 1)} 0 obj\n${object}\nendobj\n`;
  }
  const entries = offsets
    .map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
    .join('');
  return (
    `${text}xref\n0 ${String(objects.length + 1)}\n0000000000 65535 f ` +
    `\n${entries}trailer\n<< /Size ${String(objects.length + 1)} /Root 1 0 R ` +
    `>>\nstartxref\n${String(text.length)}\n%%EOF\n`
  );
}

/**
 * Valid minimal files: a picture of one pixel in each format, an archive with one file, a short
 * silence.
 */
const base64: Readonly<Record<string, string>> = {
  'image/png':
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGPwmvDoPwAFoAK8' +
    'aVvjuwAAAABJRU5ErkJggg==',
  'image/jpeg':
    '/9j/4AAQSkZJRgABAQAAAQABAAD/' +
    '2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQH/' +
    'wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/' +
    'EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z',
  'image/gif': 'R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==',
  'image/webp': 'UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=',
  'audio/wav': 'UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA==',
  'application/zip':
    'UEsDBBQAAAAAAAAAIVjqCCfDDwAAAA8AAAAKAAAAc2FtcGxlLnR4dEEgc2FtcGxlIGZpbGUu' +
    'ClBLAQIUABQAAAAAAAAAIVjqCCfDDwAAAA8AAAAKAAAAAAAAAAAAAAAAAAAAAABzYW1wbGUu' +
    'dHh0UEsFBgAAAAABAAEAOAAAADcAAAAAAA==',
  'application/gzip': 'H4sIAAAAAAAAA3NUKE7MLchJVUjLzEnV4wIA6ggnww8AAAA=',
};

const texts: Readonly<Record<string, string>> = {
  'application/pdf': samplePdf,
  'application/octet-stream': 'A sample file.\n',
  'image/svg+xml':
    '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" ' +
    'viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="#4a90e2"/></svg>\n',
  'application/xhtml+xml':
    '<?xml version="1.0" encoding="UTF-8"?>\n<html xmlns="http://www.w3.org/' +
    '1999/xhtml"><head><title>Sample</title></head><body><p>A sample page.</' +
    'p></body></html>\n',
  'application/xml': '<?xml version="1.0" encoding="UTF-8"?>\n<sample/>',
  'application/yaml': 'sample: true\n',
  'application/javascript': 'export const sample = true;\n',
  'application/x-www-form-urlencoded': 'sample=true',
  'text/plain': 'A sample text.\n',
  'text/html':
    '<!doctype html>\n<html lang="en"><head><meta ' +
    'charset="utf-8"><title>Sample</title></head><body><p>A sample page.</' +
    'p></body></html>\n',
  'text/css': 'body { color: #222; }\n',
  'text/csv': 'id,name\r\n1,Robin\r\n2,Alex\r\n',
  'text/markdown': '# Sample\n\nA sample text.\n',
  'text/javascript': 'export const sample = true;\n',
  'text/calendar': 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//sample//EN\r\nEND:VCALENDAR\r\n',
  'text/vcard': 'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Robin Miller\r\nEND:VCARD\r\n',
  'text/event-stream': 'data: A sample event.\n\n',
};

const aliases: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'application/x-zip-compressed': 'application/zip',
  'application/x-gzip': 'application/gzip',
  'application/x-yaml': 'application/yaml',
  'text/yaml': 'application/yaml',
  'text/xml': 'application/xml',
  'application/csv': 'text/csv',
  'text/x-markdown': 'text/markdown',
  'application/x-javascript': 'application/javascript',
};

/**
 * A small valid body of a media type (an essence in lower case); for binary types a text with one
 * character per byte. Undefined for unknown types.
 */
export function sampleContent(mediaType: string): string | undefined {
  const name = aliases[mediaType] ?? mediaType;
  const encoded = base64[name];
  return encoded === undefined ? texts[name] : atob(encoded);
}
