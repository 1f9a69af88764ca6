import { headerValue } from '../../../http/message.ts';
import { isSafe, type Role, type Step, hasSuccess } from '../../model/step.ts';

/** The ETags that records were last shown with, by the path of the record. */
export class Tags {
  readonly #byPath = new Map<string, string>();

  /** Learns from an answer. A change of a record, or of a part of it, makes its tag unknown. */
  note(step: Step, role: Role | undefined): void {
    const { request, response } = step.exchange;
    const [path = ''] = pathsTo(request.target);
    if (!hasSuccess(step)) return;
    const tag = headerValue(response?.headers ?? [], 'etag');
    if (!isSafe(step.case.operation)) this.forget(path);
    const isRecord = ['read', 'replace', 'update'].includes(role?.action ?? '');
    if (isRecord && tag !== undefined) this.#byPath.set(path, tag);
  }

  /** The record at a path, and those that it is a part of, may have other tags by now. */
  forget(target: string): void {
    for (const path of pathsTo(target)) this.#byPath.delete(path);
  }

  /** The tag of the record at a path, or of the one that an action at the path is about. */
  of(target: string): string | undefined {
    const path = pathsTo(target).find((one) => this.#byPath.has(one));
    return path === undefined ? undefined : this.#byPath.get(path);
  }
}

/** The path of a target, and those of what it is below, the nearest first. */
function pathsTo(target: string): string[] {
  const segments = target.replace(/[?#].*$/s, '').split('/');
  return segments.map((_one, at, all) => all.slice(0, all.length - at).join('/'));
}
