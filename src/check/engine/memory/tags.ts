import { headerValue } from '../../../http/message.ts';
import { isSafe, type Role, type Step, hasSuccess } from '../../model/step.ts';

/** The ETags that records were last shown with, by the path of the record. */
export class Tags {
  readonly #byPath = new Map<string, string>();

  /** Learns from an answer. A change of a record, or of a part of it, makes its tag unknown. */
  note(step: Step, role: Role | undefined): void {
    const { request, response } = step.exchange;
    const path = pathOf(request.target);
    if (!hasSuccess(step)) return;
    const tag = headerValue(response?.headers ?? [], 'etag');
    if (!isSafe(step.case.operation)) this.forget(path);
    const isRecord = ['read', 'replace', 'update'].includes(role?.action ?? '');
    if (isRecord && tag !== undefined) this.#byPath.set(path, tag);
  }

  /** The record at a path, and those that it is a part of, may have other tags by now. */
  forget(target: string): void {
    const path = pathOf(target);
    for (const known of this.#byPath.keys())
      if (`${path}/`.startsWith(`${known}/`)) this.#byPath.delete(known);
  }

  /** The tag of the record at a path, or of the one that an action at the path is about. */
  of(target: string): string | undefined {
    const path = pathOf(target);
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const tag = this.#byPath.get(path.slice(0, end));
      if (tag !== undefined) return tag;
    }
    return undefined;
  }
}

function pathOf(target: string): string {
  return target.replace(/[?#].*$/s, '');
}
