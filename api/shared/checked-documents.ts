/**
 * Documents that were parsed and checked before the service starts. `npm run build:contract` writes each file of a document
 * to `dist/documents`, under the checksum of its text. So nothing there is stale: a text that has changed since has another
 * name and is parsed, and checked, at start. Both give the same; a start without the folder takes longer.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Json, toJson } from './openapi-reference.ts';
import { yaml } from './yaml.ts';

export const CHECKED_DOCUMENTS = new URL('../../dist/documents/', import.meta.url);

export interface SourceFile {
  readonly content: Json;
  /** True when the content was checked as it is. */
  readonly isChecked: boolean;
}

export function readSource(file: URL): SourceFile {
  const text = readFileSync(file, 'utf8');
  const checked = readChecked(text);
  return checked === undefined
    ? { content: parseSource(text, file), isChecked: false }
    : { content: toJson(JSON.parse(checked), file.pathname), isChecked: true };
}

export function parseSource(text: string, file: URL): Json {
  return toJson(yaml().parse(text), file.pathname);
}

/** The file's name in the folder. */
export function checkedName(text: string): string {
  return `${createHash('sha256').update(text).digest('hex')}.json`;
}

function readChecked(text: string): string | undefined {
  try {
    return readFileSync(new URL(checkedName(text), CHECKED_DOCUMENTS), 'utf8');
  } catch {
    return undefined;
  }
}
