/**
 * The least that any validation must do: unpack and parse every file, with nobody listening. A process of its own, so
 * that it can be bound to one core: `node dev/bench/netex-floor.ts ARCHIVE [rounds]` prints the best round as JSON.
 */
import { readFileSync } from 'node:fs';
import { decodeXml } from '../../netex/xml/decode.ts';
import { Scanner } from '../../netex/xml/scan.ts';
import { bufferRangeReader, DEFAULT_ARCHIVE_LIMITS, openArchive, readEntry } from '../../netex/zip/index.ts';
import { peakMegabytes } from './memory.ts';

const [path = '', rounds = '4'] = process.argv.slice(2);
let best = { megabytesPerSecond: 0, unpackSeconds: 0, parseSeconds: 0 };

for (let round = 0; round < Number(rounds); round++) {
  const archive = await openArchive(bufferRangeReader(readFileSync(path)), DEFAULT_ARCHIVE_LIMITS);
  let [bytesRead, unpackMs, parseMs] = [0, 0, 0];
  for (const entry of archive.entries) {
    const begun = performance.now();
    const bytes = await readEntry(archive, entry);
    const unpacked = performance.now();
    bytesRead += bytes.length;
    parse(bytes);
    unpackMs += unpacked - begun;
    parseMs += performance.now() - unpacked;
  }
  const megabytesPerSecond = bytesRead / 1e3 / (unpackMs + parseMs);
  if (megabytesPerSecond > best.megabytesPerSecond) {
    best = { megabytesPerSecond, unpackSeconds: unpackMs / 1000, parseSeconds: parseMs / 1000 };
  }
}
console.log(JSON.stringify({ ...best, peakMegabytes: peakMegabytes(process.pid) }));

/** A file that is no XML costs what was read of it. */
function parse(bytes: Uint8Array): void {
  const scanner = new Scanner({});
  try {
    for (const text of decodeXml(bytes)) scanner.write(text);
    scanner.close();
  } catch {
    return;
  }
}
