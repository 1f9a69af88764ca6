const objects: readonly string[] = [
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 144] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
  stream('BT /F1 24 Tf 40 60 Td (A sample page.) Tj ET'),
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
];

/** A PDF of one page with a line of text on it (ISO 32000-1, section 7.5); ASCII only. */
export const samplePdf: string = write();

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
  return `${text}xref\n0 ${String(objects.length + 1)}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${String(objects.length + 1)} /Root 1 0 R >>\nstartxref\n${String(text.length)}\n%%EOF\n`;
}
