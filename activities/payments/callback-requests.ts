/** Sends one callback to a client, by the guarded client. Caller: client-callbacks.ts. */
import { GuardedPost, type GuardedPostOptions } from '../shared/guarded-post.ts';

const TIMEOUT_MS = 10_000;

export interface CallbackRequest {
  readonly url: string;
  readonly body: string;
  readonly signal: AbortSignal;
}

export class CallbackRequests {
  readonly #guarded: GuardedPost;
  readonly #timeoutMs: number;

  constructor({ timeoutMs = TIMEOUT_MS, ...options }: GuardedPostOptions & { readonly timeoutMs?: number }) {
    this.#guarded = new GuardedPost(options);
    this.#timeoutMs = timeoutMs;
  }

  /** The status, or FAILED: no answer, or an address that is refused. */
  async send({ url, body, signal }: CallbackRequest): Promise<number | 'FAILED'> {
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Samferd-Payments',
    };
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(this.#timeoutMs)]);
      return await this.#guarded.post(new URL(url), headers, body, limit);
    } catch {
      return 'FAILED';
    }
  }

  close(): void {
    this.#guarded.close();
  }
}
