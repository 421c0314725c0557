/**
 * Validates datasets with one file changed at random, and reports the outcome of each round. It runs in a thread, so that
 * another thread notices a round that hangs.
 *
 * Every change is validated with the schemas. Documents that they refuse are validated again by the rules alone, so
 * that the rules also meet documents that no schema accepts.
 */
import assert from 'node:assert/strict';
import { parentPort, workerData } from 'node:worker_threads';
import { createRandom } from '../../../dev/demo/random.ts';
import { validateDataset } from '../../../netex/dataset/validate-dataset.ts';
import { decodeFileResult, encodeFileResult, type FileResult } from '../../../netex/file-result.ts';
import { SchemaSet } from '../../../netex/schema/index.ts';
import { validateFile } from '../../../netex/validate-file.ts';
import type { NetexFile } from '../../../netex/validation-context.ts';
import { SCHEMA_IMAGES } from '../../support/schema-images.ts';
import { contextOf } from './expected-findings.ts';
import { type FuzzSample, readFuzzSamples } from './fuzz-samples.ts';
import { mutateXml, type Random } from './mutate-xml.ts';

export interface FuzzOptions {
  readonly seed: number;
  readonly firstRound: number;
  readonly rounds: number;
  readonly xsdDirectory: string;
  readonly shared: string | undefined;
}

export type FuzzMessage =
  | { readonly type: 'compiling' }
  | { readonly type: 'compiled' }
  | { readonly type: 'round'; readonly round: number; readonly sample: string; readonly file: string }
  | { readonly type: 'failed'; readonly round: number; readonly error: string; readonly xml: string }
  | { readonly type: 'done'; readonly tally: FuzzTally };

/** Depth of the rounds: changes that the schemas refuse test no rule. */
export interface FuzzTally {
  rounds: number;
  passedSchema: number;
  codes: string[];
}

const options = workerData as FuzzOptions;
const send = (message: FuzzMessage): void => parentPort?.postMessage(message);
const schemas = SchemaSet.open(options.xsdDirectory, {
  imageDirectory: SCHEMA_IMAGES,
  onCompile: (_version, done) => send({ type: done ? 'compiled' : 'compiling' }),
});

const tally: FuzzTally = { rounds: 0, passedSchema: 0, codes: [] };
const codes = new Set<string>();

/** Depends on seed and round only, so that any round can run alone. */
function randomOf(round: number): Random {
  const { integer } = createRandom(`${options.seed} ${round}`);
  return (limit) => integer(0, limit - 1);
}

function assertSound(result: FileResult): void {
  assert.deepEqual(decodeFileResult(encodeFileResult(result)), result, 'a stored result is not what was stored');
  for (const { code, message, name } of result.findings) {
    codes.add(code);
    assert.ok(result.counts[code], `${code} is listed and not counted`);
    assert.ok(name.length > 0 && message.length > 0, `${code} says nothing`);
    // Messages of the schema may contain these words: `undefined` is a kind of bus.
    if (code === 'XML_SCHEMA_ERROR') continue;
    assert.doesNotMatch(message, /\bundefined\b|\[object |\bnull\b/, `${code} says: ${message}`);
  }
}

async function validate(files: readonly NetexFile[], changed: NetexFile, sample: FuzzSample): Promise<void> {
  const context = contextOf({ codespace: sample.xmlns.toLowerCase() }, files);
  const withSchemas = validateFile(changed, context, schemas);
  assertSound(withSchemas);
  const refused = withSchemas.counts.XML_SCHEMA_ERROR !== undefined;
  if (!refused) tally.passedSchema++;
  const byRules = refused ? validateFile(changed, context) : withSchemas;
  assertSound(byRules);
  const results = new Map(files.map((file) => [file.name, file === changed ? byRules : validateFile(file, context)]));
  const read = async (name: string) => results.get(name) ?? assert.fail(name);
  const outcome = await validateDataset({ files, read }, { dataset: 'timetable', today: '2026-11-21' });
  for (const { code } of outcome.findings) codes.add(code);
}

async function run(): Promise<void> {
  const samples = await readFuzzSamples(options.shared);
  for (let round = options.firstRound; round < options.firstRound + options.rounds; round++) {
    const random = randomOf(round);
    const sample = samples[round % samples.length] ?? assert.fail();
    const place = random(sample.files.length);
    const original = sample.files[place] ?? assert.fail();
    send({ type: 'round', round, sample: sample.name, file: original.name });
    const xml = mutateXml(new TextDecoder().decode(original.bytes), random);
    const changed = { ...original, bytes: new TextEncoder().encode(xml) };
    try {
      await validate(sample.files.with(place, changed), changed, sample);
    } catch (error) {
      send({
        type: 'failed',
        round,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        xml,
      });
    }
    tally.rounds++;
  }
  tally.codes = [...codes].sort();
  send({ type: 'done', tally });
}

await run();
