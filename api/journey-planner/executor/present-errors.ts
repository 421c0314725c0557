/**
 * Errors as callers see them: what a guard, validation or a resolver says on purpose is shown; everything else is logged with the
 * request's id and answered by a sentence that tells nothing of the inside.
 */
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Logger } from '../../../activities/shared/log.ts';

export interface Presented {
  readonly errors: readonly GraphQLFormattedError[];
  /** Of the errors that ask for one. */
  readonly status: number | undefined;
}

export function presentErrors(errors: readonly GraphQLError[], requestId: string, log: Logger): Presented {
  let status: number | undefined;
  const presented = errors.map((error) => {
    const own = deliberate(error);
    if (!own) return hidden(error, requestId, log);
    const { http, ...extensions } = own.extensions as { http?: { status?: number } };
    status ??= http?.status;
    return {
      message: own.message,
      ...(error.locations ? { locations: error.locations } : {}),
      ...(error.path ? { path: error.path } : {}),
      extensions: Object.keys(extensions).length > 0 ? extensions : { code: 'BAD_USER_INPUT' },
    };
  });
  return { errors: presented, status };
}

/** The error that somebody meant the caller to see: GraphQL's own, or one that a resolver threw as such. */
function deliberate(error: GraphQLError): GraphQLError | undefined {
  const { originalError } = error;
  if (!originalError) return error;
  return originalError instanceof GraphQLError ? deliberate(originalError) : undefined;
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
