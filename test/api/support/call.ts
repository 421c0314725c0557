/** Calls a test server with a plain token, and reads its answer. */

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of any form.
  readonly json: any;
}

export interface CallOptions {
  readonly method?: string;
  /** Null sends no token. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a string unchanged. */
  readonly body?: unknown;
}

export async function send(url: string, { method, token, headers = {}, body }: CallOptions): Promise<Answer> {
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== '';
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
}

/** Status, code and pointers of a problem, for example `400 VALIDATION_FAILED /email`. */
export function problemOf({ status, json }: Answer): string {
  const pointers = (json?.errors ?? []).map(({ pointer }: { pointer: string }) => pointer);
  return [status, json?.code, ...new Set(pointers)].join(' ');
}
