/** What a guard says when it refuses: a GraphQL error with status 400 that names the limit and its value. */
import { GraphQLError } from 'graphql';

export function limitExceeded(limit: string, maximum: number, what: string): GraphQLError {
  return new GraphQLError(`The ${what} exceeds the limit of ${maximum}.`, {
    extensions: { code: 'LIMIT_EXCEEDED', limit, maximum, http: { status: 400 } },
  });
}

export function badRequest(message: string, status = 400): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status } } });
}
