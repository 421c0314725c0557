/**
 * `npm run try:privileges` takes the logins of each process of the running local stack from its environment. It tries
 * what they reach and change, and compares that with the manifests. Changes nothing. `--local DIR` for a stack that
 * keeps its state elsewhere. Exit code 1 when a login can do more or less than its manifest says.
 */
import { parseArgs } from 'node:util';
import { AREAS } from '../activities/areas.ts';
import { privilegesOf } from '../platform/privileges/process-privileges.ts';
import { listRows } from './privileges/privilege-rows.ts';
import { tryAccess } from './privileges/tried-access.ts';
import { CUSTOMER_KEYS_DATABASE, DATABASE } from './stack/access.ts';
import { LocalState, type ProcessIdentity } from './stack/local-state.ts';
import { kebabCase } from './stack/process-names.ts';
import { readEnvironment } from './stack/process-table.ts';
import { PROCESS_NAMES, SHARED_PROCESSES } from './stack/processes.ts';

const { values } = parseArgs({ options: { local: { type: 'string' } } });
const state = new LocalState(values.local);
const running = (state.read('processes.json') ?? []) as readonly ProcessIdentity[];
const partsOf = new Map<string, readonly string[]>([
  ...PROCESS_NAMES.map((name) => [kebabCase(name), [kebabCase(name)]] as const),
  ...Object.entries(SHARED_PROCESSES).map(([name, { parts }]) => [kebabCase(name), parts.map(kebabCase)] as const),
]);
const ours = running.flatMap(({ name, pid }) => {
  const parts = partsOf.get(name);
  return parts ? [{ name, pid, parts }] : [];
});
if (ours.length === 0) {
  console.error(state.describeAbsence());
  process.exitCode = 1;
}

for (const { name, pid, parts } of ours) {
  const tried = await tryAccess(readEnvironment(pid), { data: DATABASE, customerKeys: CUSTOMER_KEYS_DATABASE });
  const [found, expected] = [listRows(tried), listRows(privilegesOf(parts, AREAS))];
  const more = [...found.filter((row) => !expected.includes(row)), ...tried.extraordinary];
  const less = expected.filter((row) => !found.includes(row));
  console.log(`\n${name}\n${found.map((row) => `  ${row}`).join('\n')}`);
  if (more.length + less.length === 0) continue;
  console.log(
    `  NOT AS THE MANIFESTS SAY: found ${more.join('; ') || 'nothing else'}; expected ${less.join('; ') || 'no other'}`,
  );
  process.exitCode = 1;
}
if (ours.length > 0 && process.exitCode !== 1)
  console.log('\nEvery process can do what its manifest says, and nothing else.');
