import type { Parameter } from '../../contract/model.ts';
import type { LabelledValue } from '../../values/labelled-value.ts';
import type { Draft } from './draft.ts';

/**
 * Whether a parameter takes an expression: a made-up word is none, whatever its schema allows. By
 * what the contract shows of it, or by a name that query languages have.
 */
export function takesExpression({ role }: Draft, parameter: Parameter): boolean {
  if (parameter.in !== 'query') return false;
  const { expressions = [], filters = [], sort } = role?.resource.list ?? {};
  if (expressions.some((one) => one.parameter === parameter)) return true;
  if (sort?.by === parameter) return sort.language !== undefined;
  if (filters.some((filter) => filter.parameter === parameter)) return false;
  const { node, types } = parameter.schema.flatten();
  const isWord = types.includes('string') && node.enum === undefined && node.const === undefined;
  return isWord && expressionNames.test(parameter.name);
}

/** `$filter`, `$select` and the like are options of OData (4.01, Part 2, section 5.1). */
const expressionNames =
  /^(filters?|where|rsql|fiql|\$(filter|orderby|select|expand|search|apply|compute))$/i;

/** Whether the contract itself shows a value. */
export function isShownValue({ valueClass }: Pick<LabelledValue, 'valueClass'>): boolean {
  return valueClass === 'example' || valueClass === 'default-value' || valueClass === 'enum-value';
}
