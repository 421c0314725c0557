/**
 * Validates a small dataset as the pipeline does: first it reads the facts of common files and stops, then it validates each
 * file, then the dataset by the rules across files. It runs in this thread, with one set of schemas. Caller: rules.test.ts.
 */
import { addFileIds, SEVERAL_FILES } from '../../../netex/dataset/file-ids.ts';
import { IdIndexBuilder } from '../../../netex/dataset/id-index.ts';
import { validateDataset } from '../../../netex/dataset/validate-dataset.ts';
import type { FileResult } from '../../../netex/file-result.ts';
import type { Finding } from '../../../netex/finding.ts';
import { CommonFactsBuilder } from '../../../netex/model/common-facts.ts';
import { SchemaSet } from '../../../netex/schema/index.ts';
import { DatasetStopsBuilder, StopRegisterReader } from '../../../netex/stop-register/stop-register-reader.ts';
import { validateFile } from '../../../netex/validate-file.ts';
import type { NetexFile, ValidationContext } from '../../../netex/validation-context.ts';
import { decodeXml, XmlEncodingError } from '../../../netex/xml/decode.ts';
import { NotWellFormedError, type ScanListener, Scanner } from '../../../netex/xml/scan.ts';
import { xsdDirectory } from '../../support/folders.ts';
import { SCHEMA_IMAGES } from '../../support/schema-images.ts';
import type { Texts } from './rule-case.ts';

export const REGISTER_FILE = 'stops.xml';
export const TODAY = '2026-11-21';

export interface WholeDataset {
  readonly texts: Texts;
  /** Files that the XSD checks, too. */
  readonly checkedBySchema: ReadonlySet<string>;
  readonly context: Partial<ValidationContext>;
  readonly today?: string;
}

const TIMETABLE: ValidationContext = {
  xmlns: 'ABC',
  allowedXmlns: ['NSR', 'PEN'],
  profile: 'timetable',
  dataset: 'timetable',
  stopRegisterXmlns: 'NSR',
};
const REGISTER: ValidationContext = { ...TIMETABLE, xmlns: 'NSR', allowedXmlns: [], dataset: 'stop-register' };

let schemas: SchemaSet | undefined;

/** Returns all findings, of files and of the dataset, with complete counts. */
export async function validateWhole(
  whole: WholeDataset,
): Promise<{ findings: Finding[]; counts: Record<string, number> }> {
  const register = whole.context.dataset === 'stop-register';
  const files = [...whole.texts]
    .filter(([name]) => (name === REGISTER_FILE) === register)
    .map(([name, text]): NetexFile => ({ name, kind: kindOf(name), bytes: new TextEncoder().encode(text) }));
  const ahead = files.map(({ name, kind }) => (kind === 'common' ? whole.texts.get(name) : '')).join('\n');
  const stops = whole.texts.get(REGISTER_FILE) ?? '';
  const readAhead = () => materials(files, whole.texts.get(REGISTER_FILE));
  const base = register ? REGISTER : { ...TIMETABLE, ...remembered(knownMaterials, `${ahead}\n${stops}`, readAhead) };
  const context = { ...base, ...whole.context };
  schemas ??= SchemaSet.open(xsdDirectory(), { imageDirectory: SCHEMA_IMAGES });
  const results = new Map<string, FileResult>();
  for (const file of files) {
    const checked = whole.checkedBySchema.has(file.name) ? schemas : undefined;
    const validate = () => validateFile(file, context, checked);
    const key = checked
      ? undefined
      : [ahead, stops, JSON.stringify(whole.context), whole.texts.get(file.name)].join('\n');
    results.set(file.name, key === undefined ? validate() : remembered(known, `${file.name}\n${key}`, validate));
  }
  const outcome = await validateDataset(
    {
      files: files.map(({ name, kind }) => ({ name, kind })),
      read: async (name) => results.get(name) as FileResult,
    },
    { ...context, today: whole.today ?? TODAY },
  );
  const findings = [...[...results.values()].flatMap((result) => result.findings), ...outcome.findings];
  return { findings, counts: outcome.findingsPerRule };
}

/** Results of unchanged files with the same common files and stops: such files are validated once for all cases. */
const known = new Map<string, FileResult>();
/** What common files and stops say, by their texts. Most cases change neither. */
const knownMaterials = new Map<string, Partial<ValidationContext>>();

function remembered<T>(results: Map<string, T>, key: string, make: () => T): T {
  const result = results.get(key) ?? make();
  results.set(key, result);
  return result;
}

function kindOf(name: string): NetexFile['kind'] {
  return name.startsWith('_') ? 'common' : 'line';
}

/** The data that the pipeline reads before it validates files. */
function materials(files: readonly NetexFile[], stops: string | undefined): Partial<ValidationContext> {
  const common = files.filter(({ kind }) => kind === 'common');
  const ids = new IdIndexBuilder(SEVERAL_FILES);
  const facts = new CommonFactsBuilder();
  const ownStops = new DatasetStopsBuilder();
  for (const file of common) {
    addFileIds(file, ids);
    scan(file.bytes, facts.reader());
    ownStops.addFile(file.bytes);
  }
  return {
    commonIds: ids.build().bytes,
    commonFacts: facts.build(),
    ...(ownStops.isEmpty ? {} : { datasetStops: ownStops.build().bytes }),
    ...(stops === undefined ? {} : { stopRegister: readRegister(stops) }),
  };
}

function readRegister(stops: string): Uint8Array {
  const register = new StopRegisterReader();
  register.addFile(new TextEncoder().encode(stops));
  return register.build().bytes;
}

/** Scans as much of the file as is readable. */
function scan(bytes: Uint8Array, listener: ScanListener): void {
  const scanner = new Scanner(listener);
  try {
    for (const text of decodeXml(bytes)) scanner.write(text);
    scanner.close();
  } catch (error) {
    if (!(error instanceof NotWellFormedError || error instanceof XmlEncodingError)) throw error;
  }
}
