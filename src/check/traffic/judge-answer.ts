import type { Contract, Operation } from '../../contract/model.ts';
import { VouchError } from '../../errors.ts';
import { joinPointer } from '../../json/pointer.ts';
import type { Check } from '../topics/check.ts';
import { checks, hasTrait } from '../topics/index.ts';
import { readAnswer } from '../reading/read-answer.ts';
import { judgeStep, severityOf } from '../engine/judge/judge.ts';
import { gatherKnowledge } from '../engine/judge/gather-knowledge.ts';
import { makeCase, makeSequence } from '../model/case.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Finding } from '../model/finding.ts';
import type { Step } from '../model/step.ts';

/** One violation of the contract in a response, with the violated lines. */
export type AnswerFault = Pick<
  Finding,
  'check' | 'severity' | 'message' | 'expected' | 'actual' | 'place' | 'frame'
>;

/** Checks that need no other exchange than the one with the response. */
const responseChecks = checks.filter((check: Check) => hasTrait(check.id, 'one response'));

/**
 * Compares one response with what the contract documents for its operation: status, media type,
 * body, headers. The request is assumed to be valid. Notes about gaps are left out. Sends nothing.
 */
export function judgeAnswer(
  contract: Contract,
  operation: Operation,
  exchange: Exchange,
): AnswerFault[] {
  const step = stepOf(operation, exchange);
  const court = {
    contract,
    checks: responseChecks,
    knowledge: gatherKnowledge(contract, [step], 'vouch'),
  };
  const { suspicions, crashes } = judgeStep(court, makeSequence(step.case), [step]);
  if (crashes[0] !== undefined)
    throw new VouchError(
      'internal',
      `The check ${crashes[0].check} could not judge the response: ${crashes[0].message}.`,
    );
  return suspicions.flatMap((suspicion) => {
    const { check } = suspicion;
    const { at, message, expected, actual } = suspicion.violation;
    const severity = severityOf(suspicion);
    return severity === 'note'
      ? []
      : {
          check: check.id,
          severity,
          message,
          expected,
          actual,
          place: contract.locate(at),
          frame: contract.frame(at),
        };
  });
}

function stepOf(operation: Operation, exchange: Exchange): Step {
  const at = joinPointer(operation.pointer, 'responses');
  const single = makeCase({
    title: 'the request',
    phase: 'read',
    operation,
    request: { arguments: [], credential: 'given' },
    intent: { kind: 'valid', rigour: 'plain', at },
  });
  return {
    case: single,
    sent: { arguments: new Map() },
    exchange,
    answer:
      exchange.response === undefined
        ? { kind: 'empty' }
        : readAnswer(exchange.response, operation),
  };
}
