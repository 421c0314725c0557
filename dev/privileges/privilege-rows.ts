/**
 * Privileges as rows that people read and tests compare. Callers: the table of the documents, `npm run try:privileges`,
 * tests.
 */
import type { Privileges, Rights } from '../../platform/privileges/process-privileges.ts';

/** `timetable_imports: find, update`, sorted; places of other databases and of the object store carry a word before. */
export function listRows({ data, customerKeys, objects }: Privileges): readonly string[] {
  return [...rowsOf('', data), ...rowsOf('customers’ keys: ', customerKeys), ...rowsOf('objects ', objects)];
}

function rowsOf<Right extends string>(before: string, rights: Rights<Right>): readonly string[] {
  return [...rights].map(([name, each]) => `${before}${name}: ${[...each].sort().join(', ')}`).sort();
}
