/** Compiles the NeTEx schema of a version, which stores its image. Started by schema-images.ts. */
import { SchemaSet } from '../../netex/schema/index.ts';
import { xsdDirectory } from '../support/folders.ts';
import { SCHEMA_IMAGES } from '../support/schema-images.ts';

const [version = ''] = process.argv.slice(2);
SchemaSet.open(xsdDirectory(), { imageDirectory: SCHEMA_IMAGES }).warmUp(version);
