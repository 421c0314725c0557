/** Calls of a partner's back end, which expect one status. Callers: the partner's chapters of the demo story. */
import { randomUUID } from 'node:crypto';
import { StoryError } from './story.ts';

export interface Caller {
  readonly apiUrl: string;
  readonly token: string;
}

export async function read<Answer>(
  caller: Caller,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return await expect<Answer>(await ask(caller, 'GET', path, undefined, headers), `GET ${path}`, 200);
}

export async function write<Answer>(
  caller: Caller,
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body: object | undefined,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return await expect<Answer>(await ask(caller, method, path, body, headers), `${method} ${path}`, status);
}

/** Every write has a key, so that it may be sent again. */
export async function ask(
  { apiUrl, token }: Caller,
  method: string,
  path: string,
  body?: object,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body && { 'content-type': 'application/json' }),
    ...(method !== 'GET' && { 'idempotency-key': randomUUID() }),
    ...more,
  };
  return await fetch(`${apiUrl}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

async function expect<Answer>(answer: Response, call: string, status: number): Promise<Answer> {
  const text = await answer.text();
  if (answer.status === status) return JSON.parse(text) as Answer;
  throw new StoryError(`${call} answered ${answer.status}: ${text}`, 'See the API’s log under .local.');
}
