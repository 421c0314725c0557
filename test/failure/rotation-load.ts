/**
 * Simulates clients of the whole service while its signing keys are rotated. Some use each token to its end; others
 * fetch tokens one after the other. Every request with a valid token must succeed. Callers: key-rotation.test.ts, `npm
 * run bench:key-rotation`.
 */
import { Agent } from 'node:http';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { triggerRotation } from '../../activities/auth/rotation-schedule.ts';
import { type Answered, call, type Load, steadyLoad } from '../../dev/bench/steady-load.ts';
import type { ClientCredentials } from '../../dev/demo/api-client.ts';
import { TemporalClient } from '../../platform/temporal/temporal.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

/** A path that reads the database and needs a scope. */
const PATH = '/timetable/v1/timetable-management/datasets/dem/imports';
const CLIENTS = 16;
/** Age at which the impatient clients replace a token. */
const IMPATIENT_MS = 3_000;
/** A token is replaced when less than this is left of its life: the longest time of a request. */
const LEFT_MS = 5_000;

export interface HeldToken {
  readonly text: string;
  readonly kid: string;
  readonly fetchedAtMs: number;
  readonly endsAtMs: number;
}

export class RotationLoad {
  readonly temporal: TemporalClient;
  /** One line for each request that failed with a valid token. */
  readonly failures: string[] = [];
  /** Number of successful requests, by key of the token. */
  readonly answered = new Map<string, number>();
  readonly #service: Service;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });
  readonly #held: (Promise<HeldToken> | undefined)[] = [];
  #credentials: ClientCredentials | undefined;

  constructor(service: Service) {
    this.#service = service;
    this.temporal = new TemporalClient({
      TEMPORAL_ADDRESS: service.temporalAddress,
      TEMPORAL_NAMESPACE: 'default',
      PAYLOAD_KEYS: service.payloadKeys,
    });
  }

  /** Creates the data that the requests read. */
  async prepare(): Promise<void> {
    const owner = { ownerOrganisationId: 1, profile: 'timetable' } as const;
    await (await this.#service.client()).putCodespace('dem', {
      name: 'Demo',
      xmlns: 'DEM',
      allowedXmlns: [],
      ...owner,
    });
  }

  async run(rate: number, seconds: number): Promise<Load> {
    return await steadyLoad(rate, seconds, (count) => this.#request(count));
  }

  /** Starts a rotation once the worker has created its schedule. */
  async rotate(): Promise<void> {
    await until(() =>
      triggerRotation(this.temporal).then(
        () => true,
        () => false,
      ),
    );
  }

  /** Ids of the published keys of tokens. */
  async published(): Promise<readonly string[]> {
    const answer = await fetch(`${this.#service.authUrl}/.well-known/jwks.json`);
    const { keys } = (await answer.json()) as {
      readonly keys: readonly { readonly kid: string; readonly alg: string }[];
    };
    return keys.filter(({ alg }) => alg === 'RS256').map(({ kid }) => kid);
  }

  async fetchToken(): Promise<HeldToken> {
    this.#credentials ??= await this.#service.credentials();
    const body = JSON.stringify({ ...this.#credentials, grant_type: 'client_credentials' });
    const headers = { 'content-type': 'application/json' };
    const answer = await call(
      { method: 'POST', url: `${this.#service.authUrl}/oauth/token`, headers, body },
      this.#agent,
    );
    if (answer.status !== 200) throw new Error(`no token: ${answer.status} ${answer.body}`);
    const { access_token: text } = JSON.parse(answer.body) as { readonly access_token: string };
    const endsAtMs = Number(decodeJwt(text).exp) * 1_000;
    return { text, kid: String(decodeProtectedHeader(text).kid), fetchedAtMs: Date.now(), endsAtMs };
  }

  async use({ text }: HeldToken): Promise<Answered> {
    const headers = { authorization: `Bearer ${text}` };
    return await call({ method: 'GET', url: `${this.#service.apiUrl}${PATH}`, headers }, this.#agent);
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    await this.temporal.close();
  }

  async #request(count: number): Promise<Answered> {
    try {
      const token = await this.#tokenOf(count % CLIENTS);
      const answer = await this.use(token);
      if (answer.status === 200) this.answered.set(token.kid, (this.answered.get(token.kid) ?? 0) + 1);
      else
        this.failures.push(
          `${new Date().toISOString()} key ${token.kid}: ${answer.status} ${answer.body.slice(0, 200)}`,
        );
      return answer;
    } catch (error) {
      this.failures.push(`${new Date().toISOString()} ${error}`);
      return { ms: 0, status: 0, body: String(error) };
    }
  }

  async #tokenOf(client: number): Promise<HeldToken> {
    const held = await this.#held[client];
    const now = Date.now();
    const isDue = !held || now > held.endsAtMs - LEFT_MS || (client % 2 === 1 && now > held.fetchedAtMs + IMPATIENT_MS);
    if (!isDue) return held;
    const fetching = this.fetchToken();
    this.#held[client] = fetching;
    // The next request tries again, as a client would.
    fetching.catch(() => {
      this.#held[client] = undefined;
    });
    return await fetching;
  }
}
