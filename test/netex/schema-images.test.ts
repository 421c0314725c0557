/** Compiled schemas on disk validate as freshly compiled ones do, and load only while their sources are unchanged. */
import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SchemaSet } from '../../netex/schema/index.ts';
import { readImage, writeImage } from '../../netex/schema/schema-images.ts';
import { temporaryDirectory, xsdDirectory } from '../support/folders.ts';
import { SCHEMA_IMAGES } from '../support/schema-images.ts';
import { line, serviceFrame } from './support/schema-samples.ts';

const VERSION = '1.13';
const memory = Buffer.from('what a libxml2 instance holds');

describe('images of compiled schemas', () => {
  let [xsds, images]: string[] = [];

  beforeEach(() => {
    xsds = join(temporaryDirectory('schema-images'), VERSION);
    images = join(temporaryDirectory('schema-images'), 'images');
    writeXsd('a.xsd', '<schema/>');
  });

  const folder = () => xsds ?? '';
  const directory = () => images ?? '';
  function writeXsd(name: string, text: string): void {
    cpSync(temporaryDirectory('empty'), folder(), { recursive: true });
    writeFileSync(join(folder(), name), text);
  }
  const write = () => writeImage(directory(), VERSION, folder(), { schema: 42, memory });
  const read = () => readImage(directory(), VERSION, folder());

  it('are read as written', () => {
    assert.equal(read(), undefined);
    write();
    assert.equal(read()?.schema, 42);
    assert.deepEqual(Buffer.from(read()?.memory ?? []), memory);
  });

  it('are not used for other XSDs, and are replaced by the next', () => {
    write();
    writeXsd('a.xsd', '<schema id="other"/>');
    assert.equal(read(), undefined);
    write();
    assert.equal(readdirSync(directory()).length, 1);
    writeXsd('b.xsd', '<schema/>');
    assert.equal(read(), undefined);
  });

  it('are ignored when damaged, and are optional where they cannot be written', () => {
    write();
    const [name = ''] = readdirSync(directory());
    truncateSync(join(directory(), name), 20);
    assert.equal(read(), undefined);
    writeImage(join(folder(), 'a.xsd'), VERSION, folder(), { schema: 42, memory });
    assert.equal(readFileSync(join(folder(), 'a.xsd'), 'utf8'), '<schema/>');
  });

  it('give the results of the compiled schema, repeatedly', () => {
    const kept = SchemaSet.open(xsdDirectory(), { imageDirectory: SCHEMA_IMAGES });
    const good = Buffer.from(serviceFrame(`<lines>${line('ABC:Line:1')}</lines>`));
    const bad = Buffer.from(
      serviceFrame(`<lines>${line('ABC:Line:1', '<Name>L</Name><Monitored>maybe</Monitored>')}</lines>`),
    );
    const outcomes = Array.from({ length: 20 }, (_, index) => kept.check(index % 2 === 0 ? good : bad).count);
    assert.deepEqual(outcomes, Array.from({ length: 10 }, () => [0, 1]).flat());
  });
});
