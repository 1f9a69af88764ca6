const blockSize = 512;

/**
 * The content of one file of a tar archive (POSIX ustar), or undefined where there is none of that
 * path.
 */
export function readTarFile(archive: Uint8Array, path: string): Uint8Array | undefined {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  let longName: string | undefined;
  for (let at = 0; at + blockSize <= bytes.length;) {
    const header = bytes.subarray(at, at + blockSize);
    if (header[0] === 0) return undefined;
    const size = Number.parseInt(textAt(header, 124, 12), 8);
    const type = String.fromCharCode(header[156] ?? 0);
    const content = bytes.subarray(at + blockSize, at + blockSize + size);
    const prefix = textAt(header, 345, 155);
    const name =
      longName ?? (prefix === '' ? textAt(header, 0, 100) : `${prefix}/${textAt(header, 0, 100)}`);
    if (type === 'x') longName = /\d+ path=([^\n]*)\n/.exec(content.toString('utf8'))?.[1];
    else if (name === path) return content;
    else longName = undefined;
    at += blockSize + Math.ceil(size / blockSize) * blockSize;
  }
  return undefined;
}

function textAt(header: Buffer, start: number, length: number): string {
  return header.toString('utf8', start, start + length).replace(/[\0 ].*$/s, '');
}
