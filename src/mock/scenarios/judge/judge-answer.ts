import type { Operation } from '../../../contract/model.ts';
import { selectResponse } from '../../../contract/select-response.ts';
import { headerValue } from '../../../http/message.ts';
import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import type { JsonValue } from '../../../json/value.ts';
import { suggestWord } from '../../../nearest-word.ts';
import { judgeContent as judgeValue } from '../../answer/generate-body.ts';
import { findExamples } from '../../answer/show-status.ts';
import { describeIssue } from '../../errors/describe-issue.ts';
import type { AnswerContent, AnswerPlan, OperationPlan } from '../../model/operation-plan.ts';
import { isScripted } from '../play-answer.ts';
import type { Concerned, ScenarioFault } from '../scenario-fault.ts';
import type { ScenarioAnswer } from '../scenario.ts';
import { documentedContent } from '../scripted-content.ts';
import { judgeHeaders } from './judge-headers.ts';
import { judgeMembers } from './judge-members.ts';
import { judgePatch, judgePatchForm } from './judge-patch.ts';

/** For which operations an answer is judged, and where it stands. */
export interface AnswerPlace {
  readonly concerned: Concerned;
  readonly plans: ReadonlyMap<string, OperationPlan>;
  readonly pointer: Pointer;
}

/** The way out where an answer is meant to break the contract. */
const meant = 'Say offContract: true if that is meant.';

/**
 * What the contract has against an answer, for every operation that may give it. What breaks the
 * contract may do so where it says `offContract`.
 */
export function judgeAnswer(
  answer: ScenarioAnswer,
  { concerned, plans, pointer }: AnswerPlace,
): ScenarioFault[] {
  const { operations, named } = concerned;
  const judged = named || operations.length <= mostTried ? answer : withoutPatch(answer);
  return operations.flatMap((operation) => {
    const plan = plans.get(operation.id);
    return plan === undefined
      ? []
      : judgeFor(judged, plan).map((fault) => ({ ...fault, pointer: pointer + fault.pointer }));
  });
}

/**
 * A patch is tried on a made value of each answer that it may change: of so many, and of more only
 * when they are given.
 */
const mostTried = 100;

function withoutPatch({ patch: _patch, ...rest }: ScenarioAnswer): ScenarioAnswer {
  return rest;
}

function judgeFor(answer: ScenarioAnswer, plan: OperationPlan): ScenarioFault[] {
  const impossible = [
    ...(answer.example === undefined ? [] : judgeExample(answer.example, answer, plan)),
    ...(answer.patch === undefined
      ? []
      : judgePatchForm(answer.patch, plan.answerPlan(plan.status))),
  ];
  if (answer.offContract || impossible.length > 0) return impossible;
  const isBare = isScripted(answer)
    ? false
    : answer.patch === undefined && answer.headers === undefined;
  return isBare
    ? []
    : judgeParts(answer, plan).map((fault) => ({
        ...fault,
        hint: fault.hint === undefined ? meant : `${fault.hint} ${meant}`,
      }));
}

/** An example that nobody wrote cannot be shown, whatever is meant. */
function judgeExample(
  name: string,
  { status }: ScenarioAnswer,
  plan: OperationPlan,
): ScenarioFault[] {
  const examples = findExamples(plan, status);
  if (examples.some((example) => example.name === name)) return [];
  const of =
    status === undefined ? plan.operation.id : `The ${String(status)} of ${plan.operation.id}`;
  return [
    {
      pointer: '/example',
      message: `${of} has no example ${name}.`,
      hint: suggestWord(name, [...new Set(examples.map((example) => example.name))]),
    },
  ];
}

function judgeParts(answer: ScenarioAnswer, plan: OperationPlan): ScenarioFault[] {
  const { operation } = plan;
  if (answer.status !== undefined && selectResponse(operation, answer.status) === undefined)
    return [{ pointer: '/status', message: undocumented(operation, answer.status) }];
  // A status alone is the contract's to fill in; whether it can is seen without preparing the
  // operation.
  if (
    answer.status !== undefined &&
    answer.body === undefined &&
    answer.example === undefined &&
    answer.headers === undefined
  )
    return [];
  const shown =
    answer.example === undefined
      ? undefined
      : findExamples(plan, answer.status).find(({ name }) => name === answer.example);
  const status = answer.status ?? shown?.status ?? plan.status;
  const documented = plan.answerPlan(status);
  const { response } = documented;
  if (response === undefined)
    return answer.pass === true ? [] : [{ pointer: '', message: undocumented(operation, status) }];
  const about = `The ${String(status)} of ${operation.id}`;
  return [
    ...(answer.body === undefined
      ? []
      : judgeBody(answer.body, { documented, about, headers: answer.headers ?? {} })),
    ...(shown === undefined
      ? []
      : judgeIn(shown.content, shown.value, about).map((fault) => ({
          ...fault,
          pointer: '/example',
        }))),
    ...(answer.patch === undefined ? [] : judgePatch(answer.patch, documented, about)),
    ...judgeHeaders(answer.headers ?? {}, response, about),
  ];
}

function undocumented({ id, responses }: Operation, status: number): string {
  return `${id} documents no ${String(status)}, only ${responses.map((each) => each.status).join(', ') || 'nothing'}.`;
}

interface Documented {
  readonly documented: AnswerPlan;
  readonly about: string;
  readonly headers: { readonly [name: string]: string };
}

function judgeBody(body: JsonValue, { documented, about, headers }: Documented): ScenarioFault[] {
  const { status, contents, response } = documented;
  if (status === 204 || status === 205 || status === 304)
    return [{ pointer: '/body', message: `${about}: an answer of this status has no body.` }];
  if (contents.length === 0) return [];
  const type = headerValue(Object.entries(headers), 'content-type');
  const content = type === undefined ? contents[0] : documentedContent(documented, type);
  if (content === undefined)
    return [
      {
        pointer: '/headers',
        message: `${about}: the media type ${type ?? ''} is none of those that are documented: ${(response?.content ?? []).map(({ mediaType }) => mediaType).join(', ')}.`,
      },
    ];
  return judgeIn(content, body, about);
}

function judgeIn(content: AnswerContent, body: JsonValue, about: string): ScenarioFault[] {
  const broken = judgeValue(body, content).map((issue) => ({
    pointer: joinPointer('', 'body') + issue.at,
    message: `${about}: ${describeIssue(issue, body, { place: 'body', name: '' }).message}`,
  }));
  return broken.length > 0 || content.schema === undefined
    ? broken
    : judgeMembers(content.schema, body, { pointer: '/body', about });
}
