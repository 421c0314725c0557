/**
 * Validates one NeTEx file: the schema stage, then one streaming pass for constraints and rules.
 *
 * Callers: the worker thread of netex/thread; tests. Synchronous, without clock, network or state between files: the
 * same file and context give the same result. A CRITICAL finding ends the file's other findings and keeps its ids out
 * of the rules over the dataset; it hides nothing else.
 */
import { createTimetableCollector } from './dataset/timetable/extract-timetable.ts';
import type { FileResult } from './file-result.ts';
import { fileChecks, modelChecks } from './rules/catalogue.ts';
import { createFactCollector } from './rules/facts.ts';
import { FileRun } from './rules/file-run.ts';
import { FindingList, severityOf } from './rules/finding-list.ts';
import { reportedFindings } from './rules/reported-findings.ts';
import { XML_SCHEMA_ERROR, XML_SCHEMA_WARNING } from './rules/schema.ts';
import { createIdentifierCollector } from './rules/uniqueness.ts';
import type { SchemaDefect, SchemaOutcome, SchemaSet } from './schema/index.ts';
import { LISTED_SCHEMA_ERRORS, type NetexFile, type ValidationContext } from './validation-context.ts';
import { decodeXml, XmlEncodingError } from './xml/decode.ts';
import { NotWellFormedError, type ScanListener, Scanner } from './xml/scan.ts';

/** Without schemas, only the rules apply. */
export function validateFile(file: NetexFile, context: ValidationContext, schemas?: SchemaSet): FileResult {
  const schemaFindings = new FindingList(file.name, context, LISTED_SCHEMA_ERRORS);
  const report = (defect: SchemaDefect): void => schemaFindings.add(XML_SCHEMA_ERROR, defect, () => defect.message);
  const outcome = schemas?.check(file.bytes);
  if (outcome) {
    for (const defect of outcome.defects) report(defect);
    schemaFindings.addUnlisted(XML_SCHEMA_ERROR, outcome.count - outcome.defects.length);
  }
  const identifiers = createIdentifierCollector();
  const timetable = createTimetableCollector();
  const { check, facts } = createFactCollector();
  const passed = mayGoOn(outcome, context);
  const run = new FileRun(
    file,
    context,
    passed ? [...fileChecks, identifiers.check, timetable.check, check] : [check],
    passed && context.dataset === 'timetable' ? [...modelChecks, timetable.modelCheck] : [],
  );
  const constraints = outcome?.version ? schemas?.createConstraintListener(outcome.version, report) : undefined;
  let ended = false;
  if (outcome?.wellFormed !== false) {
    ended = scanFile(file.bytes, constraints ? both(run, constraints) : run, passed ? report : () => undefined);
    if (ended) constraints?.finish();
    if (ended) run.finish();
  }
  for (const warning of outcome?.warnings ?? []) schemaFindings.add(XML_SCHEMA_WARNING, warning, () => warning.message);
  const { findings, counts, critical } = reportedFindings(schemaFindings, run.findings, context, ended);
  return {
    name: file.name,
    kind: file.kind,
    bytes: file.bytes.length,
    schemaVersion: outcome?.version ?? null,
    ...facts,
    findings,
    counts,
    capped: counts[XML_SCHEMA_ERROR.code] === undefined ? [] : cappedCodes(outcome),
    identifiers: critical ? new Uint8Array() : identifiers.build(),
    timetable: critical ? new Uint8Array() : timetable.build(),
  };
}

/** The rules skip a file that breaks its schema, unless configuration lowers that severity. */
function mayGoOn(outcome: SchemaOutcome | undefined, context: ValidationContext): boolean {
  if (!outcome || outcome.count === 0) return true;
  return outcome.wellFormed && severityOf(XML_SCHEMA_ERROR, context) !== 'CRITICAL';
}

function cappedCodes(outcome: SchemaOutcome | undefined): string[] {
  return outcome?.capped ? [XML_SCHEMA_ERROR.code] : [];
}

function both(run: FileRun, constraints: ScanListener): ScanListener {
  return {
    start(element) {
      run.start(element);
      constraints.start?.(element);
    },
    end(element) {
      run.end(element);
      constraints.end?.(element);
    },
  };
}

/** False when the file cannot be read to its end, which is reported. */
function scanFile(bytes: Uint8Array, listener: ScanListener, report: (defect: SchemaDefect) => void): boolean {
  const scanner = new Scanner(listener);
  try {
    for (const text of decodeXml(bytes)) scanner.write(text);
    scanner.close();
    return true;
  } catch (error) {
    if (error instanceof NotWellFormedError) {
      const { line, column } = error;
      report({ message: `The file is not well-formed XML: ${error.message}`, line, column, objectId: null });
    } else if (error instanceof XmlEncodingError) {
      report({ message: error.message, line: error.line ?? null, column: null, objectId: null });
    } else throw error;
    return false;
  }
}
