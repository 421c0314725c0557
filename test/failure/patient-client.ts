/**
 * Calls an API of which parts are killed, as a partner's back end does: each write has a key and is repeated until a
 * final answer. Used by the kill runs.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type ClientCredentials, fetchToken } from '../../dev/demo/api-client.ts';
import type { Service } from '../support/service.ts';

export interface FinalAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer of any operation
  readonly json: any;
  readonly etag: string | null;
}

export interface PatientRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

const ATTEMPT_TIMEOUT_MS = 20_000;
const GIVE_UP_MS = 120_000;
const PAUSE_MS = 150;

export class PatientClient {
  readonly #service: Service;
  readonly #scopes: readonly string[];
  readonly #organisationId: number;
  #credentials: ClientCredentials | undefined;
  #token: string | undefined;
  /** Attempts without a final answer. */
  repeats = 0;

  constructor(service: Service, scopes: readonly string[], organisationId = 1) {
    this.#service = service;
    this.#scopes = scopes;
    this.#organisationId = organisationId;
  }

  /** The first time before the first kill; repeated until the authentication server gives a token. */
  async logIn(): Promise<void> {
    this.#credentials ??= await this.#service.clientWith(this.#scopes, this.#organisationId);
    const begun = Date.now();
    for (;;) {
      const token = await this.#fetchToken(this.#credentials);
      if (token !== undefined) {
        this.#token = token;
        return;
      }
      if (Date.now() - begun >= GIVE_UP_MS) throw new Error('the authentication server gave no token');
      this.repeats++;
      await delay(PAUSE_MS);
    }
  }

  /** Repeats the request with one key until a final answer. */
  async send(path: string, request: PatientRequest = {}): Promise<FinalAnswer> {
    const answer = await this.#ask(path, request, GIVE_UP_MS);
    if (!answer) throw new Error(`${request.method ?? 'GET'} ${path} was not answered`);
    return answer;
  }

  /** Asks once, as a caller does who then forgets about it. Undefined without a final answer. */
  async sendOnce(path: string, request: PatientRequest): Promise<FinalAnswer | undefined> {
    return await this.#ask(path, request, 0);
  }

  async #ask(path: string, { method = 'GET', headers = {}, body }: PatientRequest, patienceMs: number) {
    const key = method === 'GET' ? {} : { 'idempotency-key': randomUUID() };
    const begun = Date.now();
    for (;;) {
      const answer = await this.#attempt(path, {
        method,
        headers: {
          authorization: `Bearer ${this.#token}`,
          'content-type': 'application/json',
          ...key,
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (answer && isFinal(answer)) return answer;
      if (Date.now() - begun >= patienceMs) return undefined;
      this.repeats++;
      await delay(PAUSE_MS);
    }
  }

  async #fetchToken(credentials: ClientCredentials): Promise<string | undefined> {
    try {
      const signal = AbortSignal.timeout(ATTEMPT_TIMEOUT_MS);
      return (await fetchToken(this.#service.authUrl, credentials, signal)).access_token;
    } catch {
      return undefined;
    }
  }

  async #attempt(path: string, request: RequestInit): Promise<FinalAnswer | undefined> {
    try {
      const signal = AbortSignal.timeout(ATTEMPT_TIMEOUT_MS);
      const response = await fetch(`${this.#service.apiUrl}${path}`, { ...request, signal });
      const text = await response.text();
      const json = text === '' ? undefined : JSON.parse(text);
      return { status: response.status, json, etag: response.headers.get('etag') };
    } catch {
      return undefined;
    }
  }
}

function isFinal({ status, json }: FinalAnswer): boolean {
  return status < 500 && json?.code !== 'IDEMPOTENCY_IN_PROGRESS';
}
