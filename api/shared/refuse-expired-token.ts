/**
 * Refuses a token that expired while the body arrived. Called after the body and before any effect: by the HTTP base, and by
 * handlers that read a streamed body.
 */
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Caller } from './operation.ts';

export function refuseExpiredToken(caller: Caller | undefined): void {
  if (!caller || Date.now() < caller.tokenExpiresAtMs) return;
  throw new ServiceError(
    'TOKEN_EXPIRED_DURING_REQUEST',
    'The access token expired before the whole request had arrived. Get a new one and send the request again.',
  );
}
