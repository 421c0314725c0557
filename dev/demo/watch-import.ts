/** Waits for an import to end, and reports each step. Callers: the import of the demo data, the demo story. */
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type ImportEvent, type ReportFinding, type TimetableClient } from './api-client.ts';

const POLL_MS = 400;
const FINDINGS_SHOWN = 5;

export interface WatchOptions {
  /** Called when the state of a step has changed. */
  readonly onEvent?: (event: ImportEvent) => void;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

export type ImportOutcome =
  | { readonly state: 'OK' | 'DUPLICATE' }
  | { readonly state: 'FAILED'; readonly reason: string };

export async function watchImport(
  client: TimetableClient,
  codespace: string,
  correlationId: string,
  { onEvent, signal, timeoutMs = 600_000 }: WatchOptions = {},
): Promise<ImportOutcome> {
  const until = Date.now() + timeoutMs;
  const shown = new Map<string, string>();
  for (;;) {
    const { state } = await client.status(codespace, correlationId);
    const events = await client.events(codespace, correlationId);
    for (const event of events) {
      if (shown.get(event.action) === event.state) continue;
      shown.set(event.action, event.state);
      onEvent?.(event);
    }
    if (state === 'OK') return { state };
    if (state === 'FAILED') {
      if (events.some((event) => event.state === 'DUPLICATE')) return { state: 'DUPLICATE' };
      return { state, reason: await reasonOf(client, codespace, correlationId, events) };
    }
    if (Date.now() > until) {
      throw new Error(`The import ${correlationId} of ${codespace} has not ended after ${timeoutMs / 1000} s`);
    }
    await delay(POLL_MS, undefined, signal ? { signal } : {});
  }
}

async function reasonOf(
  client: TimetableClient,
  codespace: string,
  correlationId: string,
  events: readonly ImportEvent[],
): Promise<string> {
  const failed = events.findLast((event) => event.state === 'FAILED');
  const said = failed?.details ? ` ${JSON.stringify(failed.details)}` : '';
  const step = `${failed?.action ?? 'a step'} failed${failed?.errorCode ? ` with ${failed.errorCode}` : ''}${said}`;
  try {
    const { findings } = await client.report(codespace, correlationId);
    const grave = findings.filter(({ severity }) => severity === 'ERROR' || severity === 'CRITICAL');
    return [step, ...grave.slice(0, FINDINGS_SHOWN).map(describeFinding)].join('\n  ');
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return step;
    throw error;
  }
}

function describeFinding({ severity, code, message, fileName, lineNumber }: ReportFinding): string {
  const place = fileName === null ? '' : ` (${fileName}${lineNumber === null ? '' : `, line ${lineNumber}`})`;
  return `${severity} ${code}: ${message}${place}`;
}
