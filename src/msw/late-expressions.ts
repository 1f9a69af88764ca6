import type * as Expressions from '../contract/rules/expression.ts';
import { loadPackage } from './browser-platform.ts';

/** The compiler of CEL in the build for browsers, loaded late: few pages have rules. */
export class ExpressionCompiler {
  readonly #compiler: Expressions.ExpressionCompiler;

  constructor(variables: readonly string[]) {
    const late = loadPackage('expressions') as typeof Expressions;
    this.#compiler = new late.ExpressionCompiler(variables);
  }

  compile(
    ...given: Parameters<Expressions.ExpressionCompiler['compile']>
  ): ReturnType<Expressions.ExpressionCompiler['compile']> {
    return this.#compiler.compile(...given);
  }
}
