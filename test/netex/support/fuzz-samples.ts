/** Inputs for fuzzing the validation: small valid datasets of this project and, where present, real ones. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NetexFile } from '../../../netex/validation-context.ts';
import { readDataset } from './expected-findings.ts';

export interface FuzzSample {
  readonly name: string;
  readonly xmlns: string;
  readonly files: readonly NetexFile[];
}

const OWN = join(import.meta.dirname, '..', '..', 'spec', 'rules', 'samples');
const REAL = [
  ['FLB', 'entur__antu/rb_flb-aggregated-netex.zip'],
  ['FLB', 'derived-flb/flb-private-blocks-deadrun-restricted-valid.zip'],
  ['BRA', 'entur__netex-validator-java/rb_bra-flexible-lines-valid-passing-times.zip'],
  ['SJV', 'entur__netex-gtfs-converter-java/rb_sjv-aggregated-netex.zip'],
] as const;

export async function readFuzzSamples(shared: string | undefined): Promise<FuzzSample[]> {
  const samples: FuzzSample[] = [{ name: 'sample dataset', xmlns: 'ABC', files: readOwn() }];
  for (const [xmlns, path] of REAL) {
    const files =
      shared && existsSync(join(shared, 'netex/data', path)) && (await readDataset(join(shared, 'netex/data', path)));
    if (files) samples.push({ name: path, xmlns, files });
  }
  return samples;
}

/** Excludes the stop register, which is a separate dataset. */
function readOwn(): NetexFile[] {
  const names = readdirSync(OWN).filter((name) => name.endsWith('.xml') && name !== 'stops.xml');
  return names.sort().map((name) => ({
    name,
    kind: name.startsWith('_') ? 'common' : 'line',
    bytes: new Uint8Array(readFileSync(join(OWN, name))),
  }));
}
