import { isJsonObject, type JsonObject } from '../../../json/value.ts';
import type { ObservedOverlay, ReasonedAction } from '../../../contract/overlay/format-overlay.ts';
import type { RunEvent } from '../../model/event.ts';
import type { OverlayAction } from '../../model/finding.ts';
import { headOfOverlay, sayGap } from '../../reading/overlay-action.ts';

/** Makes an Overlay from the events of a run: of the actions of its findings and gaps. */
export class OverlayMaker {
  /** As in the events: without secrets. */
  #title = '';
  readonly #actions: ReasonedAction[] = [];

  take(event: RunEvent): void {
    if (event.type === 'run-started') this.#title = event.run.contract.title;
    if (event.type === 'gap-observed') this.#add(event.overlayAction, sayGap(event));
    if (event.type === 'finding-reported') {
      const { overlayAction, message, curl } = event.finding;
      this.#add(overlayAction, [message, ...curl].join('\n'));
    }
  }

  #add(action: OverlayAction | undefined, because: string): void {
    if (action !== undefined) this.#actions.push({ ...action, because: [because] });
  }

  /** The possible additions, by path. Empty if the contract documents all observations. */
  make(): ObservedOverlay {
    return { ...headOfOverlay(this.#title), actions: joinTargets(this.#actions) };
  }
}

/** One action for each place. */
function joinTargets(actions: readonly ReasonedAction[]): ReasonedAction[] {
  const joined = [...Map.groupBy(actions, ({ target }) => target)].map(([target, alike]) => ({
    target,
    update: alike.map(({ update }) => update).reduce(merge),
    because: [...new Set(alike.flatMap(({ because }) => because))],
  }));
  return joined.sort((left, right) => (left.target < right.target ? -1 : 1));
}

function merge(left: JsonObject, right: JsonObject): JsonObject {
  const merged: Record<string, JsonObject[string]> = { ...left };
  for (const [name, value] of Object.entries(right)) {
    const before = merged[name];
    merged[name] = isJsonObject(before) && isJsonObject(value) ? merge(before, value) : value;
  }
  return merged;
}
