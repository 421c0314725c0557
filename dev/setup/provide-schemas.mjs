/**
 * `node dev/setup/provide-schemas.mjs FOLDER`: puts the NeTEx schemas there, by the version and hash that
 * dev/setup/manifest.json pins and through the set-up's own provider. Called while the image is built; plain
 * JavaScript, as the set-up is.
 */
import { cp, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { providePart } from './parts.mjs';
import { Progress } from './progress.mjs';
import { findPart, getPart } from './resolve.mjs';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: node dev/setup/provide-schemas.mjs FOLDER');
const part = getPart('netex-xsd');
await providePart(part, new Progress());
const provided = findPart(part);
if (provided === undefined) throw new Error(`${part.title} are not where they were put`);
await rm(resolve(folder), { recursive: true, force: true });
await cp(provided, resolve(folder), { recursive: true });
