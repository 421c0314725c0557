/** Pages of a list in the edges form: `first`, `after`, `last`, `before`. A cursor is the position in the list. */
import type { Fields, TypeResolvers } from './fields.ts';
import { amount, badInput } from './user-input.ts';

export interface PageArgs {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
}

export interface Edge<Node> {
  readonly node: Node;
  readonly cursor: string;
}

export interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | undefined;
  readonly endCursor: string | undefined;
}

export interface Connection<Node> {
  readonly edges: readonly Edge<Node>[];
  readonly pageInfo: PageInfo;
}

export function connectionOf<Node>(nodes: readonly Node[], args: PageArgs): Connection<Node> {
  amount('first', args.first, 0);
  amount('last', args.last, 0);
  let from = args.after ? positionOf('after', args.after) + 1 : 0;
  let to = args.before ? Math.min(positionOf('before', args.before), nodes.length) : nodes.length;
  if (typeof args.first === 'number') to = Math.min(to, from + args.first);
  if (typeof args.last === 'number') from = Math.max(from, to - args.last);
  const edges = nodes.slice(from, Math.max(from, to)).map((node, at) => ({ node, cursor: cursorOf(from + at) }));
  return {
    edges,
    pageInfo: {
      hasNextPage: to < nodes.length,
      hasPreviousPage: from > 0 && nodes.length > 0,
      startCursor: edges[0]?.cursor,
      endCursor: edges.at(-1)?.cursor,
    },
  };
}

function cursorOf(position: number): string {
  return Buffer.from(`at:${position}`).toString('base64url');
}

function positionOf(argument: string, cursor: string): number {
  const match = /^at:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (!match) throw badInput(`${argument} takes a cursor of an earlier answer to the same question.`);
  return Number(match[1]);
}

const connectionFields: Fields<Connection<unknown>> = {
  edges: ({ edges }) => edges,
  pageInfo: ({ pageInfo }) => pageInfo,
};

const edgeFields: Fields<Edge<unknown>> = {
  cursor: ({ cursor }) => cursor,
  node: ({ node }) => node,
};

const pageInfoFields: Fields<PageInfo> = {
  endCursor: ({ endCursor }) => endCursor,
  hasNextPage: ({ hasNextPage }) => hasNextPage,
  hasPreviousPage: ({ hasPreviousPage }) => hasPreviousPage,
  startCursor: ({ startCursor }) => startCursor,
};

export const connection: TypeResolvers = { fields: connectionFields };
export const edge: TypeResolvers = { fields: edgeFields };
export const pageInfo: TypeResolvers = { fields: pageInfoFields };
