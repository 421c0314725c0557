/**
 * Judges one NeTEx file: the schema stage, then one streaming pass for constraints and rules.
 *
 * Callers: the worker thread of netex/thread; tests. Synchronous, without clock, network or state between files: the
 * same file and context give the same result. A CRITICAL finding ends the file's other findings; its ids are still
 * given to the rules over the dataset, as far as they could be read.
 */
import type { FileResult } from './file-result.ts';
import type { Finding } from './finding.ts';
import { fileChecks } from './rules/catalogue.ts';
import { createFactCollector } from './rules/facts.ts';
import { FileRun } from './rules/file-run.ts';
import { FindingList, type NotedPlace } from './rules/finding-list.ts';
import { XML_SCHEMA_ERROR } from './rules/schema.ts';
import { createIdentifierCollector } from './rules/uniqueness.ts';
import { LISTED_SCHEMA_ERRORS, type NetexFile, type ValidationContext } from './validation-context.ts';
import { decodeXml, XmlEncodingError } from './xml/decode.ts';
import { NotWellFormedError, Scanner } from './xml/scan.ts';

export function validateFile(file: NetexFile, context: ValidationContext): FileResult {
  const identifiers = createIdentifierCollector();
  const { check, facts } = createFactCollector();
  const run = new FileRun(file, context, [...fileChecks, identifiers.check, check]);
  const schemaFindings = new FindingList(file.name, context, LISTED_SCHEMA_ERRORS);
  scanFile(file.bytes, run, (message, place) => schemaFindings.add(XML_SCHEMA_ERROR, place, () => message));
  const critical = Object.keys(schemaFindings.counts()).length > 0;
  const { findings, counts } = critical
    ? { findings: schemaFindings.listed(), counts: schemaFindings.counts() }
    : { findings: run.findings as Finding[], counts: run.counts };
  return {
    name: file.name,
    kind: file.kind,
    bytes: file.bytes.length,
    schemaVersion: null,
    ...facts,
    findings,
    counts,
    capped: [],
    identifiers: identifiers.build(),
  };
}

function scanFile(bytes: Uint8Array, run: FileRun, onError: (message: string, place: NotedPlace) => void): void {
  const scanner = new Scanner(run);
  try {
    for (const text of decodeXml(bytes)) scanner.write(text);
    scanner.close();
    run.finish();
  } catch (error) {
    if (error instanceof NotWellFormedError) {
      const { line, column } = error;
      onError(`The file is not well-formed XML: ${error.message}`, { line, column, objectId: null });
    } else if (error instanceof XmlEncodingError) {
      onError(error.message, { line: error.line ?? null, column: null, objectId: null });
    } else throw error;
  }
}
