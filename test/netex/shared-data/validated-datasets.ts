/**
 * Validates each dataset of the shared real data once, for all that check the findings. Callers: expected.ts,
 * timetable-meaning.ts.
 */
import type { FileResult } from '../../../netex/file-result.ts';
import { SchemaSet } from '../../../netex/schema/index.ts';
import { validateFile } from '../../../netex/validate-file.ts';
import type { NetexFile } from '../../../netex/validation-context.ts';
import { xsdDirectory } from '../../support/folders.ts';
import { SCHEMA_IMAGES } from '../../support/schema-images.ts';
import { contextOf, readDataset, type SharedDataset } from '../support/expected-findings.ts';

export interface ValidatedDataset {
  readonly files: readonly NetexFile[];
  /** By file name, in the order of the archive. */
  readonly results: ReadonlyMap<string, FileResult>;
}

const validated = new Map<string, Promise<ValidatedDataset | undefined>>();
let schemas: SchemaSet | undefined;

/** Undefined for an archive that cannot be read. */
export function validateOnce(dataset: SharedDataset): Promise<ValidatedDataset | undefined> {
  const known = validated.get(dataset.path) ?? validate(dataset);
  validated.set(dataset.path, known);
  return known;
}

/** The files are large. */
export function forgetDatasets(): void {
  validated.clear();
}

async function validate({ source, path }: SharedDataset): Promise<ValidatedDataset | undefined> {
  const files = await readDataset(path);
  if (!files) return undefined;
  const context = contextOf(source, files);
  // The reference validator has no findings for the others, and some have schema versions that take long to compile.
  if (source.run === 'findings') schemas ??= SchemaSet.open(xsdDirectory(), { imageDirectory: SCHEMA_IMAGES });
  const used = source.run === 'findings' ? schemas : undefined;
  return { files, results: new Map(files.map((file) => [file.name, validateFile(file, context, used)])) };
}
