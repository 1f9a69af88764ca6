import { VouchError } from '../../../errors.ts';
import type { JsonObject } from '../../../json/value.ts';
import { parseDelay } from '../../../mock/scenarios/delay.ts';
import { networkFaultKinds, type NetworkFault } from '../../../mock/scenarios/network-fault.ts';
import { suggestWord } from '../../../nearest-word.ts';
import type { ControlCall, ControlRoute } from '../../control/control-parts.ts';
import { json } from '../../control/control-response.ts';
import { anyOf, count, exactly, orNull } from '../../control/control-schemas.ts';
import { readFields, type Fields } from '../../control/fields.ts';
import type { Disturbance } from '../disturbance.ts';

const kind = { enum: [...networkFaultKinds] };
const view = exactly({
  delayMs: count,
  fault: orNull(kind),
  share: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
});
const answers = { 200: { description: 'What befalls every answer now', schema: view } };

/** A delay and a network fault for all requests, besides what scenarios say. */
export const faultRoutes: readonly ControlRoute[] = [
  {
    id: 'getFaults',
    method: 'GET',
    path: '/faults',
    summary: 'The delay and the network fault that all answers have',
    answers,
    answer: async ({ parts }) => json(showFaults(parts.disturbance)),
  },
  {
    id: 'setFaults',
    method: 'PUT',
    path: '/faults',
    summary:
      'Gives all answers a delay, a network fault, or both; what is asked for is done all the same',
    body: anyOf({
      delay: { anyOf: [{ type: 'string' }, count] },
      fault: orNull(kind),
      share: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
    }),
    answers,
    answer: setFaults,
  },
  {
    id: 'clearFaults',
    method: 'DELETE',
    path: '/faults',
    summary: 'Leaves the answers as they are',
    answers,
    answer: async ({ parts }) => {
      parts.disturbance.clear();
      return json(showFaults(parts.disturbance));
    },
  },
];

async function setFaults({
  parts: { disturbance },
  request,
}: ControlCall): ReturnType<ControlRoute['answer']> {
  const fields = readFields(request.body, ['delay', 'fault', 'share']);
  const setting = {
    delayMs: readDelay(fields),
    fault: readFault(fields),
    share: readShare(fields),
  };
  if (setting.delayMs === 0 && setting.fault === undefined) disturbance.clear();
  else disturbance.set(setting);
  return json(showFaults(disturbance));
}

function readDelay(fields: Fields): number {
  const written = fields.value('delay');
  if (written === undefined || written === null || written === '') return 0;
  const delayMs = parseDelay(written);
  if (delayMs !== undefined) return delayMs;
  throw new VouchError(
    'usage',
    'delay must be such as 200ms, 2s or a number of milliseconds, and ten minutes at most.',
  );
}

function readFault(fields: Fields): NetworkFault | undefined {
  const written = fields.value('fault');
  if (written === undefined || written === null) return undefined;
  const found = networkFaultKinds.find((each) => each === written);
  if (found === undefined)
    throw new VouchError('usage', 'fault must be the name of a network fault, or null.', {
      hint: suggestWord(String(written), networkFaultKinds),
    });
  return withDefaults(found);
}

/** What scenarios take where a fault says no more than its name. */
function withDefaults(found: NetworkFault['kind']): NetworkFault {
  if (found === 'hang') return { kind: found, forMs: 60_000 };
  if (found === 'wrong-length') return { kind: found, by: -1 };
  return found === 'dribble' ? { kind: found, bytes: 1, everyMs: 100 } : { kind: found };
}

function readShare(fields: Fields): number {
  const share = fields.value('share') ?? 1;
  if (typeof share === 'number' && share > 0 && share <= 1) return share;
  throw new VouchError(
    'usage',
    'share must be a number above 0 and up to 1: 0.1 is every tenth answer.',
  );
}

function showFaults({ setting: { delayMs, fault, share } }: Disturbance): JsonObject {
  return { delayMs, fault: fault?.kind ?? null, share };
}
