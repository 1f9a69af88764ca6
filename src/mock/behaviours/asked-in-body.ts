import { valueAt } from '../../json/pointer.ts';
import type { Behaviour } from '../model/behaviour.ts';
import { parameterKey } from '../request/read-request.ts';

/**
 * A list whose request says in its body, or in its path, which records it asks for: its members are
 * parameters.
 */
export function askedInBody(list: Behaviour): Behaviour {
  return (request, resource, store) => {
    const { asked } = request.plan.role ?? {};
    if (asked === undefined) return list(request, resource, store);
    const parameters = new Map(request.parameters);
    for (const parameter of asked) {
      const { carried, name } = parameter;
      const value =
        carried === undefined
          ? request.parameters.get(parameterKey({ in: 'path', name }))
          : valueAt(request.body, carried.at);
      if (value !== undefined) parameters.set(parameterKey(parameter), value);
    }
    return list({ ...request, parameters }, resource, store);
  };
}
