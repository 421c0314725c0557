/**
 * Speed of the schema stage (XSD and constraints) beside the Java validator's schema-only run, same machine, same run,
 * one core each, both warm. Usage: `node dev/bench/netex-schema.ts [archive.zip] [rounds]`.
 *
 * rival.ts says when the rival runs. Never fails on a figure: it prints them.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { SchemaSet, schemaMemoryBytes } from '../../netex/schema/index.ts';
import { decodeXml } from '../../netex/xml/decode.ts';
import { Scanner } from '../../netex/xml/scan.ts';
import { bufferRangeReader, DEFAULT_ARCHIVE_LIMITS, openArchive, readEntry } from '../../netex/zip/index.ts';
import { xsdDirectory } from '../setup/resolve.mjs';
import { AOR } from './archives.ts';
import { runRival } from './rival.ts';

const [archivePath = AOR, rounds = '3'] = process.argv.slice(2);
const CORE = '0';

interface Round {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly xsdSeconds: number;
  readonly megabytes: number;
  readonly findings: number;
}

async function validateOnce(schemas: SchemaSet): Promise<Round> {
  const started = performance.now();
  const cpuBefore = process.cpuUsage();
  const archive = await openArchive(bufferRangeReader(readFileSync(archivePath)), DEFAULT_ARCHIVE_LIMITS);
  let bytesRead = 0;
  let findings = 0;
  let xsdMs = 0;
  for (const entry of archive.entries) {
    const bytes = await readEntry(archive, entry);
    bytesRead += bytes.length;
    const before = performance.now();
    const { count, version } = schemas.check(bytes);
    xsdMs += performance.now() - before;
    findings += count;
    if (count > 0 || version === null) continue;
    const listener = schemas.createConstraintListener(version, () => {
      findings += 1;
    });
    const scanner = new Scanner(listener);
    for (const text of decodeXml(bytes)) scanner.write(text);
    scanner.close();
    listener.finish();
  }
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { seconds, cpuSeconds: (user + system) / 1e6, xsdSeconds: xsdMs / 1000, megabytes: bytesRead / 1e6, findings };
}

/** One core for this process and what it starts; without taskset the comparison is of one thread each. */
spawnSync('taskset', ['-acp', CORE, String(process.pid)]);
const schemas = SchemaSet.open(xsdDirectory());
let best = 0;
async function measure(round: number): Promise<void> {
  const { seconds, cpuSeconds, xsdSeconds, megabytes, findings } = await validateOnce(schemas);
  const speed = megabytes / seconds;
  const name = round === 0 ? 'ours, compiling' : 'ours, warm';
  const memory = `rss ${Math.round(process.memoryUsage().rss / 1e6)} MB, schemas ${Math.round(schemaMemoryBytes() / 1e6)} MB`;
  console.log(
    `${name}: ${megabytes.toFixed(2)} MB in ${seconds.toFixed(2)} s (${cpuSeconds.toFixed(2)} s of CPU; XSD ${xsdSeconds.toFixed(2)} s), ` +
      `${speed.toFixed(1)} MB/s, ${findings} findings, ${memory}`,
  );
  if (round > 0) best = Math.max(best, speed);
}

for (let round = 0; round <= Number(rounds); round++) await measure(round);
const rival = await runRival({ archive: archivePath, codespace: 'rut', schemaOnly: true, core: CORE, rounds: 2 });
// Again: on a machine that others use too, the best round of each is what compares.
for (let round = 1; round <= Number(rounds); round++) await measure(round);
if (rival === undefined) console.log('The Java validator is not here: nothing to compare with.');
else
  console.log(
    `Schema stage: ${best.toFixed(1)} MB/s against ${rival.rate.toFixed(2)} MB/s, ${(best / rival.rate).toFixed(1)} times.`,
  );
