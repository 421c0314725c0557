/**
 * Finds mistakes in manifests that compile, start, and show only when an event is lost or an erasure never ends. Each is a
 * sentence that names the file to mend. Caller: areas.test.ts.
 */
import type { Area, CollectionEntry } from '../../platform/area.ts';

/** Runs the erasure steps of all areas, and removes keys without a subject. */
const ERASING_PROCESS = 'sales-customers-worker';

export function manifestFaults(areas: readonly Area[]): readonly string[] {
  return [...areas.flatMap((area) => [...outboxFaults(area), ...personalFaults(area)]), ...kindFaults(areas)];
}

function outboxFaults({ name, topics = [], collections }: Area): readonly string[] {
  if (topics.length === 0 || collections.some(({ outbox }) => outbox)) return [];
  return [`${fileOf(name)} names topics: give the collection whose documents have their events \`outbox: true\``];
}

function personalFaults({ name, collections, subjectKinds = [], erasureSteps }: Area): readonly string[] {
  const personal = collections.filter((entry) => entry.personal);
  const faults = personal.flatMap((entry) => eraserFaults(name, entry));
  if (subjectKinds.length > 0 && personal.length === 0)
    faults.push(`${fileOf(name)} names subject kinds: give each collection with sealed data \`personal: true\``);
  if ((subjectKinds.length > 0 || personal.length > 0) && !erasureSteps)
    faults.push(`${fileOf(name)} has personal data: name the steps that erase it in \`erasureSteps\``);
  return faults;
}

function eraserFaults(name: string, { definition, uses }: CollectionEntry): readonly string[] {
  const rights = uses[ERASING_PROCESS] ?? [];
  const erases = rights.includes('update') || rights.includes('remove');
  if (rights.includes('find') && erases) return [];
  const wanted = `\`find\`, and \`update\` or \`remove\`, on ${definition.collection}`;
  return [`${fileOf(name)}: ${ERASING_PROCESS} runs the erasure steps, so give it ${wanted}`];
}

function kindFaults(areas: readonly Area[]): readonly string[] {
  const kinds = areas.flatMap(({ name, subjectKinds = [] }) => subjectKinds.map(({ kind }) => ({ name, kind })));
  return kinds.flatMap(({ name, kind }, at) => {
    const other = kinds.slice(0, at).find((each) => each.kind === kind);
    return other ? [`${fileOf(name)} names the subject kind ${kind}, which ${fileOf(other.name)} names`] : [];
  });
}

function fileOf(name: string): string {
  return `activities/${name}/area.ts`;
}
