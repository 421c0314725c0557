/**
 * Validates a converted archive as the service does: classification, schema with constraints, rules of each file, rules
 * across files. Callers: tests of the converter; by hand, to see what a large feed breaks.
 */
import { addFileIds } from '../../netex/dataset/file-ids.ts';
import { IdIndexBuilder } from '../../netex/dataset/id-index.ts';
import { validateDataset } from '../../netex/dataset/validate-dataset.ts';
import { decodeFileResult, encodeFileResult } from '../../netex/file-result.ts';
import type { Finding } from '../../netex/finding.ts';
import { CommonFactsBuilder } from '../../netex/model/common-facts.ts';
import { SchemaSet } from '../../netex/schema/index.ts';
import { DatasetStopsBuilder, StopRegisterReader } from '../../netex/stop-register/stop-register-reader.ts';
import { validateFile } from '../../netex/validate-file.ts';
import type { ValidationContext } from '../../netex/validation-context.ts';
import {
  classifyArchive,
  DEFAULT_ARCHIVE_LIMITS,
  openArchive,
  openFileRangeReader,
  readEntry,
} from '../../netex/zip/index.ts';
import { xsdDirectory } from '../support/folders.ts';
import { SCHEMA_IMAGES } from '../support/schema-images.ts';

export interface ArchiveVerdict {
  readonly kind: 'timetable' | 'stop-register';
  readonly valid: boolean;
  readonly counts: Readonly<Record<string, number>>;
  /** Some messages of each code, `CODE: message`; those that make the dataset invalid come first. */
  readonly messages: readonly string[];
}

export interface ValidateOptions {
  readonly xmlns: string;
  /** Archive of a stop register. */
  readonly register?: string;
  readonly today: string;
  /** Number of files that are also validated by schema. */
  readonly schemaFiles?: number;
}

let schemas: SchemaSet | undefined;

export async function validateArchive(path: string, options: ValidateOptions): Promise<ArchiveVerdict> {
  schemas ??= SchemaSet.open(xsdDirectory(), { imageDirectory: SCHEMA_IMAGES });
  const reader = await openFileRangeReader(path);
  try {
    const archive = await openArchive(reader, DEFAULT_ARCHIVE_LIMITS);
    const { kind } = await classifyArchive(archive, {});
    const context: ValidationContext = {
      xmlns: options.xmlns,
      allowedXmlns: ['NSR', 'PEN'],
      profile: 'timetable',
      dataset: kind,
      stopRegisterXmlns: 'NSR',
      ...(options.register && { stopRegister: await readRegister(options.register) }),
    };
    const ids = new IdIndexBuilder();
    const facts = new CommonFactsBuilder();
    const stops = new DatasetStopsBuilder();
    const common = archive.entries.filter((entry) => entry.kind === 'common');
    for (const entry of common) {
      const file = { name: entry.name, bytes: await readEntry(archive, entry) };
      addFileIds(file, ids, facts.reader(), stops.listener());
    }
    const full: ValidationContext = {
      ...context,
      commonIds: ids.build().bytes,
      commonFacts: facts.build(),
      ...(!stops.isEmpty && { datasetStops: stops.build().bytes }),
    };
    const results = new Map<string, Uint8Array>();
    const found: Finding[] = [];
    for (const [index, entry] of archive.entries.entries()) {
      const file = { name: entry.name, kind: entry.kind, bytes: await readEntry(archive, entry) };
      const checked = index < (options.schemaFiles ?? Number.POSITIVE_INFINITY) ? schemas : undefined;
      const result = validateFile(file, full, checked);
      found.push(...result.findings);
      results.set(entry.name, encodeFileResult(result));
    }
    const source = {
      files: archive.entries.map(({ name, kind: fileKind }) => ({ name, kind: fileKind })),
      read: async (name: string) => decodeFileResult(results.get(name) ?? new Uint8Array()),
    };
    const outcome = await validateDataset(source, { today: options.today, dataset: kind });
    const messages = describe([...found, ...outcome.findings]);
    return { kind, valid: outcome.valid, counts: outcome.findingsPerRule, messages };
  } finally {
    await reader.close();
  }
}

function describe(findings: readonly Finding[]): string[] {
  const isGrave = (severity: string): boolean => severity === 'ERROR' || severity === 'CRITICAL';
  const shown = new Map<string, number>();
  return findings
    .toSorted((a, b) => Number(isGrave(b.severity)) - Number(isGrave(a.severity)))
    .flatMap(({ code, message, fileName }) => {
      const times = (shown.get(code) ?? 0) + 1;
      shown.set(code, times);
      return times > 2 ? [] : [`${code}: ${fileName}: ${message}`];
    });
}

async function readRegister(path: string): Promise<Uint8Array> {
  const reader = await openFileRangeReader(path);
  try {
    const archive = await openArchive(reader, DEFAULT_ARCHIVE_LIMITS);
    const register = new StopRegisterReader();
    for (const entry of archive.entries) register.addFile(await readEntry(archive, entry));
    return register.build().bytes;
  } finally {
    await reader.close();
  }
}
