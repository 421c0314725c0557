/**
 * Turns errors into those for callers. Errors that guards, validation or resolvers raise on purpose are shown. All
 * others are logged with the request's id, and the caller gets a general message.
 */
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Logger } from '../../../platform/log.ts';

export interface Presented {
  readonly errors: readonly GraphQLFormattedError[];
  /** The status of an error that sets one. */
  readonly status: number | undefined;
}

export function presentErrors(errors: readonly GraphQLError[], requestId: string, log: Logger): Presented {
  let status: number | undefined;
  const presented = errors.map((error) => {
    if (!isDeliberate(error)) return hidden(error, requestId, log);
    // Errors of compiled queries may have no extensions.
    const { http, ...extensions }: { http?: { status?: number } } = error.extensions ?? {};
    status ??= http?.status;
    return {
      message: error.message,
      ...(error.locations ? { locations: error.locations } : {}),
      ...(error.path ? { path: error.path } : {}),
      extensions: Object.keys(extensions).length > 0 ? extensions : { code: 'BAD_USER_INPUT' },
    };
  });
  return { errors: presented, status };
}

/** True for errors meant for the caller: those of GraphQL itself, and GraphQLErrors of resolvers. */
function isDeliberate({ originalError }: GraphQLError): boolean {
  return !originalError || (originalError instanceof GraphQLError && isDeliberate(originalError));
}

function hidden(error: GraphQLError, requestId: string, log: Logger): GraphQLFormattedError {
  log.error({ err: error.originalError ?? error, path: error.path?.join('.'), requestId }, 'a resolver failed');
  return {
    message: `Something went wrong here. The request is ${requestId}.`,
    ...(error.locations ? { locations: error.locations } : {}),
    ...(error.path ? { path: error.path } : {}),
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  };
}
