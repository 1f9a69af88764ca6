/**
 * The most bytes that are taken of one body, as it came, and again with its content codings undone:
 * 8 MiB.
 */
export const maxBodyBytes = 8 * 1024 * 1024;

/** The most bytes that are taken of the header of one answer: 64 KiB. */
export const maxHeaderBytes = 64 * 1024;

/** The most interim answers (RFC 9110, section 15.2) that are read before the one that counts. */
export const maxInterimAnswers = 100;

/** So many bytes as a person says them: `8 MiB`, `64 KiB`. */
export function sizeWords(bytes: number): string {
  const units: readonly (readonly [string, number])[] = [
    ['MiB', 1024 * 1024],
    ['KiB', 1024],
  ];
  const [unit, size] = units.find(([, least]) => bytes >= least) ?? ['bytes', 1];
  return `${String(Math.round((bytes / size) * 10) / 10)} ${unit}`;
}
