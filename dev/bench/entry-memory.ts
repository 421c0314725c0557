/**
 * Memory that the validation of one file takes, by its size and content: `node dev/bench/entry-memory.ts [MiB …]`.
 *
 * Each file is validated in a process of its own. That process does what a validation worker does with the file, from
 * its bytes to its stored result. Prints the highest resident size before and after, and bytes for each byte of the
 * file. Linux only. See activities/timetable/validation-memory.ts.
 */
import { spawnSync } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';
import { addStreamIds, SEVERAL_FILES } from '../../netex/dataset/file-ids.ts';
import { IdIndexBuilder } from '../../netex/dataset/id-index.ts';
import { encodeFileResult } from '../../netex/file-result.ts';
import { CommonFactsBuilder } from '../../netex/model/common-facts.ts';
import { DatasetStopsBuilder } from '../../netex/stop-register/stop-register-reader.ts';
import { ValidationThread } from '../../netex/thread/index.ts';
import { xsdDirectory } from '../../test/support/folders.ts';
import { netexFile } from '../../test/support/netex-samples.ts';
import { SCHEMA_IMAGES } from '../../test/support/schema-images.ts';
import { peakMegabytes, residentMegabytes } from './memory.ts';

const MIB = 1024 * 1024;
const frame = (content: string) => `<ServiceFrame version="1" id="ABC:ServiceFrame:1">${content}</ServiceFrame>`;
const timetable = (content: string) =>
  `<TimetableFrame version="1" id="ABC:TimetableFrame:1">${content}</TimetableFrame>`;

/** Text before, one repeated element, text after. */
const CONTENTS: Readonly<Record<string, readonly [before: string, each: (at: number) => string, after: string]>> = {
  spaces: ['', () => ' '.repeat(1000), ''],
  unknown: ['', () => '<x/>', ''],
  lines: ['<lines>', (at) => `<Line version="1" id="ABC:Line:${at}"><Name>${at}</Name></Line>`, '</lines>'],
  stops: [
    '<scheduledStopPoints>',
    (at) => `<ScheduledStopPoint version="1" id="ABC:ScheduledStopPoint:${at}"><Name>${at}</Name></ScheduledStopPoint>`,
    '</scheduledStopPoints>',
  ],
  times: [
    '<vehicleJourneys><ServiceJourney version="1" id="ABC:ServiceJourney:1"><passingTimes>',
    (at) =>
      `<TimetabledPassingTime version="1" id="ABC:TimetabledPassingTime:${at}"><DepartureTime>10:00:00</DepartureTime></TimetabledPassingTime>`,
    '</passingTimes></ServiceJourney></vehicleJourneys>',
  ],
  idless: [
    '<vehicleJourneys><ServiceJourney version="1" id="ABC:ServiceJourney:1"><passingTimes>',
    () => '<TimetabledPassingTime/>',
    '</passingTimes></ServiceJourney></vehicleJourneys>',
  ],
};

function documentOf(content: string, sizeBytes: number): Buffer {
  const [before, each, after] = CONTENTS[content] ?? ['', () => '', ''];
  const wrap = content === 'times' || content === 'idless' ? timetable : frame;
  const [head = '', tail = ''] = netexFile(wrap(`${before}\u0001${after}`)).split('\u0001');
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  let at = bytes.write(head);
  for (let count = 0; ; count += 1) {
    const part = each(count);
    if (at + part.length + tail.length > sizeBytes) break;
    at += bytes.write(part, at, 'latin1');
  }
  bytes.fill(' ', at, sizeBytes - tail.length);
  bytes.write(tail, sizeBytes - tail.length);
  return bytes;
}

async function measure(content: string, megabytes: number, kind: string): Promise<void> {
  setFlagsFromString('--heap-growing-percent=200');
  const bytes = documentOf(content, megabytes * MIB);
  const { pid } = process;
  const begun = performance.now();
  if (kind === 'common') {
    const before = residentMegabytes(pid) ?? 0;
    const index = new IdIndexBuilder(SEVERAL_FILES);
    const facts = new CommonFactsBuilder();
    const stops = new DatasetStopsBuilder();
    const chunks = (function* () {
      for (let at = 0; at < bytes.length; at += 262_144) yield bytes.subarray(at, at + 262_144);
    })();
    await addStreamIds({ name: '_a.xml', chunks: toAsync(chunks) }, index, facts.reader(), stops.listener());
    const ids = index.build().bytes;
    const packed = facts.build();
    tell(before, `${((ids.length + packed.length) / 1e6).toFixed(0)} MB of ids and facts`);
    return;
  }
  const thread = await ValidationThread.start({
    xsdDirectory: xsdDirectory(),
    imageDirectory: SCHEMA_IMAGES,
    warmUp: ['1.13'],
  });
  const before = (residentMegabytes(pid) ?? 0) - bytes.length / 1e6;
  const context = {
    xmlns: 'ABC',
    allowedXmlns: ['NSR'],
    profile: 'timetable',
    dataset: 'timetable',
    stopRegisterXmlns: 'NSR',
  } as const;
  const result = await thread.validate({ name: 'a.xml', kind: 'line', bytes }, context);
  const encoded = encodeFileResult(result);
  tell(
    before,
    `${JSON.stringify(result.counts).slice(0, 150)}, result ${(encoded.length / 1e6).toFixed(1)} MB ${result.findings[0]?.message.slice(0, 90)}`,
  );
  await thread.stop();

  function tell(usual: number, outcome: string): void {
    const peak = peakMegabytes(pid) ?? 0;
    const each = ((peak - usual) / (megabytes * MIB)) * 1e6;
    const seconds = ((performance.now() - begun) / 1000).toFixed(0);
    console.log(
      `${kind} ${content} ${megabytes} MiB: ${usual.toFixed(0)} MB, then ${peak} MB: ${each.toFixed(2)} a byte; ${seconds} s; ${outcome}`,
    );
  }
}

async function* toAsync<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}

const [first = '', ...rest] = process.argv.slice(2);
if (first in CONTENTS) await measure(first, Number(rest[0]), rest[1] ?? 'line');
else {
  const sizes = [first, ...rest].map(Number).filter((size) => size > 0);
  for (const kind of ['line', 'common']) {
    for (const content of Object.keys(CONTENTS)) {
      for (const size of sizes.length > 0 ? sizes : [64, 256]) {
        const { signal, status } = spawnSync(process.execPath, [import.meta.filename, content, String(size), kind], {
          stdio: 'inherit',
        });
        if (status !== 0) console.log(`${kind} ${content} ${size} MiB: ended by ${signal ?? status}`);
      }
    }
  }
}
