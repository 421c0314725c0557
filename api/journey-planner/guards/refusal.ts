/** The refusal of a guard: a GraphQL error with status 400 that names the limit, its value, and the field. */
import { GraphQLError } from 'graphql';

export interface RefusedAt {
  /** Names from the root to the field, as in the answer, joined by dots. */
  readonly field: string;
  /** Argument of that field. */
  readonly argument?: string | undefined;
}

export function limitExceeded(limit: string, maximum: number, what: string, at?: RefusedAt): GraphQLError {
  const { field, argument } = at ?? {};
  const place = field ? ` at ${field}${argument ? `(${argument})` : ''}` : '';
  const named = { ...(field ? { field } : {}), ...(argument ? { argument } : {}) };
  return new GraphQLError(`The ${what} exceeds the limit of ${maximum}${place}.`, {
    extensions: { code: 'LIMIT_EXCEEDED', limit, maximum, ...named, http: { status: 400 } },
  });
}

export function badRequest(message: string, status = 400): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status } } });
}
