/** The request cannot be written as HTTP/1.1: the client's fault, not the server's. */
export class UnsendableRequest extends Error {
  override readonly name = 'UnsendableRequest';
}
