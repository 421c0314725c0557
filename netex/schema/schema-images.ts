/**
 * Compiled schemas on disk: the memory of a libxml2 instance in which a version has been compiled. Reading one takes
 * a fifth of a second, compiling 5–13 s. An image is valid only for the XSDs and the libxml2 that it was made with;
 * others are ignored.
 *
 * Caller: compiled-schemas.ts. No other program may write to the folder: its content is trusted.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Pointer } from './libxml2.ts';

export interface SchemaImage {
  readonly schema: Pointer;
  readonly memory: Uint8Array;
}

const POINTER_BYTES = 4;
const LIBRARY = fileURLToPath(import.meta.resolve('libxml2-wasm/lib/libxml2raw.mjs'));
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Undefined without a readable image. */
export function readImage(directory: string, version: string, xsdFolder: string): SchemaImage | undefined {
  try {
    const bytes = zstdDecompressSync(readFileSync(join(directory, imageName(version, xsdFolder))));
    return { schema: bytes.readUInt32LE(0), memory: bytes.subarray(POINTER_BYTES) };
  } catch {
    return undefined;
  }
}

/** Removes outdated images of the version. If the folder cannot be written to, only the next start takes longer. */
export function writeImage(
  directory: string,
  version: string,
  xsdFolder: string,
  { schema, memory }: SchemaImage,
): void {
  const name = imageName(version, xsdFolder);
  const bytes = Buffer.alloc(POINTER_BYTES + memory.length);
  bytes.writeUInt32LE(schema, 0);
  bytes.set(memory, POINTER_BYTES);
  try {
    mkdirSync(directory, { recursive: true });
    const unfinished = join(directory, `${name}.${process.pid}`);
    writeFileSync(unfinished, zstdCompressSync(bytes, COMPRESSION));
    renameSync(unfinished, join(directory, name));
    for (const other of readdirSync(directory))
      if (other.startsWith(`${version}-`) && other.endsWith(SUFFIX) && other !== name)
        rmSync(join(directory, other), { force: true });
  } catch {
    // As without a folder: the next start compiles the version.
  }
}

const SUFFIX = '.image';

function imageName(version: string, xsdFolder: string): string {
  const hash = createHash('sha256').update(readFileSync(LIBRARY));
  const files = readdirSync(xsdFolder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.xsd'));
  for (const file of files.sort()) hash.update(`\n${file}\n`).update(readFileSync(join(xsdFolder, file)));
  return `${version}-${hash.digest('hex').slice(0, 16)}${SUFFIX}`;
}
