import { emptyBody } from '../../../../http/message.ts';

/**
 * Bytes as they come, kept until they are asked for; what is handed in may be overwritten
 * afterwards.
 */
export class ByteStore {
  #chunks: Uint8Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Takes in the bytes from an index to another. */
  add(bytes: Uint8Array, from: number, to: number): void {
    // Small copies share memory: to ask the system for some for each answer takes longer than to
    // copy it.
    const { buffer, byteOffset, length } = Buffer.copyBytesFrom(bytes, from, to - from);
    this.#chunks.push(new Uint8Array(buffer, byteOffset, length));
    this.#length += length;
  }

  /** All of them in one array. */
  take(): Uint8Array {
    const [first] = this.#chunks;
    if (first === undefined) return emptyBody;
    if (this.#chunks.length === 1) return first;
    const whole = new Uint8Array(this.#length);
    let at = 0;
    for (const chunk of this.#chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    return whole;
  }

  clear(): void {
    if (this.#length === 0) return;
    this.#chunks = [];
    this.#length = 0;
  }
}
