/** Resolves Authority, and the same entity as Organisation in the older dialect. */
import type { Authority } from '../../../planner/model/entities.ts';
import { type Fields, none, nothing, type TypeResolvers } from './fields.ts';
import { pick } from './lists.ts';

const fields = {
  fareUrl: nothing,
  id: ({ id }: Authority) => id,
  lang: ({ language }: Authority) => language,
  lines: ({ index }: Authority, _, context) => {
    const { catalogue } = context.timetable;
    return pick(catalogue.lines, catalogue.linesOfAuthority(index), 'Authority.lines', context);
  },
  name: ({ name }: Authority) => name,
  phone: ({ phone }: Authority) => phone,
  situations: none,
  timezone: ({ timeZone }: Authority) => timeZone,
  url: ({ url }: Authority) => url,
} satisfies Fields<Authority>;

export const authority: TypeResolvers = { fields };
export const organisation: TypeResolvers = { fields };
