/**
 * Keys of the data that one step of an import leaves for later steps. All are below the import's work prefix and its
 * manifest's id: a run with other decisions (another stop register, other limits) shares nothing with it.
 */
import type { BatchInput, ManifestInput } from '../../workflows/timetable/activities.ts';
import { workPrefix } from './object-keys.ts';

const folder = ({ codespace, correlationId, manifestId }: ManifestInput): string =>
  `${workPrefix(codespace, correlationId)}${manifestId}/`;

/** So that keys sort as numbers do. */
const padded = (index: number): string => String(index).padStart(6, '0');

/** Prefix of the manifest ids, and so of all keys, of the private datasets that one run of a workflow makes. */
export function privateWork(runId: string): string {
  return `private-${runId}/`;
}

export function manifestKey(input: ManifestInput): string {
  return `${folder(input)}manifest.json`;
}

/** Ids of all common files: an IdIndex. */
export function commonIdsKey(input: ManifestInput): string {
  return `${folder(input)}common.ids`;
}

/** Facts of the common files that line files refer to: netex/model/common-facts.ts. */
export function commonFactsKey(input: ManifestInput): string {
  return `${folder(input)}common.facts`;
}

/** Stops of SiteFrames in common files: a StopRegister; zero bytes when there are none. */
export function commonStopsKey(input: ManifestInput): string {
  return `${folder(input)}common.stops`;
}

/** Prefix of the results of all batches. */
export function resultsPrefix(input: ManifestInput): string {
  return `${folder(input)}results/`;
}

/** Prefix of the results of one batch. */
export function batchResultsPrefix(input: BatchInput): string {
  return `${resultsPrefix(input)}${padded(input.batch)}/`;
}

/** Consecutive files, by their places in the manifest, both included. */
export interface ResultGroup {
  readonly first: number;
  readonly last: number;
}

/** Results of these files: the key names them, so the same key always holds the same bytes. */
export function resultGroupKey(input: BatchInput, { first, last }: ResultGroup): string {
  return `${batchResultsPrefix(input)}${padded(first)}-${padded(last)}`;
}

/** Inverse of {@link resultGroupKey}. */
export function parseResultGroup(key: string): ResultGroup {
  const [, first, last] = /(\d+)-(\d+)$/.exec(key) ?? [];
  if (first === undefined || last === undefined) throw new Error(`${key} is not the key of results`);
  return { first: Number(first), last: Number(last) };
}

/** Prefix of the marks that a step leaves while it runs: see step-deaths.ts. */
export function stepMarksPrefix(input: ManifestInput, step: string): string {
  return `${folder(input)}running/${step}/`;
}
