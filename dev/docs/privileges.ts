/**
 * `npm run docs:privileges` writes the table of privileges into docs/operations/privileges.md, from the manifests; with
 * `--check` it only says whether the table is current. Callers: people, the check of the whole project.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AREAS } from '../../activities/areas.ts';
import { RESTORE_MARK } from '../../platform/mongo/restore-mark.ts';
import { listProcesses, privilegesOf, type Rights } from '../../platform/privileges/process-privileges.ts';

const target = fileURLToPath(new URL('../../docs/operations/privileges.md', import.meta.url));
const BEGIN = '<!-- table: npm run docs:privileges -->\n';
const END = '<!-- end of table -->\n';

const text = readFileSync(target, 'utf8');
const [before = '', rest = ''] = text.split(BEGIN);
const written = `${before}${BEGIN}${describePrivileges()}${END}${rest.split(END)[1] ?? ''}`;

if (!process.argv.includes('--check')) writeFileSync(target, written);
else if (written !== text) {
  console.error('docs/operations/privileges.md is not what the manifests say: run npm run docs:privileges');
  process.exitCode = 1;
}

function describePrivileges(): string {
  const rows = listProcesses(AREAS).map((name) => {
    const { data, customerKeys, objects } = privilegesOf([name], AREAS);
    return `| \`${name}\` | ${describe(data)} | ${describe(customerKeys)} | ${describe(objects)} |\n`;
  });
  return `| Process | Collections of the data | Customers’ keys | Objects |\n|---|---|---|---|\n${rows.join('')}`;
}

function describe(rights: Rights<string>): string {
  const shown = [...rights].filter(([name]) => name !== RESTORE_MARK).sort(([one], [other]) => (one < other ? -1 : 1));
  return shown.map(([name, each]) => `\`${name}\` ${[...each].sort().join(' ')}`).join('<br>') || '–';
}
