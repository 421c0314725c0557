/**
 * Errors as callers see them: what a guard, validation or a resolver says on purpose is shown; everything else is logged with the
 * request's id and answered by a sentence that tells nothing of the inside.
 */
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Logger } from '../../../platform/log.ts';

export interface Presented {
  readonly errors: readonly GraphQLFormattedError[];
  /** Of the errors that ask for one. */
  readonly status: number | undefined;
}

export function presentErrors(errors: readonly GraphQLError[], requestId: string, log: Logger): Presented {
  let status: number | undefined;
  const presented = errors.map((error) => {
    if (!isDeliberate(error)) return hidden(error, requestId, log);
    // Errors of compiled queries may have none.
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

/** Whether somebody meant the caller to see it: GraphQL itself, or a resolver that threw it as a GraphQLError. */
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
