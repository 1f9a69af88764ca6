import { readAddress } from '../../../contract/infer/read-address.ts';
import { promise } from '../../../contract/protocols/long-running.ts';
import { isSuccess } from '../../../http/status.ts';
import { isJsonObject, type JsonObject } from '../../../json/value.ts';
import { requestPhrase, showValue } from '../../model/phrases.ts';
import type { Step } from '../../model/step.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import type { Related, RelationFault } from '../../reading/related.ts';

function shown({ answer }: Pick<Step, 'answer'>): JsonObject | undefined {
  const value = jsonOf(answer);
  return value !== undefined && isJsonObject(value) ? value : undefined;
}

function isDone(operation: JsonObject): boolean {
  return operation[promise.done] === true;
}

/** A name that leads to no operation, or an operation that is done and has not one result. */
export function withoutResult(related: Related): RelationFault[] | undefined {
  const { subject, of, status } = related;
  const [begun] = of;
  const name = begun && shown(begun)?.[promise.name];
  if (begun === undefined || typeof name !== 'string') return undefined;
  if (!isSuccess(status)) return isNowhere(related, name) ? [nowhere(related, name)] : undefined;
  return [begun, subject].flatMap((step) => resultFault(step, name)).slice(0, 1);
}

/** Whether the operation of a name was asked for where the contract shows it, and is not there. */
function isNowhere({ subject, status }: Related, name: string): boolean {
  const path = subject.contract.inference.pathOf(subject.operation);
  const isAddress = !name.includes('/') || readAddress(path, name) !== undefined;
  return isAddress && (status === 404 || status === 410);
}

function nowhere({ subject, of, status }: Related, name: string): RelationFault {
  const start = of[0]?.case.operation.id ?? '';
  return {
    message:
      `${start} answered with the operation ${showValue(name)}, and ` +
      `${requestPhrase(subject.case)} returned ${String(status)}.`,
    expected: 'the operation of that name',
    actual: String(status),
    cause: 'operation nowhere',
  };
}

/** What is wrong with the result of an operation: one that is done has exactly one of two. */
function resultFault(step: Step, name: string): RelationFault[] {
  const operation = shown(step);
  if (operation === undefined) return [];
  const results = promise.results.filter((one) => (operation[one] ?? null) !== null);
  const wanted = isDone(operation) ? 1 : 0;
  // What is not done may show a part of its result in some services: it is not judged.
  if (wanted === 0 || results.length === wanted) return [];
  return [
    {
      message:
        `The operation ${showValue(name)} is done and has ` +
        `${results.length === 0 ? 'neither response nor error' : 'both response and error'}.`,
      expected: 'exactly one of error and response (google.longrunning.Operation)',
      actual: results.length === 0 ? 'none of them' : 'both of them',
      cause: 'operation without result',
    },
  ];
}

/** An operation that is not done after its time, or no longer is. */
export function notDoneInTime({ subject, of, status }: Related): RelationFault[] | undefined {
  const [polled] = of;
  const [before, after] = [polled && shown(polled), shown(subject)];
  const { polling } = polled?.case.request ?? {};
  if (before === undefined || after === undefined || polling === undefined) return undefined;
  if (!isSuccess(status) || isDone(after)) return [];
  const what = `The operation ${showValue(after[promise.name])}`;
  return [
    {
      message: isDone(before)
        ? `${what} was done, and is not done at the next read.`
        : `${what} is not done after ${String(polling.seconds)} seconds.`,
      expected: 'an operation that is done, with its result',
      actual: 'done is false',
      momentary: true,
    },
  ];
}
