import { valueAt } from '../../json/pointer.ts';
import type { Convention } from '../phases.ts';
import { parameterKey } from '../request/read-request.ts';

/**
 * A list whose request says in its body, or in its path, which records it asks for: its members are
 * parameters.
 */
export const askedInBody: Convention = ({ role }) => {
  const { asked } = role ?? {};
  if (asked === undefined) return undefined;
  return {
    before: (on) => {
      const { request } = on;
      const parameters = new Map(request.parameters);
      for (const parameter of asked) {
        const { carried, name } = parameter;
        const value =
          carried === undefined
            ? request.parameters.get(parameterKey({ in: 'path', name }))
            : valueAt(request.body, carried.at);
        if (value !== undefined) parameters.set(parameterKey(parameter), value);
      }
      return { ...on, request: { ...request, parameters } };
    },
  };
};
