/**
 * Reads validation reports in the format that a caller asks for. Streams: a report of any size costs no memory.
 *
 * Caller: the report handler. Never writes: the pipeline writes reports.
 */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { reportToCsv } from '../../netex/report/report-csv.ts';
import { readReport } from '../../netex/report/report-stream.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { Codespace, CorrelationId } from '../../workflows/shared/ids.ts';
import { reportKey } from './object-keys.ts';
import { findPacked } from './packed-object.ts';

export type ReportFormat = 'application/json' | 'text/csv' | 'text/html';

export interface ReportOptions {
  readonly format: ReportFormat;
  readonly language: 'nb' | 'en';
  readonly signal?: AbortSignal;
}

export interface OpenReport {
  readonly stream: Readable;
  /** Headers to send in addition to its type. */
  readonly headers: Readonly<Record<string, string>>;
}

export class ReportStore {
  readonly #objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  /** Undefined while the import has no report, and for imports that never get one. */
  async find(
    codespace: Codespace,
    correlationId: CorrelationId,
    { format, language, signal }: ReportOptions,
  ): Promise<OpenReport | undefined> {
    const json = await findPacked(this.#objects, reportKey(codespace, correlationId), signal);
    if (!json) return undefined;
    if (format === 'application/json') return { stream: json, headers: {} };
    try {
      const { summary, findings } = await readReport(json as AsyncIterable<Uint8Array>);
      if (format === 'text/csv') return { stream: closing(json, reportToCsv(summary, findings)), headers: {} };
      // With it come all rules, which a process that only reads reports needs for nothing else.
      const { reportPageCsp, reportToHtml } = await import('../../netex/report/report-html.ts');
      const nonce = randomBytes(16).toString('base64');
      return {
        stream: closing(json, reportToHtml(summary, findings, { nonce, language })),
        headers: { 'content-security-policy': reportPageCsp(nonce) },
      };
    } catch (error) {
      json.destroy();
      throw error;
    }
  }
}

/**
 * Reads `json` for `written`. A stream closed unread, as for HEAD, would otherwise hold the connection to the object
 * store.
 */
function closing(json: Readable, written: AsyncIterable<string | Uint8Array>): Readable {
  return Readable.from(written).once('close', () => json.destroy());
}
