/**
 * The few calls of the service that the demo needs, as an operator's own program would make them: over HTTP, with a
 * token. Callers: the import of the demo data, the demo story, tests.
 */
import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';

/** A client, in the format of `.local/clients.json`. */
export interface ClientCredentials {
  readonly client_id: string;
  readonly client_secret: string;
  readonly audience: string;
}

export interface Token {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope: string;
}

export interface ImportStatus {
  readonly state: 'IN_PROGRESS' | 'OK' | 'FAILED';
  readonly date: string;
  readonly fileName: string;
}

export interface ImportEvent {
  readonly action: string;
  readonly state: string;
  readonly at: string;
  readonly durationMs?: number;
  readonly errorCode?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface ReportFinding {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly fileName: string | null;
  readonly lineNumber: number | null;
}

export interface Report {
  readonly valid: boolean;
  readonly files: readonly { readonly name: string; readonly serviceJourneys: number; readonly bytes: number }[];
  readonly findingsPerRule: Readonly<Record<string, number>>;
  readonly findings: readonly ReportFinding[];
}

export interface Version {
  readonly importKey: string;
  readonly creationDate: string;
}

export interface Download {
  readonly sha256: string;
  readonly bytes: number;
  readonly digest: string | undefined;
  readonly fileName: string | undefined;
}

export interface Codespace {
  readonly name: string;
  readonly xmlns: string;
  readonly allowedXmlns: readonly string[];
  readonly profile: string;
  readonly authorities?: readonly string[];
  readonly ownerOrganisationId: number;
}

/** The service answered with an error. `message` has the call, the status and the service's text. */
export class ApiError extends Error {
  readonly status: number;
  constructor(call: string, status: number, text: string) {
    super(`${call} answered ${status}: ${text}`);
    this.name = 'ApiError';
    this.status = status;
  }
}

export async function fetchToken(authUrl: string, client: ClientCredentials, signal?: AbortSignal): Promise<Token> {
  const { client_id, client_secret, audience } = client;
  const answer = await request(`${authUrl}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id, client_secret, audience, grant_type: 'client_credentials' }),
    ...(signal && { signal }),
  });
  return (await answer.json()) as Token;
}

export class TimetableClient {
  readonly #apiUrl: string;
  readonly #token: string;
  readonly #signal: AbortSignal | undefined;

  constructor(apiUrl: string, token: string, signal?: AbortSignal) {
    this.#apiUrl = apiUrl;
    this.#token = token;
    this.#signal = signal;
  }

  async putCodespace(codespace: string, fields: Codespace): Promise<void> {
    const body = JSON.stringify(fields);
    const headers = { 'content-type': 'application/json' };
    await this.#send(`codespaces/${codespace}`, { method: 'PUT', headers, body });
  }

  /** Streams the file from disk and returns the correlation id. With an idempotency key it may be repeated. */
  async upload(codespace: string, path: string, fileName = basename(path), idempotencyKey?: string): Promise<string> {
    const form = new FormData();
    form.set('file', await openAsBlob(path, { type: 'application/zip' }), fileName);
    const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    const answer = await this.#send(`timetable-management/datasets/${codespace}`, {
      method: 'POST',
      headers,
      body: form,
    });
    return ((await answer.json()) as { correlationId: string }).correlationId;
  }

  async status(codespace: string, correlationId: string): Promise<ImportStatus> {
    return await this.#get(`timetable-events/status/${codespace}/${correlationId}`);
  }

  async events(codespace: string, correlationId: string): Promise<readonly ImportEvent[]> {
    const path = `timetable-events/status/${codespace}/${correlationId}/events?perPage=100`;
    return (await this.#get<{ items: readonly ImportEvent[] }>(path)).items;
  }

  async report(codespace: string, correlationId: string): Promise<Report> {
    return await this.#get(`timetable-events/report/${codespace}/${correlationId}`);
  }

  async versions(codespace: string): Promise<readonly Version[]> {
    return await this.#get(`timetable-data/datasets/${codespace}/versions`);
  }

  /** Newest first. */
  async imports(codespace: string): Promise<readonly ImportStatus[]> {
    const path = `timetable-management/datasets/${codespace}/imports?perPage=100`;
    return (await this.#get<{ items: readonly ImportStatus[] }>(path)).items;
  }

  /** Reads to the end and keeps only the checksum. `version` is `latest` or `version/{importKey}`. */
  async download(codespace: string, version: string): Promise<Download> {
    return await this.#download(`timetable-data/datasets/${codespace}/${version}`);
  }

  /** Downloads the private dataset; undefined when there is none. */
  async downloadFiltered(codespace: string): Promise<Download | undefined> {
    try {
      return await this.#download(`timetable-management/datasets/${codespace}/filtered`);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }

  async #download(path: string): Promise<Download> {
    const answer = await this.#send(path, {});
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of answer.body ?? []) {
      hash.update(chunk);
      bytes += chunk.length;
    }
    const fileName = /filename="([^"]*)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1];
    return { sha256: hash.digest('hex'), bytes, digest: answer.headers.get('digest') ?? undefined, fileName };
  }

  async #get<Answer>(path: string): Promise<Answer> {
    const answer = await this.#send(path, { headers: { accept: 'application/json' } });
    return (await answer.json()) as Answer;
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${this.#token}` };
    const signal = this.#signal;
    return await request(`${this.#apiUrl}/timetable/v1/${path}`, { ...init, headers, ...(signal && { signal }) });
  }
}

async function request(url: string, init: RequestInit): Promise<Response> {
  const call = `${init.method ?? 'GET'} ${url}`;
  let answer: Response;
  try {
    answer = await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    throw new Error(`${call} got no answer: ${cause instanceof Error ? cause.message : cause}`, { cause: error });
  }
  if (answer.ok) return answer;
  throw new ApiError(call, answer.status, describe(await answer.text()));
}

/** Turns problem details and OAuth errors into one sentence. Other bodies are returned shortened. */
function describe(body: string): string {
  try {
    const problem = JSON.parse(body) as Record<string, unknown>;
    const words = [problem.code ?? problem.error, problem.detail ?? problem.error_description ?? problem.title];
    const said = words.filter((word) => typeof word === 'string').join(': ');
    return problem.errors === undefined ? said : `${said} ${JSON.stringify(problem.errors)}`;
  } catch {
    return body.slice(0, 300);
  }
}
