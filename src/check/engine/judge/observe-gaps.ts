import type { Contract, Gap } from '../../../contract/model.ts';
import { parseMediaType } from '../../../http/media-type.ts';
import { isRefusal, isSuccess } from '../../../http/message.ts';
import { defined, isJsonObject, memberOf } from '../../../json/value.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { countWords, showValue, type Step } from '../../model/step.ts';
import type { OverlayAction } from '../../model/finding.ts';
import type { ObservedGap, RunEvent } from '../../model/event.ts';
import { redactAction, type Redactor } from '../../secrets/redact.ts';
import type { SeenResponse } from '../../reading/overlay-action.ts';
import { documentResponses, seenResponse } from '../../reading/overlay-action.ts';

/** What was seen at a gap, as an event. */
export function gapObserved(
  { gap, observed, overlayAction }: ObservedGap,
  text: Redactor['text'],
): RunEvent {
  const action = redactAction(overlayAction, text);
  return {
    type: 'gap-observed',
    gap,
    observed: text(observed),
    ...defined({ overlayAction: action }),
  };
}

/**
 * Fills the gaps of a contract step by step, so that the steps need not be kept. They are passed in
 * the order of the plan.
 */
export class GapObserver {
  readonly #gaps: readonly { readonly gap: Gap; readonly watch: Watch }[];
  readonly #byOperation: ReadonlyMap<string | undefined, readonly Watch[]>;

  constructor(contract: Contract) {
    this.#gaps = contract.gaps.map((gap) => ({ gap, watch: watchGap(gap, contract) }));
    const grouped = Map.groupBy(this.#gaps, ({ gap }) => gap.operation?.id);
    this.#byOperation = new Map(
      [...grouped].map(([id, watched]) => [id, watched.map(({ watch }) => watch)]),
    );
  }

  /** Adds a step with a response. */
  note(step: Step): void {
    if (step.exchange.response === undefined) return;
    const watches = this.#byOperation.get(step.case.operation.id);
    if (watches !== undefined) for (const watch of watches) watch.note(step);
  }

  /** The gaps with an observation, in the order of the contract. */
  observed(): ObservedGap[] {
    return this.#gaps.flatMap(({ gap, watch }) => {
      const observed = watch.say();
      if (observed === undefined) return [];
      const overlayAction = watch.act?.();
      return { gap: { id: gap.id, message: gap.message }, observed, ...defined({ overlayAction }) };
    });
  }
}

interface Watch {
  note(step: Step): void;
  say(): string | undefined;
  /** What closes the gap; undefined if nothing does. */
  act?(): OverlayAction | undefined;
}

function watchGap(gap: Gap, contract: Contract): Watch {
  const countStatuses = (words: string, closing: RegExp, counts: StatusWatch['counts']): Watch =>
    watchStatuses({ gap, contract, words, closing, counts });
  switch (gap.kind) {
    case 'refusal-undocumented':
      return countStatuses(
        'Refused invalid requests with',
        /^(400|422)$/,
        (step) => step.case.intent.kind === 'invalid' && isRefusal(statusOf(step)),
      );
    case 'unauthorised-undocumented':
      return countStatuses(
        'Refused requests without a valid credential with',
        /^401$/,
        (step) => step.case.intent.kind === 'credential' && isRefusal(statusOf(step)),
      );
    case 'success-open':
      return countStatuses('Answered valid requests with', /^[23]/, isValidAndTaken);
    case 'payload-open':
      return firstPayload();
    case 'default-unknown':
      return watchDefault(fieldOf(gap));
    case 'text-unbounded':
      return watchLength(fieldOf(gap));
    case 'rule-unstated':
    case 'paging-unknown':
      return { note: () => {}, say: () => undefined };
  }
}

function statusOf({ exchange }: Step): number {
  return exchange.response?.status ?? 0;
}

function isValidAndTaken(step: Step): boolean {
  return step.case.intent.kind === 'valid' && statusOf(step) < 400;
}

interface StatusWatch {
  readonly gap: Gap;
  readonly contract: Contract;
  readonly words: string;
  /** The statuses that close the gap once they are documented. */
  readonly closing: RegExp;
  readonly counts: (step: Step) => boolean;
}

function watchStatuses(watch: StatusWatch): Watch {
  const { gap, contract, words, closing, counts } = watch;
  const { operation } = gap;
  const seen = new Map<number, number>();
  const first = new Map<number, SeenResponse>();
  return {
    note(step) {
      if (!counts(step)) return;
      const { response } = step.exchange;
      const status = statusOf(step);
      seen.set(status, (seen.get(status) ?? 0) + 1);
      // Where the body says the status, the one that was sent is documented.
      if (
        response !== undefined &&
        response.sentStatus === undefined &&
        closing.test(String(status)) &&
        !first.has(status)
      )
        first.set(status, seenResponse(response));
    },
    act: () => operation && documentResponses(contract, operation, [...first.values()]),
    say() {
      if (seen.size === 0) return undefined;
      const times = [...seen].map(([status, count]) => {
        return `${String(status)} (${countWords(count, 'time')})`;
      });
      return `${words} ${times.join(', ')}.`;
    },
  };
}

function firstPayload(): Watch {
  let said: string | undefined;
  return {
    note(step) {
      if (isValidAndTaken(step)) said ??= describePayload(step);
    },
    say: () => said,
  };
}

function describePayload(step: Step): string {
  const { answer } = step;
  if (answer.kind === 'empty') return `Answered ${String(statusOf(step))} without a body.`;
  const value = jsonOf(answer);
  const shape = isJsonObject(value)
    ? `an object with ${Object.keys(value).slice(0, 12).join(', ') || 'no members'}`
    : Array.isArray(value)
      ? `an array of ${countWords(value.length, 'item')}`
      : undefined;
  return (
    `Answered ${String(statusOf(step))} with ${shape ?? 'a body'} in ` +
    `${parseMediaType(answer.mediaType ?? '')?.essence ?? 'no media type'}.`
  );
}

/** The field is the part of the gap's id before its last word: `createPet.body.status.default`. */
function fieldOf({ id }: Gap): string {
  return id.split('.').at(-2) ?? '';
}

/** As many defaults as a report names: a service that has more of them makes up each. */
const fewValues = 3;

function watchDefault(field: string): Watch {
  const seen = new Set<string>();
  return {
    note(step) {
      const left = isJsonObject(step.sent.body) && !Object.hasOwn(step.sent.body, field);
      if (!left || step.case.intent.kind !== 'valid' || !isSuccess(statusOf(step))) return;
      const record = jsonOf(step.answer);
      if (isJsonObject(record))
        seen.add(Object.hasOwn(record, field) ? `with ${showValue(record[field])}` : 'without it');
    },
    say() {
      const distinct = [...seen];
      if (distinct.length === 0) return undefined;
      return distinct.length > fewValues
        ? `Each record that was sent without ${field} came back with another one.`
        : `A record that was sent without ${field} came back ${distinct.join(' or ')}.`;
    },
  };
}

/** Refusals and failures that may be of the length of a text. */
const aboutValues = new Set([400, 413, 422, 500]);

function watchLength(field: string): Watch {
  let longest: { readonly length: number; readonly status: number } | undefined;
  return {
    note(step) {
      const text = memberOf(step.sent.body, field);
      if (typeof text !== 'string' || step.case.intent.kind !== 'valid') return;
      // Other refusals are of a credential, a reference or a state.
      if (!isSuccess(statusOf(step)) && !aboutValues.has(statusOf(step))) return;
      const { length } = Array.from(text);
      if (longest === undefined || length > longest.length)
        longest = { length, status: statusOf(step) };
    },
    say: () =>
      longest &&
      `Answered ${String(longest.status)} to ` +
        `${countWords(longest.length, 'character')} in ${field}.`,
  };
}
