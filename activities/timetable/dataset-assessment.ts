/**
 * The end of a validation: the rules across files, the verdict and the report. Reads the results of all files one after
 * the other, writes the report as a stream; memory does not grow with the dataset.
 */

import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { log } from '@temporalio/activity';
import type { DatasetOutcome, DatasetSource } from '../../netex/dataset/dataset-outcome.ts';
import { validateDataset } from '../../netex/dataset/validate-dataset.ts';
import type { Finding } from '../../netex/finding.ts';
import { ReportIdentities } from '../../netex/report/report-identities.ts';
import { writeReport } from '../../netex/report/report-stream.ts';
import type { ReportSummary } from '../../netex/report/report-types.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { ManifestInput, ValidatedDataset } from '../../workflows/timetable/activities.ts';
import type { DatasetManifest } from './dataset-manifest.ts';
import { openResults } from './file-results.ts';
import type { ImportMaterialSource } from './import-materials.ts';
import { reportIdentitiesKey, reportKey } from './object-keys.ts';
import { compareWithPrevious } from './previous-report.ts';

export async function assessDataset(
  objects: ObjectStore,
  materials: ImportMaterialSource,
  input: ManifestInput,
  signal: AbortSignal,
): Promise<ValidatedDataset> {
  const { manifest, context } = await materials.get(input);
  const source = await openResults(objects, input, manifest, signal);
  const today = manifest.receipt.receivedAt.slice(0, 'yyyy-MM-dd'.length);
  // The context of the files, so that a finding has one severity whichever stage makes or counts it.
  const outcome = await validateDataset(source, { ...context, today });
  if (manifest.privateExport) return await assessPrivateDataset(input, outcome, source);
  const summary = summarise(input, manifest, outcome);
  const findings = () => allFindings(outcome, source);
  const identities = await ReportIdentities.of(findings());
  const compared = await compareWithPrevious(objects, input.codespace, manifest.previousReport, {
    findingsPerRule: summary.findingsPerRule,
    identities,
  });
  const json = compared
    ? writeReport({ ...summary, comparison: compared.comparison }, compared.mark(findings()))
    : writeReport(summary, findings());
  if (identities) {
    const key = reportIdentitiesKey(input.codespace, input.correlationId);
    await objects.put(key, identities.bytes(), 'application/octet-stream', signal);
  }
  await objects.putStream(reportKey(input.codespace, input.correlationId), gzip(json), {
    contentType: 'application/json',
    signal,
  });
  return { valid: outcome.valid, findings: outcome.findingsPerSeverity };
}

/** Enough to begin the repair of the filter with. */
const LOGGED_FINDINGS = 10;

/** This archive has no sender, so it gets no report: its findings go to the log, for the developers. */
async function assessPrivateDataset(
  input: ManifestInput,
  outcome: DatasetOutcome,
  source: DatasetSource,
): Promise<ValidatedDataset> {
  const result = { valid: outcome.valid, findings: outcome.findingsPerSeverity };
  if (outcome.valid) return result;
  const rules = new Set<string>();
  const first: Finding[] = [];
  for await (const finding of allFindings(outcome, source)) {
    if (finding.severity !== 'ERROR' && finding.severity !== 'CRITICAL') continue;
    rules.add(finding.code);
    if (first.length < LOGGED_FINDINGS) first.push(finding);
  }
  const brokenRules = [...rules].sort();
  log.error('The filter made a dataset that is not valid', { ...input, brokenRules, findings: first });
  return { ...result, brokenRules };
}

function summarise(input: ManifestInput, { receipt }: DatasetManifest, outcome: DatasetOutcome): ReportSummary {
  const { valid, schemaVersions, files, findingsPerRule, capped } = outcome;
  return {
    codespace: input.codespace,
    correlationId: input.correlationId,
    importKey: receipt.importKey,
    fileName: receipt.fileName,
    createdAt: receipt.receivedAt,
    valid,
    schemaVersions,
    files,
    findingsPerRule,
    ...(capped.length > 0 && { capped }),
  };
}

/** Findings of the dataset first, then file by file in the order of the report. */
async function* allFindings(outcome: DatasetOutcome, source: DatasetSource): AsyncGenerator<Finding> {
  yield* outcome.findings;
  for (const { name } of outcome.files) yield* (await source.read(name)).findings;
}

/** Zip's fastest level: reports shrink tenfold even so. */
async function* gzip(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const packed = createGzip({ level: 1 });
  const done = new Promise<void>((resolve, reject) => {
    pipeline(Readable.from(text), packed, (error) => (error ? reject(error) : resolve()));
  });
  done.catch(() => undefined);
  for await (const chunk of packed) yield chunk as Uint8Array;
  await done;
}
