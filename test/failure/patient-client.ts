/**
 * Calls an API of which parts are killed, as a partner's back end does: each write has a key and is repeated until a
 * final answer. Used by the kill runs.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
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
  #token: Promise<string> | undefined;
  /** Attempts without a final answer. */
  repeats = 0;

  constructor(service: Service, scopes: readonly string[], organisationId = 1) {
    this.#service = service;
    this.#scopes = scopes;
    this.#organisationId = organisationId;
  }

  /** Before the first kill. */
  async logIn(): Promise<void> {
    this.#token = this.#service.token(this.#scopes, this.#organisationId);
    await this.#token;
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
          authorization: `Bearer ${await this.#token}`,
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
