/**
 * Makes a client by `POST /admin/clients` of the authentication server's internal listener. Caller: `npm run client -- create
 * --with-token`.
 */
import type { NewClient } from '../activities/auth/client-types.ts';

export interface Administration {
  /** Base URL of the internal listener. */
  readonly url: string;
  /** An access token with the scope `clients:write`. */
  readonly token: string;
}

/** Returns the server's answer, with the secret. Throws the server's error text. */
export async function createOverHttp({ url, token }: Administration, client: NewClient): Promise<unknown> {
  const response = await fetch(`${url}/admin/clients`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(client),
  });
  const body = (await response.json()) as { readonly detail?: string; readonly errors?: readonly object[] };
  if (response.status === 201) return body;
  const more = body.errors ? ` ${JSON.stringify(body.errors)}` : '';
  throw new Error(`The authentication server answers ${response.status}: ${body.detail ?? ''}${more}`);
}
