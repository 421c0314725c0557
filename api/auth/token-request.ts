/**
 * A token request as the handler needs it, whichever way the client has sent its credentials: in the body or in HTTP
 * Basic. Pure.
 */
export interface TokenRequest {
  readonly grantType: string;
  readonly audience: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string | undefined;
  /** Whether a refusal must be answered with `WWW-Authenticate: Basic`. */
  readonly usedBasic: boolean;
}

/** Members the document has checked for type and length. */
interface TokenBody {
  readonly grant_type: string;
  readonly audience: string;
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly scope?: string;
}

/** Or one sentence that says what is missing or malformed. */
export function readTokenRequest(body: unknown, authorization: string | undefined): TokenRequest | string {
  const { grant_type, audience, client_id, client_secret, scope } = body as TokenBody;
  const common = { grantType: grant_type, audience, scope: scope === '' ? undefined : scope };
  if (authorization === undefined) {
    if (client_id === undefined || client_secret === undefined) return 'client_id and client_secret are required';
    return { ...common, clientId: client_id, clientSecret: client_secret, usedBasic: false };
  }
  const basic = readBasic(authorization);
  if (!basic) return 'The Authorization header must hold HTTP Basic credentials or be absent';
  if (client_secret !== undefined) return 'Send the credentials in one way only';
  if (client_id !== undefined && client_id !== basic.clientId) return 'The credentials name two clients';
  return { ...common, ...basic, usedBasic: true };
}

/** Both parts are form-encoded before they are joined (RFC 6749 §2.3.1). */
function readBasic(authorization: string): { clientId: string; clientSecret: string } | undefined {
  const match = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization.trim());
  if (!match) return undefined;
  const text = Buffer.from(match[1] ?? '', 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) return undefined;
  try {
    const decode = (part: string) => decodeURIComponent(part.replaceAll('+', ' '));
    const [clientId, clientSecret] = [decode(text.slice(0, colon)), decode(text.slice(colon + 1))];
    return clientSecret === '' || `${clientId}${clientSecret}`.includes('\0') ? undefined : { clientId, clientSecret };
  } catch {
    return undefined;
  }
}

/** The scopes the token gets, in the order asked for; undefined when the client lacks one or the text is malformed. */
export function narrowScopes(asked: string | undefined, granted: readonly string[]): readonly string[] | undefined {
  if (asked === undefined) return granted;
  const scopes = [...new Set(asked.split(' '))];
  return scopes.every((scope) => granted.includes(scope)) ? scopes : undefined;
}
