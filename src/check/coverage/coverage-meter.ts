import { contentForm } from '../../contract/content/content-form.ts';
import type { Contract, Operation } from '../../contract/model.ts';
import { defined } from '../../json/defined.ts';
import type { Coverage, CoverageCount, InputCoverage, OperationCoverage, StatusCoverage } from '../model/coverage.ts';
import type { Step } from '../model/step.ts';
import { pathNames } from '../plan/draft/path-names.ts';
import { type InputClasses, inputsOf } from './input-classes.ts';
import { Seen } from './seen.ts';
import { type Circumstances, whyNoClass, whyNoStatus } from './why-not.ts';

/** What a run says about what it did not send. */
export interface RunEnd {
  readonly contract: Contract;
  /** Why an operation got no request, or not all of them, in a clause by its id. */
  readonly skipped: ReadonlyMap<string, string>;
  readonly hasToken: boolean;
}

/** Measures what a run reaches, while it runs: steps are looked at once, and not kept. */
export class CoverageMeter {
  readonly #seen = new Map<Operation, Seen>();

  /**
   * Takes in steps of the plan. Those of a method that the contract does not declare are no part of
   * it.
   */
  note(steps: readonly Step[]): void {
    for (const step of steps) {
      const { operation, intent } = step.case;
      if (intent.kind === 'method') continue;
      let seen = this.#seen.get(operation);
      if (seen === undefined) this.#seen.set(operation, (seen = new Seen()));
      seen.note(step);
    }
  }

  /** Says what was reached, and what would reach the rest. */
  measure({ contract, skipped, hasToken }: RunEnd): Coverage {
    const operations = contract.operations.map((operation) => {
      const seen = this.#seen.get(operation);
      const unsent = skipped.get(operation.id);
      return seen === undefined
        ? untouched(operation, unsent)
        : cover(contract, seen, { operation, unsent, succeeded: seen.succeeded, hasToken });
    });
    return {
      statuses: count(operations.flatMap(({ statuses }) => statuses)),
      inputs: count(operations.flatMap(({ inputs }) => inputs.flatMap(({ classes }) => classes))),
      operations,
    };
  }
}

function count(entries: readonly { readonly reached: boolean }[]): CoverageCount {
  return { reached: entries.filter(({ reached }) => reached).length, total: entries.length };
}

function untouched({ id }: Operation, reason: string | undefined): OperationCoverage {
  return {
    operation: id,
    why: reason === undefined ? 'Nothing was planned for it.' : `It got no request: ${reason}.`,
    statuses: [],
    inputs: [],
  };
}

function cover(contract: Contract, seen: Seen, circumstances: Circumstances): OperationCoverage {
  const { operation } = circumstances;
  const records = new Set(pathNames(contract, operation).map(({ parameter }) => parameter));
  return {
    operation: operation.id,
    statuses: coverStatuses(seen, circumstances),
    inputs: inputsOf(operation, (parameter) => records.has(parameter)).map((input) =>
      coverInput(input, seen, circumstances),
    ),
  };
}

const unjudgedXml =
  'Its schema is not judged: of XML, vouch looks only at whether it is well-formed.';

function coverStatuses(seen: Seen, circumstances: Circumstances): StatusCoverage[] {
  return circumstances.operation.responses.flatMap(({ status, content }): StatusCoverage[] => {
    const types = content.length === 0 ? [undefined] : content;
    return types.map((of) => {
      const media = of?.mediaType;
      const named = { status, ...defined({ media }) };
      if (seen.hasAnswer(status, media))
        return {
          ...named,
          reached: true,
          ...(of?.schema !== undefined && contentForm(of.mediaType) === 'xml'
            ? { unjudged: unjudgedXml }
            : {}),
        };
      return {
        ...named,
        reached: false,
        why: seen.hasAnswer(status)
          ? 'An answer in this media type; the server gave another one.'
          : whyNoStatus(status, circumstances),
      };
    });
  });
}

function coverInput(input: InputClasses, seen: Seen, circumstances: Circumstances): InputCoverage {
  const { operation } = circumstances;
  const classes = input.classes.map((name) =>
    seen.hasClass(operation, input, name)
      ? { class: name, reached: true }
      : { class: name, reached: false, why: whyNoClass(name, input.in, circumstances) },
  );
  return { name: input.name, in: input.in, classes };
}
