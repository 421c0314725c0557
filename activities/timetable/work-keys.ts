/**
 * Where the steps of one import leave what later steps need. All below the import's work prefix, and below its
 * manifest's id: a run that decided differently (another stop register, other limits) shares nothing with it.
 */
import type { BatchInput, ManifestInput } from '../../workflows/timetable/activities.ts';
import { workPrefix } from './object-keys.ts';

const folder = ({ codespace, correlationId, manifestId }: ManifestInput): string =>
  `${workPrefix(codespace, correlationId)}${manifestId}/`;

/** So that keys sort as numbers do. */
const padded = (index: number): string => String(index).padStart(6, '0');

export function manifestKey(input: ManifestInput): string {
  return `${folder(input)}manifest.json`;
}

/** Ids of all common files: an IdIndex. */
export function commonIdsKey(input: ManifestInput): string {
  return `${folder(input)}common.ids`;
}

/** Prefix of the results of one batch. */
export function batchResultsPrefix(input: BatchInput): string {
  return `${folder(input)}results/${padded(input.batch)}/`;
}

/** Result of one file, by its place in the manifest. */
export function fileResultKey(input: BatchInput, file: number): string {
  return `${batchResultsPrefix(input)}${padded(file)}`;
}

/** Prefix of the marks that a step leaves while it runs: see step-deaths.ts. */
export function stepMarksPrefix(input: ManifestInput, step: string): string {
  return `${folder(input)}running/${step}/`;
}
