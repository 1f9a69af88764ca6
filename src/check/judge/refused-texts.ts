import { isRefusal } from '../../http/status.ts';
import { isJsonObject } from '../../json/value.ts';
import type { RefusedTexts } from '../model/knowledge.ts';
import type { Role } from '../model/role.ts';
import type { Step } from '../model/step.ts';
import { markIn } from '../plan/mark-body.ts';
import { lighten } from './lighten.ts';

/**
 * Gathers the texts that bear the mark of a run, and so were sent by nobody else, and which of them
 * no create was accepted with.
 */
export class RefusedTextsGatherer implements RefusedTexts {
  readonly #prefix: string;
  readonly #refused = new Map<string, Step>();
  readonly #accepted = new Set<string>();
  /**
   * The marks of the texts that were sent, and whether one of them was refused: most texts that are
   * asked for are told by their mark.
   */
  readonly #marks = new Map<string, 'sent' | 'refused'>();

  constructor(runId: string) {
    this.#prefix = `${runId}-`;
  }

  get size(): number {
    return this.#refused.size;
  }

  find(resource: string, field: string, text: string): Step | undefined {
    const mark = this.#refused.size === 0 ? undefined : markIn(text, this.#prefix);
    return mark !== undefined && this.#marks.get(mark) === 'refused'
      ? this.#refused.get(nameOf(resource, field, text))
      : undefined;
  }

  /**
   * Whether a text was refused, or may have been: it bears the run's mark, and none of the steps so
   * far sent it. Sequences go side by side, and what one shows may be what a later one of the plan
   * sent before.
   */
  isDoubtful(resource: string, field: string, text: string): boolean {
    const mark = markIn(text, this.#prefix);
    if (mark === undefined) return false;
    const told = this.#marks.get(mark);
    return (
      told === undefined || (told === 'refused' && this.#refused.has(nameOf(resource, field, text)))
    );
  }

  /**
   * Takes in a step that was answered. A text that was sent twice, and accepted once, shows
   * nothing.
   */
  note(step: Step, role: Role | undefined): void {
    const { body } = step.sent;
    if (!isJsonObject(body)) return;
    for (const field in body) {
      const value = body[field];
      const mark = typeof value === 'string' ? markIn(value, this.#prefix) : undefined;
      if (typeof value !== 'string' || mark === undefined) continue;
      if (!this.#marks.has(mark)) this.#marks.set(mark, 'sent');
      if (role !== undefined)
        this.#noteText(step, role, { mark, name: nameOf(role.resource.name, field, value) });
    }
  }

  #noteText(
    step: Step,
    { action }: Role,
    { mark, name }: { readonly mark: string; readonly name: string },
  ): void {
    if (action !== 'create' || !isRefusal(step.exchange.response?.status ?? 0)) {
      this.#accepted.add(name);
      this.#refused.delete(name);
    } else if (!this.#accepted.has(name)) {
      this.#marks.set(mark, 'refused');
      this.#refused.set(name, { ...lighten(step), case: step.case });
    }
  }
}

function nameOf(resource: string, field: string, text: string): string {
  return `${resource} ${field} ${text}`;
}
