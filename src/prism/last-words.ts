const kept = 16_384;
const naming = /^(?:[A-Za-z.]*Error|FATAL ERROR)\b/;

/** Collects the end of a stream of text and tells the line in it that says why a program died. */
export class LastWords {
  #tail = '';

  /** Takes more of the stream; only the last 16 KiB are kept. */
  add(text: string): void {
    this.#tail = (this.#tail + text).slice(-kept);
  }

  /**
   * The last line that names an error, else the last line, else `''`; without control characters,
   * 300 characters at most.
   */
  line(): string {
    const lines = this.#tail
      .split('\n')
      .map((line) => line.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '').trim());
    const line =
      lines.findLast((candidate) => naming.test(candidate)) ??
      lines.findLast((candidate) => candidate !== '');
    return (line ?? '').slice(0, 300);
  }
}
