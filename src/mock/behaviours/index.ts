import type { ResourceAction } from '../../contract/model.ts';
import type { Behaviour } from '../behaviour.ts';
import { create } from './create.ts';
import { list } from './list.ts';
import { read } from './read.ts';
import { remove } from './remove.ts';
import { replace } from './replace.ts';
import { update } from './update.ts';

/** What each action of a resource does. */
export const behaviours: Readonly<Record<ResourceAction, Behaviour>> = { list, create, read, replace, update, delete: remove };
