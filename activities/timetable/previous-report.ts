/**
 * The report that a new one is compared with: that of the codespace's previous import, published or not.
 *
 * Callers: the classification names it in the manifest, so that every try compares with the same report; the end of the
 * validation reads it.
 */
import type { Finding } from '../../netex/finding.ts';
import { type ComparableReport, compareReports, type ReportComparison } from '../../netex/report/compare-reports.ts';
import { ReportIdentities } from '../../netex/report/report-identities.ts';
import { readReport } from '../../netex/report/report-stream.ts';
import type { ComparedImport, ReportSummary } from '../../netex/report/report-types.ts';
import { ObjectMissingError, type ObjectStore } from '../../platform/object-store/object-store.ts';
import { readObject } from '../../platform/object-store/read-object.ts';
import type { Codespace, CorrelationId } from '../../workflows/shared/ids.ts';
import type { DatasetImportInput } from '../../workflows/timetable/messages.ts';
import type { ImportStore } from './import-store.ts';
import { reportIdentitiesKey, reportKey } from './object-keys.ts';
import { openPacked } from './packed-object.ts';

/** A validation that failed through a fault of the service has no report; an earlier one has. */
const TRIED = 5;

export async function findPreviousReport(
  { imports, objects }: { readonly imports: ImportStore; readonly objects: ObjectStore },
  { codespace, correlationId }: DatasetImportInput,
): Promise<ComparedImport | null> {
  const { receivedAt } = await imports.get(codespace, correlationId);
  for (const before of await imports.listValidatedBefore(codespace, receivedAt, TRIED)) {
    if (!(await objects.head(reportKey(codespace, before.correlationId)))) continue;
    return {
      correlationId: before.correlationId,
      importKey: before.importKey,
      createdAt: before.receivedAt.toISOString(),
    };
  }
  return null;
}

/** Undefined when there is no report to compare with. */
export async function compareWithPrevious(
  objects: ObjectStore,
  codespace: Codespace,
  previous: ComparedImport | null | undefined,
  current: ComparableReport,
): Promise<ReportComparison | undefined> {
  if (!previous) return undefined;
  const correlationId = previous.correlationId as CorrelationId;
  const key = reportKey(codespace, correlationId);
  if (!(await objects.head(key))) return undefined;
  const { findingsPerRule } = await readSummary(objects, key);
  const identities = await readIdentities(objects, reportIdentitiesKey(codespace, correlationId));
  return await compareReports(
    { import: previous, findingsPerRule, identities, findings: () => readFindings(objects, key) },
    current,
  );
}

/** Undefined when the report had too many findings to store their identities. */
async function readIdentities(objects: ObjectStore, key: string): Promise<ReportIdentities | undefined> {
  try {
    return ReportIdentities.open(await readObject(objects, key));
  } catch (error) {
    if (error instanceof ObjectMissingError) return undefined;
    throw error;
  }
}

async function readSummary(objects: ObjectStore, key: string): Promise<ReportSummary> {
  const json = await openPacked(objects, key);
  try {
    return (await readReport(json as AsyncIterable<Uint8Array>)).summary;
  } finally {
    json.destroy();
  }
}

async function* readFindings(objects: ObjectStore, key: string): AsyncGenerator<Finding> {
  const json = await openPacked(objects, key);
  try {
    yield* (await readReport(json as AsyncIterable<Uint8Array>)).findings;
  } finally {
    json.destroy();
  }
}
