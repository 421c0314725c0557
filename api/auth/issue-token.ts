/**
 * `POST /oauth/token`. Checks in the order body → grant type → client and credential → audience → scope. Logs client, address and
 * outcome, never a secret, an assertion or a token.
 */
import type { IncomingMessage } from 'node:http';
import type { ClientAuthentication } from '../../activities/auth/client-authentication.ts';
import type { ClientRecord } from '../../activities/auth/client-types.ts';
import type { Operation, OperationContext, ReplyOf } from '../shared/operation.ts';
import { networkOf } from '../shared/trusted-proxies.ts';
import type { Operations } from './contract.gen.ts';
import { type OauthErrorCode, oauthError } from './oauth-errors.ts';
import type { TokenOutcome } from './token-outcome.ts';
import { narrowScopes, readTokenRequest, type TokenRequest } from './token-request.ts';

export interface IssueTokenOptions {
  readonly authentication: Pick<ClientAuthentication, 'authenticate'>;
  /** The caller's address, behind trusted proxies. */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly audience: string;
  readonly lifetimeSeconds: number;
  readonly signToken: (client: ClientRecord, scope: string) => Promise<string>;
  readonly onOutcome?: (outcome: TokenOutcome) => void;
}

type IssueToken = Operations['issueToken'];

interface TokenCall {
  readonly context: OperationContext<IssueToken>;
  readonly request: TokenRequest;
  readonly address: string;
  readonly onOutcome: IssueTokenOptions['onOutcome'];
}

export function createIssueToken(options: IssueTokenOptions): Operation<IssueToken> {
  return async (context) => {
    const { addressOf, onOutcome } = options;
    const address = addressOf(context.request);
    const request = readTokenRequest(context.body, context.headers.authorization);
    if (typeof request !== 'string') return await answer({ context, request, address, onOutcome }, options);
    onOutcome?.('malformed request');
    const { client_id: clientId } = context.body;
    context.log.info({ clientId, outcome: 'malformed request', detail: request, address }, 'token request');
    return oauthError(400, 'invalid_request', request);
  };
}

async function answer(call: TokenCall, options: IssueTokenOptions): Promise<ReplyOf<IssueToken>> {
  const { clientId, grantType, credential, audience, scope } = call.request;
  if (grantType === 'password') return refuse(call, 400, 'invalid_grant', 'Invalid grant', 'password grant');
  if (grantType !== 'client_credentials') {
    const description = 'The grant type must be client_credentials';
    return refuse(call, 400, 'unsupported_grant_type', description, 'other grant type');
  }
  const outcome = await options.authentication.authenticate(clientId, credential, networkOf(call.address));
  if ('refusal' in outcome) {
    const { refusal, detail, retryAfterSeconds } = outcome;
    if (retryAfterSeconds !== undefined) return slowDown(call, refusal, retryAfterSeconds);
    return refuse(call, 401, 'unauthorized_client', 'Unauthorized client', refusal, detail);
  }
  if (audience !== options.audience) return refuse(call, 400, 'invalid_grant', 'Invalid grant', 'other audience');
  const scopes = narrowScopes(scope, outcome.client.scopes);
  if (!scopes) {
    return refuse(call, 400, 'invalid_scope', 'The client lacks a requested scope', 'scope not granted');
  }
  const given = scopes.join(' ');
  const token = await options.signToken(outcome.client, given);
  note(call, 'issued');
  return {
    status: 200,
    headers: { 'cache-control': 'no-store' },
    json: { access_token: token, token_type: 'Bearer', expires_in: options.lifetimeSeconds, scope: given },
  };
}

function refuse(
  call: TokenCall,
  status: 400 | 401,
  error: OauthErrorCode,
  description: string,
  outcome: TokenOutcome,
  detail?: string,
): ReplyOf<IssueToken> {
  note(call, outcome, detail);
  if (status === 400) return oauthError(status, error, description);
  const basic = call.request.usedBasic ? { 'www-authenticate': 'Basic realm="token"' } : {};
  return oauthError(status, error, description, basic);
}

function slowDown(call: TokenCall, outcome: TokenOutcome, seconds: number): ReplyOf<IssueToken> {
  note(call, outcome);
  const description = 'Too many attempts have failed. Try again later';
  return oauthError(429, 'slow_down', description, { 'retry-after': String(seconds) });
}

function note({ context, request, address, onOutcome }: TokenCall, outcome: TokenOutcome, detail?: string): void {
  const text = detail === undefined ? outcome : `${outcome}: ${detail}`;
  context.log.info({ clientId: request.clientId, outcome: text, address }, 'token request');
  onOutcome?.(outcome);
}
